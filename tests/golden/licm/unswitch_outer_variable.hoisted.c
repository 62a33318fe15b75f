int unswitch_outer_variable(int *restrict C, int m) {
  int i;
  const bool t0 = m < 3;
  for (i = 0; i < 16; ++i) {
    if (t0) {
      C[i] = 1;
    }
  }
  return i;
}
