/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* A B prepacked as codes, scales and so on: packing it, and panels of the numbers that they stand for. */
#pragma once
#include "float16.h"
#include "operation.h"
#include "tables.h"

/* A half, or bf16, that the number once was. */
static void mik_f32_put_16(int bf16, mik_f32_panel number, unsigned char *dst)
{
    uint16_t bits = 0;
#if MIK_USES_BF16
    bits = bf16 ? mik_float_to_bf16(number) : bits;
#endif
#if MIK_USES_HALF
    bits = bf16 ? bits : mik_float_to_half(number);
#endif
    (void)bf16, (void)number;
    memcpy(dst, &bits, sizeof bits);
}

/* A unit's code of step i and column j, which have been zeros. */
static void mik_f32_put_code(const mik_f32_quantized *form, int64_t i, int64_t j, mik_f32_panel number, unsigned char *unit)
{
    enum { width = MIK_F32_CODE_COLUMNS, steps = MIK_F32_CODE_STEPS };
    if (form->bits == 16) {
        mik_f32_put_16(form->bf16, number, unit + 2 * (i * width + j));
        return;
    }
    if (form->bits == 8) {
        unit[i * width + j] = (unsigned char)(int)number;
        return;
    }
    const unsigned code = (unsigned)((int)number - form->least);
    uint32_t word;
    memcpy(&word, unit + 4 * j, sizeof word);
    word |= (uint32_t)(code & 15) << 4 * i;
    memcpy(unit + 4 * j, &word, sizeof word);
    for (int b = 4; b < form->bits; b++)
        unit[width * steps / 8 * b + 2 * i + j / 8] |= (unsigned char)((code >> b & 1) << j % 8);
}

/* Those of the numbers that `fill` gives of a batch's B; zeros fill the last panel and the last unit up. */
MIK_SHARED void mik_f32_pack_codes(const mik_f32_quantized *form, mik_f32_fill_numbers *fill, const void *s, const mik_problem *p,
                                   int64_t batch, unsigned char *dst)
{
    enum { width = MIK_F32_CODE_COLUMNS, steps = MIK_F32_CODE_STEPS };
    const int64_t bytes = mik_f32_code_bytes(form, steps);
    mik_f32_panel numbers[width * steps];
    for (int64_t n = 0; n < p->n; n += width)
        for (int64_t k = 0; k < p->k; k += steps, dst += bytes) {
            const int64_t w = mik_min(width, p->n - n), kc = mik_min(steps, p->k - k);
            fill(s, batch, k, kc, n, w, width, numbers);
            memset(dst, 0, (size_t)bytes);
            for (int64_t i = 0; i < kc; i++)
                for (int64_t j = 0; j < w; j++)
                    mik_f32_put_code(form, i, j, numbers[i * width + j], dst);
        }
}

#if MIK_F32_SHARES
/* The scales of a batch's B, or what else groups share, which `fill` gives for each step, one for each group. */
MIK_SHARED void mik_f32_pack_shared(const mik_f32_quantized *form, int which, mik_f32_fill_numbers *fill, const void *s,
                                    const mik_problem *p, int64_t batch, unsigned char *dst)
{
    enum { width = MIK_F32_CODE_COLUMNS };
    for (int64_t n = 0; n < p->n; n += width)
        for (int64_t k = 0; k < p->k; k += form->group ? form->group : p->k, dst += width * form->shared[which]) {
            mik_f32_panel numbers[width] = {0};
            fill(s, batch, k, 1, n, mik_min(width, p->n - n), width, numbers);
            for (int j = 0; j < width && form->shared[which] == 2; j++)
                mik_f32_put_16(0, numbers[j], dst + 2 * j);
            for (int j = 0; j < width && form->shared[which] == 1; j++)
                dst[j] = (unsigned char)(int)numbers[j];
            if (form->shared[which] == 4)
                memcpy(dst, numbers, sizeof numbers);
        }
}
#endif

/* Whole vectors of columns from n0 on, all in one panel of dst. */
static void mik_f32_unpack_vectors(const mik_f32_isa *isa, const mik_f32_quantized *form, const mik_f32_codes *at, int64_t k0, int64_t kc,
                                   int64_t n0, int64_t nc, int64_t nr, mik_f32_panel *dst)
{
    enum { width = MIK_F32_CODE_COLUMNS };
    for (int64_t n = n0; n < n0 + nc; n += isa->lanes) {
        mik_f32_codes panel = *at;
        panel.codes += n / width * at->codes_apart;
        for (int w = 0; w < MIK_F32_PER_GROUP; w++)
            panel.shared[w] += n / width * at->shared_apart[w];
        isa->unpack(form, &panel, (int)(n % width / isa->lanes), k0, kc, dst + (n - n0), nr);
    }
}

/* kc steps from k0 and nc columns from n0 of a batch's B, in panels of nr columns. */
static void mik_f32_unpack_b(const mik_f32_isa *isa, const mik_f32_quantized *form, const void *s, int64_t batch, int64_t k0, int64_t kc,
                             int64_t n0, int64_t nc, int64_t nr, mik_f32_panel *dst)
{
    enum { few = 32 };
    mik_f32_codes at;
    form->place(s, batch, &at);
    for (int64_t n = n0, w; n < n0 + nc; n += w, dst += nr * kc) {
        w = mik_min(nr, n0 + nc - n);
        if (n % isa->lanes == 0 && nr % isa->lanes == 0) {
            mik_f32_unpack_vectors(isa, form, &at, k0, kc, n, w, nr, dst);
            continue;
        }
        /* Columns that are not a vector's: by a few steps, from where they are. */
        mik_f32_panel numbers[few * MIK_F32_CODE_COLUMNS];
        for (int64_t j = 0, some; j < w; j += some) {
            const int64_t first = (n + j) / isa->lanes * isa->lanes, skip = n + j - first;
            some = mik_min(isa->lanes - skip, w - j);
            for (int64_t k = 0, kf; k < kc; k += kf) {
                kf = mik_min(few, kc - k);
                mik_f32_unpack_vectors(isa, form, &at, k0 + k, kf, first, isa->lanes, isa->lanes, numbers);
                for (int64_t i = 0; i < kf; i++)
                    memcpy(dst + (k + i) * nr + j, numbers + i * isa->lanes + skip, (size_t)some * sizeof *dst);
            }
        }
    }
}
