/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over integers of 8 or 16 bits: in lanes as narrow, if all that they compute fits these.
 *
 *     int s = 0;                                   int s = 0;
 *     uint8_t m = 255;                             s_0 = all(0) in lanes of 32 bits, m_0 = all(255) in lanes of 8
 *     for (j = 0; j < n; j++) {                    for (j = 0; j < n; j += 64) {
 *         s += abs(x[j] - y[j]);             =>        s_0 = s_0 + sad(load(x + j), load(y + j));
 *         m = x[j] < m ? x[j] : m;                     m_0 = min(load(x + j), m_0);
 *     }                                            }
 *
 * Of a sum that may wrap, a product or a shift to the left only the lower bits count: these are right whatever the lanes cut off. What is
 * compared, shifted to the right or added up in wider lanes must be exact: ranges prove that it fits lanes with or without a sign. */
#ifndef MIKGEN_PLAN_VECTORS_NARROW_LANES_H
#define MIKGEN_PLAN_VECTORS_NARROW_LANES_H

#include "depend/reduce.h"
#include "ir/range.h"
#include "plan/vectors/vector_facts.h"

enum { MOST_MEMBERS_OF_GROUP = 8 };

/* Groups of neighbouring bytes, of which each iteration has one. Lanes of 32 bits have them, too. */
typedef struct NarrowGroups {
    const LoopFacts *facts;
    const Map *names; /* by symbol id: Node *, what constants around the loop stand for; may be NULL */
    Map stores;       /* by node id: NarrowGroup * of a store */
    Vec loads, written; /* N_LOADs and N_STOREs that every iteration makes, once somebody has asked */
    bool listed;
} NarrowGroups;

typedef struct NarrowLanes {
    LaneWidth width; /* LANES_8, LANES_16 */
    const LoopFacts *facts;
    Ranges *ranges;
    Map reduced; /* by symbol id: NarrowAcc * */
    Map lets;    /* by symbol id: Node *, the value of what the body declares and never assigns */
    int guards;  /* conditions around what is looked at */
    Map certain; /* by node id: loads that no condition guards */
    NarrowGroups groups;
} NarrowLanes;

/* One of a pixel's channels, for example. */
typedef struct NarrowPlace {
    int members; /* of a group, from 2 on */
    int which;   /* of these it is */
} NarrowPlace;

/* Stores to all members of a group, which are done together by the last of them. */
typedef struct NarrowGroup {
    int members;
    Node *store[MOST_MEMBERS_OF_GROUP]; /* by member */
    Node *last;
} NarrowGroup;

/* What the loop reduces into. */
typedef struct NarrowAcc {
    const Reduction *reduction;
    Type lane; /* of the lanes that hold it; sums, which have 32 bits: their own type */
    Range operands; /* of what is reduced, sums apart */
} NarrowAcc;

/* Of a running sum `*rest`: the term that was added last, or taken away, and what is left; NULL: that is the sum itself. */
Node *narrow_next_term(Node **rest, const Sym *acc, bool *minus);
/* What an assignment reduces into an accumulator that is no sum; NULL: it has another form. */
Node *narrow_operand(const Reduction *reduction, Node *value);
/* A term of a sum without conversions among integers of 32 bits. */
Node *narrow_term(Node *term);

/* May the loop run in such lanes? Of the narrowest *lanes then tells. `facts` must outlive it. */
bool find_narrow_lanes(Ir *ir, Node *loop, const LoopFacts *facts, const Vec *reductions, const Map *names, NarrowLanes *lanes);

/* narrow_groups.c */

/* Is it a member of such a group, all of which is in the array? */
bool narrow_find_place(NarrowGroups *groups, const Sym *array, Node *subscript, NarrowPlace *place);
/* Do stores that every iteration makes go to all members of this one's group? The loop's other accesses to the array must be loads of
 * members before they are stored. Else NULL. */
NarrowGroup *narrow_find_group(NarrowGroups *groups, Node *store);
/* Has an innermost loop loads, or stores, of such groups, all of which every iteration makes? */
bool narrow_has_groups(Ir *ir, Node *loop, const Map *names);

/* The element of the lanes that hold an expression: with a sign where it may be below 0, else without one. */
Type narrow_lane(const NarrowLanes *lanes, Node *e);
/* Of two that are compared. */
Type narrow_common_lane(const NarrowLanes *lanes, Node *a, Node *b);
/* A product whose factors both fit 16 bits with a sign. */
bool narrow_is_product(const NarrowLanes *lanes, Node *term);
/* What a let stands for; other expressions themselves. */
Node *narrow_value_of(const NarrowLanes *lanes, Node *e);
/* What the expression has in reverse, by N_BIT_REVERSE or N_BYTE_REVERSE, of which only the lower *bits, 8 or 16, count; else NULL. */
Node *narrow_reversed(const Node *e, int *bits);
/* Does it vary, but only with the loop's variable, as subscripts do? Lanes do not hold such a number. */
bool narrow_is_place(const NarrowLanes *lanes, Node *e);
/* The two bytes whose difference's absolute value `e` is: true. */
bool narrow_is_distance(const NarrowLanes *lanes, Node *e, Node **a, Node **b);

#endif
