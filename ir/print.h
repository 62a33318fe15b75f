/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deterministic text of a tree, for --emit=ir, --dump-after and golden tests: one statement a line, every
 * expression fully parenthesised with its type where it is not int. Not C: emit/text.c prints that. */
#ifndef MIKGEN_IR_PRINT_H
#define MIKGEN_IR_PRINT_H

#include "ir/kept_source.h"
#include "ir/node.h"

void print_node(Text *out, const Node *n, int indent);
void print_func(Text *out, const Func *f);
/* The trees of all functions, and the texts that the source gives to their loops. */
void print_source(Text *out, const Source *source);

#endif
