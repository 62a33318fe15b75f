#include <stdbool.h>
void fp_speculative(const double *restrict A, double *restrict C, int n, int m, double x, double y)
{
  const double t0 = x / y;
  const bool t1 = y != 0.0;
  const double t2 = y / x;
  const bool t3 = x < y;
  const double t4 = -x;
  const double t5 = (double)m;
  const double t6 = (y == 0.0 ? 1.0 : x * y) + fabs(y);
  const double t7 = sqrt(x) + fabs(x);
  for (int i = 0; i < 16; ++i) {
    C[i] = A[i] + t0;
    if (t1) {
      C[i] += A[i] * t2;
    }
    C[i] += t3 && i < n ? t4 : t5;
    C[i] += t6;
    if (i == m) {
      break;
    }
    C[i] += t7;
  }
  const double t8 = x - y + (double)(long long)m + fabs(x);
  for (int i = 0; i < n; ++i) {
    C[i] += t8;
  }
}
