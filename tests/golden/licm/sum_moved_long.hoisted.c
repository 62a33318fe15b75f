// options: --unroll-limit=0
// The constant in the middle of a sum that leaves a loop as it is written stands last there, as it does when the text is read again.
void sum_moved_long(int *restrict a, const int *restrict b, long n, long k)
{
  for (long i = 0; i < n; i++) {
    const long t0 = (long)((unsigned long)n * (unsigned long)i);
    for (long j = 0; j < n; j++) {
      const long t1 = (long)((unsigned long)t0 + (unsigned long)j + 16ul);
      for (long l = 0; l < n; l++) {
        a[l] += k < l ? b[t1 + l] : 0;
      }
    }
  }
}
