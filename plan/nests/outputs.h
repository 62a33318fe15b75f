/* What loops only write. */
#ifndef MIKGEN_PLAN_NESTS_OUTPUTS_H
#define MIKGEN_PLAN_NESTS_OUTPUTS_H

#include "ir/node.h"

/* Bytes, as a T_DOUBLE over their extents, of the operator's arrays that the loops store to and do not read: candidates for stores past
 * the caches. NULL: there are none. */
Node *stored_bytes(Ir *ir, Node *body);

#endif
