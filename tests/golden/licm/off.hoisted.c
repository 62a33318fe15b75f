void off(int *restrict C, int n) {
  for (int i = 0; i < 16; ++i)
    if (n > 3)
      C[i] = i + n % 9;
}
