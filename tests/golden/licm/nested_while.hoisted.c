void nested_while(int *restrict C, int n) {
  int i = 0;
  const int t0 = n % 9;
  while (i < 8) {
    int j = 0;
    const int t1 = i * 8;
    while (j < 8) {
      C[t1 + j] = t0 + j;
      j = j + 1;
    }
    i = i + 1;
  }
}
