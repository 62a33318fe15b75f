// options:
// A search that may run once: what is cheap and under its if stays there, what is dear or under no if leaves it.
int rare_while(const int *restrict A, int n, unsigned key)
{
  int i = n & 15, found = 0;
  while (i > 0 && found < 3) {
    if (A[i] == n) {
      found += (key & 65535) == key >> 16 && (key & 255) == key >> 24;
      if (A[i - 1] > n)
        found += n % 7 * (n % 11) % 3;
    }
    i -= 1 + (int)(key & 3);
  }
  return found * 100 + i;
}
