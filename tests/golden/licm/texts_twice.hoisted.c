#include <stdbool.h>
// options:
// What stays text is the same text when it is read again: its parentheses, and its lines where it is broken.
int tick(int *p, int by)
{
  *p += by;
  return *p;
}

int texts_twice(const int *restrict p, int n, int m)
{
  int i = 0;
  int k = 0;
  int left = n * 3;
  do {
    i++;
  } while (((k = p[i % 4] + m) > n) && (--left != 0));
  const int t0 = n & 7;
  const bool t1 = n < (int)((unsigned)m * (unsigned)m);
  for (int j = 0; j < t0; j++) {
    if (p[j % 4] == 3) {
      k++; /* a remark
            * of two lines */
    } else if (t1 && (tick(&left, m * n + ')' == ')') > 0) && 3 < k) {
      k--;
    }
    k += j * n + tick(&left,
                      k);
  }
  return k + left;
}
