// options: --licm-small=refined --chains=grouped
void p21(int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 8; ++i) {
      if (((i < 2) || (j < 2)) || ((i < 5) && (n < 4) && (j < m))) C[j*8 + i] = 1;
      if (i == j) C[j*8 + i] = 2;
    }
}
