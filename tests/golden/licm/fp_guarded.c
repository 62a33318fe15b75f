// options:
// What may raise an exception, or set errno, is evaluated where the source evaluates it; what cannot moves, and so does a guard with it.
void fp_guarded(const double *restrict A, double *restrict C, int n, int m, double x, double y)
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
