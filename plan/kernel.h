/* The one list of micro-kernels: the emitted kernels, the dispatcher's tables, `explain` and the tests all come
 * from it.
 *
 * CPU kernels hold a tile of mr rows by nv vectors of sums in registers (DynaChain's constraints C1-C4 for a
 * vector register file: mr * nv accumulators, nv vectors of B and one of A must fit). Every height from 1 up is
 * there, so rows are covered exactly; a kernel's last vector may be partial (masked), so columns are too. Small
 * tiles spread k over several sets of accumulators, because an addition waits for the one before it.
 * Dot kernels keep whole vectors along k and add them up at the end: for outputs of few columns. */
#ifndef MIKGEN_PLAN_KERNEL_H
#define MIKGEN_PLAN_KERNEL_H

#include "plan/plan.h"

typedef struct TileKernel {
    int mr, nv, sets;
    double per_step; /* cycles per step of k */
    double per_tile; /* cycles per call */
} TileKernel;

typedef struct DotKernel {
    int rows, cols, sets;
} DotKernel;

/* All kernels of one family on one instruction set. */
typedef struct KernelSet {
    const char *isa, *target; /* "avx512"; the compiler's target attribute, "" for none */
    int lanes;                /* elements of the accumulator's type in a vector */
    TileKernel *tiles;        /* by nv, then by mr from 1 up without gaps */
    int ntiles;
    DotKernel *dots;          /* by cols, then by rows from 1 up */
    int ndots;
    double dot_step, dot_tile, dot_sum; /* cycles: per vector step, per call, per sum */
} KernelSet;

/* Costs of moving data, in cycles, and cache sizes: the analytical terms that stand in for a measured profile. */
typedef struct MoveCosts {
    double pack, gather, convert;      /* per element: vectorised copy, strided copy, conversion */
    double far, conflict, far_a, conflict_a;
    int near_bytes, conflict_bytes, l2_bytes, l3_bytes, kc, dot_columns, task;
} MoveCosts;

enum { ISA_COUNT = 4 };

/* The kernel sets of a family, best instruction set first. `max_kernels` > 0 keeps only so many tile kernels in
 * each set: the most useful shapes, each with all its heights. Arena-owned. */
KernelSet *kernel_sets(Arena *arena, Family family, int max_kernels);
MoveCosts move_costs(Family family);

/* C type of the sums ("float"), and the symbols of kernels: mik_f32_14x32_avx512, mik_f32_dot4x2_avx2. */
const char *family_acc(Family family);
const char *tile_symbol(Arena *arena, Family family, const KernelSet *set, const TileKernel *k);
const char *dot_symbol(Arena *arena, Family family, const KernelSet *set, const DotKernel *k);

#endif
