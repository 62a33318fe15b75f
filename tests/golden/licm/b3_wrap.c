// options:
void b3_wrap(int *restrict C, int n, int m) {
  for (int j = 0; j < 8; ++j)
    C[j] = j < n && m * m == 8 && m < 7;
}
