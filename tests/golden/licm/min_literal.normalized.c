// options: --unroll-limit=0
// The 1 of min() is unsigned as that of t + 1u, which is new, and has another spelling.
void min_literal(unsigned *restrict C, const int *restrict B, int n, unsigned u, int k) {
  for (int i = 0; i < n; ++i) {
    C[i] = min(u * 6u, 1) * (unsigned)i + (3 < i ? B[(int)((unsigned)k + (unsigned)n + 1u)] : 0);
  }
}
