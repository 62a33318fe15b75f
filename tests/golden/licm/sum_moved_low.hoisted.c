// options: --const-pos=low --unroll-limit=0
// The constant stands where it changes least though the sum has left a condition.
void sum_moved_low(int *restrict a, const int *restrict b, int n, int m)
{
  const int t1 = (int)((unsigned)m + 24u);
  for (int s = 0; s < n; s++) {
    const int t0 = (int)((unsigned)s * 64u);
    const int t2 = (int)((unsigned)t1 - (unsigned)s * 8u);
    for (int i = 0; i < n; i++) {
      a[t0 + i] = 3 < i ? b[t2] : 0;
    }
  }
}
