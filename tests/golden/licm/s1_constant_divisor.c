// options:
void s1_constant_divisor(int *restrict C, int n, int k) {
  for (int i = 0; i < k; ++i)
    if (i < 4000)
      C[i] = n / 7 + n % 5;
}
