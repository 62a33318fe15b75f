/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a product must be. Operands hold multiples of 1/8 in [-1, 1]: every partial sum of up to 2^18 products is exact in
 * single precision too, whatever its order, so a result is right or it is wrong, and no tolerance is needed.
 *
 * Small products are computed in double precision and compared element by element. For larger ones Freivalds' check
 * (1977): C x = A (B x) for a random vector x of integers, which every element of C enters.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

void fill_operand(int type, void *operand, size_t elements, unsigned seed);

typedef struct Reference Reference;

/* To be freed with reference_free. Ends the program when memory is exhausted. */
Reference *reference_new(int type, int M, int N, int K, const void *A, const void *B);
/* First sets every element of C to NaN: for the call to be checked. */
void reference_spoil(const Reference *reference, void *C);
bool reference_equals(const Reference *reference, const void *C);
void reference_free(Reference *reference);

#endif
