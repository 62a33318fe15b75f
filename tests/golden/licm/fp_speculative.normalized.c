void fp_speculative(const double *restrict A, unsigned *restrict C, int n, int m, double x, double y)
{
  for (int i = 0; i < 16; ++i) {
    C[i] = A[i] + x / y < 1.0;
    if (y != 0.0) {
      C[i] += A[i] * (y / x) < 2.0;
    }
    C[i] += (x < y && i < n ? -x : (double)m) < A[i];
    C[i] += (y == 0.0 ? 1.0 : x * y) < A[i];
    if (i == m) {
      break;
    }
    C[i] += sqrt(x) < A[i];
  }
  for (int i = 0; i < n; ++i) {
    C[i] += (x - y) + (double)(long long)m < A[i];
  }
}
