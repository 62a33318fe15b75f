#define BODY { for (int i = 0; i < 3; i++) a[i] = 1.0f; }
void f(float *a) BODY
