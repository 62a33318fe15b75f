/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Absolute values, in the forms that C programs give them. */
#ifndef MIKGEN_IR_ABSOLUTE_H
#define MIKGEN_IR_ABSOLUTE_H

#include "ir/node.h"

/* The signed integer whose absolute value `e` is: of abs(x), x < 0 ? -x : x, x > y ? x - y : y - x and their like. NULL: it is none. */
Node *absolute_of(const Node *e);

#endif
