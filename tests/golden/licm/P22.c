// options: --licm-small=refined --chains=grouped
// run: trials=1 size=65536
void p22(const float *restrict A, const float *restrict Wt, float *restrict C) {
  for (int f = 0; f < 64; ++f)
    for (int y = 0; y < 28; ++y)
      for (int x = 0; x < 28; ++x) {
        C[f*784 + y*28 + x] = 0.0f;
        for (int c = 0; c < 32; ++c)
          for (int ry = 0; ry < 3; ++ry)
            for (int rx = 0; rx < 3; ++rx)
              C[f*784 + y*28 + x] = C[f*784 + y*28 + x] + ((((1 <= y + ry && y + ry < 29) && 1 <= x + rx) && x + rx < 29) ? A[c*784 + y*28 + ry*28 + x + rx - 29] : 0.0f) * Wt[f*288 + c*9 + ry*3 + rx];
      }
}
