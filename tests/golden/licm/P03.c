// options: --licm-small=refined --chains=grouped
void p03(const float *restrict A, float *restrict C) {
  for (int j = 0; j < 64; ++j)
    for (int i = 0; i < 64; ++i)
      C[j*64 + i] = ((((3 < i) && (3 < j)) && (i < 56)) && (j < 56)) ? A[j*64 + i] : 0.0f;
}
