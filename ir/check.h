/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verifier that runs between passes. Checks the typing rules of ir/node.h, kid counts, that symbols are
 * declared before use and once, that no loop variable is assigned in its body, and what else must hold
 * from then on; of kept functions also that every name means its symbol where it stands. A violation is our own
 * fault: internal_error naming `pass`, exit status 2. */
#ifndef MIKGEN_IR_CHECK_H
#define MIKGEN_IR_CHECK_H

#include "ir/node.h"

/* What holds of a tree. */
typedef enum TreeForm {
    /* From some pass on (plan/passes.def): */
    TREE_INLINED = 1,          /* no helper is called */
    TREE_FIXED_PARAMETERS = 2, /* no scalar parameter is assigned */
    TREE_LINEAR = 4,           /* arrays have one subscript */
    /* Of some functions: */
    TREE_PART = 8, /* a part of an operator, a hook or a nest: symbols that it does not declare come from the operator around it, and it
                         may return a value */
    TREE_VECTORS = 16 /* of one instruction set: there are vectors, and a block in a block is no scope */
} TreeForm;

/* `form`: of these, what must hold. */
void check_func(const Ir *ir, const Func *f, unsigned form, const char *pass);

#endif
