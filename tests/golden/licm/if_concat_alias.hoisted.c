void if_concat_alias(int *A, int *C) {
  for (int i = 0; i < 16; ++i) {
    if (A[i] < 5)
      C[i] = 9;
    if (A[i] < 5)
      C[i + 1] = 2;
  }
}
