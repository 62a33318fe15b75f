/* Small pieces that the planner's steps share. */
#ifndef MIKGEN_PLAN_NESTS_PARTS_H
#define MIKGEN_PLAN_NESTS_PARTS_H

#include "ir/node.h"

/* The loop that is all of the statement; NULL: it is none. */
Node *only_loop(Node *n);

/* A constant of the value's type, T_INDEX, declared in `out`, in its place; literals and variables stay. */
Node *name_index(Ir *ir, Vec *out, const char *name, Node *value);

#endif
