void rank_reassigned(int *restrict C, int n) {
  int base = 0;
  for (int i = 0; i < 8; ++i) {
    base = n + base;
    for (int j = 0; j < 8; ++j) {
      C[i * 8 + j] = base % 16 + j;
    }
  }
}
