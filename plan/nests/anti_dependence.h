/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores to elements that are only read before: in the same iteration of a loop, or in an earlier one. */
#ifndef MIKGEN_PLAN_NESTS_ANTI_DEPENDENCE_H
#define MIKGEN_PLAN_NESTS_ANTI_DEPENDENCE_H

#include "ir/node.h"

/* Of a statement among those of the loop's body, which counts up by one: does the body read the array that it stores to, but no element
 * behind the store, nor one that an earlier iteration has stored? "No" may be wrong. No other statement stores to the array. */
bool has_anti_dependences(Ir *ir, Node *loop, Node *store);

#endif
