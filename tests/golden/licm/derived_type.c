// options:
void derived_type(int *restrict C, short c, int n) {
  for (int i = 0; i < 8; ++i) {
    __auto_type wide = c + 0;
    wide *= 100;
    typeof(c * n) product = n & 15;
    C[i] = wide + product;
  }
}
