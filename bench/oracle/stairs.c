/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time against M for N = 1024, K = 4096: the staircase of one kernel's whole tiles, and the chosen plan.
 *
 *   stairs [--lock=FILE] CSV
 *
 * One kernel: the one that is fastest for each output, M rounded up to its tiles, as local padding computes them; with two
 * threads, a band of whole tiles each. Polymerized: what the dispatcher chooses for M itself. M = 1 .. 128, then up
 * to 1024 at and around multiples of 16. Operands are those of the last call. CSV: M, milliseconds of the four.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"
#include "machine.h"
#include "plans.h"
#include "reference.h"
#include "turns.h"

enum { N = 1024, K = 4096, EVERY = 128, LAST = 1024, STEP = 16, ROOM = LAST + 64, ENTRIES = 4, ROUNDS = 3 };

typedef struct Entry {
    Problem *problem;
    int plan;
} Entry;

static float *operand(size_t elements, unsigned seed)
{
    float *p = aligned_alloc(4096, (4 * elements + 4095) / 4096 * 4096);
    if (!p)
        abort();
    fill_operand(F32, p, elements, seed);
    return p;
}

static void measure(FILE *file, int M, int kernel, Pool *pool, const float *A, const float *B, float *C)
{
    int rows, columns;
    double best[ENTRIES] = {INFINITY, INFINITY, INFINITY, INFINITY};
    Entry entries[ENTRIES];
    kernel_size(kernel, &rows, &columns);
    for (int e = 0; e < ENTRIES; e++) {
        const int padded = (M + rows - 1) / rows * rows;
        Problem *problem = problem_open(e % 2 ? M : padded, N, K, e < 2 ? NULL : pool);
        entries[e] = (Entry){problem, e % 2 ? plan_chosen(problem) : e ? plan_grid(problem, kernel) : plan_fixed(problem, kernel)};
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int e = 0; e < ENTRIES; e++) {
            const double begin = seconds();
            plan_run(entries[e].problem, entries[e].plan, A, B, C);
            best[e] = fmin(best[e], seconds() - begin);
        }
    fprintf(file, "%d", M);
    for (int e = 0; e < ENTRIES; e++) {
        fprintf(file, ",%.4f", 1e3 * best[e]);
        problem_close(entries[e].problem);
    }
    fprintf(file, "\n");
}

int main(int argc, char **argv)
{
    const bool locked = argc == 3 && strncmp(argv[1], "--lock=", 7) == 0;
    FILE *file = argc == 2 || locked ? fopen(argv[argc - 1], "w") : NULL;
    if (!file) {
        fprintf(stderr, "stairs [--lock=FILE] CSV\n");
        return 2;
    }
    run_first();
    Pool *pool = pool_start(2);
    Turns turns = turns_open(locked ? argv[1] + 7 : NULL);
    float *A = operand((size_t)ROOM * K, 1), *B = operand((size_t)N * K, 2), *C = operand((size_t)ROOM * N, 3);
    const int kernel = kernel_fastest(K);
    int rows, columns;
    kernel_size(kernel, &rows, &columns);
    fprintf(file, "M,one kernel of %dx%d,polymerized,one grid of %dx%d tiles,makespan plan\n", rows, columns, rows, columns);
    for (int M = 1; M <= LAST + 1; M++)
        if (M <= EVERY || (M + 1) % STEP <= 2) {
            turns_take(&turns);
            measure(file, M, kernel, pool, A, B, C);
        }
    turns_close(&turns);
    pool_stop(pool);
    fclose(file);
    free(A);
    free(B);
    free(C);
}
