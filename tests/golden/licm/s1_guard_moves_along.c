// options:
void s1_guard_moves_along(int *restrict C, int n, int d) {
  for (int i = 0; i < 16; ++i)
    C[i] = i + (d != 0 ? n / d : 7);
}
