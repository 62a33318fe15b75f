/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operators of several specs as one unit. */
#ifndef MIKGEN_GEN_FRONT_UNIT_H
#define MIKGEN_GEN_FRONT_UNIT_H

#include "ir/node.h"

/* Adds the operators and wishes of `other`, which has some, to `unit`. Operators of one name, and wishes that differ, are reported
 * through ir->diag. */
void unit_join(Ir *ir, Unit *unit, const Unit *other);

#endif
