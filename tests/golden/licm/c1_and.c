// options:
void c1_and(const int *restrict A, int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i)
    C[i] = i < n ? (m == 3 ? A[i] : 0) : 0;
}
