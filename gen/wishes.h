/* `#pragma mikgen target(c) arch(sm_80) hint(M, 1, 4096)`: what the words of these lines ask for. */
#ifndef MIKGEN_GEN_WISHES_H
#define MIKGEN_GEN_WISHES_H

#include "gen/spec_clang.h"

/* Set unit->wishes and the hints of the operators' parameters from front->pragmas. A hint inside a function
 * is for that function, one at file scope for every operator with such a parameter. Faults go to ir->diag. */
void apply_pragmas(const Front *front, Unit *unit);

#endif
