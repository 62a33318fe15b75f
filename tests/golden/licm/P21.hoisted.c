void p21(int *restrict C, int n, int m) {
  const bool t1 = n < 4;
  for (int j = 0; j < 8; ++j) {
    const bool t0 = j < 2;
    const bool t2 = t1 && j < m;
    const int t3 = j * 8;
    for (int i = 0; i < 8; ++i) {
      if (t0 || (i < 2 || (t2 && i < 5))) {
        C[t3 + i] = 1;
      }
      if (i == j) {
        C[t3 + i] = 2;
      }
    }
  }
}
