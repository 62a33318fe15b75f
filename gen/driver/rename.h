/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the spec in emitted text. */
#ifndef MIKGEN_GEN_DRIVER_RENAME_H
#define MIKGEN_GEN_DRIVER_RENAME_H

#include "gen/driver/pipeline.h"

/* Gives parameters, variables and arrays of an operator another name where theirs cannot be in the output (emit/reserved.h), or
 * is that of a function that the operator's own ones call:
 *   before: void f(int size_t, float __x[size_t])
 *   after:  void f(int size_t_, float x__x[size_t_])
 * Names are changed in place, at once for all uses. Those of helpers are the operator's by now. */
void rename_symbols(Ir *ir, const Options *opt, const Program *program, Func *f);

/* Refuses operators that cannot have their names, or not beside each other. Located messages on ir->diag. */
void check_names(Ir *ir, const Options *opt, const Program *program);

#endif
