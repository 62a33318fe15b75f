/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random statements: what prints them. The text of the function so far lies in g->out. Each of these is one statement, and keeps
 * variables within their intervals; bool functions say whether they printed anything, NULL is a line that found no variables. */
#ifndef MIKGEN_TESTS_FUZZ_RANDOM_STATEMENT_H
#define MIKGEN_TESTS_FUZZ_RANDOM_STATEMENT_H

#include "random.h"

/* random_declaration.c */
const char *new_name(Gen *g);
const char *fresh(Gen *g, const char *prefix); /* that no other in the function has */
void declaration(Gen *g);
void close_scope(Gen *g, int first); /* of the variables from `first` on */

/* random_simple.c: one line, without a declaration. */
const char *simple(Gen *g);

/* random_statement.c: any statement, printed. */
void statement(Gen *g);

/* What a place is: a statement that has others inside returns to it behind them. */
typedef struct Place {
    int nvars, nfacts, hot, dead, loops, scope;
    long trips;
    bool may_continue;
} Place;
Place enter(Gen *g);
void leave(Gen *g, Place p);
/* "{", statements, "}" behind what is printed already, `first` and `last` lines among them if there are such. */
void braces(Gen *g, int statements, const char *first, const char *last, const char *after);
/* The body of a loop with that variable; `bound_var` >= 0 is learnt to be at least `bound_lo`. */
void counted_body(Gen *g, Var counter, int bound_var, int64_t bound_lo, long trips);
int some(Gen *g); /* a few statements */

/* random_pointer.c */
bool pointer_declaration(Gen *g);
const char *pointer_statement(Gen *g);
void pointer_loop(Gen *g);
Expr moving_load(Gen *g); /* *p++, for where nothing else names p; NULL text if there is none */
Expr moving_copy(Gen *g); /* *p++ = *q++, likewise */

/* random_member.c */
void add_members(Gen *g, Var carrier);
bool member_declaration(Gen *g);
const char *member_statement(Gen *g);

/* random_choice.c */
void choice(Gen *g); /* switch */
void device(Gen *g); /* a switch into a loop */
void escape(Gen *g); /* with a label behind */
void again(Gen *g);  /* with a label in front */

/* random_effect.c */
Expr effect(Gen *g);
const char *comma(Gen *g);
void countdown(Gen *g);
void two_counters(Gen *g);
bool other_declaration(Gen *g);

/* random_spelling.c */
extern const char spellings[];
Expr spelled_constant(Gen *g);
Expr spelled_call(Gen *g);
const char *spelling(Gen *g);
void spelled_loop(Gen *g);

/* random_text_form.c */
extern const char macros[];
void directive(Gen *g);
void macro(Gen *g);
const char *swap(Gen *g);
const char *assembly(Gen *g);

#endif
