// options:
enum { names_t = 3 };
static int names_twice(int x) {
  return 2 * x;
}
void names_in_text(int *restrict C, int n, int m) {
  char q = 1;
  const int t0 = (int)((unsigned)n * (unsigned)m);
  int names_t_2 = n & m;
  for (int i = 0; i < 8; ++i) {
    int y = q + (names_twice(i) + 3);
    C[i] = y + 1;
    {
      int q = t0;
      C[i] ^= q;
      C[i] += (int)sizeof(q);
      C[i] ^= names_t_2;
    }
  }
}
