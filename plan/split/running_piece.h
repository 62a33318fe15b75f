/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What running_sums.c finds out about a loop that it cuts into blocks, and running_order.c is asked about. */
#ifndef MIKGEN_PLAN_SPLIT_RUNNING_PIECE_H
#define MIKGEN_PLAN_SPLIT_RUNNING_PIECE_H

#include "plan/contract/nest.h"

enum { PIECE_LOOPS = 4, PIECES = 8 };

/* A loop that counts by one, `down` from hi - 1 to lo or up from lo to hi - 1; bounds are of its variable's type. */
typedef struct Counted {
    Sym *var;
    Node *lo, *hi;
    bool down;
    Loc loc;
} Counted;

/* Statements of the body of `root` that go together: loops, and what their innermost one does.
 *
 *     before; for (k ...) sum op= term; after
 *
 * `turn` is the loop whose variable is where the sum ends, or begins if it runs down. */
typedef struct Piece {
    Counted loop[PIECE_LOOPS]; /* outermost first */
    int nloops;
    int turn; /* index of that loop; -1: the root */
    Vec before, after;
    Vec whole; /* all of that as it is in the spec */
    Node *sum; /* NULL: it is not cut, and all statements are in `after` */
    Counted sum_loop;
    Sym *acc;         /* the scalar that sums */
    bool in_place;    /* in the spec the element itself does */
    Node *element;    /* N_LOAD of the element that gets what is done with the sum, in which it is handed over: */
    Node *hand_over;  /* N_STORE, */
    Node *take_over;  /* N_DECL */
    Ir *ir;           /* that they live in */
} Piece;

typedef struct Running {
    const NestContext *context;
    Node *source; /* the root loop as it is in the spec */
    Counted root;
    Piece piece[PIECES];
    int npieces;
    Node *lo, *hi; /* all turns are within, hi excluded */
    bool split;    /* some turn's bounds depend on the root's variable, or are the root's: the root is cut, too */
    int block;     /* turns of a block */
} Running;

/* plan/split/running_pieces.c */

/* The loop taken apart, for blocks of so many turns; false: it has another form, or no sum that ends at a turn. */
bool find_running(const NestContext *context, Node *loop, int block, Running *r);
/* Leaves the piece's sum whole. */
void leave_sum(Piece *p);
/* Is there a sum to cut? */
bool has_sums(const Running *r);
const Counted *turn_loop(const Running *r, const Piece *p);
/* Does the expression change with the root, or a loop of the piece? */
bool depends_on_loops(const Running *r, const Piece *p, Node *e);

/* e + c, of e's type, where it cannot overflow. */
Node *plus(Ir *ir, Node *e, int64_t c);
/* Is the bound the variable plus a constant, *c? */
bool follows(Ir *ir, Node *bound, const Sym *var, int64_t *c);
/* Is a - b a constant, and not negative? */
bool is_beyond(Ir *ir, Node *a, Node *b);
/* The loop from lo to hi - 1, or down, around `body`. */
Node *loop_over(Ir *ir, const Counted *c, Node *lo, Node *hi, Node *body);

/* May blocks of turns follow one another, in each of them first the sums over earlier blocks, then all the rest in the
 * spec's order? False: *why says what forbids it, a phrase. plan/split/running_order.c */
bool blocks_keep_order(const Running *r, const char **why);

#endif
