// options: --hint=n:0:6 --hint=m:-9:9
// run: size=64
// A text changes what it assigns and stores, and calls in it what they can reach: nothing else stays in the loop for it.
int step_state;
int advance(int by);
__attribute__((pure)) int weight(int of);

int text_changes(const int *restrict s, int *d, int n, int m)
{
  const int *p;
  int *q = d + 8, rows = n, c = 0, k = m;
  while (rows-- > 0)
    for (int j = 0; j < 4; ++j)
      d[j] ^= 4 < m && rows * 7 < j ? rows * 5 : j;
  for (int i = 0; i < n; ++i) {
    p = s;
    while ((*q++ = *p++) > 0 && p < s + 8)
      d[i] ^= i * m;
    while (*p && *p++ != 3 && p < s + 16)
      d[i + 6] ^= i * m + k * 3 + step_state * 2;
    for (int j = 0; j < 2; ++j) {
      *q++ = *p++;
      d[j] ^= i * m * 3 + step_state * 2;
    }
    while (c = *p++ & 7, c > 2 && p < s + 24)
      d[c] ^= i * m + c * 9;
    while (advance(k) && p < s + 24 && ++p)
      d[i] ^= i * m + step_state * 2;
    for (int left = 3; left-- && k++ < 40;)
      d[i] ^= i * m + k * 9 + left * 5;
    for (int j = 0; j < weight(j); j++)
      k ^= step_state * 2 + j;
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
