/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The groups by which normalize orders a condition, && (a && b), have done their work once licm has run; compilers
 * read a flat chain as well, some of them better (gcc 12
 * merges neighbours of a flat chain into one branch, but makes one comparison of 0 <= b && b < c only in a group). */
#ifndef MIKGEN_NORMALIZE_FLAT_H
#define MIKGEN_NORMALIZE_FLAT_H

#include "ir/licm_options.h"
#include "ir/node.h"

/* `body` with every chain of && and of || folded from the left, in its order; `body` itself unless opt asks for
 * that. Linear. */
Node *flat_chains(Ir *ir, Node *body, const LicmOptions *opt);

#endif
