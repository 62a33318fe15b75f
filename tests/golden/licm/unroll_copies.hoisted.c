#include <stdbool.h>
void unroll_copies(const float *restrict A, float *restrict C, int n) {
  for (int i = 0; i < 16; ++i) {
    for (int z = 0; z < 3; ++z) {
      const bool t0 = z < n;
      for (int y = 0; y < 3; ++y) {
        const bool t1 = t0 && y < n;
        for (int x = 0; x < 3; ++x) {
          C[i * 64 + z * 9 + y * 3 + x] = t1 ? A[i * 64 + z * 9 + y * 3 + x] : 0.0f;
        }
      }
    }
    const int t2 = i * 64;
    for (int z = 0; z < 4; ++z) {
      for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
          C[t2 + z * 16 + y * 4 + x] += A[t2 + z * 16 + y * 4 + x];
        }
      }
    }
  }
}
