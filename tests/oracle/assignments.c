/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every assignment of every type to every other, as emitted, against what assignments.py says comes of it: bit by bit. C for
 * the C target; the same text is CUDA for the other. Built and run by assignments.sh. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One type on the left and one on the right: the operators, and x, y, and of each operator four results. */
typedef struct Case {
    const char *left, *right, *const *operators;
    int noperators;
    size_t digits; /* of an element, the bytes that count; 0: all */
    const unsigned char *data[3];
    size_t bytes[3];
} Case;

#ifdef __CUDACC__
#include "assignments_dyn.cuh"
static void *in_place(const void *data, size_t size)
{
    void *at = NULL;
    if (cudaMalloc(&at, size) != cudaSuccess || (data && cudaMemcpy(at, data, size, cudaMemcpyHostToDevice) != cudaSuccess))
        exit(2);
    return at;
}
static void fetch(void *to, const void *from, size_t size)
{
    if (cudaMemcpy(to, from, size, cudaMemcpyDeviceToHost) != cudaSuccess)
        exit(2);
}
#else
#include "assignments_dyn.h"
static void *in_place(const void *data, size_t size)
{
    void *at = calloc(1, size);
    if (data)
        memcpy(at, data, size);
    return at;
}
static void fetch(void *to, const void *from, size_t size) { memcpy(to, from, size); }
#endif
#include "cases.h"

/* What is wrong with the results of one case; each operator has four rows of them. */
static long check(const Case *c, const unsigned char *got)
{
    static const char *const forms[] = {"x = x op y of elements", "x op= y of elements", "x = x op y of scalars", "x op= y of scalars"};
    const size_t size = c->bytes[2] / (size_t)(4 * PAIRS * c->noperators), digits = c->digits ? c->digits : size;
    long wrong = 0;
    for (int op = 0; op < c->noperators; op++)
        for (int form = 0; form < 4; form++)
            for (int i = 0; i < PAIRS; i++) {
                const size_t at = ((size_t)((op * 4 + form) * PAIRS + i)) * size;
                if (memcmp(got + at, c->data[2] + at, digits) == 0)
                    continue;
                if (wrong++ == 0)
                    printf("FAILED: %s, op %s, x %s, y %s, pair %d\n", forms[form], c->operators[op], c->left, c->right, i);
            }
    return wrong;
}

int main(void)
{
    long wrong = 0, checked = 0;
    for (int left = 0; left < LEFT; left++) {
        void *at[RIGHT][3];
        const Case *row = cases[left];
        for (int right = 0; right < RIGHT && row[right].left; right++)
            for (int i = 0; i < 3; i++)
                at[right][i] = in_place(i < 2 ? row[right].data[i] : NULL, row[right].bytes[i]);
        const int status = calls[left](at);
        if (status != 0)
            printf("FAILED: %s comes back with error %d\n", row->left, status), wrong++;
        for (int right = 0; right < RIGHT && row[right].left; right++) {
            unsigned char *got = (unsigned char *)malloc(row[right].bytes[2]);
            fetch(got, at[right][2], row[right].bytes[2]);
            wrong += check(&row[right], got);
            checked += row[right].noperators * 4 * PAIRS;
            free(got);
        }
    }
    printf("%ld assignments, %ld wrong\n", checked, wrong);
    return wrong != 0 || checked == 0;
}
