// options: --overflow=keep
void overflow_keep(int *restrict C, int n, int m, int k) {
  for (int i = 0; i < 16; ++i)
    C[i] = i + n + m;
  for (int i = 0; i < k; ++i)
    C[i] = n * m;
}
