void nested_while(int *restrict C, int n) {
  int i = 0;
  while (i < 8) {
    int j = 0;
    while (j < 8) {
      C[i * 8 + j] = n % 9 + j;
      j = j + 1;
    }
    i = i + 1;
  }
}
