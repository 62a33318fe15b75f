/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops for people, as the spec has them. */
#ifndef MIKGEN_GEN_PICTURE_KNOWN_LOOPS_H
#define MIKGEN_GEN_PICTURE_KNOWN_LOOPS_H

#include <jansson.h>

#include "plan/plan.h"

int line_of(const Ir *ir, Loc loc);

/* An expression as C, with the spec's names, without casts to 64 bits: numbers are what they are. */
const char *expr_words(Ir *ir, const Node *e);

/* Loops in a tree: [{"depth", "line", "text", "notes"}]; notes_of gives what is said of one, a line each. */
json_t *list_loops(Ir *ir, Node *tree, json_t *(*notes_of)(const void *user, const Node *loop), const void *user);

/* What is said of the nest at a place, last; "" for nothing. */
const char *remark_at(const Plan *plan, Loc loc);

/* The part of that stem in a list of a call, or NULL. */
json_t *part_of(json_t *call, const char *list, const char *stem);

/* The stems of a stage's members. */
json_t *member_stems(const Stage *stage);

/* Lines and words of products; lines and members of what has members; ragged batches with the extents that their products have on
 * average, as far as the call's integers tell. */
void add_stages(Ir *ir, const Plan *plan, json_t *call);

#endif
