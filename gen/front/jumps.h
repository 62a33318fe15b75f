/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jumps become conditions, so that no pass after the front end knows of them. */
#ifndef MIKGEN_GEN_FRONT_JUMPS_H
#define MIKGEN_GEN_FRONT_JUMPS_H

#include "gen/front/spec_clang.h"

/* aux of an N_BLOCK in the body of a loop: `continue` leads to its end, where the loop's other steps stand; of one that is a switch: `break`
 * does, an N_BREAK with the aux BREAK_SWITCH. Gone afterwards. */
enum { BLOCK_TURN = 1, BLOCK_SWITCH = 2, BREAK_SWITCH = 1 };

/* Afterwards f->body has no N_BREAK and no N_CONTINUE, and N_RETURN only as the last statement of a helper that has a value.
 *
 *     if (c) continue; rest                 ->  if (!c) { rest }
 *     for (...; cond; ...)                  ->  bool stop = false;
 *         if (c) { A; break; } rest             for (...; !stop && cond; ...) if (c) { A; stop = true; } else { rest }
 *     if (c) return a; return b;            ->  return c ? a : b;
 *     for (...) if (c) return a; return b;  ->  bool done = false; ... value = a; done = true; ... if (!done) value = b; return value;
 *
 * A loop that is left goes on one step before its condition says so: a variable that is read behind the loop is set back. Names of what is
 * made are new in the function. Linear in the nodes, chains of returns of plain values aside. A helper's end without a value, and guards
 * behind guards without end, are faults of `front`. */
void settle_jumps(Front *front, Func *f);

#endif
