/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IR functions as JSON objects that a template prints:
 *   {"result": "void", "name": "...", "params": ["const x_args *args", "int64_t b"], "unpack": ["const int M = args->M;"],
 *    "body": "..."}
 * Generated functions reach the operator's parameters, temporaries and captured scalars through the args struct;
 * "unpack" holds one line for each that the body uses. */
#ifndef MIKGEN_EMIT_FUNCTION_H
#define MIKGEN_EMIT_FUNCTION_H

#include <jansson.h>

#include "depend/linear.h"
#include "emit/text.h"
#include "ir/sym_map.h"
#include "plan/plan.h"

/* The args struct of one operator: which symbol is reached under which field name. */
typedef struct Field {
    const Sym *sym;   /* parameter, temporary or captured scalar, as the spec declared it */
    const Sym *flat;  /* arrays: the rank-1 symbol that linearised bodies use; scalars: sym */
    const char *name; /* of the field */
    const char *type; /* "const float *", "int " : what precedes the name in the struct */
} Field;

typedef struct Fields {
    Field *items;
    int count;
    Vec tables; /* const Sym *: arrays of constants that the operator reads, which are no fields */
} Fields;

/* Fields of an operator: parameters first, in order, then temporaries, then captured scalars. */
Fields function_fields(Ir *ir, const Dialect *d, const Plan *plan, LinearMap *linear);

/* The field's name; NULL: there is none for the symbol. */
const char *function_field(const Fields *fields, const Sym *sym);

typedef struct FunctionSpec {
    const char *qualifiers; /* "static", "static __device__ __forceinline__", ... */
    const char *result, *name, *args_param; /* "const gemm_args *args" */
    bool by_value;          /* args is a struct, not a pointer: "args." instead of "args->" */
    bool assumed_distinct;  /* unpacked arrays are restrict: different arrays do not overlap */
    bool aligned;           /* unpacked arrays are aligned to 16 bytes */
    Sym **params;           /* further parameters; without args_param all, arrays in the spec's shapes */
    int nparams;
    Node *body;
    Node *const *also;       /* expressions that the caller prints besides, so that what they use is unpacked */
    int nalso;
} FunctionSpec;

/* function_begin settles names, unpacking and parameters, so that the caller can print expressions with the emitter;
 * function_finish adds the body between the text lines `lead` and `tail` (NULL for none). */
typedef struct FunctionText {
    const FunctionSpec *spec;
    Emitter emitter;
    json_t *params, *unpack;
    Text tables; /* lines that name the tables used */
    Map used;    /* by symbol id: what stands in the body or in `also`, */
    Map local;   /* and what is a parameter, or the body's own */
} FunctionText;

FunctionText function_begin(Ir *ir, const Dialect *d, Uses *uses, const Fields *fields, const FunctionSpec *spec);
/* "(void)x;" lines for parameters that the body does not use: a hook need not use all that its type hands it. */
const char *function_unused(FunctionText *f);
json_t *function_finish(FunctionText *f, const char *lead, const char *tail);

#endif
