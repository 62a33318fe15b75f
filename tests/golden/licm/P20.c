// options: --hint=n:0:100 --hint=m:0:100
void p20(const int *restrict A, int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 8; ++i) {
      C[j*8 + i] = min(min(min(i, n), j), m) + max(A[i], max(n, m));
      C[j*8 + i + 64] = (i*4*n)*j + ((i & n) & m);
    }
}
