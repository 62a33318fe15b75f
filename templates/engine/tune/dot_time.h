/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Timing inner products of one family. */
#pragma once
#include "kernel_time.h"

static void tune_f32_products(void *block) { mik_f32_inner_products(block); }

/* Nanoseconds of m x n inner products of k steps, A fresh from the second-level cache or nearer. */
static double tune_f32_dots(const mik_f32_isa *isa, int64_t m, int64_t n, int64_t k)
{
    mik_f32_block x;
    memset(&x, 0, sizeof x);
    x.op = &tune_f32_operation;
    x.tiling.isa = isa;
    x.k = x.kc = k;
    x.dots = 1;
    x.r.m1 = x.r.mc = m, x.r.n1 = x.r.nc = n;
    x.a_m = x.b_n = mik_round_up(k, TUNE_F32_UNIT) + MIK_F32_HEAD, x.a_k = x.b_k = 1, x.c_m = n, x.c_n = 1;
    x.a = tune_keep(TUNE_A, (size_t)(m * x.a_m) * sizeof *x.a);
    x.b = tune_keep(TUNE_B, (size_t)(n * x.b_n) * sizeof *x.b);
    x.c = tune_keep(TUNE_C, (size_t)(m * n) * sizeof *x.c);
#if MIK_F32_UNIT > 1
    x.r.pack_a = x.r.pack_b = 1;
    x.room_a = tune_keep(TUNE_A, (size_t)(m * x.a_m) * sizeof *x.a);
    x.room_b = tune_keep(TUNE_B, (size_t)(n * x.b_n) * sizeof *x.b);
#endif
    return tune_time(tune_f32_products, &x);
}
