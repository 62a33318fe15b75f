// options:
void unswitch_unsigned(const float *restrict A, float *restrict C) {
  for (int y = 0; y < 28; ++y)
    for (int r = 0; r < 3; ++r)
      for (int x = 0; x < 28; ++x)
        if ((unsigned)(y + r - 1) < 28u)
          C[y*28 + x] += A[(y + r - 1)*28 + x];
}
