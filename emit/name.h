/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identifiers in emitted text. Symbols are told apart by declaration; C tells them apart by scope. A symbol
 * keeps its own name unless that name is visible already where it is declared; then it gets a number. Names that a language
 * or the file itself has taken are none of a symbol by now: gen/driver/rename.h. */
#ifndef MIKGEN_EMIT_NAME_H
#define MIKGEN_EMIT_NAME_H

#include "ir/node.h"

typedef struct Names Names;

Names *names_new(Arena *arena);

/* Open and close a C scope. Closing forgets what was declared in it. */
void names_push(Names *names);
void names_pop(Names *names);

/* Declare a symbol in the innermost scope; returns its identifier. */
const char *names_declare(Names *names, const Sym *sym);

/* The identifier of a declared symbol; NULL when it is not visible. */
const char *names_find(const Names *names, const Sym *sym);

#endif
