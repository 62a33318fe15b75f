/* What normalize and licm know of one function body; made once per pass. */
#ifndef MIKGEN_IR_FACTS_H
#define MIKGEN_IR_FACTS_H

#include "ir/licm_options.h"
#include "ir/range.h"
#include "ir/rank.h"

typedef struct NameTable NameTable;

typedef struct Facts {
    Ir *ir;
    const LicmOptions *opt;
    Ranges *ranges;
    Ranks *ranks;
    const Func *func;
    Node *body;
    NameTable *names; /* NULL until a temporary is asked for */
} Facts;

/* Owned by ir's arena; `f` and `opt` are borrowed. */
Facts *facts_new(Ir *ir, const Func *f, Node *body, const LicmOptions *opt);

/* A new constant local named t0, t1, ...: the first such name that nothing in the function has yet. */
Sym *fresh_temp(Facts *facts, Type type, Loc loc);

#endif
