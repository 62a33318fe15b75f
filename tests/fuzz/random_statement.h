/* Random statements: what prints them. The text of the function so far lies in g->out. */
#ifndef MIKGEN_TESTS_FUZZ_RANDOM_STATEMENT_H
#define MIKGEN_TESTS_FUZZ_RANDOM_STATEMENT_H

#include "random.h"

/* random_declaration.c: output. */
void put(Gen *g, const char *pattern, ...) __attribute__((format(printf, 2, 3)));
void line(Gen *g, const char *text); /* indented */

/* Declarations. `add` makes a variable visible, whose declaration has been printed. */
const char *new_name(Gen *g);
Var *add(Gen *g, Var var);
void declaration(Gen *g);
void close_scope(Gen *g, int first); /* of the variables from `first` on */
bool is_mentioned(const Gen *g, const char *name);

/* random_simple.c: one line, without a declaration. */
const char *simple(Gen *g);

/* random_statement.c: any statement, printed. */
void statement(Gen *g);

#endif
