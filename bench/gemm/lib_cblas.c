/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenBLAS, or with -DBLIS BLIS: its gemm, and its gemv for the shapes that are one. */
#include <stdio.h>

#ifdef BLIS
#include <blis.h>
#else
#include <cblas.h>
#endif

#include "library.h"

#define PRODUCT(letter, type) \
    static bool letter##gemm(int M, int N, int K, const void *A, const void *B, void *C) \
    { \
        cblas_##letter##gemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, M, N, K, 1, (const type *)A, K, (const type *)B, N, 0, (type *)C, \
                             N); \
        return true; \
    } \
    static bool letter##gemv(int M, int N, int K, const void *A, const void *B, void *C) \
    { \
        if (N == 1) \
            cblas_##letter##gemv(CblasRowMajor, CblasNoTrans, M, K, 1, (const type *)A, K, (const type *)B, 1, 0, (type *)C, 1); \
        else if (M == 1) \
            cblas_##letter##gemv(CblasRowMajor, CblasTrans, K, N, 1, (const type *)B, N, (const type *)A, 1, 0, (type *)C, 1); \
        return N == 1 || M == 1; \
    }
PRODUCT(s, float)
PRODUCT(d, double)

#ifdef BLIS
#define NAME "BLIS"
void set_threads(int n) { bli_thread_set_num_threads(n); }
const char *describe(void)
{
    static char text[100];
    snprintf(text, sizeof text, "BLIS %s, %s", bli_info_get_version_str(), bli_arch_string(bli_arch_query_id()));
    return text;
}
#else
#define NAME "OpenBLAS"
void set_threads(int n) { openblas_set_num_threads(n); }
const char *describe(void)
{
    static char text[100];
    int version;
    sscanf(openblas_get_config(), "OpenBLAS %*d.%*d.%n", &version);
    snprintf(text, sizeof text, "%.*s, %s", version + 2, openblas_get_config(), openblas_get_corename());
    return text;
}
#endif

const Library libraries[] = {{NAME, {sgemm, dgemm}}, {NAME "-gemv", {sgemv, dgemv}}, {NULL, {NULL, NULL}}};
