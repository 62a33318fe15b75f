// options:
void subscript_steps(int *restrict C, const int *restrict z, int n, int a, int b) {
  for (int j = 0; j < 4; ++j) {
    C[j] = z[(int)((unsigned)n - (unsigned)a - (unsigned)b + (unsigned)j)];
    for (int i = 0; i < 16; ++i) {
      C[i] += z[i - ((long long)a + b)];
      C[i] -= z[(long long)n + a * j + i] * (int)((unsigned)b + (unsigned)a + (unsigned)i);
      int at = i - b - n;
      C[i] ^= z[at];
    }
  }
}
