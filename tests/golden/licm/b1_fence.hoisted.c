static int b1_state;
static int b1_next(void) {
  return ++b1_state;
}
void b1_fence(int *restrict C, int n, int m) {
  const bool t0 = n < 4;
  const bool t1 = m < 2;
  for (int i = 0; i < 8; ++i) {
    const int t2 = i * 8;
    for (int j = 0; j < 8; ++j) {
      C[t2 + j] = t0 && j < 3 && b1_next() < 50 && t1 && j < 5;
    }
  }
}
