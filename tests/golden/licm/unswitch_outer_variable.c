// options:
int unswitch_outer_variable(int *restrict C, int m) {
  int i;
  for (i = 0; i < 16; ++i)
    if (m < 3)
      C[i] = 1;
  return i;
}
