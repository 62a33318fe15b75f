// options: --overflow=assume --hint=m:-30000:30000
void b3_assume(int *restrict C, int n, int m, int k) {
  for (int j = 0; j < 8; ++j)
    C[j] = j < n && m * m == k && m < 7;
}
