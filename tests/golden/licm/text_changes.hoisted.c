#include <stdbool.h>
// options: --hint=n:0:6 --hint=m:-9:9
// run: size=64
// A text changes what it assigns and stores, and calls in it what they can reach: nothing else stays in the loop for it.
int step_state;
int advance(int by);
__attribute__((pure)) int weight(int of);

int text_changes(const int *restrict s, int *d, int n, int m)
{
  const int *p;
  int *q = d + 8;
  int rows = n;
  int c = 0;
  int k = m;
  const bool t0 = 4 < m;
  while (rows-- > 0) {
    for (int j = 0; j < 4; ++j) {
      d[j] ^= t0 && rows * 7 < j ? rows * 5 : j;
    }
  }
  const int t3 = m * 3;
  for (int i = 0; i < n; ++i) {
    p = s;
    const int t1 = m * i;
    while ((*q++ = *p++) > 0 && p < s + 8) {
      d[i] ^= t1;
    }
    const int t2 = i + 6;
    while (*p && *p++ != 3 && p < s + 16) {
      d[t2] ^= t1 + k * 3 + step_state * 2;
    }
    for (int j = 0; j < 2; ++j) {
      *q++ = *p++;
      d[j] ^= t3 * i + step_state * 2;
    }
    while (c = *p++ & 7, c > 2 && p < s + 24) {
      d[c] ^= t1 + c * 9;
    }
    while (advance(k) && p < s + 24 && ++p) {
      d[i] ^= t1 + step_state * 2;
    }
    for (int left = 3; left-- && k++ < 40;) {
      d[i] ^= t1 + k * 9 + left * 5;
    }
    for (int j = 0; j < weight(j); j++) {
      k ^= step_state * 2 + j;
    }
    q = d + 8;
  }
  return c + k;
}

int advance(int by)
{
  step_state = (step_state + by) & 255;
  return step_state & 3;
}

int weight(int of)
{
  return (of + step_state) & 3;
}
