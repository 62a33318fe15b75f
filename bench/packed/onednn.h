/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oneDNN's product of rows and weights, the weights as they are or in the layout that it likes best. */
#ifndef BENCH_PACKED_ONEDNN_H
#define BENCH_PACKED_ONEDNN_H

#include <stdbool.h>
#include <stddef.h>

/* Of X and W; Y is of float, or of int32_t. */
typedef enum Type { F32, BF16, U8S8, TYPES } Type;

typedef struct Product Product;

static inline size_t type_bytes(Type type) { return type == F32 ? 4 : type == BF16 ? 2 : 1; }

/* Y[M][N] = X[M][K] W[K][N]; reordered: W is put into the layout of oneDNN's choice now, and may change afterwards. Ends the program
 * when oneDNN fails; to be freed by product_free(). */
Product *product_new(Type type, int M, int N, int K, bool reordered, const void *X, const void *W, void *Y);
void product_run(Product *p);
void product_free(Product *p);

#endif
