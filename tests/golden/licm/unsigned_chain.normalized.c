void unsigned_chain(unsigned *restrict C, unsigned n, unsigned m) {
  for (unsigned i = 0; i < 16; ++i) {
    C[i] = n + m * 3u + i;
  }
}
