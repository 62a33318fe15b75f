/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages that run several others: pipelined nests, row-tiled stages, ragged batches, groups in one launch, attention. */
#ifndef MIKGEN_PLAN_COMBINED_H
#define MIKGEN_PLAN_COMBINED_H

#include "plan/contraction.h"
#include "plan/loop_nests.h"

/* C target: a nest in a wave. */
typedef struct WaveStage {
    HostNest *nest;
    Node *when;           /* it runs only then; NULL: always */
    Node *row, *rows;     /* T_INDEX: the first one, and how many */
    Node *per_row;        /* T_INDEX: iterations that NestCut.count[0] counts for each */
    bool alone;           /* no other stage and no other step touches what it stores */
    int64_t behind;       /* rows that it stays behind the first stage, at least 0 and never less than the stage before */
    int64_t ahead;        /* the same when rows run downwards; -1: too far, here or before */
} WaveStage;

/* C target: nests that follow one another, pipelined by rows (plan/nests/pipelined_nests.h). `step` is none of `captured`. */
typedef struct Wave {
    STAGE_HEAD
    WaveStage *stages;
    int nstages;
    Node *steps;      /* T_INDEX: how often all of them run, one after the other; NULL: once */
    int64_t apart;    /* rows that a step stays behind the one before */
    int64_t onward;   /* the same when rows run downwards; -1: too far */
    Sym *step;        /* the variable that counts steps, if stages read it, */
    Node *step_first; /* T_INDEX: from this on, */
    int64_t step_by;  /* by this */
    Node *row_bytes;  /* T_DOUBLE: that all stages touch of a row */
} Wave;

/* C target: a stage of a chain: a product, loops, or both, of which a condition says which. */
typedef struct ChainStage {
    Contraction *product; /* NULL: loops alone */
    HostNest *nest;       /* NULL: the product alone */
    Node *when;           /* the product has it then, else the loops have; NULL: there is but one of them */
    Node *first, *rows;   /* T_INDEX: its first row, and how many, for each iteration of the loop around */
    Node *per_row;        /* T_INDEX: rows of the product (R_M) for each */
    bool folded;          /* the loop around is folded into R_M of the product, too, else it is its batches */
    Node *columns, *steps; /* T_INDEX: row number r needs no more than so many plus r of the product's; NULL: it needs all of them */
    int64_t before, after; /* rows next to a block's that other stages want as well; it stores nothing but windows then */
    bool alone;            /* no other stage touches what the loops only store */
    Node *work;            /* T_DOUBLE: nanoseconds of one thread for all rows */
    Node *again;           /* T_DOUBLE: bytes that each block reads again; NULL: none */
} ChainStage;

/* A local array of which there are only the rows of a block, row `r` of iteration `o` of the loop around at o * rows + r. */
typedef struct ChainWindow {
    Sym *array;
    Node *rows, *row;      /* T_INDEX: its rows for each iteration of the loop around; elements of a row */
    int64_t before, after; /* rows next to a block's that are touched as well */
    int touched;           /* by so many stages */
} ChainWindow;

/* C target: stages that follow one another, row-tiled (plan/chains/chains.h). */
typedef struct Chain {
    STAGE_HEAD
    ChainStage *stages;
    int nstages;
    ChainWindow *windows;
    int nwindows;
    const char *window_names;
    int around;       /* loops around rows: at most 2 */
    Node *outer;      /* T_INDEX: iterations of all of them; NULL: rows are outermost */
    Node *row_bytes;  /* T_DOUBLE: of a row of all windows */
    Node *moved;      /* T_DOUBLE: that all stages together move of it */
} Chain;

/* A ragged batch: the iterations of a loop, each of which has the same contractions, its members, of its own extents
 * (plan/split/find_ragged.h). */
typedef struct RaggedBatch {
    STAGE_HEAD
    Sym *loop;               /* its variable, */
    Node *from, *count;      /* T_INDEX: which begins there, and has so many iterations */
    Func *group; /* of an iteration, by its number (T_INDEX): the scalars that its contractions read, and an N_LAUNCH that hands
                                them over */
    Sym *number; /* what stands for `loop` there */
    Node *first, *end; /* T_INDEX, of these scalars: iterations have no outputs in common if these intervals lie one behind the other;
                                NULL: they have none in any case */
} RaggedBatch;

/* CUDA: contractions that run as one launch (plan/lower/group_products.h), its members. */
enum { GROUP_MEMBERS = 4 };
typedef struct ProductGroup {
    STAGE_HEAD
    bool in_turn; /* each block computes its tile of all of them; else they are side by side */
} ProductGroup;

/* CUDA: two contractions and the nest between them that run as one launch (plan/lower/attention.h). Functions, for one point of the
 * contractions, as Hook has them:
 *   score(batch, m, n, sum)              returns the exponential's argument for key n of row m
 *   keys(batch, m)                       returns how many keys row m has; less than 1: none; NULL: all rows have all
 *   point(batch, m, n, sum, total)       out = E(sum, total), given the sums of weights with values, and of weights
 *   finished(batch, m, n, sum, total)    returns what it would store; NULL: it is no one value */
typedef enum AttentionFunc { ATTENTION_SCORE, ATTENTION_KEYS, ATTENTION_POINT, ATTENTION_FINISHED, ATTENTION_FUNCS } AttentionFunc;
typedef struct Attention {
    STAGE_HEAD
    Contraction *scores, *product;
    DeviceNest *nest;
    double least; /* the maximum of a row is no less */
    Sym **arrays; /* local ones that one launch does without */
    int narrays;
    Func *func[ATTENTION_FUNCS];
} Attention;

#endif
