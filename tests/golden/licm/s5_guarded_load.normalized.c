void s5_guarded_load(const int *restrict T, int *restrict C, int n, int k) {
  for (int i = 0; i < 16; ++i)
    C[i] = i < k ? T[n * 4] : 0;
}
