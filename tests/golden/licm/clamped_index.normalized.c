void clamped_index(const float *restrict A, float *restrict C, int n) {
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      for (int r = 0; r < 5; ++r) {
        C[y * 1000 + x] += A[min(n - 1, max(x - 1, 0)) + min(n - 1, max(y + r - 2, 0)) * 1000];
      }
    }
  }
}
