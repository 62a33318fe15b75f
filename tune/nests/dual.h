/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integer expressions of a nest with numbers in them: what each is halfway through the loops around, and by how much it moves with an
 * iteration of each (dual numbers, as in forward-mode differentiation: Wengert, CACM 1964). Products of two that move are taken to first
 * order, quotients as if they were not rounded. */
#ifndef MIKGEN_TUNE_NESTS_DUAL_H
#define MIKGEN_TUNE_NESTS_DUAL_H

#include "ir/sym_map.h"
#include "plan/vector_shape.h"

enum { DUAL_LOOPS = 12 };

typedef struct Dual {
    bool known;               /* else `value` is only what it differs by from something that nobody knows */
    unsigned wild;            /* 1 << depth: it moves with that loop as nobody knows */
    double value;
    double slope[DUAL_LOOPS]; /* for an iteration of the loop at each depth; 0 from Numbers.depth on */
} Dual;

typedef struct Numbers {
    Arena *arena;
    VectorSetId set;
    Map values;               /* by symbol id: Dual * */
    int depth;                /* loops around; the outermost has depth 0 */
    double trips[DUAL_LOOPS]; /* of each of these, */
    double at[DUAL_LOOPS];    /* and the iteration that values are of */
} Numbers;

void numbers_bind(Numbers *numbers, const Sym *sym, const Dual *value);
/* It is a number, the same in all iterations. */
void numbers_set(Numbers *numbers, const Sym *sym, double value);
/* Nobody knows it; it moves with loops in `wild`. */
void numbers_forget(Numbers *numbers, const Sym *sym, unsigned wild);

/* Of an integer expression, or a floating one of such. All that is in it is finite. */
Dual dual_of(const Numbers *numbers, const Node *e);

/* 1 << depth: the loops it moves with. */
unsigned dual_moves(const Dual *d);

#define EVEN_CHANCE 0.5 /* where nobody knows */

/* In how many of the iterations around the condition holds, 0 to 1; 0.5 where memory, or what else nobody knows, decides. */
double chance_of(const Numbers *numbers, const Node *condition);

/* How many lanes of `lanes` a vector has of which `count` are wanted: the mean over the iterations around. */
double lanes_of(const Numbers *numbers, const Dual *count, double lanes);

#endif
