// mikgen: --extract=product
/* Pointers with leading dimensions, a pointer to a row, `size_t`, a guard, a value that is returned. */
#include <stddef.h>

float product(const float *a, size_t lda, const float *restrict b, float *c, int m, int n, int k)
{
    float most = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const float *row = a + i * lda;
            float sum = i + 1 < m ? c[(i + 1) * n + j] : 0;
            for (int p = 0; p < k; p++)
                sum += row[p] * *(b + p * n + j);
            c[i * n + j] = sum;
            if (sum > most)
                most = sum;
        }
    return most;
}
