// options:
#undef bool
#define bool unsigned char
void other_bool(int *restrict C, int n, double x) {
  for (int i = 0; i < 8; ++i) {
    C[i] = (_Bool)(x * 0.5) ? i : 0;
    bool b = n & 256;
    if (n & 256 && x < 2.0) {
      C[i] += b + 1;
    }
  }
}
#undef bool
#define bool _Bool
