// options:
static int b1_state;
static int b1_next(void) {
  return ++b1_state;
}
void b1_fence(int *restrict C, int n, int m) {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      C[i * 8 + j] = (j < 3 && n < 4) && (b1_next() < 50 && (j < 5 && m < 2));
}
