// options: --const-pos=low --unroll-limit=0
// The constant stands where it changes least though the sum has left a condition.
void sum_moved_low(int *restrict a, const int *restrict b, int n, int m)
{
  for (int s = 0; s < n; s++) {
    for (int i = 0; i < n; i++) {
      a[s * 64 + i] = 3 < i ? b[(int)((unsigned)m + 24u - (unsigned)(s * 8))] : 0;
    }
  }
}
