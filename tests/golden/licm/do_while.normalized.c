void do_while(int *restrict C, int n) {
  int k = 0;
  do {
    C[k] = n * 4 + k;
    k = k + 1;
  } while (k < 8);
}
