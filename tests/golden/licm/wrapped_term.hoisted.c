// options:
// What is unsigned arithmetic already keeps a temporary of its own: read again, the text of both would be one sum, or product.
#define AT(x) ((x) + 8)
#define TIMES(x) ((x) * 7)
void wrapped_term(int *restrict C, const int *restrict B, int n, int z, int w, int v)
{
  const int t0 = (int)((int)((unsigned)z * (unsigned)w) + 3u);
  const int t1 = (int)((unsigned)t0 + 8u);
  const int t2 = (int)(z * 5u);
  const int t3 = (int)((unsigned)t2 * 7u);
  const int t4 = (int)((unsigned)v - z - 3u);
  const int t5 = (int)((unsigned)w + (unsigned)t4 + 4u);
  const int t6 = (int)((unsigned)v + 3u);
  const int t7 = (int)((unsigned)w + (unsigned)t6);
  for (int i = 0; i < n; i++) {
    if (B[i]) {
      C[t1] += n;
      C[i] = t3;
      C[n] = t5;
      C[n + i] = (int)((unsigned)t7 + (unsigned)i + 5u);
    }
  }
}
