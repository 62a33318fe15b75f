// options: --licm-small=refined --chains=grouped
void p04(const float *restrict A, float *restrict C) {
  for (int j = 0; j < 64; ++j)
    for (int i = 0; i < 64; ++i)
      C[j*64 + i] = (3 < i) ? ((i < 56) ? ((3 < j) ? ((j < 56) ? A[j*64 + i] : 0.0f) : 0.0f) : 0.0f) : 0.0f;
}
