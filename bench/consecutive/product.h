/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One product of a given number of columns and steps, for any number of rows up to a limit: data, check, time. */
#ifndef MIKGEN_BENCH_PRODUCT_H
#define MIKGEN_BENCH_PRODUCT_H

#include <stdbool.h>

typedef struct Product Product;

/* Random A (rows x k) and B (k x n), and what A * B is. The elements are multiples of 1/8 between -1 and 1, so that every
 * sum of up to 2^16 products is exact in float, in whatever order. NULL if memory is short; free with product_free. */
Product *product_new(int rows, int n, int k);
void product_free(Product *p);

/* Computes the first m rows into a poisoned array and compares: false if a value differs, or if row m was written. *time
 * gets the call's nanoseconds. */
bool product_right(Product *p, int m, double *time);

/* Nanoseconds of the fastest of `turns` calls with m rows. */
double product_time(Product *p, int m, int turns);

#endif
