/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "problem.cuh"

/* c += x * y for x 16 x 32, y 32 x 8, of bytes with or without signs; lane i holds c(i / 4, 2 * (i % 4)), the next column, and both
   8 rows on. */
#define MIK_MULTIPLY_BYTES(X, Y) \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." X "." Y ".s32 { %0, %1, %2, %3}, { %4, %5, %6, %7}, { %8, %9}, " \
                 "{ %0, %1, %2, %3};" \
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) \
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]))

template <bool X_SIGNED, bool Y_SIGNED> struct mik_i8 {
    typedef int sum;
    typedef uint32_t fragment;
    static constexpr int ROWS = 16, STEPS = 32, X_COUNT = 4, Y_COUNT = 2;
    static constexpr bool ROUNDS = false, SPLITS = false;

    MIK_DEVICE void multiply(int c[4], const uint32_t x[4], const uint32_t y[2])
    {
        if constexpr (X_SIGNED && Y_SIGNED)
            MIK_MULTIPLY_BYTES("s8", "s8");
        else if constexpr (X_SIGNED)
            MIK_MULTIPLY_BYTES("s8", "u8");
        else if constexpr (Y_SIGNED)
            MIK_MULTIPLY_BYTES("u8", "s8");
        else
            MIK_MULTIPLY_BYTES("u8", "u8");
    }
};
#undef MIK_MULTIPLY_BYTES
