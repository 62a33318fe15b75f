/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Prepacks an A (ahead_rows.h) for kernels that read what the operation packs. */
#pragma once
#include "ahead_rows.h"
#include "operation.h"
#include "pack.h"
#include "tables.h"

/* Packs that of a batch: some rows, a few steps at a time, so that what lies across them is read line by line. */
MIK_SHARED void mik_f32_pack_ahead_a(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t batch, mik_f32_panel *dst)
{
    enum { rows = 16, steps = 64 };
    const int64_t apart = mik_rows_apart(p->k * (int64_t)sizeof *dst) / (int64_t)sizeof *dst;
    const int isa = mik_f32_choose(mik_isa(0, MIK_F32_NEEDS))->level;
    const mik_f32_panel *const a = op->a && p->a_in_place && p->k > 0 ? op->a(s, batch) : NULL;
    mik_f32_panel piece[rows * steps];
    for (int64_t m = 0, mc; m < p->m; m += mc) {
        mc = mik_min(rows, p->m - m);
        for (int64_t k = 0, kc; k < p->k; k += kc) {
            kc = mik_min(steps, p->k - k);
            if (a)
                mik_f32_pack_a(a + m * p->a_m + k * p->a_k, p->a_m, p->a_k, mc, kc, 1, piece);
            else
                op->pack_a(s, isa, batch, m, mc, k, kc, 1, piece);
            for (int64_t i = 0; i < mc; i++)
                memcpy(dst + (m + i) * apart + k, piece + i * kc, (size_t)kc * sizeof *dst);
        }
        for (int64_t i = m; i < m + mc; i++)
            memset(dst + i * apart + p->k, 0, (size_t)(apart - p->k) * sizeof *dst);
    }
}
