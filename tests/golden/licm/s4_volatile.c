// options:
static volatile int sv_state;
void s4_volatile(int *restrict C, int n) {
  for (int i = 0; i < 16; ++i)
    C[i] = sv_state % 7 + n % 9;
}
