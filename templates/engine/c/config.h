/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What a generated file decides about the engine, here for f32 and with all its parts, so that the files beside this one
 * compile as they stand. It is no part of generated files, which have the values of their operators: see templates/assemble.py.
 */
#pragma once
#define MIK_TRACE 1              /* calls tell what they do, if they are asked */
#include "call_options.h"
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIK_SHARED        static            /* what operators call: with an engine of their own nobody else does */
#define MIK_SHARED_INLINE MIK_UNUSED MIK_INLINE
#define MIK_STACK_BYTES   16384        /* workspace that needs no allocation */
#ifndef MIK_DRAWS
#define MIK_DRAWS 0              /* plans are written down, not run: in what mikgen asks for pictures alone */
#endif
#define MIK_SOME_SETS    1 /* the file holds some instruction sets alone, */
#define MIK_PORTABLE_SET 1 /* the portable one, too */
#define MIK_HELD         0x3eu /* those of these numbers, */
#define MIK_NAMES_HELD   "avx2"
#define MIK_BASES        0, 0, 1, 2, 1, 3 /* which stand on these */
/* Which set runs, found by statements of sets.py in generated files, */
#define MIK_FIND_SETS          int best = needs >= 0 && MIK_FOUND_WIDE ? 3 : 1
#define MIK_FIND_LOOP_SETS     int best = MIK_FOUND_WIDE ? 3 : 1
#define MIK_FOUND_BY_GUARD     MIK_NEON ? "neon" : "none"
#define MIK_HOOK_SETS          return MIK_RUNS(isa, avx512) ? 3 : 1
#define MIK_WISH_IS_THERE      wish <= best
#define MIK_LOOP_WISH_IS_THERE wish <= best
#define MIK_LOOP_WISH          wish
#define MIK_ALL_NEEDS          MIK_NEEDS_BW = 1
#define MIK_LOOPS_NEED         MIK_NEEDS_LOOPS = 2
#if defined(__x86_64__) || defined(__i386__)
#define MIK_FOUND_WIDE mik_has(mik_sets(), MIK_HAS_AVX512F)
#else
#define MIK_FOUND_WIDE 0
#endif
/* Attributes of instruction sets, which generated files have of plan/isa.def. */
#define MIK_X86_TARGETS
#define MIK_X86_DOT_TARGETS
#define MIK_ARM_TARGETS
#define MIK_LOOP_TARGETS
#define MIK_AVX2          __attribute__((target("avx2,fma")))
#define MIK_AVX512        __attribute__((target("avx512f")))
#define MIK_AVX512BW      __attribute__((target("avx512f,avx512bw")))
#define MIK_AVX512VNNI    __attribute__((target("avx512f,avx512bw,avx512vnni")))
#define MIK_AVX512BF16    __attribute__((target("avx512f,avx512bw,avx512bf16")))
#define MIK_AVX2L         __attribute__((target("avx2,fma,f16c"), unused))
#define MIK_AVX512L       __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma,f16c"), unused))
#define MIK_WITH_FAMILIES 1              /* micro-kernels */
#define MIK_WITH_APARTS   1              /* what compilers are told of functions and loops */
#define MIK_WITH_UNROLL   1
#define MIK_WITH_FOLDED   1
#define MIK_WITH_LOOPS    1              /* non-GEMM loops, vectorized */
#define MIK_WITH_NESTS    1              /* which run by themselves, too */
#define MIK_WITH_INNER    1              /* two of them are cut for threads */
#define MIK_WITH_TASKS    1              /* of some a thread gets more than one task */
#define MIK_WITH_DOTS     1              /* dot-product instructions, and families whose operands are pairs or fours */
#define MIK_WITH_BF16     1               /* families whose panels have heads */
#define MIK_WITH_U8S8     1
#define MIK_NUMBER(set)   MIK_NUMBER_##set
enum { MIK_NUMBER_x86 = 2, MIK_NUMBER_avx2 = 2, MIK_NUMBER_avx512 = 3 };
#define MIK_RUNS(isa, set)   ((isa) >= MIK_NUMBER_##set) /* is the set of this number that one, or does it stand on it? */
#define MIK_WITH_ROWS        1              /* operations may pack A row by row */
#define MIK_WITH_AHEAD       1              /* B may be prepacked */

