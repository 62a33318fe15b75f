/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops for people, as the spec has them. */
#ifndef MIKGEN_GEN_PICTURE_KNOWN_LOOPS_H
#define MIKGEN_GEN_PICTURE_KNOWN_LOOPS_H

#include <jansson.h>

#include "plan/plan.h"

int line_of(const Ir *ir, Loc loc);

/* Loops in a tree: [{"depth", "line", "text", "notes"}]; notes_of gives what is said of one, a line each. */
json_t *list_loops(Ir *ir, Node *tree, json_t *(*notes_of)(const void *user, const Node *loop), const void *user);

/* What is said of the nest at a place, last; "" for nothing. */
const char *remark_at(const Plan *plan, Loc loc);

/* The part of that stem in a list of a call, or NULL. */
json_t *part_of(json_t *call, const char *list, const char *stem);

/* Lines and words of products, and ragged batches, whose stages are products. */
void add_products(Ir *ir, const Plan *plan, json_t *call);
void add_ragged(Ir *ir, const Plan *plan, json_t *call);

#endif
