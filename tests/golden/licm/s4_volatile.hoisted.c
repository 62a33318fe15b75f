static volatile int sv_state;
void s4_volatile(int *restrict C, int n) {
  const int t0 = n % 9;
  for (int i = 0; i < 16; ++i) {
    C[i] = t0 + sv_state % 7;
  }
}
