/* What every call that gets past an operator's entry point guarantees: the checks that emit/ prints. */
#ifndef MIKGEN_PLAN_ENTRY_H
#define MIKGEN_PLAN_ENTRY_H

#include "ir/node.h"

/* Give the operator's parameters the ranges that its entry checks prove: an integer that is an array's extent by
 * itself is not negative. Passes may rely on Sym.has_range, unlike on hints. */
void note_entry_facts(const Func *f);

#endif
