/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the model that describes contractions: the operators' stages and the families of micro-kernels. */
#ifndef MIKGEN_EMIT_STAGE_H
#define MIKGEN_EMIT_STAGE_H

#include "depend/linear.h"
#include "emit/function.h"
#include "plan/kernels/gpu_kernel.h"
#include "plan/kernels/kernel.h"

typedef struct StageInput {
    Ir *ir;
    const Dialect *dialect;
    Uses *uses;
    const Plan *plan;
    union { /* the one at hand, which builders of a kind read as a pointer to their struct: in->wave */
        const Stage *stage;
#define STAGE(KIND, Type, name, ...) const Type *name;
#include "ir/stages.def"
#undef STAGE
    };
    Kernels *kernels;
    const Fields *fields;
    LinearMap *linear;
    const char *symbol; /* of the operator */
} StageInput;

/* Begins STEM_SUFFIX(args MORE), whose text the caller prints: of spec, which stays in use, it sets the rest, and needs the `also` that is
 * printed. The text begins with what keeps compilers from complaining where args goes unused. */
FunctionText stage_begin(const StageInput *in, FunctionSpec *spec, const char *suffix, const char *more, Text *body);

/* Parts of both targets' stages: STEM_problem(args, problem), and STEM_suffix(args, b), the address of element
 * (b, 0, 0) of an operand in place. */
json_t *stage_problem(const StageInput *in, const char *qualifiers);
json_t *stage_address(const StageInput *in, const Operand *o, const char *suffix, const char *qualifiers, bool is_const);

/* What templates/c/convert.c.j2 calls an element type of memory that packing or storing converts; "" for others. */
const char *stored_name(Type type);

/* The array that an operand's elements are packed, or read in place, from by strides or by rows; NULL: by a function of its own. */
const Sym *stage_packs(const Operand *o);

/* Do elements of A lie in memory as in the panels of its dot products, but for heads, where rows have whole words? */
bool stage_a_is_words(const struct Contraction *c);

/* STEM_gather_SUFFIX(args, gather), which describes an operand with a gather to the emitted code; of an A that may go by Winograd's algorithm
 * STEM_image_SUFFIX, which leaves loops and conditions as they are. */
json_t *stage_gather(const StageInput *in, const struct Gather *g, Role role, const char *suffix);

/* Adds STEM_gather_turned(args, gather), B's gather with those of the steps' loops first on which conditions depend, and STEM_filter_turned(args,
 * gather), A's elements likewise, as they are; how many loops these are. */
int stage_turned(const StageInput *in, json_t *hooks);

/* STEM_times(args): how many times a call computes a contraction that stands in loops or under conditions, as far as these go; -1: more than
 * the call's integers decides that. NULL: it stands in none. *repeats: in loops; *varies: its extents change on the way. */
json_t *stage_times(const StageInput *in, bool *repeats, bool *varies);

/* A contraction of the CUDA target. */
json_t *stage_build_device(const StageInput *in);

/* What templates/cuda/variant.j2 reads of a micro-kernel, whose name is without the prefix. */
json_t *stage_kernel(const StageInput *in, const char *name, const GpuKernel *k);

/* Kernels are symbols of the file, as its entry points are: with the prefix in front. */
const char *stage_kernel_symbol(const StageInput *in, const char *name);

/* Does it have loops vectorized for some set? */
bool stage_has_forms(const HostNest *nest);

/* T_DOUBLE: bytes of outputs that some form non-temporal stores; NULL: none does. */
Node *stage_stored(const HostNest *nest);
/* {touched, limits[] {word, bytes, what}}: what decides about the class of a call, and up to how much each but the last goes; null: it has
 * none. */
json_t *stage_classes(Emitter *e, const HostNest *nest);

/* engine_numbers[] of a measuring program: each number's name, where tables have it, what goes for 1 there. */
json_t *stage_engine_numbers(void);

/* families[]: those that the plans' contractions need, in the order of Family. */
json_t *stage_families(Plan *const *plans, int nplans, Kernels *kernels, bool cuda);

/* The same of an engine that several files share: the families that used[], by Family, names, with all their parts, each with a
 * fingerprint of its tables. winograd: outputs of a row of Winograd's tiles, at most; 0: none. */
json_t *stage_whole_families(const bool *used, Kernels *kernels, int winograd);

/* {bandwidth, reached, launch, reduction, partial} of each kind of GPU, as text: bytes per picosecond, a part, picoseconds. */
json_t *stage_gpus(Arena *arena, const KernelOptions *opt);

#endif
