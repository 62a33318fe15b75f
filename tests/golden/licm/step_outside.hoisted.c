// options:
// i*c steps with the loop over i, which compilers see in signed arithmetic alone: it stays. What stands still in all loops moves, and so
// does what is as wide as a pointer.
void step_outside(char *restrict C, const char *restrict B, int n, int c, int w, long d)
{
  const int t0 = (int)((unsigned)w * (unsigned)c);
  for (int i = 0; i < n; i++) {
    const long t1 = (long)((unsigned long)d * (unsigned long)(long)i);
    for (int k = 0; k < c; k++) {
      C[c * i + k] = B[k];
      C[t0 + k] += B[t1 + k];
    }
  }
}
