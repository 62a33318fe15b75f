/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "problem.cuh"

/* COUNT 8 x 8 matrices of 16-bit elements: lane i gives the address of row i % 8 of matrix i / 8 and gets, of every matrix,
   elements 2 * (i % 4) and the next of row i / 4, or, transposed, of column i / 4. */
template <int COUNT, bool TRANSPOSED> MIK_DEVICE void mik_ldmatrix(uint32_t *r, uint32_t row)
{
    static_assert(COUNT == 4 || COUNT == 2, "what the kernels use");
    if constexpr (COUNT == 4 && TRANSPOSED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 { %0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(row)
                     : "memory");
    else if constexpr (COUNT == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 { %0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(row)
                     : "memory");
    else if constexpr (TRANSPOSED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 { %0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(row) : "memory");
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 { %0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(row) : "memory");
}
