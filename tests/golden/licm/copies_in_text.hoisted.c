// options: --licm-threshold=2
/* Text names a copy and a sum: their declarations stay where it finds them. */
static struct {
    struct { int x[8]; } row[8];
} table[2] = {{{{{1, 2, 3, 4}}, {{5, 6, 7}}}}, {{{{8, 9}}}}};
void copies_in_text(int *restrict C, int n, int m)
{
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      int k = n;
      int at = m + i;
      C[i * 4 + j] = table[k & 1].row[at & 7].x[k & 7];
    }
  }
}
