void immediate_types(float *restrict A, const float *restrict B, long n, unsigned long m) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      A[i * 4 + j + 1] = B[(i + 1) * 32 + j * 2 + 1];
    }
  }
  for (unsigned long i = 0; i < m; i++) {
    for (unsigned long j = 0; j < m; j++) {
      A[i * 4 + j + 1] = B[(i + 1) * 32 + j * 2 + 1];
    }
  }
}
