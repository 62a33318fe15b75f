/* `#pragma mikgen target(c) arch(sm_80) hint(M, 1, 4096)`: what the words of these lines ask for. */
#ifndef MIKGEN_GEN_FRONT_WISHES_H
#define MIKGEN_GEN_FRONT_WISHES_H

#include "gen/front/spec_clang.h"

/* Set unit->wishes and the hints of the operators' parameters from front->pragmas. A hint inside a function
 * is for that function, one at file scope for every operator with such a parameter. Faults go to ir->diag. */
void apply_pragmas(const Front *front, Unit *unit);

/* Source-to-source mode: hints, of pragmas and of the command line ("n:0:1000"), are promises about parameters and
 * the index variables of CUDA. A parameter that its function changes keeps no promise. */
void apply_promises(const Front *front);

#endif
