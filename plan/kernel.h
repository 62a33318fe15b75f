/* The one list of micro-kernels: the emitted kernels, the dispatcher's tables, `explain` and the tests all come
 * from it.
 *
 * CPU kernels hold a tile of mr rows by nv vectors of sums in registers. All shapes are enumerated whose sums and
 * operands fit the register file (DynaChain's constraints on a micro-kernel), and ranked (plan/rank.h). Rows are covered
 * exactly by a combination of heights, columns by a combination of widths (plan/cover.h); a kernel's last vector may be
 * partial. Small tiles unroll k over several sets of accumulators, because an addition waits for the one before it.
 * Dot kernels keep whole vectors along k and add them up at the end: for outputs of few columns. */
#ifndef MIKGEN_PLAN_KERNEL_H
#define MIKGEN_PLAN_KERNEL_H

#include "plan/cover.h"
#include "plan/plan.h"

/* MikPoly's g(t): nanoseconds of one call of a kernel over t steps of k, linear between g_knots[i] and g_knots[i+1]
 * and, by the last slope, beyond the last. */
enum { G_KNOTS = 8 };
extern const int g_knots[G_KNOTS];
double g_at(const double g[G_KNOTS], double t);

/* mr x nv sums in each of `sets` sets. uM rows x uN columns over uK steps of k are its block (plan/rank.h). */
typedef struct TileKernel {
    int mr, nv, sets;
    int uM, uN, uK;
    double g[G_KNOTS];
} TileKernel;

/* Nanoseconds of a tile over all k steps of a sum; k < 0: not known, as for the covers of long sums. */
double tile_time(const TileKernel *tile, int64_t k);

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
    int near_bytes, conflict_bytes, l2_bytes, l3_bytes, kc, dot_columns;
    int side;                     /* of a block: rows and columns at most; 0: what the caches hold */
    int low_steps, low_rows;      /* sums of at most low_steps are computed at most low_rows rows, or a tile, at a time, whole rows of the output */
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
    int nrow;                 /* vectors of sums that the kernels for one row of A hold at most; even */
    unsigned char column[COVER_HEIGHTS]; /* sets over which k is split, by height, in the kernels for fewer columns than a vector has */
    int ncolumn;
    double dot_step, dot_tile, dot_sum; /* nanoseconds: per vector step, per call, per sum */
    MoveCosts move;
    CoverTables *cover;
} KernelSet;

/* How the set is generated: all tiles that fit the registers are enumerated, a profile replaces their costs, they are
 * ranked (plan/rank.h), the usual profile corrects the costs of those kept, and they get their covers. */
typedef struct KernelOptions {
    int n_gen, n_syn;              /* blocks, on GPUs tiles of thread blocks, have sides 16 * i, i <= n_gen; synthetic problems 2^j, j <= n_syn */
    int n_mik;                     /* tile kernels kept in each set at most, on GPUs of each sort (plan/gpu_rank.h); 0: all */
    const struct Profile *profile; /* NULL: analytical terms only */
    const struct Profile *usual;   /* of some machine, for what `profile` says nothing about: not which kernels are kept, as
                                      they also are for other machines, but how they are combined. NULL: none */
} KernelOptions;
extern const KernelOptions kernel_defaults; /* 32, 12, 64; MikPoly's are 32, 12, 40 */

/* Instruction sets: those with kernels of f32 and f64; with what dot-product instructions add, whose number in
 * options.isa is DOTS_LEVEL. */
enum { ISA_COUNT = 4, ALL_ISA_COUNT = 6, DOTS_LEVEL = 5 };

/* The kernel sets of a family, best instruction set first, with their solved covers; their number, which is ISA_COUNT for
 * f32 and f64. Arena-owned. */
KernelSet *kernel_sets(Arena *arena, Family family, const KernelOptions *opt);
int kernel_set_count(Family family);

/* The kernel sets of a run: those of a family are made when first asked for. */
typedef struct Kernels {
    Arena *arena;
    KernelOptions opt;
    KernelSet *sets[FAM_COUNT];
} Kernels;
const KernelSet *kernels_of(Kernels *kernels, Family family);

/* The instruction sets by name, 0 <= i < ALL_ISA_COUNT, best first. */
const char *isa_name(int i);

/* C type of a panel's elements; how a panel's line is built: `unit` elements along k, which
 * one multiply-add takes, per step, and before them `head` elements for what kernels need to know of the line. */
const char *family_panel(Family family);
int family_unit(Family family);
int family_head(Family family);
/* C type of the sums ("float"), and the symbols of kernels: mik_f32_14x32_avx512, mik_f32_dot4x2_avx2. */
const char *family_acc(Family family);
const char *tile_symbol(Arena *arena, Family family, const KernelSet *set, const TileKernel *k);
const char *dot_symbol(Arena *arena, Family family, const KernelSet *set, const DotKernel *k);

#endif
