/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs all passes, in the order of plan/passes.def. */
#ifndef MIKGEN_GEN_DRIVER_PIPELINE_H
#define MIKGEN_GEN_DRIVER_PIPELINE_H

#include "depend/linear.h"
#include "fuse/fuse_loops.h"
#include "gen/driver/options.h"
#include "ir/kept_source.h"
#include "plan/kernels/kernel.h"
#include "plan/plan.h"

/* One operator on its way through. */
typedef struct Operator {
    Plan *plan;
    Node *apart; /* its body before the pass `fuse`; NULL with --fuse=off */
    FusePlan fusion; /* what the steps of `fuse` do to it */
    Node *guard; /* from guard_extraction to guard_restoration: what is asked of its arguments before anything is done; may be NULL */
    Node *source; /* its body before the pass `plan` */
    Vec versions; /* Version * (gen/driver/plan_versions.h) */
    Vec blocks;   /* Blocks * of its reductions (plan/nests/reduction_blocking.h) */
    LinearMap linear;
} Operator;

typedef struct Program {
    Unit *unit;
    Operator *operators;
    int noperators;
    bool cuda;
    unsigned held; /* C: instruction sets, as in KernelOptions */
    MathForm math; /* C: what --fp and --math say, else the pragma */
    const char *arch; /* CUDA: the oldest GPU: the option, else the pragma, else sm_80 */
} Program;

/* Run every pass over the unit's operators. With --dump-after the tree after that pass is appended to `dump`
 * and the passes after it are not run. Of opt->planner.kernels the profile counts, which nests may be in. Returns false when errors were reported through ir->diag. */
bool pipeline_run(Ir *ir, const Options *opt, Unit *unit, Program *program, Text *dump);

/* The last step, which needs the profiles of `kernels`: what is settled about each contraction's kernels before any call. */
void pipeline_kernels(const Program *program, Kernels *kernels);

/* The same as pipeline_run() for kept functions: run the passes over the source's functions, with --dump-after only up to that pass. */
bool pipeline_keep(Ir *ir, const Options *opt, Source *source);

#endif
