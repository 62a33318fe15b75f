// options:
// What is unsigned arithmetic already keeps a temporary of its own: read again, the text of both would be one sum, or product.
#define AT(x) ((x) + 8)
#define TIMES(x) ((x) * 7)
void wrapped_term(int *restrict C, const int *restrict B, int n, int z, int w, int v)
{
  for (int i = 0; i < n; i++) {
    if (B[i]) {
      C[(int)(z * w + 3u) + 8] += n;
      C[i] = (int)(z * 5u) * 7;
      C[n] = w + (int)((unsigned)v - z - 3u) + 4;
      C[n + i] = w + ((int)((unsigned)v + 3u) + i + 5);
    }
  }
}
