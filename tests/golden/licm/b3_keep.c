// options: --overflow=keep --licm-small=refined --chains=grouped
void b3_keep(int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j)
    C[j] = j < n && m * m == 8 && m < 7;
}
