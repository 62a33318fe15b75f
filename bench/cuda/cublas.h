/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuBLAS and cuBLASLt as contenders: C = A * B, row after row, B as is_b_along_k says, sums in float or int. Without HAVE_CUBLAS nothing is there. */
#ifndef BENCH_CUDA_CUBLAS_H
#define BENCH_CUDA_CUBLAS_H

#include "device.h"
#include "race.h"

struct Cublas;

enum { LT_MOST = 16 }; /* algorithms that cuBLASLt is asked for */

/* NULL: not built with it. type: as an Operator's. */
Cublas *cublas_open(const char *type, cudaStream_t stream);
void cublas_close(Cublas *cublas);
int cublas_version(void); /* 0: none */

/* cublasGemmEx as it comes: its own choice, its own workspace. */
bool cublas_run(Cublas *cublas, const Shape &shape, const void *A, const void *B, void *C);
/* The same with a float result and without shortened sums; not of 8-bit operands. */
bool cublas_reference(Cublas *cublas, const Shape &shape, const void *A, const void *B, float *C);

/* cuBLASLt: asks its heuristics, which may return less than LT_MOST algorithms, and runs one of them. */
int cublas_lt_ask(Cublas *cublas, const Shape &shape);
bool cublas_lt_run(Cublas *cublas, int algorithm, const void *A, const void *B, void *C);

#endif
