// options:
#define LOG(level, ...) {}
#define NONE(level, ...)
#define ONCE(level, ...) do { } while (0)
void idle_macros(int *restrict C, const int *restrict A, int n, int m) {
  const int t0 = n / 3 + m % 5;
  for (int i = 0; i < 16; ++i) {
    LOG(6, "x %i", n);
    NONE(0, "first"); /* and */
    NONE(1, "second");
    ONCE(6, "x %i", n);
    C[i] = t0 * A[i];
    if (5 < C[i]) {
      LOG(5, "big %i", i);
    }
    if (6 < C[i]) {
      NONE(5, "big %i", i);
    } else {
      C[i] = 3;
    }
    if (C[i] < 8) {
      ONCE(5, "big %i", i);
    } else {
      NONE(4, "other %i", i);
    }
    NONE(7, "end");
  }
}
