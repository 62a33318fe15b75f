#include <stdbool.h>
// options: --overflow=conditions
// What is printed is read as what it was: sums that conditions have made safe from overflow stay as they are written, numbers are numbers, and
// *(C + s) is C[s] also where C promotes s.
int read_again(int *restrict C, int n, int m, int c)
{
  unsigned u = n;
  const short s = c & 3;
  const bool t0 = (int)((unsigned)(m ^ c) + ((unsigned)n + (unsigned)m)) != 9;
  for (int i = 1; i < n; i++) {
    if (t0) {
      C[i] += m * i;
    }
    C[i] += C[i] - 6;
    C[i] -= C[0] + 64;
    C[0] += C[s];
    u += u + (C[i] & 7) + i * 3;
  }
  return u % 101;
}
