// Two terms of one loop are a group of their own in a sum: they leave the loop inside it together, so the constant does not stay either.
void sum_group(int *restrict C, const int *restrict B, int n, int m, int w) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 64; ++j) {
      C[j] += B[w + ((long long)(n * i) + m * i) + j + 16];
    }
  }
}
