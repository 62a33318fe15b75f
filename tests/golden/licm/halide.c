// options: --licm=halide --hint=n:0:1000 --hint=m:0:1000
void halide(int *restrict C, int n, int m) {
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      int b = i % 3;
      if (j < m && i < n)
        C[i * 8 + j] = j + n + m + b;
    }
}
