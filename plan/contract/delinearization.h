/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops whose variable the nest takes apart by division, as flat channels are into groups:
 *
 *     for f < F:  y[f] += x[f / D * C + c] * w[f][c]
 *     for f_div < F / D:  for f_mod < D:  y[f_div * D + f_mod] += x[f_div * C + c] * w[f_div * D + f_mod][c]
 *
 * Subscripts are linear in the new loops, and each of them may have a role of its own. f / D / E and the like are
 * taken apart once more. */
#ifndef MIKGEN_PLAN_CONTRACT_DELINEARIZATION_H
#define MIKGEN_PLAN_CONTRACT_DELINEARIZATION_H

#include "plan/contract/nest.h"

/* Takes such loops of the nest apart; false when there is none, and the nest is as it was. It then is the nest that it
 * was where *condition holds: F is a multiple of D, and D positive. NULL: always. Evaluating the condition never fails,
 * and neither does any new loop's extent where the condition does not hold. */
bool split_digits(Nest *nest, Node **condition);
/* Is it the variable of a loop that split_digits() made? */
bool is_digit(const Nest *nest, const Sym *var);

#endif
