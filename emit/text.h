/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tree -> C or CUDA text: expressions with as few casts and parentheses as the C grammar and -Wall -Wextra
 * allow, statements indented by four spaces. */
#ifndef MIKGEN_EMIT_TEXT_H
#define MIKGEN_EMIT_TEXT_H

#include "emit/dialect.h"
#include "emit/name.h"
#include "ir/kept_source.h"
#include "plan/vector_shape.h"

/* What the printed text needs from the file around it. */
typedef struct Uses {
    bool math, stdlib, half, bf16, fp8, tma, long_narrow; /* long_narrow: long double or a 64-bit integer becomes half or bf16 */
    Vec tables; /* const UsedTable * (emit/table.h): in the order of their first use */
} Uses;

/* What a kept function's file spells. */
typedef struct Spelled {
    const Source *source; /* NULL: no file says anything, but names are exact */
    Map casts;            /* by Loc.beg: const Node *, a cast that the text spells */
} Spelled;

typedef struct Emitter {
    Ir *ir;
    const Dialect *dialect;
    Names *names;
    Uses *uses;
    Text *out;
    /* Prints the text for an N_CONTRACT or N_LAUNCH statement, which only the caller knows. NULL where there is none. */
    void (*stage_call)(struct Emitter *emitter, const Node *n, int indent, void *user);
    void *user;
    const VectorSet *set; /* of the function's vectors; NULL where it has none */
    const Spelled *kept; /* of a kept function; else NULL: names come from `names` */
    Loc place;           /* likewise: where it stands in the file; a number is spelled as it is there, and nowhere else */
    bool keeps_detour;   /* the operand is printed next: see print_operand                                       */
    bool compares;       /* the text is compared with another: conversions there and back are nothing, also where the file spells them */
    bool wrapping;       /* inside arithmetic that a pass made safe from overflow: all its casts are written */
} Emitter;

/* One expression of the node's type (a narrower or literal type of the same value where C does not care).
 * Owned by the arena, as all texts here. */
const char *emit_expr(Emitter *e, const Node *n);

/* The same behind "&&". */
const char *emit_conjunct(Emitter *e, const Node *n);

/* The same where the text initialises or is assigned to something of the node's type: C converts. */
const char *emit_value(Emitter *e, const Node *n);

/* The same where only zero or not zero matters. */
const char *emit_condition(Emitter *e, const Node *n);

/* A statement; blocks print their statements in the current scope. */
void emit_stmt(Emitter *e, const Node *n, int indent);

/* "const float *restrict A" for arrays, "const int n" for scalars; declares the name. `qualify_const`:
 * the declared thing is not written. */
const char *emit_declarator(Emitter *e, const Sym *sym, const char *name, bool qualify_const);

/* The same with all extents but the first: "const float (*restrict A)[K]", as type names without a name. */
const char *emit_shaped_declarator(Emitter *e, const Sym *sym, const char *name, bool qualify_const);

#endif
