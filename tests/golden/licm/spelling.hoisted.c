unsigned spelling(unsigned *restrict A, float *restrict F, int n, unsigned u) {
  unsigned s = 0;
  const unsigned t0 = (n * 3) & 0x7;
  const unsigned t1 = (u + n * 3) & 7;
  const unsigned t2 = u * 0x1f;
  const int t3 = n - 7;
  for (int i = 0; i < n; i++) {
    A[i] = t0;
    A[i + 1] = t1;
    if ((unsigned)i < u) {
      A[i] = u + i;
    }
    F[i] = fabsf((float)i) + i;
    s += t2 + (i < t3 ? (unsigned)i : u);
  }
  return s;
}
