// options:
void compare_nan(float *restrict C, float x, float y) {
  for (int i = 0; i < 16; ++i)
    if (!(x > y))
      C[i] = 1.0f;
}
