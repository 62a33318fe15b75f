// options: --hint=n:1:1000
void clamped_index(const float *restrict A, float *restrict C, int n) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      for (int r = 0; r < 5; ++r)
        C[y*1000 + x] += A[min(max(y + r - 2, 0), n - 1)*1000 + min(max(x - 1, 0), n - 1)];
}
