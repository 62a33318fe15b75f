/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libxsmm's JIT kernels, looked up at each call as a caller with run-time shapes has to. Column-major: C' = B' * A'.
 * By default it is given what libxsmm itself makes kernels for, up to 64 cubed; beyond, it passes a product on to a BLAS,
 * and that has a column of its own. LIBXSMM_LARGEST in the environment is another limit for M * N * K.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include <libxsmm.h>

#include "library.h"

static double largest = LIBXSMM_MAX_MNK;

#define PRODUCT(letter, type) \
    static bool letter##gemm(int M, int N, int K, const void *A, const void *B, void *C) \
    { \
        const type one = 1, zero = 0; \
        libxsmm_##letter##mmfunction kernel; \
        if ((double)M * N * K > largest) \
            return false; \
        kernel = libxsmm_##letter##mmdispatch(N, M, K, NULL, NULL, NULL, &one, &zero, NULL, NULL); \
        if (kernel) \
            kernel((const type *)B, (const type *)A, (type *)C); \
        return kernel != NULL; \
    }
PRODUCT(s, float)
PRODUCT(d, double)

const Library libraries[] = {{"libxsmm", {sgemm, dgemm}}, {NULL, {NULL, NULL}}};

void set_threads(int n)
{
    const char *limit = getenv("LIBXSMM_LARGEST");
    if (limit)
        largest = atof(limit);
    omp_set_num_threads(n);
}

const char *describe(void)
{
    static char text[100];
    libxsmm_init();
    snprintf(text, sizeof text, "libxsmm %s, %s", LIBXSMM_VERSION, libxsmm_get_target_arch());
    return text;
}
