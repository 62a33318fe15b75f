// options:
void chains_flat(const float *restrict A, float *restrict C, int n) {
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 16; ++i)
      C[j * 16 + i] = (3 < i && (j < n && i < 12)) || (i == j || (n == 3 || i == 5)) ? A[j * 16 + i] : 0.0f;
}