#define MIK_WITH_APART       1             /* arrays are told apart; and those that overlap are found */
#define MIK_WITH_OVERLAP     1
#define MIK_WITH_ROOM        1              /* operators have arrays of their own */

#define MIK_WITH_OWN_OPTIONS 1              /* traces: parts of calls have options of their own, */
#define MIK_WITH_NAMED_LOOPS 1             /* loops, */
#define MIK_LOOP_SETS        "portable", "avx2" /* names of the sets that they go by, from number 1 on, */
#define MIK_WITH_UNCUT       1             /* and some that are not cut for threads */

#define MIK_USES_HALF        1              /* 16-bit floats that the file converts */
#define MIK_USES_BF16        1
#define MIK_USES_LONG_NARROW 1       /* from integers of 64 bits and long double, too */
#define MIK_TURNS_TWO        1              /* blocks with units of two bytes, of four, are transposed */
#define MIK_TURNS_FOUR       1
#define MIK_STORES_HALF      1

typedef float mik_f32_acc;           /* of sums */
typedef float mik_f32_panel;         /* of packed operands, and of those read in place */
typedef uint16_t mik_bf16_panel;
typedef uint8_t mik_u8s8_panel;
typedef int16_t mik_i8_panel;
enum { MIK_I8_UNIT = 2, MIK_BF16_UNIT = 2, MIK_BF16_HEAD = 2, MIK_U8S8_UNIT = 4, MIK_U8S8_HEAD = 4 };

typedef uint16_t mik_f32_half;       /* elements in memory of operands that are converted into panels: of float, */
typedef int8_t mik_i8_s8;            /* of pairs of int16_t, */
typedef uint16_t mik_bf16_bf16;      /* of pairs of bf16, */
typedef uint8_t mik_u8s8_u8;         /* of fours of bytes */
#define MIK_HALF_BYTES   2
#define MIK_HALF_IS_HALF 1
#define MIK_HALF_IS_BF16 0
#define MIK_HALF_MANY    8              /* lines that a loop over a panel takes at a time, twice */
#define MIK_S8_BYTES     1
#define MIK_S8_IS_SIGNED 1
/* Generated files have these for AVX-512, too, from the same text. */
#define mik_f32_pack_half_rows_avx512     mik_f32_pack_half_rows
#define mik_f32_pack_half_straight_avx512 mik_f32_pack_half_straight

