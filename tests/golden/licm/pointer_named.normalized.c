// options: --licm-loads=proven
// A variable whose address is taken changes what a pointer leads to.
void pointer_named(int *restrict C) {
  int k = 3;
  int *q = &k;
  for (int i = 0; i < 16; ++i) {
    k += i;
    C[i] = *q * 5 + i;
  }
}
