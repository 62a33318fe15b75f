/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tests/fuzz/random_program.c's functions are called with. */
#ifndef MIKGEN_TESTS_FUZZ_PROGRAMS_H
#define MIKGEN_TESTS_FUZZ_PROGRAMS_H

#include <stdbool.h>
#include "programs_data.h"

typedef struct Data {
    int n, m;       /* 0 .. 12 */
    int d;          /* -3 .. 3 */
    int z;          /* 0 */
    int w, w2;      /* anything; likewise all that follows */
    unsigned u;
    long q;
    unsigned long uq;
    unsigned short us;
    signed char sc;
    bool bo;
    float x;
    double y;
    int *A, *B;     /* 64 elements each, and of no other use */
    int *P, *Q, *R; /* into one block of their own or the global array; R, of one element, perhaps a global scalar */
    int (*M)[8], (*W)[8]; /* 8 rows; W lies where P and Q do */
    float *F, *G;
    double *X;
    unsigned short *H;
    unsigned *U;
    signed char *C;
    int (*V)[8];    /* 8 rows, where A's elements are or for themselves */
    int extent;     /* 8 */
    Pack *sp, *sq, *sk; /* any of three packs, the global one among them */
} Data;

typedef long Run(long program, Data *data);

/* Without declarations: source-to-source mode knows min and max of integers by name. */
#define min(a, b) \
    __extension__({ \
        __typeof__((a) + (b)) min_a = (a), min_b = (b); \
        min_a < min_b ? min_a : min_b; \
    })
#define max(a, b) \
    __extension__({ \
        __typeof__((a) + (b)) max_a = (a), max_b = (b); \
        max_a > max_b ? max_a : max_b; \
    })

#endif
