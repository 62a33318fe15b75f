/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels are made for: instruction sets and kinds of GPU by name, and the steps at which the times of CPU kernels
 * are known. */
#ifndef MIKGEN_PLAN_TARGETS_H
#define MIKGEN_PLAN_TARGETS_H

#include "plan/plan.h"

const char *family_name(Family family); /* "f32", ... */

/* Instruction sets, best first. */
typedef enum Isa {
#define ISA(id, ...) ISA_##id,
#include "plan/isa.def"
    ISA_COUNT
} Isa;

/* What plan/isa.def says of a set's kernels of a family; target, a compiler's attribute, NULL: it has none, "": it needs none. */
typedef struct IsaKernels {
    const char *text, *macro, *target, *needs, *traits;
} IsaKernels;

enum { MAX_DOT_COLS = 4 };

/* What it says of a set; costs in cycles. */
typedef struct IsaInfo {
    const char *name;
    int number;
    Isa base;
    const char *guard, *prefix, *word, *full, *features, *traits;
    int bytes, registers, general;
    int dots[MAX_DOT_COLS];
    int hide;
    double fma, load, splat;
} IsaInfo;

extern const IsaInfo isa_info[ISA_COUNT];
extern const IsaKernels isa_kernels[ISA_COUNT][FAM_COUNT];

/* "avx512vnni" ..., 0 <= isa < ISA_COUNT; and the set of a name, ISA_COUNT: there is none. */
const char *isa_name(int isa);
int isa_named(const char *name);

/* Of the sets that a file holds, a bit for each Isa, 0: all, is this one; has one kernels of the family; have loops with these vectors? */
bool isa_is_held(unsigned held, int isa);
bool family_is_held(unsigned held, Family family);
bool loops_are_held(unsigned held, VectorSetId set);

/* The vectors that loops of a set have: its own, or those of one that it stands on. */
VectorSetId isa_loops(int isa);

/* Kinds of GPU that rates are known of, in the order of mik_variant.rates. */
enum { GPU_SM80, GPU_SM86, GPU_SM89, GPU_SM90, GPU_COUNT };

/* "sm_80" ... */
const char *gpu_name(int gpu);

/* The kind whose rates a GPU of a compute capability, 10 * major + minor, takes; as mik_classify of the emitted file. */
int gpu_of_capability(int cc);

/* MikPoly's g(t): nanoseconds of one call of a kernel over t steps of k, linear between g_knots[i] and g_knots[i+1]
 * and, by the last slope, beyond the last. */
enum { G_KNOTS = 8 };
extern const int g_knots[G_KNOTS];
double g_at(const double g[G_KNOTS], double t);

#endif
