// options: --licm-small=refined --chains=grouped
void b2_trap(int *restrict C, int n, int m) {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      if (j < n && 100 / n < m && m < 7)
        C[i * 8 + j] = 1;
      else
        C[i * 8 + j] = 2;
}
