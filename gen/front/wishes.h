/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `#pragma mikgen target(c) arch(sm_80) hint(M, 1, 4096) constant(W)`: what the words of these lines ask for. */
#ifndef MIKGEN_GEN_FRONT_WISHES_H
#define MIKGEN_GEN_FRONT_WISHES_H

#include "gen/front/spec_clang.h"

/* Set unit->wishes, the hints of the operators' parameters and which of them are constants from front->pragmas. A hint inside a
 * function is for that function, one at file scope for every operator with such a parameter; so is a constant. Faults go to ir->diag. */
void apply_pragmas(const Front *front, Unit *unit);

/* Marks the arrays of these names (const char *) in all operators that have them as constants. Faults go to ir->diag; true if there
 * are none. */
bool apply_constants(Ir *ir, const Unit *unit, const Vec *names);

/* Source-to-source mode: hints, of pragmas and of the command line ("n:0:1000"), are promises about parameters and
 * the index variables of CUDA. A parameter that its function changes keeps no promise. */
void apply_promises(const Front *front);

#endif
