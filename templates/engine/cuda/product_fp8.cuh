/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "problem.cuh"

/* An element of an operand, 1 byte, whose conversion to float takes few registers on any device. */
template <typename T, bool E4M3> struct mik_fp8_element {
    T bits;

    __device__ __forceinline__ operator float() const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
        return (float)bits;
#else
        const uint32_t x = *(const uint8_t *)&bits, rest = x & 0x7f;
        const float scaled = __uint_as_float(E4M3 ? rest << 20 : rest << 21) * (E4M3 ? 0x1p120f : 0x1p112f);
        const float value = rest < (E4M3 ? 0x7f : 0x7c) ? scaled : __uint_as_float(E4M3 ? 0x7fc00000 : rest << 21 | 0x7f800000);
        return x & 0x80 ? -value : value;
#endif
    }
};

/* c += x * y for x 16 x 32, y 32 x 8, of floats of 8 bits, e4m3 or else e5m2; lane i holds c(i / 4, 2 * (i % 4)), the next column, and both
   8 rows on. Before sm_89, and on sm_90, which has only warpgroups' instructions for them, as half, which holds all of them: a lane's steps
   are in another order then, in x and y alike. */
#define MIK_MULTIPLY_FP8(X, Y) \
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32." X "." Y ".f32 { %0, %1, %2, %3}, { %4, %5, %6, %7}, { %8, %9}, " \
                 "{ %0, %1, %2, %3};" \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) \
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]))

template <bool X_E4M3, bool Y_E4M3> struct mik_fp8 {
    typedef float sum;
    typedef uint32_t fragment;
    static constexpr int ROWS = 16, STEPS = 32, X_COUNT = 4, Y_COUNT = 2;
    static constexpr bool ROUNDS = false, SPLITS = false;

    /* The first or the last two of four elements as halves. */
    template <bool E4M3, bool LAST> MIK_DEVICE uint32_t halves(uint32_t four)
    {
        if constexpr (!E4M3)
            return __byte_perm(four, 0, LAST ? 0x3424 : 0x1404); /* a half's upper byte */
        uint32_t x;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(x) : "h"((uint16_t)(LAST ? four >> 16 : four)));
#else
        const uint32_t two = __byte_perm(four, 0, LAST ? 0x3424 : 0x1404), small = (two & 0x80008000) | (two & 0x7f007f00) >> 1,
                       nan = ((two & 0x7f007f00) + 0x01000100) & 0x80008000;
        /* Times 2^8, by which the exponents differ; this normalizes, too. */
        asm("mul.f16x2 %0, %1, %2;" : "=r"(x) : "r"(small | (nan - (nan >> 15))), "r"(0x5c005c00));
#endif
        return x;
    }

    MIK_DEVICE void multiply_halves(float c[4], const uint32_t x[2], uint32_t y)
    {
        const uint32_t x0 = halves<X_E4M3, false>(x[0]), x1 = halves<X_E4M3, false>(x[1]), x2 = halves<X_E4M3, true>(x[0]),
                       x3 = halves<X_E4M3, true>(x[1]), y0 = halves<Y_E4M3, false>(y), y1 = halves<Y_E4M3, true>(y);
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 { %0, %1, %2, %3}, { %4, %5, %6, %7}, { %8, %9}, { %0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(x0), "r"(x1), "r"(x2), "r"(x3), "r"(y0), "r"(y1));
    }

    MIK_DEVICE void multiply(float c[4], const uint32_t x[4], const uint32_t y[2])
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890 && __CUDA_ARCH__ != 900
        if constexpr (X_E4M3 && Y_E4M3)
            MIK_MULTIPLY_FP8("e4m3", "e4m3");
        else if constexpr (X_E4M3)
            MIK_MULTIPLY_FP8("e4m3", "e5m2");
        else if constexpr (Y_E4M3)
            MIK_MULTIPLY_FP8("e5m2", "e4m3");
        else
            MIK_MULTIPLY_FP8("e5m2", "e5m2");
#else
        multiply_halves(c, x, y[0]);
        multiply_halves(c, x + 2, y[1]);
#endif
    }
};
#undef MIK_MULTIPLY_FP8
