static int b1_state;
static int b1_next(void) {
  return ++b1_state;
}
void b1_fence(int *restrict C, int n, int m) {
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      C[i * 8 + j] = n < 4 && j < 3 && b1_next() < 50 && m < 2 && j < 5;
    }
  }
}
