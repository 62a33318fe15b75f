/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The dot kernels of one family on one instruction set: rows x cols inner products along k, both operands contiguous along k. A
 * whole vector of k per step, the last one masked; serves a matrix times a vector and outputs too narrow to fill a vector of
 * columns. Few inner products split k over `sets` sets of accumulators. The output has any two strides.
 */
#pragma once
#include "sums.h"

/* One step at k. */
MIK_FOLDED MIK_AVX512 void f32z_dot_step(const mik_f32_panel *const *a, const mik_f32_panel *const *b, int64_t k, f32z_mask last,
                                         f32z_vec *sum, const int rows, const int cols, const int part)
{
    f32z_operand y[4];
    MIK_UNROLL
    for (int j = 0; j < cols; j++)
        y[j] = part ? f32z_load_part(b[j] + k, last) : rows > 1 ? f32z_fetch(b[j] + k) : f32z_load(b[j] + k);
    MIK_UNROLL
    for (int i = 0; i < rows; i++) {
        const f32z_operand x = part ? f32z_load_part(a[i] + k, last) : cols > 1 ? f32z_fetch(a[i] + k) : f32z_load(a[i] + k);
        MIK_UNROLL
        for (int j = 0; j < cols; j++)
            sum[i * cols + j] = f32z_fma(x, y[j], sum[i * cols + j]);
    }
}

/* One result, with what the heads of its row and column say. */
static inline void f32z_dot_end(const mik_f32_tile *t, int i, int j, mik_f32_acc sum)
{
#if MIK_F32_HEAD_SUMS
    sum += mik_word(t->head + i * t->pitch) + mik_word(t->b + j * t->b_n);
#endif
    mik_f32_out(t, i, j, sum);
}

MIK_FOLDED MIK_AVX512 void f32z_dot(const mik_f32_tile *t, const int rows, const int cols, const int sets)
{
    enum { width = F32Z_LANES * MIK_F32_UNIT };
    const mik_f32_panel *a[F32Z_REGISTERS], *b[4];
    f32z_vec sum[F32Z_REGISTERS];
    mik_f32_acc four[4];
    const int64_t end = MIK_F32_UNIT * t->k + MIK_F32_HEAD;
    int64_t k = MIK_F32_HEAD;
    a[0] = t->a, b[0] = t->b;
    MIK_UNROLL
    for (int i = 1; i < rows; i++)
        a[i] = a[i - 1] + t->a_m;
    MIK_UNROLL
    for (int j = 1; j < cols; j++)
        b[j] = b[j - 1] + t->b_n;
    MIK_UNROLL
    for (int i = 0; i < rows * cols * sets; i++)
        sum[i] = f32z_zero();
    if (sets > 1)
        for (; k + sets * width <= end; k += sets * width) {
            MIK_UNROLL
            for (int set = 0; set < sets; set++)
                f32z_dot_step(a, b, k + set * width, f32z_first(F32Z_LANES), sum + set * rows * cols, rows, cols, 0);
        }
    for (; k + width <= end; k += width)
        f32z_dot_step(a, b, k, f32z_first(F32Z_LANES), sum, rows, cols, 0);
    if (k < end)
        f32z_dot_step(a, b, k, f32z_first((int)(end - k) / MIK_F32_UNIT), sum, rows, cols, 1);
    MIK_UNROLL
    for (int set = 1; set < sets; set++) {
        MIK_UNROLL
        for (int i = 0; i < rows * cols; i++)
            sum[i] = f32z_add(sum[i], sum[set * rows * cols + i]);
    }
    /* The results in fours, what remains one by one. */
    MIK_UNROLL
    for (int i = 0; i < rows * cols; i++) {
        if (i % 4 == 0 && i + 4 <= rows * cols)
            f32z_sum4(sum[i], sum[i + 1], sum[i + 2], sum[i + 3], four);
        f32z_dot_end(t, i / cols, i % cols, i < rows * cols / 4 * 4 ? four[i % 4] : f32z_sum(sum[i]));
    }
}
