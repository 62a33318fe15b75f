// options:
#include <stdbool.h>
void let_bool_unswitched(int *restrict C, int n, int m) {
  for (int i = 0; i < 16; ++i) {
    const bool f = n < 3;
    if (f && i < m)
      C[i] = 1;
  }
}
