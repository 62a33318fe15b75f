// options: --unroll-limit=4 --licm-small=refined
void unswitch_small(int *restrict C, int n) {
  for (int i = 0; i < 3; ++i)
    if (n < 4)
      C[i] = 1;
}
