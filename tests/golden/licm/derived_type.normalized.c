// options:
void derived_type(int *restrict C, signed char c, int n) {
  for (int i = 0; i < 8; ++i) {
    int wide = c;
    wide *= 100;
    typeof(c * n) product = n & 15;
    C[i] = product + wide;
  }
}
