// options: --hint=n:0:1000
void sum_immediates(int *restrict C, int n) {
  for (int i = 0; i < 16; ++i)
    C[i] = (i + 3) + (n - 5) + 2;
}
