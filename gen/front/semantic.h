/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What Clang does not know about a spec: the checks and small rewrites that make a parsed function one of
 * ours. They need only the tree. */
#ifndef MIKGEN_GEN_FRONT_SEMANTIC_H
#define MIKGEN_GEN_FRONT_SEMANTIC_H

#include "gen/front/spec_clang.h"

/* In order, for one function; callees come first.
 *   - 'return' stands at the end only: dropped from void functions, demanded of the others
 *   - no loop variable is changed in the body of its loop
 *   - an operator writes an array parameter; a helper with a result writes none
 *   - a scalar parameter that is assigned becomes a local with that start, so that parameters and the
 *     extents made of them never change
 *   - a C89 loop variable that is read only in its loops gives way to one symbol for each loop:
 *         int i; for (i = 0; ...) ...      becomes      for (int i = 0; ...) ...
 *   - a store without subscripts, which is how `= {0}` comes from the front end, becomes a loop nest
 * Faults are added to front->faults. */
void check_semantics(Front *front, Func *f);

#endif
