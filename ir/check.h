/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verifier that runs between passes. Checks the typing rules of ir/node.h, kid counts, that symbols are
 * declared before use and once, that no loop variable is assigned in its body, and that helper calls are gone
 * when `inlined`; of kept functions also that every name means its symbol where it stands. A violation is our own
 * fault: internal_error naming `pass`, exit status 2. */
#ifndef MIKGEN_IR_CHECK_H
#define MIKGEN_IR_CHECK_H

#include "ir/node.h"

void check_func(const Ir *ir, const Func *f, bool inlined, const char *pass);

/* The same for a hook of an operator: symbols that it does not declare come from the operator around it, and it
 * may return a value. */
void check_hook(const Ir *ir, const Func *hook, const char *pass);

#endif
