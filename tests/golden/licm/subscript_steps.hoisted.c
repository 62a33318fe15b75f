// options:
void subscript_steps(int *restrict C, const int *restrict z, int n, int a, int b) {
  const int t0 = (int)((unsigned)n - (unsigned)a - (unsigned)b);
  const long long t1 = (long long)a + b;
  const int t3 = (int)((unsigned)b + (unsigned)a);
  for (int j = 0; j < 4; ++j) {
    C[j] = z[(int)((unsigned)t0 + (unsigned)j)];
    const long long t2 = (long long)n + a * j;
    for (int i = 0; i < 16; ++i) {
      C[i] += z[i - t1];
      C[i] -= z[t2 + i] * (int)((unsigned)t3 + (unsigned)i);
      int at = i - b - n;
      C[i] ^= z[at];
    }
  }
}
