// options:
static int c0_state;
static int c0_next(void) {
  return ++c0_state;
}
void c0_impure(int *restrict C, int m) {
  for (int i = 0; i < 16; ++i)
    C[i] = c0_next() < 7 ? m : m;
}
