/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the templates are told: a JSON object with sorted keys, made from the plans of a unit. The schema is
 * documented at the head of each template that reads it. */
#ifndef MIKGEN_EMIT_MODEL_H
#define MIKGEN_EMIT_MODEL_H

#include <jansson.h>

#include "depend/linear.h"
#include "emit/dialect.h"
#include "plan/kernels/kernel.h"

typedef struct ModelInput {
    Ir *ir;
    const Unit *unit;
    Plan *const *plans;       /* one per operator of the unit */
    LinearMap *const *linear; /* one per operator */
    bool cuda;
    const char *arch;         /* CUDA: the oldest GPU the file is for, "sm_80" or newer */
    Kernels *kernels;
    int stack;                /* C: bytes of stack that a call may take */
    bool shares;              /* C: the engine is a file of its own */
    int winograd;             /* of an engine in a file of its own: outputs of a row of Winograd's tiles, at most; 0: none */
    bool trace;               /* calls tell what they do, if they are asked */
    bool binds;               /* with what modules for other languages need: emit/binding.h */
    const char *version, *command, *spec_name; /* for the banner; spec_name without folders */
    const char *definitions; /* words of the command that define macros of the spec: " -DN=4"; or "" */
    const char *prefix, *license;              /* license: text, or NULL */
} ModelInput;

/* The whole model. Caller owns the reference. */
json_t *model_build(const ModelInput *in);

/* The model of a text about no operator, which has a banner. Caller owns the reference. */
json_t *model_plain(const ModelInput *in);

/* The model of an engine that several files share, with these families, by Family; unit, plans and linear are not read. Caller owns
 * the reference. */
json_t *model_engine(const ModelInput *in, const bool *families);

#endif
