// options: --overflow=assume --hint=n:0:1000000 --hint=m:0:1000000
void overflow_assume(long *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i)
    C[i] = i + n + m;
}
