/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generated products under one interface, a table of them by type. */
#ifndef BENCH_CUDA_OPERATORS_H
#define BENCH_CUDA_OPERATORS_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <string>

#include "names.h"
#include "operator_options.h"
#include "shapes.h"

struct Operator {
    const char *type; /* "f16", "bf16", "f32", "tf32", "s8", "e4m3" */
    Element element;  /* of A and B; see output_element */
    cudaError_t (*run)(const mikgen_cuda_options *, const Shape &, const void *A, const void *B, void *C, cudaStream_t);
    size_t (*workspace)(const Shape &);
    cudaError_t (*plan)(const Shape &, mikgen_cuda_options *);
    const char *(*kernel)(int);
    cudaError_t (*prepare)(void);
    int (*explain)(const Shape &, char *, size_t);
};

/* NULL: this program has been built without it. */
const Operator *operator_of(const std::string &type);
std::string operators_all(); /* their types, separated by commas */

#endif
