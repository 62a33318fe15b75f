void p22(const float *restrict A, const float *restrict Wt, float *restrict C) {
  for (int f = 0; f < 64; ++f) {
    const int t0 = f * 784;
    const int t8 = f * 288;
    for (int y = 0; y < 28; ++y) {
      const int t4 = y * 28;
      const int t1 = t0 + t4;
      for (int x = 0; x < 28; ++x) {
        C[t1 + x] = 0.0f;
        const int t2 = t1 + x;
        const int t5 = t4 + x;
        for (int c = 0; c < 32; ++c) {
          const int t6 = t5 + c * 784;
          const int t9 = t8 + c * 9;
          for (int ry = 0; ry < 3; ++ry) {
            const bool t3 = 1 <= y + ry && y + ry < 29;
            const int t7 = t6 + ry * 28;
            const int t10 = t9 + ry * 3;
            for (int rx = 0; rx < 3; ++rx) {
              C[t2] = C[t2] + ((t3 && (1 <= x + rx && x + rx < 29)) ? A[t7 + rx - 29] : 0.0f) * Wt[t10 + rx];
            }
          }
        }
      }
    }
  }
}
