// options: --unswitch=0
void unswitch_off(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i)
    if (i < m && n < 4)
      C[i] = 1;
}
