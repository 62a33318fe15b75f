// options: --distribute=1 --licm-small=refined --chains=grouped
void distribute_ranks(const int *restrict A, int *restrict C) {
  for (int y = 0; y < 14; ++y)
    for (int x = 0; x < 14; ++x) {
      int s = 0;
      for (int ry = 0; ry < 2; ++ry)
        for (int rx = 0; rx < 2; ++rx)
          s = s + A[(y*2 + ry)*28 + (x*2 + rx)];
      C[y*14 + x] = s / 4;
    }
}
