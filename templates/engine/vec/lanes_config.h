/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Vectors for loops: what a generated file decides, so that the files beside this one compile as they stand.
 *
 * f32z16 is sixteen floats on AVX-512. In general a name says the type of the elements (f32, f64, i32, u32, i64, u64), the instruction
 * set (z: AVX-512, y: AVX2, p: portable, which on AArch64 is NEON) and the number of lanes, which a loop has the same for all its types. There are two
 * shapes for each set: as many lanes as 32-bit elements fit a register, and as many as 64-bit elements do; floats of the latter take
 * half a register. Arithmetic, bitwise operators and shifts are written as such; all else is a function here. A mask says yes or no for
 * each lane (maskz16): masks are combined by & | ^ ~.
 *
 * Each file is written for one type and shape, and renamed for the others: templates/assemble.py, which takes of a file only what is
 * used. Of two definitions of a name the first counts, so that a file for one instruction set goes before those for any.
 */
#pragma once
#include "../c/float16.h"
#include "attributes.h"
#include <float.h>
#include <math.h>

#define MIK_LANES               /* the attribute of the set */

typedef int32_t P4_WIDEST;      /* integers as wide as the widest elements of the shape, */
typedef uint32_t P4_UNSIGNED;   /* and without sign */
#define P4_LANES     4
#define P4_HELD      "+v"        /* where assembly has the vector on x86: for vectors of 8 bytes clang has no register there */
#define P4_NEON      float32x4_t /* what NEON calls the vector, and has for it */
#define P4_NEON_SQRT vsqrtq_f32
#define P4_NEON_FMA  vfmaq_f32
#define P4_INDEX     i32p4        /* 32-bit integers, as many */
#define P4_FROM(x)   (x)          /* an element of memory as one of the vector, */
#define P4_TO(x)     (x)          /* and back */
#define Z16_LANES    16
