// Who may overlap whom, what is volatile, what lives at file scope.
static const int width = 4;
const float weights[] = {1, 2, 3};
int counter;
extern volatile int flag;
float table[8][4];
float *shared;
void take(int *);
void f(float *p, const double *restrict q, int a[], int b[static 4], float m[8][4], float (*r)[8],
       volatile short *v, const char c, int n)
{
    int taken = 0, plain = 0;
    register unsigned short const u = 3;
    take(&taken);
    for (int i = 0; i < n; i++) {
        p[i] = q[i] + m[i][0] + r[i][1] + width;
        table[i][width - 1] = weights[i & 1] + shared[i];
        a[i] = b[i] + v[i] + u + c;
        counter += flag;
        plain += taken;
    }
}
