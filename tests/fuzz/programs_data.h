/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs of tests/fuzz/random_program.c's functions, and the functions that change such: without padding, so that they can be compared. */
#ifndef MIKGEN_TESTS_FUZZ_PROGRAMS_DATA_H
#define MIKGEN_TESTS_FUZZ_PROGRAMS_DATA_H

typedef struct Inner {
    int a, b; /* -100 .. 100, as all int below */
    float f;
    int v[5];
} Inner;

typedef union Word {
    unsigned u;
    unsigned char c[4];
    unsigned short h[2];
} Word;

typedef struct Pack {
    int n; /* 0 .. 12, which nobody changes */
    int s;
    unsigned u;
    unsigned bits : 5, other_bits : 27;
    long l;
    float f;
    Word w;
    int arr[16];
    int grid[2][8];
    Inner in;
    Inner two[2];
    Inner *q; /* of some Pack of the driver's */
    int *p; /* 16 elements, none of a function's own */
    volatile int vol;
    int zero;
} Pack;

extern Pack gs; /* sp and sq may point to it */
extern int *gp; /* 64 elements: P, or the global array */

void stir(void); /* changes elements of all that lies outside of functions and may have two names */
void turn(Pack *pack); /* changes some of its members */
int twice(int x);
int third(int x);

#endif
