// options: --const-pos=low --hint=n:0:100
void const_low_sum(float *restrict C, int n) {
  for (int i = 4; i < 8; ++i)
    for (int j = 0; j < 8; ++j) {
      C[j + i*32 - n - 7 + 200] = 1.0f;
      C[i + 3 + j - 3] = 2.0f;
      C[(j + 2)*4 + i + 1] = 3.0f;
    }
}
