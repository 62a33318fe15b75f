/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the CPU's micro-kernels: tiles, dot kernels, what moving data costs; sets of them, and how sets are chosen. */
#ifndef MIKGEN_PLAN_KERNELS_TILE_KERNEL_H
#define MIKGEN_PLAN_KERNELS_TILE_KERNEL_H

#include "plan/engine_knobs.h"
#include "plan/plan.h"
#include "plan/targets.h"

/* Tiles have at most TILE_HEIGHTS rows, and 1 .. TILE_WIDTHS - 1 vectors of columns. */
enum { TILE_HEIGHTS = 32, TILE_WIDTHS = 17 };

/* mr x nv sums in each of `sets` sets. uM rows x uN columns over uK steps of k are its block (plan/kernels/rank.h). */
typedef struct TileKernel {
    int mr, nv, sets;
    int uM, uN, uK;
    double g[G_KNOTS];
} TileKernel;

typedef struct DotKernel {
    int rows, cols, sets;
} DotKernel;

/* Costs of moving data on one instruction set, in nanoseconds, and sizes of blocks. Without a measured profile these
 * are analytical. */
typedef struct MoveCosts {
    double pack, gather, convert; /* per element packed: row by row, transposed, fetched by the operation itself */
    double column;                /* per element packed for dot kernels, each row or column by itself, by a stride */
    double far, conflict;         /* per vector of B in place, for the first pass: B exceeds near_bytes; and its rows also
                                     compete for few cache sets */
    double far_a, conflict_a;     /* per element of A in place and pass, likewise */
    double read, read_all;        /* per byte from memory: one core alone, one of many at once */
    double task;                  /* to start a task on another thread */
    int side;                     /* of a block: rows and columns at most; 0: what the caches hold */
#define ENGINE_SIZE(word, ...) int word;
#define ENGINE_KNOB(word, ...)
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
} MoveCosts;

enum { SHALLOW_STEPS = 24 }; /* of shallow kernels at most */

/* All kernels of one family on one instruction set. */
typedef struct KernelSet {
    const char *isa, *target; /* "avx512"; the compiler's target attribute, "" for none */
    int level;                /* of the instruction set, as options.isa counts */
    int lanes;                /* elements of the accumulator's type in a vector */
    int registers;            /* for vectors */
    TileKernel *tiles;        /* by nv, then by mr: a width has its tile of one row, other heights may be left out */
    int ntiles;
    DotKernel *dots;          /* by cols, then by rows from 1 up */
    int ndots;
    unsigned char shallow[SHALLOW_STEPS]; /* [k - 1]: vectors that a shallow kernel of k steps holds of each row of B */
    int nshallow;             /* their number; 0: the family's operands are never in place */
    int nslim;                /* steps of those for at most one vector of columns, which leave few sums to hold */
    int npanels;              /* panels of weights prepacked that the kernels for few rows of A read at once; 0: there are none */
    int nrow;                 /* vectors of sums that the kernels for one row of A hold at most; even */
    unsigned char column[TILE_HEIGHTS]; /* sets over which k is split, by height, in the kernels for fewer columns than a vector has */
    int ncolumn;
    double dot_step, dot_tile, dot_sum; /* nanoseconds: per vector step, per call, per sum */
    MoveCosts move;
    EngineKnobs engine;
    struct CoverTables *cover; /* plan/kernels/cover.h */
} KernelSet;

/* One of the engine's blocking parameters as the set has it. */
int engine_number(const KernelSet *set, EngineKnob knob);

/* How the set is generated: all tiles that fit the registers are enumerated, a profile replaces their costs, they are
 * ranked (plan/kernels/rank.h), the usual profile corrects the costs of those kept, and they get their covers. */
typedef struct KernelOptions {
    unsigned held; /* instruction sets that files hold, a bit for each Isa; 0: all */
    int n_gen, n_syn; /* blocks, on GPUs tiles of thread blocks, have sides 16 * i, i <= n_gen; synthetic problems 2^j, j <= n_syn */
    int n_mik; /* tile kernels kept in each set at most, on GPUs of each sort (plan/kernels/gpu_rank.h); 0: all */
    bool vary; /* the emitted engine's blocking parameters are members of its tables, which a measuring program changes */
    const struct Profile *profile; /* NULL: analytical terms only */
    const struct Profile *usual; /* of some machine, for what `profile` says nothing about: not which kernels are kept, as
                                      they also are for other machines, but how they are combined. NULL: none */
} KernelOptions;

#endif
