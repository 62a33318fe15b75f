void p23(const float *restrict A, float *restrict C) {
  for (int i = 0; i < 3136; ++i) {
    float m = -3.4e38f;
    const int t0 = i % 196 / 14 * 2;
    const int t2 = i % 14 * 2;
    const int t3 = i / 196 * 784 + i % 196 / 14 * 56 + t2;
    for (int rv = 0; rv < 3; ++rv) {
      const bool t1 = 1 <= t0 + rv;
      const int t4 = t3 + rv * 28;
      for (int rw = 0; rw < 3; ++rw) {
        m = fmaxf(m, (t1 && 1 <= t2 + rw) ? A[t4 + rw - 29] : -3.4e38f);
      }
    }
    C[i] = m;
  }
}
