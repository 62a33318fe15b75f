void immediate_types(float *restrict A, const float *restrict B, long n, unsigned long m) {
  for (long i = 0; i < n; i++) {
    const long t0 = i * 4;
    const long t1 = (i + 1) * 32;
    for (long j = 0; j < n; j++) {
      A[t0 + j + 1] = B[t1 + j * 2 + 1];
    }
  }
  for (unsigned long i = 0; i < m; i++) {
    const unsigned long t2 = i * 4;
    const unsigned long t3 = (i + 1) * 32;
    for (unsigned long j = 0; j < m; j++) {
      A[t2 + j + 1] = B[t3 + j * 2 + 1];
    }
  }
}
