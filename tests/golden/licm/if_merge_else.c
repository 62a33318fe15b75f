// options:
void if_merge_else(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i)
    if (i < n) {
      if (i < m)
        C[i] = 1;
      else
        C[i] = 2;
    }
}
