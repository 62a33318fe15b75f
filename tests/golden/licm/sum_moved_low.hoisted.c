// options: --const-pos=low --unroll-limit=0
// The constant stands where it changes least though the sum has left a condition.
void sum_moved_low(int *restrict a, const int *restrict b, int n, int m)
{
  const int t0 = (int)((unsigned)m + 24u);
  for (int s = 0; s < n; s++) {
    const int t1 = (int)((unsigned)t0 - (unsigned)s * 8u);
    for (int i = 0; i < n; i++) {
      a[s * 64 + i] = 3 < i ? b[t1] : 0;
    }
  }
}
