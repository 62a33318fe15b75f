// options: --licm-small=refined --chains=grouped
// run: size=16384
void transposed_conv(const float *restrict A, const float *restrict Wt, float *restrict C) {
  for (int c = 0; c < 16; ++c)
    for (int y = 0; y < 28; ++y)
      for (int x = 0; x < 28; ++x) {
        float s = 0.0f;
        for (int ry = 0; ry < 3; ++ry)
          for (int rx = 0; rx < 3; ++rx)
            s = s + (((x + rx) % 2 == 0 && (y + ry) % 2 == 0) ? A[c*196 + ((y + ry)/2)*14 + (x + rx)/2] : 0.0f) * Wt[c*9 + ry*3 + rx];
        C[c*784 + y*28 + x] = s;
      }
}
