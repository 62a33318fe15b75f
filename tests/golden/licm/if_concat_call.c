// options:
static int ic_state;
static void ic_step(void) {
  ic_state = ic_state * 5 % 11 + 1;
}
void if_concat_call(int *restrict C, int n) {
  for (int i = 0; i < 16; ++i) {
    if (ic_state < 5)
      ic_step();
    if (ic_state < 5)
      C[i] = 2;
    if (i < n)
      ic_step();
    if (n > i)
      C[i] += 1;
  }
}
