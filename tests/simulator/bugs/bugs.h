/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels with mistakes put in on purpose, to see that the simulator finds them.
 *
 * Each .cu file here is a family: one kernel body, in which `bug == 7` and the like choose a mistake; bug 0 is
 * the kernel as it should be. The number is a constant in every instance, so nothing of it is left in the PTX.
 */
#ifndef BUGS_H
#define BUGS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What running a kernel can lead to; the names after OUT_BARRIER are those of SimKind. */
typedef enum {
    OUT_RIGHT = 1 << 0,
    OUT_WRONG = 1 << 1,   /* a result that is not the reference's, bit for bit, or a write beside it */
    OUT_REFUSED = 1 << 2, /* an error code from the runtime, without a diagnosis */
    OUT_BOUNDS = 1 << 3,
    OUT_MISALIGNED = 1 << 4,
    OUT_RACE = 1 << 5,
    OUT_DEADLOCK = 1 << 6,
    OUT_DIVERGENCE = 1 << 7,
    OUT_BARRIER = 1 << 8,
    OUT_ASYNC = 1 << 9,
    OUT_TENSOR = 1 << 10,
    OUT_OTHER = 1 << 11 /* a trap, something unsupported, no end: never expected */
} Outcome;

typedef struct {
    int number;
    const char *what;
    unsigned expected; /* outcomes that a run may have; at least one schedule must not end in OUT_RIGHT. Of the
                          control: OUT_RIGHT, in every schedule */
} Bug;

typedef struct {
    const char *name;
    const Bug *bugs; /* bugs[0] is the control */
    int count;
    Outcome (*run)(int bug); /* RIGHT, WRONG or REFUSED; the caller asks for diagnoses */
} Family;

extern const Family simt_family, mma_family, wgmma_family, width_family, turns_family, beside_family, gather_family, dependent_family,
    split_family, cluster_family, warp_family, row_family, codes_family, exchange_family;

/* ---- products of matrices: C = A B; A is m x k, B is k x n, both stored by rows ---- */

typedef struct {
    int m, n, k;
    int lda, ldb, ldc; /* in elements; what is between the rows is NaN, and C's must stay as it was */
    const void *a, *b; /* float or half */
    float *c;
} Gemm;

typedef struct {
    Gemm shape; /* without the pointers */
    int is_half;
    int runs;  /* launches one after another, each checked */
    int split; /* sums of so many k are added one after another; 0: exact numbers, in any order */
    cudaError_t (*launch)(int bug, const Gemm *g);
} GemmCase;

Outcome run_gemm(const GemmCase *c, int bug);

#ifdef __cplusplus
}
#endif

/* What the table and the instances of a family are made of: BUGS(X) has an X(number, outcomes, what) for each.
 */
#define BUG_ROW(number, expected, what) {number, what, expected},
#define FAMILY(name, run) \
    static const Bug name##_bugs[] = {BUGS(BUG_ROW)}; \
    extern "C" const Family name##_family = {#name, name##_bugs, sizeof name##_bugs / sizeof name##_bugs[0], run};

#endif
