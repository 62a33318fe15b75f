static volatile int uv_state;
void unswitch_volatile(int *restrict C, int n, int m) {
  const bool t0 = m < 3;
  for (int i = 0; i < 16; ++i) {
    if (uv_state < n && t0) {
      C[i] = 1;
    }
  }
}
