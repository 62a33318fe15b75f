/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars that one part of a loop's body hands to another become arrays of an element for each iteration, so that the parts may have
 * loops of their own (scalar expansion: Padua and Wolfe, CACM 1986). */
#ifndef MIKGEN_PLAN_SPLIT_EXPAND_SCALARS_H
#define MIKGEN_PLAN_SPLIT_EXPAND_SCALARS_H

#include "plan/split/pieces.h"

/* Statements of one piece alone declare what they alone touch. `arrays` gets the declarations of the new arrays, which belong in
 * front of the loop; those of earlier calls, of loops inside, are among the statements and get one more dimension where it takes one.
 * False: something would have to be an array that cannot, for the loop's iterations are not counted from 0 or their number is no
 * expression of parameters. */
bool expand_scalars(const NestContext *context, Node *loop, Pieces *pieces, Vec *arrays);

#endif
