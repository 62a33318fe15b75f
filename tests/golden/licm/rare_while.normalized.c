// options:
// A search that may run once: what is cheap and under its if stays there, what is dear or under no if leaves it.
int rare_while(const int *restrict A, int n, unsigned key)
{
  int i = n & 15;
  int found = 0;
  while (0 < i && found < 3) {
    if (A[i] == n) {
      found += (key & 65535) == key >> 16 && (key & 255) == key >> 24;
      if (n < A[i - 1]) {
        found += n % 7 * (n % 11) % 3;
      }
    }
    i -= (int)(key & 3) + 1;
  }
  return found * 100 + i;
}
