unsigned spelling(unsigned *restrict A, float *restrict F, int n, unsigned u) {
  unsigned s = 0;
  for (int i = 0; i < n; i++) {
    A[i] = n * 3 & 0x7;
    A[i + 1] = u + n * 3 & 7;
    if ((unsigned)i < u) {
      A[i] = u + i;
    }
    F[i] = fabsf((float)i) + i;
    s += u * 0x1f + (i < n - 7 ? (unsigned)i : u);
  }
  return s;
}
