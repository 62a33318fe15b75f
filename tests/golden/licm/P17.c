// options: --unroll-limit=4
// run: trials=4
void p17(const float *restrict A, const float *restrict Wt, float *restrict C) {
  for (int f = 0; f < 64; ++f)
    for (int x = 0; x < 56; ++x)
      for (int ry = 0; ry < 3; ++ry)
        for (int rx = 0; rx < 3; ++rx)
          C[f*56 + x] += A[ry*58 + x + rx] * Wt[f*9 + ry*3 + rx];
}
