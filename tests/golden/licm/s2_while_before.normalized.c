void s2_while_before(const int *restrict A, int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    int k = A[i];
    while (3 < k) {
      k -= 2;
    }
    C[i] = n / m + k;
  }
}
