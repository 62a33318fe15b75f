// options:
// What became nothing in front of a semicolon stays, and is not what a macro in front of it ends with.
#define CODE(d) ((d) < 64 ? B[d] : B[64 + ((d) >> 7)])
#define CHECK(c)
void empty_macro(int *restrict C, const int *restrict B, int n)
{
  for (int i = 0; i < 64; i++) {
    int d = C[i] & 127;
    int code;
    code = d < 64 ? B[d] : B[(d >> 7) + 64];
    CHECK(code < 8);
    C[i] = n * 3 + code;
  }
}
