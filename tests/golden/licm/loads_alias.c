// options: --licm-loads=proven
void loads_alias(int *A, int *C) {
  for (int i = 0; i < 16; ++i)
    C[i] = A[0] % 100 + 1;
}
