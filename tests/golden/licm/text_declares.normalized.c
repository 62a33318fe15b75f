// options:
// A declaration that stays text is in scope for no tree: one array in it is enough for that.
int text_declares(double *restrict x, int g, int n, int m)
{
  for (int i = 0; i < (n & 15); i++) {
    int a = ~g | 3, b = (a % 7) + (m | i), more[2] = {0};
    x[i + 32] += more[i & 1];
    x[i] = (double)((a & 15) + 6) - x[i + 16];
    x[i + 1] = (double)((m & 15) + 6) - x[i + 17];
    x[i + 16] += b;
  }
  return m;
}
