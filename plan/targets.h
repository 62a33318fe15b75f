/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels are made for: instruction sets and kinds of GPU by name, and the steps at which the times of CPU kernels
 * are known. */
#ifndef MIKGEN_PLAN_TARGETS_H
#define MIKGEN_PLAN_TARGETS_H

#include "plan/plan.h"

const char *family_name(Family family); /* "f32", ... */

/* Instruction sets, best first; those that dot-product instructions add have the number DOTS_LEVEL in options.isa, the others,
 * which have kernels of f32 and f64, are ISA_COUNT. */
enum { ISA_AVX512VNNI, ISA_AVX512BF16, ISA_AVX512, ISA_AVX2, ISA_NEON, ISA_PORTABLE, ALL_ISA_COUNT };
enum { ISA_COUNT = 4, DOTS_LEVEL = 5 };

/* "avx512vnni" ..., 0 <= isa < ALL_ISA_COUNT. */
const char *isa_name(int isa);

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
