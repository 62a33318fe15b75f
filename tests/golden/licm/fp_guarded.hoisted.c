#include <stdbool.h>
void fp_guarded(const double *restrict A, double *restrict C, int n, int m, double x, double y)
{
  const double t0 = x / y;
  const bool t1 = y != 0.0;
  const double t2 = -x;
  const double t3 = (double)m;
  const double t4 = (y == 0.0 ? 1.0 : x * y) + fabs(y);
  const double t5 = fabs(x);
  for (int i = 0; i < 16; ++i) {
    C[i] = A[i] + t0;
    if (t1) {
      C[i] += A[i] * (y / x);
    }
    C[i] += i < n && x < y ? t2 : t3;
    C[i] += t4;
    if (i == m) {
      break;
    }
    C[i] += sqrt(x) + t5;
  }
  const double t6 = (double)(long long)m;
  for (int i = 0; i < n; ++i) {
    C[i] += x - y + t6 + t5;
  }
}
