// options:
void subscript_steps(int *restrict C, const int *restrict z, int n, int a, int b) {
  for (int j = 0; j < 4; ++j) {
    C[j] = z[j - a - b + n];
    for (int i = 0; i < 16; ++i) {
      C[i] += z[i - a - b];
      C[i] -= z[i + n + j * a] * (i + b + a);
      int at = i - b - n;
      C[i] ^= z[at];
    }
  }
}
