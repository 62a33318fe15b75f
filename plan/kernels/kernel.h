/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one list of micro-kernels: the emitted kernels, the dispatcher's tables, `explain` and the tests all come
 * from it.
 *
 * CPU kernels hold a tile of mr rows by nv vectors of sums in registers. All shapes are enumerated whose sums and
 * operands fit the register file (DynaChain's constraints on a micro-kernel), and ranked (plan/kernels/rank.h). Rows are covered
 * exactly by a combination of heights, columns by a combination of widths (plan/kernels/cover.h); a kernel's last vector may be
 * partial. Small tiles unroll k over several sets of accumulators, because an addition waits for the one before it.
 * Dot kernels keep whole vectors along k and add them up at the end: for outputs of few columns. */
#ifndef MIKGEN_PLAN_KERNELS_KERNEL_H
#define MIKGEN_PLAN_KERNELS_KERNEL_H

#include "plan/kernels/tile_kernel.h"

extern const KernelOptions kernel_defaults; /* 32, 12, 64; MikPoly's are 32, 12, 40 */

/* The kernel sets of a family, best instruction set first, with their solved covers; their number. Arena-owned. */
KernelSet *kernel_sets(Arena *arena, Family family, const KernelOptions *opt);
int kernel_set_count(Family family, const KernelOptions *opt);

/* The kernel sets of a run: those of a family are made when first asked for. */
typedef struct Kernels {
    Arena *arena;
    KernelOptions opt;
    KernelSet *sets[FAM_COUNT];
} Kernels;
const KernelSet *kernels_of(Kernels *kernels, Family family);

/* C target: sets used[], by Family, for the families whose kernels run the contraction. */
void note_families(const Contraction *c, bool *used);

/* Is it one that every CPU has kernels of, rather than one of dot-product instructions? */
bool family_is_base(Family family);

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
