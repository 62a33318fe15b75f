// options:
// Conversions there and back change nothing: arms of a choice are equal without them. What one sum of unsigned adds to another, because it has
// been made safe from overflow, stays a sum of its own, and (unsigned)-4 is a number like others.
int detour(int *restrict C, int n, int m, int c)
{
  unsigned gu = n;
  volatile int seen = 0;
  const int t0 = (int)((unsigned)(int)(4u - (unsigned)m) + 1u);
  const int t1 = (int)((unsigned)m - (unsigned)n + (unsigned)m);
  for (int i = 3; i < n; i++) {
    for (int j = 3; j < m; j++) {
      seen = t0;
    }
    int a;
    int b;
    for (a = 0, b = 9; a < 6; a++, b--) {
      gu = t1 + (b + a - c);
    }
    C[i] += C[(gu - 680) % 4];
    C[0] += gu * 327645;
    gu = (C[i] & 7) * gu;
  }
  return seen;
}