#define MIK_F32_NEEDS                     0              /* beside AVX-512 itself */
#define MIK_F32_UNIT                      1               /* elements of a panel that one multiply-add takes of a line */
#define MIK_F32_HEAD                      0               /* elements of a line before the first of them */
#define MIK_F32_HEAD_SUMS                 0          /* which is what it adds to each sum */
#define MIK_F32_LINE                      16              /* sums in a cache line */
#define MIK_F32_TURN                      4               /* rows and columns of a block that is transposed in registers */
#define MIK_F32_KNOTS                     8              /* steps of k for which the cost of a variant is known */
#define MIK_F32_TILE_SIZE                 448        /* the most outputs that a tile has */
#define MIK_F32_COVER_ROWS                16        /* what the covers of columns know: rows, vectors of columns */
#define MIK_F32_COVER_COLUMNS             32
#define MIK_F32_COVER_HEIGHTS             32     /* rows that the covers of rows know */
#define MIK_F32_COVER_STEPS               64       /* shorter sums have covers of their own */
#define MIK_F32_SWEEPS                    1             /* kernels that read operands in place and rows of any length: f32 and f64 */
#define MIK_F32_FIXED_COVERS              1             /* covers solved ahead of time for constant extents */
#define MIK_F32_BY_ROWS                   1            /* A may be packed row by row */
#define MIK_F32_CONVERTS                  1           /* operands are converted while they are packed */
#define MIK_F32_GATHERS                   1            /* operands may lie under conditions, as images under their padding do */
#define MIK_F32_EXCHANGES                 1              /* its rows may become columns (turned.h) */
#define MIK_F32_JUMPS                     1              /* and tiles may read them where they are */
#define MIK_F32_A_WORDS                   0 /* A may be read in place where panels have heads */
#define MIK_BF16_A_WORDS                  1
#define MIK_F32_NARROWS                   3 /* some sums are only rounded: 1, to bf16, 2, to half */
#define MIK_F32_WINOGRAD                  4 /* convolutions by Winograd's algorithm: outputs of a tile's rows, at most; 0: none */
#define MIK_F32_MORE_ISA                  1 /* what adds later sums to the output is told the instruction set */
#define MIK_F32_FLIPS_ROW                 1 /* a single row of outputs with an epilogue may be computed as a column */
#define MIK_F32_AHEAD                     1 /* of this family, too */
#define MIK_F32_QUANTIZED                 1 /* B may have been prepacked as codes, */
#define MIK_F32_CODES_PLAIN               0x30171 /* of so many bits: 1 << bits; 1 << 17: bf16 */
#define MIK_F32_CODES_WHOLE_ZEROS         0x171
#define MIK_F32_CODES_ZEROS               0x30171
#define MIK_F32_CODES_OFFSETS             0x30171
#define MIK_F32_CODES_ZEROS_OFFSETS       0x30171
#define MIK_F32_SHARES                    1 /* groups of steps have scales, or zero points and so on */
#define MIK_F32_WORDS                     1 /* B may have been prepacked for dot products, too */
#define MIK_F32_ROWS_AHEAD                1 /* A may have been prepacked, row by row */
#define MIK_F32_ROW_WORDS                 1 /* A may have been prepacked for dot products */
#define MIK_F32_IS_BF16                   0
#define MIK_F32_INTEGERS                  0 /* sums are int32_t */
#define MIK_F32_UNSIGNED                  0 /* they are uint32_t, as elements are */
#define MIK_F32_SIDE                      0 /* rows and columns of a block at most; 0: what the caches hold */
#define MIK_F32_FITTED                    1 /* numbers fitted to the machine take the place of the usual ones */
#define MIK_F32_FIT(of, name, usual)      ((of)->fitted.name) /* generated files have one or the other */
#define MIK_F32_OF(isa)                   isa, /* or nothing */
static const int mik_f32_knots[] = {1, 4, 16, 64, 256, 1024, 2560, 5120};

/* Of an instruction set. */
#define F32Z_LANES        16 /* accumulators in a vector */
#define F32Z_REGISTERS    32 /* vectors that a kernel holds, at most */
#define F32Z_WIDE         1 /* vectors of 512 bits */
#define F32Z_PREFETCHES   1 /* tile kernels prefetch */
#define F32Z_TURNS        0 /* an operand vector of B is put into the order that the multiply-add takes */
#define F32Z_MASKS        1 /* masked loads and stores cost no more than plain ones */
#define F32Z_NARROWS      3 /* tile kernels can store sums so */
#define F32Z_SUM4         1 /* the vocabulary adds up four vectors at once */
#define I8Z_VNNI          0 /* multiply-adds of pairs are one instruction */
#define F32Z_WIDEST       4 /* vectors of columns of a shallow kernel, at most */
#define F32Z_HEIGHTS      3 /* rows of the highest kernel for fewer columns than a vector has, */
#define F32Z_COLUMN(X)    X(1, 8) X(2, 4) X(3, 4) /* and the sets of each */
#define F32Z_ROW          8 /* vectors of sums that a row's kernel holds, at most, */
#define F32Z_ROWS_AT_ONCE 2 /* rows of B that are added to sums at once, where these are not in registers */
#define F32Z_ROW_PAIRS(X) X(1) X(2) X(3) X(4) /* by two */
#define F32Z_PANELS       2 /* panels of a B prepacked that a kernel reads at once */
