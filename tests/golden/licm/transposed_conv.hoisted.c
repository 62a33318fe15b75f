void transposed_conv(const float *restrict A, const float *restrict Wt, float *restrict C) {
  for (int c = 0; c < 16; ++c) {
    const int t0 = c * 196;
    const int t1 = c * 9;
    const int t2 = c * 784;
    for (int y = 0; y < 28; ++y) {
      const int t3 = t2 + y * 28;
      for (int x = 0; x < 28; ++x) {
        float s = 0.0f;
        for (int ry = 0; ry < 3; ++ry) {
          const bool t4 = (y + ry) % 2 == 0;
          const int t5 = t0 + (y + ry) / 2 * 14;
          const int t6 = t1 + ry * 3;
          for (int rx = 0; rx < 3; ++rx) {
            s = s + ((t4 && (x + rx) % 2 == 0) ? A[t5 + (x + rx) / 2] : 0.0f) * Wt[t6 + rx];
          }
        }
        C[t3 + x] = s;
      }
    }
  }
}
