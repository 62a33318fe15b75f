/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether loops come to the last bit of what the spec says before anything of them is vectorized. */
#ifndef MIKGEN_PLAN_VECTORS_SCALAR_EXACTNESS_H
#define MIKGEN_PLAN_VECTORS_SCALAR_EXACTNESS_H

#include "ir/node.h"

/* May results differ from the spec's, by sums in another order or functions otherwise than the C library's? */
bool differs_as_it_is(Node *body);

#endif
