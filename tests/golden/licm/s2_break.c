// options:
void s2_break(const int *restrict A, int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    if (A[i] < 0)
      break;
    C[i] = n / m + n * m;
  }
}
