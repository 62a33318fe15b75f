/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the planner decides about one operator: its stages, the arrays between them, what callers hand over. Everything lives in the Ir's
 * arena. */
#ifndef MIKGEN_PLAN_PLAN_H
#define MIKGEN_PLAN_PLAN_H

#include "ir/licm_options.h"
#include "ir/node.h"
#include "ir/placement.h"
#include "plan/combined.h"
#include "ir/math_form.h"
#include "plan/pass_watch.h"

/* A local array whose size is known only at run time, or is large: lives in the workspace of a call. */
typedef struct Temporary {
    Sym *array;
    Node *elements; /* T_INDEX */
} Temporary;

/* A local array of loops alone, and where it is computed. */
typedef struct Producer {
    Sym *array;
    int number;           /* among the declarations of local arrays in Plan.source; -1: it is none of them */
    Placement placement;  /* as a profile has it, if `fits` */
    bool fits;            /* else it cannot be placed so, and is as planned */
    bool by_rows;         /* nests that store and that read it are in one wave or chain, or would be if it were not kept whole */
} Producer;

/* Something about a place of the spec that the user may want to know, --remarks: what was done, what could not be. */
typedef enum RemarkKind { REMARK_OPTIMIZED, REMARK_MISSED } RemarkKind;
typedef struct PlanRemark {
    Loc loc;
    RemarkKind kind;
    bool is_of_nest; /* says what a nest became, not what one of its loops does */
    const char *text;
} PlanRemark;

/* A product or another reduction that runs in loops one element at a time, where micro-kernels or vectors were to be expected. */
typedef struct Fallback {
    Loc loc;
    uint32_t inner; /* where its innermost loop stands: Loc.beg */
    const char *what, *why, *cure; /* cure: NULL where nobody knows one */
} Fallback;

/* A parameter as callers have it: of an array of structs, members stand for it one after the other (plan/callers.h). */
typedef struct CallerParam {
    Sym *sym;
    int first;          /* of func's parameters, that stands for it */
    bool reads, writes; /* the operator loads from / stores to the array */
} CallerParam;

typedef struct Plan {
    Node *source; /* the operator's body before planning: what the spec says, helpers inlined */
    Func *func; /* body: generic statements, and N_CONTRACT where a contraction runs */
    Stages stages;
    Constant **constants; /* C target: in the order of the parameters */
    int nconstants;
    const Constant **brought_by; /* C target, per parameter: the constant whose packed form has all that is read of it; NULL: none */
    Vec fallbacks; /* Fallback: missed products, known once the operator is planned */
    Vec remarks; /* PlanRemark; C target: without PlanOptions.remarks only what the nests became */
    Temporary *temporaries;
    int ntemporaries;
    uint64_t fingerprint; /* of `source`, whatever things are called; set by find_producers(), as are */
    Producer *producers;  /* arrays that no contraction touches, in the order of the source; with --fuse=off none */
    int nproducers;
    CallerParam *callers; /* in the order of the signature */
    int ncallers;
    int *caller_index; /* by parameter of func: which of these it is or stands for */
    Node **touches; /* per parameter: when a call may do so, a condition on the arguments; NULL, or a NULL entry: always */
    struct ShortCall *short_call; /* C target: calls of little work (plan/short_call.h); NULL: none are told apart */
    Node *works; /* when a call may touch any array; elsewhere it must not run; NULL: always */
} Plan;

/* Of each kind its struct, how many stages there are in a plan, and one of these. */
#define STAGE(KIND, Type, name, ...) \
    typedef struct Type Type; \
    static inline int name##_count(const Plan *plan) { return plan->stages.first[STAGE_##KIND + 1] - plan->stages.first[STAGE_##KIND]; } \
    static inline Type *name##_at(const Plan *plan, int number) \
    { \
        return (Type *)plan->stages.items[plan->stages.first[STAGE_##KIND] + number]; \
    }
#include "ir/stages.def"
#undef STAGE

/* What an N_CONTRACT or N_LAUNCH stands for. */
static inline Stage *stage_at(const Plan *plan, const Node *n)
{
    return plan->stages.items[plan->stages.first[n->kind == N_CONTRACT ? STAGE_CONTRACTION : n->aux] + n->u.i];
}

/* Forms that are to be compared: of the nest with this fingerprint, for a set, with knobs of number 0, 1, ... No others are vectorized for
 * another set. */
typedef struct NestForms {
    uint64_t fingerprint;
    VectorSetId set;
    const NestKnobs *knobs;
    int count;
} NestForms;

/* The same of a nest on GPUs: its forms are numbers first, first + 1, ... of the file. */
typedef struct GridForms {
    uint64_t fingerprint;
    const GridKnobs *knobs;
    int count, first;
} GridForms;

/* A nest on a GPU as it is planned, and what makes it again, otherwise; the same stem and fingerprint. */
typedef struct GridInput {
    const DeviceNest *planned;
    const DeviceNest *(*make)(const void *maker, const GridKnobs *knobs);
    const void *maker;
} GridInput;

/* C target: what forms of a nest are expected to take. compiled: loops as they are, of which compilers make vectors; else vectors, or
 * scalars. Returns the logarithm of cycles, a mean over shapes; INFINITY: nobody knows. */
typedef struct FormCosts {
    double (*log_cycles)(const void *user, Ir *ir, const HostNest *nest, VectorSetId set, const Node *body, bool compiled);
    /* Of vectors, where inner loops whose trip counts are parameters of their own have few iterations. */
    double (*log_cycles_of_short)(const void *user, Ir *ir, const HostNest *nest, VectorSetId set, const Node *body);
    const void *user;
} FormCosts;

typedef struct PlanOptions {
    bool cuda;
    unsigned held; /* C target: instruction sets that the file holds, a bit for each Isa (plan/targets.h); 0: all */
    Tf32 tf32;
    int winograd; /* C target: outputs of a row of Winograd's tiles that are allowed in all operators, 2 or 4; 0: none */
    bool remarks; /* C target: somebody asks for all of Plan.remarks (CUDA's are always made) */
    bool fp_strict; /* no sum is reordered: floating contractions stay loops */
    MathForm math; /* C target: functions of <math.h> in loops */
    int stack; /* C target: bytes of stack that a call may take (plan/stack.h) */
    const NestForms *forms; /* C target: what NestVectors.more get; NULL: nothing */
    const FormCosts *costs; /* C target: by which forms are chosen; NULL: vectors, where there are any */
    const LicmOptions *licm; /* C target: how what unrolling has made invariant leaves loops; NULL: it stays */
    /* CUDA: what the kernels of a nest are to be like; NULL: as planned. `grid_user` goes to it. */
    GridKnobs (*grid_knobs)(const void *user, Ir *ir, const GridInput *in);
    const void *grid_user;
    const GridForms *grid_forms; /* CUDA: what DeviceNest.more get: forms of ngrid_forms nests */
    int ngrid_forms;
    const PassWatch *watch; /* NULL: of trials, whose trees nobody looks at */
} PlanOptions;

#endif
