// options:
static int sb_state;
static void sb_note(void) {
  sb_state = (sb_state + 1) % 100;
}
void s2_call_behind(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    C[i] = n / m;
    sb_note();
  }
}
