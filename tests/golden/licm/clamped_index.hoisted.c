void clamped_index(const float *restrict A, float *restrict C, int n) {
  const int t0 = n - 1;
  for (int y = 0; y < n; ++y) {
    const int t1 = y * 1000;
    for (int x = 0; x < n; ++x) {
      const int t2 = t1 + x;
      const int t3 = min(t0, max(x - 1, 0));
      for (int r = 0; r < 5; ++r) {
        C[t2] += A[t3 + min(t0, max(y + r - 2, 0)) * 1000];
      }
    }
  }
}
