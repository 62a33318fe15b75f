// options:
void derived_type(int *restrict C, short c, int n) {
  for (int i = 0; i < 8; ++i) {
    int wide = c;
    wide *= 100;
    int product = n & 15;
    C[i] = product + wide;
  }
}
