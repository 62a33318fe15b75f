// options: --overflow=wrap
void wrap_operands(int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 8; ++i)
      C[j*8 + i] = i - n*4 + j - 2;
}
