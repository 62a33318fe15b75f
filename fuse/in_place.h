/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements that are made of another array's at the same place, of which nothing is needed afterwards, take their place:
 *
 *     for (t ...) for (l ...) top[t] = fmaxf(top[t], S[t][l]);          for (t ...) for (l ...) top[t] = fmaxf(top[t], S[t][l]);
 *     for (t ...) for (l ...) P[t][l] = expf(S[t][l] - top[t]);    =>   for (t ...) for (l ...) S[t][l] = expf(S[t][l] - top[t]);
 *     ... P[t][l] ...                                                   ... S[t][l] ...
 *
 * Values do not change; what is read of P where nothing was stored was indeterminate. */
#ifndef MIKGEN_FUSE_IN_PLACE_H
#define MIKGEN_FUSE_IN_PLACE_H

#include "ir/node.h"

/* The body, a block that declares both arrays, with the elements of `to` where those of `from` were. NULL: they have places of their
 * own. */
Node *store_in_place(Ir *ir, Node *body, Sym *from, Sym *to);

#endif
