/* libxsmm's JIT kernels, looked up at each call as a caller with run-time shapes has to. Column-major: C' = B' * A'.
 * It is given products up to LARGEST; beyond, libxsmm itself passes the call to a BLAS, and that has a column of its own.
 */
#include <omp.h>
#include <stdio.h>

#include <libxsmm.h>

#include "library.h"

static const double LARGEST = 128.0 * 128 * 128;

#define PRODUCT(letter, type)                                                                              \
    static bool letter##gemm(int M, int N, int K, const void *A, const void *B, void *C)                   \
    {                                                                                                      \
        const type one = 1, zero = 0;                                                                      \
        libxsmm_##letter##mmfunction kernel;                                                               \
        if ((double)M * N * K > LARGEST)                                                                   \
            return false;                                                                                  \
        kernel = libxsmm_##letter##mmdispatch(N, M, K, NULL, NULL, NULL, &one, &zero, NULL, NULL);         \
        if (kernel)                                                                                        \
            kernel((const type *)B, (const type *)A, (type *)C);                                           \
        return kernel != NULL;                                                                             \
    }
PRODUCT(s, float)
PRODUCT(d, double)

const Library libraries[] = {{"libxsmm", {sgemm, dgemm}}, {NULL, {NULL, NULL}}};

void set_threads(int n) { omp_set_num_threads(n); }

const char *describe(void)
{
    static char text[100];
    libxsmm_init();
    snprintf(text, sizeof text, "libxsmm %s, %s", LIBXSMM_VERSION, libxsmm_get_target_arch());
    return text;
}
