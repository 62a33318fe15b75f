void loads_stored(int *restrict W) {
  for (int i = 0; i < 16; ++i)
    W[i] = W[3] % 100 + 1;
}
