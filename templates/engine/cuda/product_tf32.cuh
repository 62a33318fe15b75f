/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "problem.cuh"

/* c += x * y for x 16 x 8, y 8 x 8; lane i holds c(i / 4, 2 * (i % 4)), the next column, and both 8 rows on. SPLIT: each factor is the
   sum of what tf32 holds of it and what tf32 holds of the rest. */
template <bool SPLIT> struct mik_tf32 {
    typedef float sum;
    typedef uint32_t fragment;
    static constexpr int ROWS = 16, STEPS = 8, X_COUNT = 4, Y_COUNT = 2;
    static constexpr bool ROUNDS = true, SPLITS = SPLIT;

    /* The 10 bits of fraction that the tensor cores read, to nearest, ties away from zero. */
    MIK_DEVICE uint32_t nearest(float x)
    {
        uint32_t bits;
        asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
        return bits;
    }

    template <int COUNT> MIK_DEVICE void round(uint32_t *x)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            x[i] = nearest(__uint_as_float(x[i]));
    }

    template <int COUNT> MIK_DEVICE void split(uint32_t *x, uint32_t *rest)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const float whole = __uint_as_float(x[i]);
            x[i] = nearest(whole);
            rest[i] = nearest(whole - __uint_as_float(x[i]));
        }
    }

    MIK_DEVICE void multiply(float c[4], const uint32_t x[4], const uint32_t y[2])
    {
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 { %0, %1, %2, %3}, { %4, %5, %6, %7}, { %8, %9}, { %0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    }
};
