/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* ---- Vectors: f32z16 is sixteen floats on AVX-512 (z); y: AVX2, p: portable; attributes that they need ---- */
#pragma once
#include "../c/compiler.h"

#if MIK_X86
MIK_LOOP_TARGETS
#endif
#if MIK_WITH_FEW
#define MIK_SCALARS (-1) /* in an instruction set's place: scalar loops of few iterations, */
#if MIK_VECTORS && !defined(__clang__)
#define MIK_FEW_ITERATIONS __attribute__((optimize("no-tree-vectorize"))) /* which gcc would vectorize */
#else
#define MIK_FEW_ITERATIONS
#endif
#endif
#if MIK_WITH_PLAIN
#if MIK_VECTORS && !defined(__clang__) /* clang makes vectors of loops with -O2, too */
#define MIK_BY_COMPILER __attribute__((optimize("O3", "no-trapping-math", "no-math-errno", "fp-contract=off")))
#else
#define MIK_BY_COMPILER
#endif
#endif
#if defined(__clang__)
#if __clang_major__ >= 12 /* against parts of -ffast-math, which no macro tells */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-pragmas" /* 32-bit Arm, WebAssembly and others have no such control, */
#pragma float_control(precise, on) /* which allows contraction, */
#pragma clang diagnostic pop
#pragma clang fp reassociate(off) /* but these */
#endif
#if __clang_major__ >= 18
#pragma clang fp reciprocal(off)
#endif
#if __has_warning("-Wdeprecated-altivec-src-compat")
#pragma clang diagnostic ignored "-Wdeprecated-altivec-src-compat" /* on POWER these comparisons give masks, now and later */
#endif
#pragma STDC FP_CONTRACT OFF /* a product is rounded before it is added to, as the spec says; gcc does so with -std=c99 */
#endif
