// options:
static volatile int uv_state;
void unswitch_volatile(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i)
    if (uv_state < n && m < 3)
      C[i] = 1;
}
