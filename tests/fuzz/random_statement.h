/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random statements: what prints them. The text of the function so far lies in g->out. */
#ifndef MIKGEN_TESTS_FUZZ_RANDOM_STATEMENT_H
#define MIKGEN_TESTS_FUZZ_RANDOM_STATEMENT_H

#include "random.h"

/* random_declaration.c */
const char *new_name(Gen *g);
void declaration(Gen *g);
void close_scope(Gen *g, int first); /* of the variables from `first` on */

/* random_simple.c: one line, without a declaration. */
const char *simple(Gen *g);

/* random_statement.c: any statement, printed. */
void statement(Gen *g);

#endif
