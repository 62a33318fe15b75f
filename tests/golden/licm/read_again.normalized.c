// options: --overflow=conditions
// What is printed is read as what it was: sums that conditions have made safe from overflow stay as they are written, numbers are numbers, and
// *(C + s) is C[s] also where C promotes s. Conversions that comparisons and arguments leave to C stay unwritten there, also when sums spell them.
int read_again(int *restrict C, int n, int m, int c)
{
  unsigned u = n;
  const short s = c & 3;
  for (int i = 1; i < n; i++) {
    if ((m ^ c) + (n + m) != 9) {
      C[i] += m * i;
    }
    C[i] += C[i] - 6;
    C[i] -= C[0] + 64;
    C[0] += C[s];
    u += (unsigned)(int)u + (C[i] & 7) + i * 3;
    if (c + (unsigned)(int)u == 7) {
      C[0] += 2;
    }
    u += (unsigned)n + (unsigned)(m & 15);
    u += (long)(unsigned)(c + i);
    C[0] += C[i] & 2;
    C[0] += ((c & 3) < 4) + ((u % 7 < n) + (int)max(m & 15, u % 9) % 5);
  }
  return u % 101;
}
