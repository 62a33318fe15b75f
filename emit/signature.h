/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the model that describes an operator's interface: parameters, entry points, argument checks. */
#ifndef MIKGEN_EMIT_SIGNATURE_H
#define MIKGEN_EMIT_SIGNATURE_H

#include <jansson.h>

#include "emit/text.h"
#include "plan/plan.h"

/* An emitter whose names are the operator's parameters as they are spelled in its prototype. */
Emitter signature_emitter(Ir *ir, const Dialect *d, Uses *uses, const Plan *plan);

/* "int M, int N, const float *A": these parameters, as the prototype has them. */
const char *signature_declaration(Emitter *e, Sym *const *params, int n);

/* params[]: {name, kind: "int"|"coef"|"array", type, elem, const, read, written, rank, extents[], role:
 * "extent"|"attribute"|"bound", hint_lo, hint_hi, index_of,
 * layout: of an array of structs, which is otherwise one of bytes with a last extent, [{elem, at, count}], else null, complex: "re", "im" or,
 * of arrays, "both" where the spec says so, else null}; extents are C text over the scalar parameters;
 * given: of a scalar of a struct that the spec takes by value, {name, place}, else null;
 * index_of: the extent below which the values of an array of subscripts or loop bounds must stay, else null. */
json_t *signature_params(Emitter *e, const Plan *plan);

/* given[]: {name, members[]}: parameters of the spec that are structs by value; members: {name, elem, type, dims[], members[] or null}. */
json_t *signature_given(Emitter *e, const Plan *plan);

/* divisors[]: integer expressions that must not be zero before any extent is evaluated. */
json_t *signature_divisors(Emitter *e, const Plan *plan);

/* CUDA: {extents[], params[]}: integer expressions over the parameters named; where one is not positive the first product has no outputs:
 * batches, rows and columns, of a ragged batch as the host takes them to be. What does not follow from integer parameters is left out. */
json_t *signature_outputs(Emitter *e, const Plan *plan);

#endif
