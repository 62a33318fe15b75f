/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside licm: its state, and what its parts ask of one another. */
#ifndef MIKGEN_LICM_HOIST_H
#define MIKGEN_LICM_HOIST_H

#include "ir/branch.h"
#include "ir/facts.h"
#include "ir/sym_map.h"

/* What was moved in front of a loop, in the order of its making: declarations still to be written. */
typedef struct Def {
    Sym *sym;
    Node *value;     /* a condition's is an int, its symbol a bool */
    Node *unwrapped; /* the value before it was made safe from overflow */
    bool is_emitted;
} Def;

/* An enclosing loop. */
typedef struct Loop {
    const Node *stmt;
    int level;     /* of the block the loop stands in: what is in front of the loop is visible from there on */
    bool is_small; /* not worth leaving */
    Vec defs;      /* Def */
} Loop;

/* Where an expression is evaluated. */
typedef struct Position {
    int depth;
    int pin;   /* the deepest loop whose body may be entered without this being evaluated; 0: none */
    int level; /* of the innermost block */
    int rare;  /* the deepest loop of which nobody knows how often it runs and in which this is under an `if`; 0: none */
} Position;

typedef struct Licm {
    Facts *facts;
    Position here;
    Vec loops;     /* Loop; the one of depth d is items[d - 1] */
    Map costs;     /* by Node.id: int                                                     */
    Map available; /* by Node.id: Entry of available.c                                    */
    Map writes;    /* by Sym.id: the time (int) of the last write                         */
    Map renamed;   /* by Sym.id: Sym that stands for it now                               */
    Vec levels;    /* Vec of Entry: what ends with each open block                        */
    int entered; /* the time of the last place that a goto may lead to */
    int time;
    int jumps;        /* break and continue met so far that concern the innermost loop       */
    int stops;        /* what may never end, or leave the function, met so far               */
    Map noted;        /* of note.c                                                           */
    const Node *stmt; /* the innermost one being rewritten                                */
    int parts;        /* expressions being moved: their parts that stay with them are not noted */
    bool is_repeated; /* not the first walk: what stays has been noted                    */
} Licm;

static inline Loop *loop_at(const Licm *l, int depth) { return l->loops.items[depth - 1]; }

/* legal.c: the least depth to which `e` may move from `at`; at.depth or more: nowhere. */
int legal_depth(const Licm *l, Node *e, Position at);
/* Moving `e` to `depth` makes it evaluated where it was not, and it might overflow there. */
bool needs_wrapping(const Licm *l, Node *e, Position at, int depth);

/* profit.c: a constant as C writes it, its sign and conversions included. */
bool is_immediate(const Node *e);
int cost_of(Licm *l, Node *e);
bool is_free_for_halide(const Node *e);
bool is_small_loop(Facts *facts, const Node *loop);
/* The depth, `legal` or more, to which moving from depth `from` pays; `from` if it does not. */
int profitable_depth(const Licm *l, const Node *e, int legal, int from);
/* The same of what is evaluated in some trips only: `depth`, or the loop that it is not worth leaving. */
int rarely_profitable_depth(Licm *l, Node *e, int depth, Position at);
/* At `depth` it would be in the compiler's way. */
bool hides_step(const Licm *l, Node *e, Position at, int depth);

/* available.c: values that a symbol holds already. */
void open_level(Licm *l);
void close_level(Licm *l);
void note_write(Licm *l, const Sym *sym);
/* Everything that a statement itself, or an expression, may change; statements inside it are not looked at. */
void note_effects(Licm *l, Node *n);
void make_available(Licm *l, Node *e, Sym *sym, int level);
/* An expression of e's type that reads the symbol holding e's value, if that is visible in a block of `level`
 * and none of e's operands has been written since; else NULL. */
Node *available(Licm *l, Node *e, int level);

/* note.c: what became of `e`, which stood at `at`; nothing unless somebody asks. */
void note_stayed(Licm *l, Node *e, Position at);
void note_rejected(Licm *l, Node *e, Position at, int cost);
/* To in front of the loop of depth + 1; `cost` -1: a symbol there held it already. */
void note_moved(Licm *l, Node *e, Position at, int depth, int cost);

/* prelist.c: the value of `sym` as an expression of `type`. */
Node *read_as(Ir *ir, Sym *sym, Type type);
/* `e` with these kids; conversions of truth values are dropped where only truth matters. */
Node *rebuild(Ir *ir, Node *e, Node **kids);
/* Write the declarations in front of a loop, each value once, definitions before uses. */
void emit_defs(Licm *l, const Loop *loop, Stmts *out);

/* unswitch.c: `body` with every `if` that is all a loop does moved around that loop as far as possible. */
Node *unswitch_loops(Ir *ir, const Func *f, Node *body, const LicmOptions *opt);

#endif
