void chains_flat(const float *restrict A, float *restrict C, int n) {
  const bool t0 = n == 3;
  for (int j = 0; j < 8; ++j) {
    const bool t1 = j < n;
    const int t2 = j * 16;
    for (int i = 0; i < 16; ++i) {
      C[t2 + i] = (t0 || (t1 && 3 < i && i < 12) || i == j || i == 5) ? A[t2 + i] : 0.0f;
    }
  }
}
