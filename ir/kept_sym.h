/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What only symbols of kept functions (source-to-source mode) are. */
#ifndef MIKGEN_IR_KEPT_SYM_H
#define MIKGEN_IR_KEPT_SYM_H

#include "ir/node.h"

struct KeptSym {
    bool is_text;   /* S_FUNC: an expression that no tree knows, whose text the name is; it is given the variables in it */
    bool is_closed; /* such a text has parentheses of its own */
    bool is_member; /* S_ARRAY: one scalar, whose only subscript is 0 and has no text */
    bool is_assigned; /* a scalar to which such a text assigns */
    bool only_reads;  /* S_FUNC: calls of it, or in it, change nothing */
    const Sym *const *
        changed; /* such a text: what it changes beside what its calls do, in the tree's arena, ends with NULL; NULL: whatever it is given */
    const char *declarator; /* locals that are no scalar or array: the declaration up to its initialiser, "const float *p"; else NULL */
};

static inline bool sym_is_text(const Sym *sym) { return sym->kept && sym->kept->is_text; }
static inline bool sym_is_member(const Sym *sym) { return sym->kept && sym->kept->is_member; }
static inline const char *sym_declarator(const Sym *sym) { return sym->kept ? sym->kept->declarator : NULL; }

#endif
