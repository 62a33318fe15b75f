/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gen/front/jumps.c has to know of a function before it moves statements. */
#ifndef MIKGEN_GEN_FRONT_JUMP_FACTS_H
#define MIKGEN_GEN_FRONT_JUMP_FACTS_H

#include "fuse/names.h"
#include "ir/node.h"
#include "ir/sym_map.h"

/* What the statements below one do: which jumps lead out of it, whether all paths jump, whether there is any jump in it. */
enum { BREAKS = 1, CONTINUES = 2, RETURNS = 4, ENDS_SWITCH = 8, LEAVES = 15, ALWAYS = 16, HAS_JUMP = 32 };

typedef struct JumpFacts {
    Map kinds;    /* by statement's id: the flags above, as a pointer */
    Names names;  /* all that the function has; new ones are added */
    Names shared; /* those that several locals have */
    Map outside;  /* by symbol's id: loop variables that are read where no loop over them is open */
} JumpFacts;

/* Looks through the function. The place of an operator's value gets a name that the spec does not have. Owned by ir's arena; linear. */
JumpFacts jump_facts(Ir *ir, Func *f);

/* The flags of a statement of the function as it was then. */
static inline unsigned jumps_of(const JumpFacts *facts, const Node *n) { return (unsigned)(uintptr_t)map_get(&facts->kinds, n->id); }

#endif
