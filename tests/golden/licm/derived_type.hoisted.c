// options:
void derived_type(int *restrict C, short c, int n) {
  int product = n & 15;
  for (int i = 0; i < 8; ++i) {
    int wide = c;
    wide *= 100;
    C[i] = product + wide;
  }
}
