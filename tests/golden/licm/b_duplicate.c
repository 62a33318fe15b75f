// options:
void b_duplicate(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i)
    C[i] = i < n && m < 3 && n > i;
}
