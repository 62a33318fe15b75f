// options:
#undef bool
#define bool unsigned char
void other_bool(int *restrict C, int n, double x) {
  const _Bool t0 = (_Bool)(x * 0.5);
  bool b = n & 256;
  const _Bool t1 = n & 256 && x < 2.0;
  const int t2 = b + 1;
  for (int i = 0; i < 8; ++i) {
    C[i] = t0 ? i : 0;
    if (t1) {
      C[i] += t2;
    }
  }
}
#undef bool
#define bool _Bool
