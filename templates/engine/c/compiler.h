/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Compilers and processors. */
#pragma once
#include "config.h"

#if defined(__FAST_MATH__) /* numbers are as C has them here, whatever the program around asks for: vectorized functions need it */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wignored-pragmas" /* 32-bit Arm, WebAssembly and others have no such control, */
#pragma float_control(precise, on)
#pragma clang diagnostic pop
#if __clang_major__ >= 12
#pragma clang fp reassociate(off) /* but these */
#endif
#if __clang_major__ >= 18
#pragma clang fp reciprocal(off)
#endif
#if __has_warning("-Wnan-infinity-disabled")
#pragma clang diagnostic ignored "-Wnan-infinity-disabled"
#endif
#elif defined(__STRICT_ANSI__)
#pragma GCC optimize("no-fast-math", "fp-contract=off") /* which -std=c99 has said, and the pragma would forget */
#elif defined(__GNUC__)
#pragma GCC optimize("no-fast-math")
#endif
#endif
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define MIK_X86 1
#if MIK_WITH_FAMILIES
MIK_X86_TARGETS
#endif
#if MIK_WITH_DOTS
MIK_X86_DOT_TARGETS
#endif
#include <cpuid.h>
#include <immintrin.h>
#else
#define MIK_X86 0
#endif
#if MIK_WITH_DOTS
/* Compilers that know VNNI and AVX512-BF16. */
#if MIK_X86 && (defined(__clang__) || __GNUC__ >= 10)
#define MIK_X86_DOTS 1
#else
#define MIK_X86_DOTS 0
#endif
#endif
#if defined(__AARCH64EL__) && defined(__ARM_NEON) && defined(__GNUC__)
#define MIK_NEON 1
#include <arm_neon.h>
MIK_ARM_TARGETS
#else
#define MIK_NEON 0
#endif
#if defined(__GNUC__) && (!defined(__i386__) || defined(__SSE2__)) && __FLT_EVAL_METHOD__ != 1
#define MIK_VECTORS 1                    /* vectors of 16 bytes have registers, or at least a calling convention */
#else
#define MIK_VECTORS 0
#endif
#if defined(__GNUC__)
#define MIK_UNUSED __attribute__((unused))
#define MIK_INLINE static inline __attribute__((always_inline))
#if MIK_WITH_APARTS
#define MIK_APART __attribute__((noinline))  /* only those who call it pay for its frame */
#endif
#if MIK_WITH_FAMILIES
#define MIK_FORMAT(text, first) __attribute__((format(printf, text, first)))
#endif
#if MIK_WITH_FAMILIES || MIK_WITH_LOOPS
#define MIK_PREFETCH(p) __builtin_prefetch(p)
#endif
#if MIK_WITH_UNROLL
#if defined(__clang__)
#define MIK_UNROLL _Pragma("unroll")
#if !MIK_X86 && !MIK_NEON
#pragma clang diagnostic ignored "-Wpass-failed" /* vectors that are taken apart make loops too long to be unrolled */
#endif
#else
#define MIK_UNROLL _Pragma("GCC unroll 32")
#endif
#endif
#else
#define MIK_UNUSED
#define MIK_INLINE static inline
#if MIK_WITH_APARTS
#define MIK_APART
#endif
#if MIK_WITH_FAMILIES
#define MIK_FORMAT(text, first)
#endif
#if MIK_WITH_FAMILIES || MIK_WITH_LOOPS
#define MIK_PREFETCH(p) ((void)0)
#endif
#if MIK_WITH_UNROLL
#define MIK_UNROLL
#endif
#endif
#if MIK_WITH_FOLDED
#if defined(__OPTIMIZE__)
#define MIK_FOLDED MIK_INLINE            /* once for each set of constant arguments */
#else
#define MIK_FOLDED static inline             /* nothing would be folded */
#endif
#endif
