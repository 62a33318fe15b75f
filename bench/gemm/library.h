/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the shared object of each library under comparison exports. One source file per library, one object per library:
 * the program loads them with RTLD_LOCAL | RTLD_DEEPBIND, since several of them define the same cblas_ names.
 */
#ifndef BENCH_LIBRARY_H
#define BENCH_LIBRARY_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { F32, F64, TYPES };

/* Row-major C = A * B: A has M x K elements, B K x N, C M x N, all dense. False: not for this shape, and C is unchanged. */
typedef bool Gemm(int M, int N, int K, const void *A, const void *B, void *C);

typedef struct Library {
    const char *name;   /* of a column; NULL ends the array */
    Gemm *gemm[TYPES];  /* NULL: the library lacks this type */
} Library;

/* One entry per way of computing the product that the library offers. */
extern const Library libraries[];
void set_threads(int n);
/* Version and core type, as the library tells them; valid until the next call. */
const char *describe(void);

#ifdef __cplusplus
}
#endif
#endif
