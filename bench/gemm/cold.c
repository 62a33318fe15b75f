/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A library's first calls in a process, each of another shape.
 *
 *   cold FOLDER FILE SIDE CALLS
 *
 * FILE: the library's shared object in FOLDER; SIDE: M, N and K are sampled log-uniformly from 1 .. SIDE. Prints milliseconds:
 * to load the library, of the first call, of all calls together; and a sum over all results, exact and so the same for all
 * libraries.
 */
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"
#include "peers.h"
#include "reference.h"
#include "shapes.h"

static float *operand(size_t elements, unsigned seed)
{
    float *p = malloc(elements * sizeof *p);
    if (!p)
        abort();
    fill_operand(F32, p, elements, seed);
    return p;
}

/* Every element enters with another weight, all integers. */
static double weighted_sum(const Shape *shape, const float *C)
{
    double sum = 0;
    for (int i = 0; i < shape->M * shape->N; i++)
        sum += (double)C[i] * (1 + i % 1009);
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    int side = atoi(argv[3]), calls = atoi(argv[4]);
    run_first();
    size_t most = (size_t)side * (size_t)side;
    float *A = operand(most, 1), *B = operand(most, 2), *C = operand(most, 3);
    Shapes shapes = {0};
    shapes_add_different(&shapes, side, calls);
    double begin = seconds();
    void *object = library_load(argv[1], argv[2], 1);
    double loading = seconds() - begin, first = 0, total = 0, sum = 0;
    if (!object)
        return 2;
    Gemm *gemm = library_entries(object)->gemm[F32];
    for (int i = 0; i < calls; i++) {
        const Shape *s = &shapes.items[i];
        begin = seconds();
        bool served = gemm(s->M, s->N, s->K, A, B, C);
        double time = seconds() - begin;
        if (!served) {
            fprintf(stderr, "%s: no product of %d x %d x %d\n", argv[2], s->M, s->N, s->K);
            return 2;
        }
        first = i == 0 ? time : first;
        total += time;
        sum += weighted_sum(s, C);
    }
    printf("%.4f %.4f %.4f %.17g\n", 1e3 * loading, 1e3 * first, 1e3 * total, sum);
}
