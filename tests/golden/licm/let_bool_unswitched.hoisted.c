#include <stdbool.h>
void let_bool_unswitched(int *restrict C, int n, int m) {
  const bool f = n < 3;
  if (f) {
    for (int i = 0; i < 16; ++i) {
      if (i < m) {
        C[i] = 1;
      }
    }
  }
}
