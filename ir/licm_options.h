/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of normalize and licm, which work as one: the same values must go to both. */
#ifndef MIKGEN_IR_LICM_OPTIONS_H
#define MIKGEN_IR_LICM_OPTIONS_H

#include <stdbool.h>

typedef struct LicmOptions {
    enum {
        LICM_OFF,    /* neither pass changes anything                                                */
        LICM_HALIDE, /* + and - regrouped, expressions hoisted; conditions and statements left alone */
        LICM_FULL,
    } mode;
    int threshold;      /* hoist what costs at least this much (ops.def has the costs); default 1     */
    int unroll_limit;   /* loops of at most so many trips count as unrolled; default 4, but in C 0 unless conditions
                           alone leave such loops                                                     */
    bool const_pos_low; /* the immediate of a sum joins the lowest rank instead of coming last        */
    enum {
        OVERFLOW_WRAP,   /* signed arithmetic that might newly overflow is done in unsigned           */
        OVERFLOW_KEEP,   /* such arithmetic stays as and where it is written                          */
        OVERFLOW_ASSUME, /* nothing overflows                                                         */
        OVERFLOW_CONDITIONS, /* OVERFLOW_WRAP for conditions, OVERFLOW_KEEP for all else: compilers know more of sums that do not wrap, and
                                move those by themselves                                                */
        OVERFLOW_BY_TARGET, /* CUDA from source to source: OVERFLOW_CONDITIONS; else OVERFLOW_WRAP. The pipeline fills it in */
    } overflow;
    bool loads_proven; /* loads move where that is proven safe; otherwise never                      */
    bool barrier_legal; /* arithmetic may cross a barrier; otherwise nothing leaves a loop with one   */
    enum {
        SMALL_REFINED, /* what leaves a small loop must leave a big one too                        */
        SMALL_PAPER, /* nothing whose innermost loop is small moves                              */
        SMALL_CONDITIONS, /* as SMALL_REFINED, but conditions may leave small loops: the target compiler sees the
                             invariant arithmetic of an unrolled loop by itself, branches it does not     */
        SMALL_BY_TARGET, /* C, and with OVERFLOW_CONDITIONS: SMALL_CONDITIONS, which measures better with gcc and clang; else of CUDA
                             SMALL_REFINED, as nvcc's inner loops get longer by the other. The pipeline fills it in */
    } small;
    enum {
        CHAINS_GROUPED, /* a && (b && c) stays: gcc makes one comparison of 0 <= b && b < c             */
        CHAINS_FLAT, /* at the end it becomes a && b && c                                            */
        CHAINS_BY_TARGET, /* emitted C: CHAINS_GROUPED; CUDA and source to source: CHAINS_FLAT. The pipeline fills it in */
    } chains;
    enum {
        FP_EXACT, /* floating-point expressions move unchanged, but not to where they would be evaluated without need: they may raise
                     exceptions there, and libm's functions set errno                             */
        FP_NONE, /* they stay where they are, and are evaluated as often as written              */
        FP_SPECULATIVE, /* nobody looks at exceptions and errno: they move like other arithmetic  */
        FP_BY_TARGET, /* functions kept from source to source: FP_EXACT, but of GPUs, and in specs, FP_SPECULATIVE. The pipeline fills it in */
    } fp;
    bool distribute; /* c*(a + b) as a term of a sum becomes c*a + c*b if the ranks of a, b differ */
    bool shows_steps; /* no unsigned arithmetic in the innermost loop's subscripts: gcc and clang, which make vectors, must see what
                           an iteration adds. The pipeline says so of C source to source                   */
    bool no_unswitch; /* an invariant `if` stays in its loop                                        */
    struct Vec *notes; /* LicmNote: every candidate and what became of it; NULL if nobody asks       */
} LicmOptions;

/* What holds where no option says otherwise; unroll_limit and small are still to be filled in. */
#define LICM_DEFAULTS \
    {.mode = LICM_FULL, \
     .threshold = 1, \
     .unroll_limit = -1, \
     .overflow = OVERFLOW_BY_TARGET, \
     .small = SMALL_BY_TARGET, \
     .fp = FP_BY_TARGET, \
     .chains = CHAINS_BY_TARGET}

/* May a condition, or other arithmetic, be done in unsigned where it might newly overflow? */
static inline bool wraps_conditions(const LicmOptions *opt)
{
    return opt->overflow == OVERFLOW_WRAP || opt->overflow == OVERFLOW_CONDITIONS;
}
static inline bool keeps_arithmetic(const LicmOptions *opt)
{
    return opt->overflow == OVERFLOW_KEEP || opt->overflow == OVERFLOW_CONDITIONS;
}

struct Node;

/* One expression that stands deeper than its rank, in the order of the walk. */
typedef struct LicmNote {
    struct Node *e, *stmt; /* the expression as it stood, and the statement it stood in          */
    int from, to; /* depths; equal if it stayed                                         */
    int cost; /* of what was still to be computed; -1 if that was not looked at     */
    const struct Node *loop; /* it now stands in front of this loop; NULL if it stayed             */
    bool is_branch; /* an `if` with this condition now stands around the loop             */
    const char *rule; /* why it stayed, or did not go further: "loads", "traps", "overflow",
                                   "barrier", "small", "rare", "step", "cost", "impure", "float",
                                   "exception", "nvcc" (of the pipeline); NULL: nothing held it back */
} LicmNote;

#endif
