/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside the expression printer: what its parts share. */
#ifndef MIKGEN_EMIT_EXPR_H
#define MIKGEN_EMIT_EXPR_H

#include "emit/text.h"

/* How tight a text must bind where it stands: C's grammar (ir/ops.def), between nothing and a primary. */
enum { PREC_ANY = 0, PREC_UNARY = 14, PREC_PRIMARY = 15 };

static inline bool is_narrow_float(Type t) { return t == T_HALF || t == T_BF16 || type_is_fp8(t); }

static inline void note_narrow(Emitter *e, Type t)
{
    e->uses->half |= t == T_HALF;
    e->uses->bf16 |= t == T_BF16;
    e->uses->fp8 |= type_is_fp8(t);
}

static inline void put_open(Emitter *e, bool parens)
{
    if (parens)
        text_putc(e->out, '(');
}

static inline void put_close(Emitter *e, bool parens)
{
    if (parens)
        text_putc(e->out, ')');
}

/* literal.c: as the file of a kept function spells the number; NULL if it does not, or in several ways. */
const char *literal_text(const Emitter *e, const Node *n);
/* An N_INT or N_FLOAT; returns the C type of what was printed. */
Type print_literal(Emitter *e, const Node *n, int min_prec);

/* The expression where it must bind as tight as that. */
void print_at(Emitter *e, const Node *n, int min_prec);

#endif
