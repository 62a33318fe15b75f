/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "problem.cuh"

/* c += x * y for x 16 x 16, y 16 x 8; lane i holds c(i / 4, 2 * (i % 4)), the next column, and both 8 rows on. */
struct mik_bf16 {
    typedef float sum;
    typedef uint32_t fragment;
    static constexpr int ROWS = 16, STEPS = 16, X_COUNT = 4, Y_COUNT = 2;
    static constexpr bool ROUNDS = false, SPLITS = false;

    MIK_DEVICE void multiply(float c[4], const uint32_t x[4], const uint32_t y[2])
    {
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 { %0, %1, %2, %3}, { %4, %5, %6, %7}, { %8, %9}, { %0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    }

    /* Two factors, the first of which is in the lower half. */
    MIK_DEVICE uint32_t pair(float first, float second)
    {
        uint32_t x;
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(second), "f"(first));
        return x;
    }
};
