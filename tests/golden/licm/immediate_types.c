// options: --hint=n:0:1000 --hint=m:0:1000
void immediate_types(float *restrict A, const float *restrict B, long n, unsigned long m) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[1 + 4 * i + j] = B[2 * j + 1 + 32 * (1 + i)];
  for (unsigned long i = 0; i < m; i++)
    for (unsigned long j = 0; j < m; j++)
      A[1 + 4 * i + j] = B[2 * j + 1 + 32 * (1 + i)];
}
