/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls a routine of BLAS or LAPACK on matrices of order N, for about as long as 20 products of such:
 *     lapack ROUTINE N
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "f2c.h"
#include "blaswrap.h"
#include "clapack.h"

int dgemm_(char *, char *, integer *, integer *, integer *, doublereal *, doublereal *, integer *, doublereal *, integer *, doublereal *,
           doublereal *, integer *);
int dsyrk_(char *, char *, integer *, integer *, doublereal *, doublereal *, integer *, doublereal *, doublereal *, integer *);
int dtrsm_(char *, char *, char *, char *, integer *, integer *, doublereal *, doublereal *, integer *, doublereal *, integer *);
int dgemv_(char *, integer *, integer *, doublereal *, doublereal *, integer *, doublereal *, integer *, doublereal *, doublereal *,
           integer *);

static integer n, info, one = 1, room;
static double *a, *b, *c, *w, *v, *work;
static double plus = 1, half = 0.5;

static void gemm(void) { dgemm_("N", "T", &n, &n, &n, &half, a, &n, b, &n, &half, c, &n); }
static void syrk(void) { dsyrk_("U", "N", &n, &n, &half, a, &n, &half, c, &n); }
static void trsm(void) { dtrsm_("L", "L", "N", "N", &n, &n, &plus, a, &n, b, &n); }

static void gemv(void)
{
    for (integer i = 0; i < n; i++)
        dgemv_(i % 2 ? "N" : "T", &n, &n, &half, a, &n, b, &one, &half, w, &one);
}

static void getrf(void) { dgetrf_(&n, &n, a, &n, (integer *)w, &info); }
static void potrf(void) { dpotrf_("L", &n, a, &n, &info); }
static void geqrf(void) { dgeqrf_(&n, &n, a, &n, w, work, &room, &info); }
static void syev(void) { dsyev_("V", "U", &n, a, &n, w, work, &room, &info); }
static void geev(void) { dgeev_("N", "V", &n, a, &n, w, v, b, &n, c, &n, work, &room, &info); }
static void gesvd(void) { dgesvd_("A", "A", &n, &n, a, &n, w, b, &n, c, &n, work, &room, &info); }
static void gels(void) { dgels_("N", &n, &n, &n, a, &n, b, &n, work, &room, &info); }
static void stev(void) { dstev_("V", &n, w, v, b, &n, work, &info); }

static const struct Routine {
    const char *name;
    void (*call)(void);
    int times;
} routines[] = {{"dgemm", gemm, 20},   {"dsyrk", syrk, 40},   {"dtrsm", trsm, 40},   {"dgemv", gemv, 20},
                {"dgetrf", getrf, 40}, {"dpotrf", potrf, 60}, {"dgeqrf", geqrf, 15}, {"dsyev", syev, 3},
                {"dgeev", geev, 1},    {"dgesvd", gesvd, 2},  {"dgels", gels, 8},    {"dstev", stev, 4}};

static double *make(integer count)
{
    double *p = calloc((size_t)count, sizeof *p);
    if (!p)
        exit(1);
    return p;
}

/* Symmetric, with a heavy diagonal. */
static void fill(void)
{
    unsigned state = 1;
    for (integer j = 0; j < n; j++) {
        for (integer i = 0; i <= j; i++) {
            state = state * 1664525 + 1013904223;
            a[i + j * n] = a[j + i * n] = (double)(state >> 8) / (1 << 24) + (i == j ? 2.0 * n : 0);
            b[i + j * n] = b[j + i * n] = a[i + j * n] - 0.5;
        }
        w[j] = 2 + j % 7;
        v[j] = 1.0 / (1 + j % 5);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    n = atoi(argv[2]);
    room = 40 * n;
    a = make(n * n), b = make(n * n), c = make(n * n), w = make(2 * n), v = make(2 * n), work = make(room);
    for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
        if (strcmp(routines[i].name, argv[1]) == 0)
            for (int k = 0; k < routines[i].times; k++) {
                fill();
                routines[i].call();
                if (info)
                    return 1;
            }
    printf("%g\n", a[0] + b[0] + c[0] + w[0]);
    return 0;
}
