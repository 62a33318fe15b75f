/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranking of micro-kernels (MikPoly, section 3.3): which of all that the registers allow a file gets, and in which blocks
 * each of them works. The synthetic problems are those with the sides 2^j, j <= n_syn; the performance model is g(t) of
 * every tile, operands packed or read in place, whatever is cheaper, and sums that are fetched again for each block of k.
 *
 * Kernels. The paper keeps the n_mik best averages of kernels that run a problem alone. Such a set has many that are good
 * at the same problems and too few of those that alone are good at others; and covers live on a choice of heights and
 * widths. So here a kernel is worth what the set would lose without it: from the whole enumeration the one whose absence
 * costs least is dropped, again and again, until n_mik are left, and further while hardly anything is lost. A set is
 * rated by the synthetic problems, each run under the exact covers (plan/kernels/cover.h, by dynamic programming here) of the
 * kernels left: their times relative to those under the whole enumeration, to the eighth power, so that one problem much
 * slower weighs more than many that are hardly slower. The synthetic sides of the output stand for the lengths of their
 * octave, 2^(j-1) < length <= 2^j, of which some are tried, as heights such as 5 or 13 never show at powers of two; long
 * sums also run under the covers by low tiles. A width stays with its kernel of one row, so that every number of rows has
 * a cover in every width.
 *
 * Blocks. A kernel works in blocks of uM rows and uN columns over uK steps: what of A is packed together for the second
 * cache level, and of B for the third. Candidates have sides 16 * i, i <= n_gen, rounded down to whole tiles of the
 * kernel; those that exceed their caches are pruned. A block is ranked as in the paper, by the average speed of the
 * synthetic problems, each run whole by this kernel in these blocks (pattern I). Under the model no block is better than
 * one with the same uK that contains it, so only the largest are rated. A kernel's text does not depend on its block: each
 * keeps the best. */
#ifndef MIKGEN_PLAN_KERNELS_RANK_H
#define MIKGEN_PLAN_KERNELS_RANK_H

#include "plan/kernels/tile_kernel.h"

/* Greatest n_syn. */
enum { RANK_MAX_SYN = 13 };

/* Keeps at most opt->n_mik tiles (0: all) of the set, in their order, and sets their blocks. The set has one of 1 x 1 and,
 * in every width, one of one row; its elements have `bytes` bytes, its tiles g, its other costs are set. */
void rank_tiles(Arena *arena, KernelSet *set, int bytes, const KernelOptions *opt);

/* The average speed of the synthetic problems, in multiply-adds per nanosecond, when this tile runs each of them whole in
 * its blocks. */
double average_speed(const KernelSet *set, const TileKernel *tile, int bytes, int n_syn);

#endif
