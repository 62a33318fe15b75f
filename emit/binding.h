/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the model that modules for other languages need beside the signature: templates/bind. */
#ifndef MIKGEN_EMIT_BINDING_H
#define MIKGEN_EMIT_BINDING_H

#include <jansson.h>

#include "emit/text.h"
#include "plan/plan.h"

/* Adds to the operator's model, which has its params[] already:
 *   doc[]       the lines of the comment in front of the operator in the spec; none: it has none
 *   outside     null: no subscript can leave its array; else what perhaps does, as the spec spells it (depend/inside.h)
 *   params[]    trees[]: the extents as trees, for languages whose arithmetic is spelled otherwise:
 *                   {op: "int", value} | {op: "var", name} | {op: "cast" or a C operator, bits, signed, kids[]}
 *               where bits and signed say what type an operation is done in, "min", "max" and "?:" being operators
 *               linear[]: those as sums, {terms: [{name, scale}], offset} over integer parameters, null where one is something else */
void binding_add(json_t *op, Emitter *e, const Plan *plan);

#endif
