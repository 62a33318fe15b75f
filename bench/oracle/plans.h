/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every plan that the emitted dispatcher of gemm_f32 could choose for a shape, made and run past its choice.
 *
 * A plan is a pattern, its cuts, a kernel for each region, operands packed or in place. Plans that come to the same tiles in the
 * same blocks count as one.
 * The emitted text is compiled into plans.c, whose own tables list the kinds of plans.
 */
#ifndef BENCH_PLANS_H
#define BENCH_PLANS_H

#include <stdbool.h>
#include <stddef.h>

#include "pool.h"

typedef struct Problem Problem;

/* One shape, all extents positive, with no plans yet. pool: the threads that plans may use; NULL: one thread. It stays
   the caller's. Ends the program when memory is exhausted. */
Problem *problem_open(int M, int N, int K, Pool *pool);
void problem_close(Problem *problem);

/* Appends the plans of one thread that are a single region, a dot product, a sweep, few steps, or the short cut for small problems. */
void plans_add_whole(Problem *problem);
/* Appends those of patterns II and III. Each region packs what the cost model would, or all pack what plan `like` does. */
void plans_add_cut(Problem *problem, int like);
int plans_count(const Problem *problem);

/* Computes C = A B by plan i. */
void plan_run(Problem *problem, int i, const float *A, const float *B, float *C);
/* What the cost model expects, in seconds; of it, what the kernels take without their operands, 0 for inner products and sweeps. */
double plan_cost(const Problem *problem, int i);
double plan_tiles_cost(const Problem *problem, int i);
/* Such as "II row 14: 14x32; T 8x48 a": the pattern, "low" for the covers by low tiles, the cuts; of each region the first
   tile, behind T where the solved tables decide alone, with ! where its kernel takes all that it covers, and the operands that
   are packed. */
void plan_text(const Problem *problem, int i, char *text, size_t size);
/* Whether it is a single region of plans_add_whole. */
bool plan_is_whole(const Problem *problem, int i);

/* Numbers of plans. Those that no list has are appended. */
int plan_chosen(Problem *problem); /* by the dispatcher */
int plan_wave(Problem *problem);   /* of the fewest tiles: the wave term alone */
int plan_pipe(Problem *problem);   /* of the kernel that is fastest for each output of a whole tile: the pipe term alone */
int plan_fixed(Problem *problem, int kernel); /* one region, one kernel, packing what the model would */
int kernels_count(void);
int kernel_fastest(int K);            /* for each output of a whole tile, K steps deep */
/* Rows and columns of its tile. */
void kernel_size(int kernel, int *rows, int *columns);
/* One region of one kernel for all threads of the pool: a band of rows each, of whole tiles. */
int plan_grid(Problem *problem, int kernel);

/* Decides without a look into the cache; or with it. */
void problem_decide(Problem *problem);
void problem_lookup(Problem *problem);

#endif
