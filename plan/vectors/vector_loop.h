/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A vectorized loop: as many iterations at a time as there are lanes, several vectors of them in the main loop, then the rest, of
 * which only some lanes may count.
 *
 *     float s = 0;                                  float s = 0;
 *     for (j = 0; j < n; j++) {                     s_0 = all(-0), s_1 = all(-0)
 *         y[j] = 2 * x[j];                          for (j = 0; j < n / 32 * 32; j += 32) {
 *         s += x[j];                                    store(y + j, all(2) * load(x + j)); store(y + j + 16, ...);
 *     }                                                 s_0 = s_0 + load(x + j); s_1 = s_1 + load(x + j + 16);
 *                                        =>         }
 *                                                   for (j = n / 32 * 32; j < n; j += 16) {
 *                                                       k = min(16, n - j);
 *                                                       store_part(y + j, all(2) * load_part(x + j, k), k);
 *                                                       s_0 = select(first(k), s_0 + load_part(x + j, k), s_0);
 *                                                   }
 *                                                   s = s + sum(s_0 + s_1);
 *
 * Loops inside it stay loops, whose every iteration is done for all lanes. Branches become choices. */
#ifndef MIKGEN_PLAN_VECTORS_VECTOR_LOOP_H
#define MIKGEN_PLAN_VECTORS_VECTOR_LOOP_H

#include "ir/sym_map.h"
#include "ir/math_form.h"
#include "plan/vector_shape.h"

enum { MOST_COPIES = 16 };

typedef struct VectorInput {
    Ir *ir;
    bool strict;  /* no floating-point sum is reordered               */
    MathForm math; /* functions of <math.h>                            */
    bool wished;    /* somebody has seen that it pays, whatever the strides */
    bool is_signed; /* the spec's loops compute with no unsigned integers: where there are some, a pass has seen to overflow */
    bool *reorders; /* set where sums are reduced in another order, or functions come out otherwise than the C library's */
    int copies;   /* vectors in the main loop, of 1 to MOST_COPIES; 0: there is none, for loops of few iterations */
    int rest; /* vectors at a time in what the main loop leaves, or in borders, at least 1; at most `copies` of them where there are reductions */
    bool halves; /* behind the main loop there are others of half as many vectors, a quarter and so on, down to more than `rest` */
    bool streams; /* the main loop's vectors are each in a part of the iterations of its own: several streams of memory */
    bool by_stride; /* of a window that is read with a stride: a body of its own for every second element */
    Sym *non_temporal_wish; /* T_INT: where it is not 0 arrays in `non_temporal` should be stored non-temporally; NULL: never */
    Sym *const *non_temporal; /* arrays, of neighbours of which every byte is stored and none loaded */
    int non_temporal_count;
    const Map *names; /* by symbol id: Node *, what constants around the loop stand for */
    const Vec *next_rows; /* NextRow *: rows that the main loop is to prefetch (next_row.h); NULL: none */
    Vec *looked_up; /* gets arrays, Sym *, of which lanes compute their elements' numbers in 32 bits: they need as few elements */
    int ahead; /* lines by which the main loop prefetches what it loads, and neighbours have; 0: it does not */
    bool aligned; /* the main loop begins where what it stores, or else loads, is aligned */
    const Map *numbers; /* by symbol id: the scalars (Sym *) that are not NaN when the loop begins; may be NULL */
} VectorInput;

/* Are there tiles of such elements, by which rows become lanes? */
bool vector_has_tiles(Type type);

/* A function of the C library that is an instruction, or a few. */
bool vector_has_exactly(const Sym *f);

/* Is the access to one of two neighbours, of which the loop's iterations have pairs side by side? */
bool is_interleaved(Ir *ir, Node *loop, const Node *access);

/* Is it to one of three or four neighbours, of which each iteration has a row, and uses two or more? */
bool is_in_row(Ir *ir, Node *loop, const Node *access);

/* The lanes that what the loop computes needs. `names`: as VectorInput has them, or NULL. */
LaneWidth vector_loop_width(Ir *ir, Node *loop, const Map *names);

/* The loop, whose iterations are independent but for reductions and whose arrays have one subscript each, by vectors of the shape; NULL
 * when that cannot be: *why then says what of it. */
Node *vector_loop(const VectorInput *in, const VectorShape *shape, Node *loop, const char **why);

/* Three loops that follow one another, the border, the interior, the other border, as one:
 *
 *     for (q = 0; q < inside; q++) guarded             for (q = 0; q < Q; q += 16)
 *     for (q = inside; q < outside; q++) body    =>        if (inside <= q && q + 16 <= outside) body, all lanes
 *     for (q = outside; q < Q; q++) guarded                else guarded, lanes where guards hold
 *
 * A short row has no vectors of its own for borders. NULL: it cannot be. */
Node *vector_window(const VectorInput *in, const VectorShape *shape, Node *const *part);

#endif
