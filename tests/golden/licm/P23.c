// options: --licm-small=refined --chains=grouped
// run: trials=3 size=16384
void p23(const float *restrict A, float *restrict C) {
  for (int i = 0; i < 3136; ++i) {
    float m = -3.4e38f;
    for (int rv = 0; rv < 3; ++rv)
      for (int rw = 0; rw < 3; ++rw)
        m = fmaxf(m, ((1 <= ((i % 196) / 14)*2 + rv) && (1 <= (i % 14)*2 + rw)) ? A[(i / 196)*784 + ((i % 196) / 14)*56 + rv*28 + (i % 14)*2 + rw - 29] : -3.4e38f);
    C[i] = m;
  }
}
