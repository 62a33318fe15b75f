// options: --hint=n:0:1000 --hint=m:0:1000
void p10(int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 16; ++i)
      C[j*16 + i] = (i - (j*3 - n)) - m;
}
