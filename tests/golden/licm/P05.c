// options:
void p05(const int *restrict A, int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i)
    C[i] = (i < n) ? 7 : ((m == 3) ? 7 : A[i]);
}
