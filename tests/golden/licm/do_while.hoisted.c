void do_while(int *restrict C, int n) {
  int k = 0;
  const int t0 = n * 4;
  do {
    C[k] = t0 + k;
    k = k + 1;
  } while (k < 8);
}
