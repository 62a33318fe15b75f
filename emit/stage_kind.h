/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with stages of all kinds (ir/stages.def), by a table of functions that each kind has at the end of its file. */
#ifndef MIKGEN_EMIT_STAGE_KIND_H
#define MIKGEN_EMIT_STAGE_KIND_H

#include "emit/stage.h"

typedef struct FuncVisitor {
    void (*visit)(void *user, Func *f);
    void *user;
} FuncVisitor;

/* NULL: there is nothing to do. */
typedef struct StageOps {
    /* internal_error if it is none that `plan` can have; its functions are checked anyway. */
    void (*check)(const Plan *plan, const Stage *stage);
    /* As --dump-after has it. NULL: its functions. */
    void (*print)(Ir *ir, const Stage *stage, Text *out);
    /* Goes over its functions. */
    void (*visit)(const Stage *stage, const FuncVisitor *v);
    /* in->stage in the model, as its template documents it. */
    json_t *(*build)(const StageInput *in);
    /* What begins the extents of a local array that lies elsewhere while it runs: a condition, " ? 0 : ". NULL: of this one nothing. */
    const char *(*elsewhere)(const StageInput *in, const Sym *array);
    /* Statements of NAME_room for room of its own. */
    void (*room)(const StageInput *in, Text *out);
} StageOps;

/* clang-format off */
#define STAGE(KIND, Type, name, ...) extern const StageOps stage_##name;
#include "ir/stages.def"
#undef STAGE
/* clang-format on */
extern const StageOps *const stage_ops[STAGE_KINDS];

/* Goes over the functions of all stages. */
void stages_visit(const Plan *plan, const FuncVisitor *v);

/* internal_error, naming `pass`, if something of a stage is not as it must be. */
void stages_check(Ir *ir, const Plan *plan, const PassWatch *watch, const char *pass);

/* What stands above a stage in dumps, if anything does. */
typedef void StageHeading(Ir *ir, const Stage *stage, Text *out);

/* The stages of a plan, for people. */
void stages_print(Ir *ir, const Plan *plan, StageHeading *heading, Text *out);

/* Adds to the operator's model the lists of ir/stages.def, with what build() makes of in->plan's stages; in->stage is set. */
void stages_build(StageInput *in, json_t *op);

/* [{word, list, drawn}]: the kinds that there are for the target. */
json_t *stages_kinds(bool cuda);

#endif
