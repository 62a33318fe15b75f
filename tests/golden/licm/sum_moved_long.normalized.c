// options: --unroll-limit=0
// The constant in the middle of a sum that leaves a loop as it is written stands last there, as it does when the text is read again.
void sum_moved_long(int *restrict a, const int *restrict b, long n, long k)
{
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      for (long l = 0; l < n; l++) {
        a[l] += k < l ? b[(long)((unsigned long)(n * i) + (unsigned long)j + 16ul) + l] : 0;
      }
    }
  }
}
