/*
 * Vectors for loops: what a generated file decides, so that the files beside this one compile as they stand.
 *
 * f32z16 is sixteen floats on AVX-512. In general a name says the type of the elements (f32, f64, i32, u32, i64, u64), the instruction
 * set (z: AVX-512, y: AVX2, q: NEON, p: portable) and the number of lanes, which a loop has the same for all its types. There are two
 * shapes for each set: as many lanes as 32-bit elements fit a register, and as many as 64-bit elements do; floats of the latter take
 * half a register. Arithmetic, bitwise operators and shifts are written as such; all else is a function here. A mask says yes or no for
 * each lane (maskz16): masks are combined by & | ^ ~.
 *
 * Each file is written for one type and shape, and renamed for the others: templates/assemble.py, which takes of a file only what is
 * used. Of two definitions of a name the first counts, so that a file for one instruction set goes before those for any.
 */
#pragma once
#include "../c/base.h"
#include "../c/float16.h"
#include <float.h>
#include <math.h>

#if MIK_X86
#define MIK_AVX2L   __attribute__((target("avx2,fma,f16c")))
#define MIK_AVX512L __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c")))
#endif
#define MIK_LANES               /* the attribute of the set */

typedef int32_t P4_WIDEST;      /* integers as wide as the widest elements of the shape, */
typedef uint32_t P4_UNSIGNED;   /* and without sign */
#define P4_LANES  4
#define Z16_LANES 16
