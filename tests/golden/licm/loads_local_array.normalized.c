void loads_local_array(const float *restrict Wt, float *restrict C, int n) {
  float b[8];
  for (int k = 0; k < 8; ++k) {
    b[k] = Wt[k];
  }
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < n; ++j) {
      if (j < 5) {
        C[i * 100 + j] = b[i] + Wt[i];
      }
    }
  }
}
