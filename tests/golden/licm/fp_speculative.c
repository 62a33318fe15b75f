// options: --licm-fp=speculative
// Nobody looks at exceptions and errno.
void fp_speculative(const double *restrict A, double *restrict C, int n, int m, double x, double y)
{
  for (int i = 0; i < 16; ++i) {
    C[i] = A[i] + x / y;
    if (y != 0.0)
      C[i] += A[i] * (y / x);
    C[i] += i < n && x < y ? -x : (double)m;
    C[i] += (y == 0.0 ? 1.0 : x * y) + fabs(y);
    if (i == m)
      break;
    C[i] += sqrt(x) + fabs(x);
  }
  for (int i = 0; i < n; ++i)
    C[i] += (x - y) + (double)(long long)m + fabs(x);
}
