void compare_nan(float *restrict C, float x, float y) {
  if (!(y < x)) {
    for (int i = 0; i < 16; ++i) {
      C[i] = 1.0f;
    }
  }
}
