#include <stdbool.h>
void fp_speculative(const double *restrict A, unsigned *restrict C, int n, int m, double x, double y)
{
  const double t0 = x / y;
  const bool t1 = y != 0.0;
  const double t2 = y / x;
  const bool t3 = x < y;
  const double t4 = -x;
  const double t5 = (double)m;
  const double t6 = y == 0.0 ? 1.0 : x * y;
  const double t7 = sqrt(x);
  for (int i = 0; i < 16; ++i) {
    C[i] = A[i] + t0 < 1.0;
    if (t1) {
      C[i] += A[i] * t2 < 2.0;
    }
    C[i] += (t3 && i < n ? t4 : t5) < A[i];
    C[i] += t6 < A[i];
    if (i == m) {
      break;
    }
    C[i] += t7 < A[i];
  }
  const double t8 = x - y + (double)(long long)m;
  for (int i = 0; i < n; ++i) {
    C[i] += t8 < A[i];
  }
}
