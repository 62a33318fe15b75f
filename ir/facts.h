/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What normalize and licm know of one function body; made once per pass. */
#ifndef MIKGEN_IR_FACTS_H
#define MIKGEN_IR_FACTS_H

#include "ir/licm_options.h"
#include "ir/loop_rank.h"
#include "ir/range.h"
#include "ir/sym_map.h"

typedef struct NameTable NameTable;

typedef struct Facts {
    Ir *ir;
    const LicmOptions *opt;
    Ranges *ranges;
    Ranks *ranks;
    const Func *func;
    Node *body;
    NameTable *names; /* NULL until somebody asks for a name */
    Map copies;       /* of licm/profit.c: by Node.id of a loop, int */
    bool exact;       /* names are printed as they are (Func.is_kept): who moves a symbol asks is_sole_name */
} Facts;

/* Owned by ir's arena; `f` and `opt` are borrowed. */
Facts *facts_new(Ir *ir, const Func *f, Node *body, const LicmOptions *opt);

/* A new constant local named t0, t1, ...: the first such name that nothing in the function has yet. */
Sym *fresh_temp(Facts *facts, Type type, Loc loc);

/* Its declaration may move without meeting another of its name. */
bool is_sole_name(Facts *facts, const Sym *sym);
/* Its name means it wherever it is in scope: no other declaration hides it. */
bool is_never_hidden(Facts *facts, const Sym *sym);
/* `e` with every operation that may overflow done in unsigned arithmetic, as normalize leaves that: wrap_overflow() and constants_last(). */
Node *safe_from_overflow(Facts *facts, Node *e);

/* A new symbol in all like `sym`, but with a name of its own made from sym's. */
Sym *fresh_like(Facts *facts, const Sym *sym);

#endif
