/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of <math.h> (ir/libm.def): which one a symbol is, whichever precision it has. */
#ifndef MIKGEN_IR_LIBM_H
#define MIKGEN_IR_LIBM_H

#include "ir/node.h"

/* Each function that is called in the body, or in helpers that it calls, and has a form with wider bounds gets it: Sym.fast, a function of the name NAME_fast. */
void make_fast_forms(Ir *ir, Node *body);

/* A new symbol of the function with this name, which is one of ir/libm.def's. */
Sym *libm_function(Ir *ir, const char *name, Loc loc);
/* The type of its argument number `i`. */
Type libm_argument(const Sym *func, int i);

/* Is it the function of <math.h> with this name, or its form for float or long double? A helper of that name is not. */
bool is_libm(const Sym *func, const char *stem);
/* ... with one of these names, of which a NULL is the last? */
bool is_libm_among(const Sym *func, const char *const *stems);

/* fmax or fmin. */
bool is_extreme(const Sym *func);
/* One instruction or a few on processors of today. */
bool is_quick_function(const Sym *func);

#endif
