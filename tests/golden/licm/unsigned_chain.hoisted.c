void unsigned_chain(unsigned *restrict C, unsigned n, unsigned m) {
  const unsigned t0 = n + m * 3u;
  for (unsigned i = 0; i < 16; ++i) {
    C[i] = t0 + i;
  }
}
