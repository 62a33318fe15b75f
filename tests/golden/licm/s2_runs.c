// options: --hint=n:1:64
void s2_runs(int *restrict C, int n, int m) {
  for (int i = 0; i < n; ++i)
    C[i] = 100 / m;
}
