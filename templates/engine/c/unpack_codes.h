/* A B packed ahead of calls as codes and scales: packing it, and panels of the numbers that they stand for. */
#pragma once
#include "float16.h"
#include "operation.h"
#include "tables.h"

/* Four or eight bits for each number that `fill` gives of a batch's B, what it has above form->least; zeros fill the last panel and the
   last unit up. */
MIK_SHARED void mik_f32_pack_codes(const mik_f32_quantized *form, mik_f32_fill_numbers *fill, const void *s, const mik_problem *p,
                                   int64_t batch, unsigned char *dst)
{
    enum { width = MIK_F32_CODE_COLUMNS, steps = MIK_F32_CODE_STEPS };
    mik_f32_panel numbers[width * steps];
    for (int64_t n = 0; n < p->n; n += width)
        for (int64_t k = 0; k < p->k; k += steps, dst += form->bits * (width * steps / 8)) {
            const int64_t w = mik_min(width, p->n - n), kc = mik_min(steps, p->k - k);
            uint32_t words[width] = {0};
            fill(s, batch, k, kc, n, w, width, numbers);
            if (form->bits == 8)
                memset(dst, 0, width * steps);
            for (int64_t i = 0; i < kc; i++)
                for (int64_t j = 0; j < w; j++) {
                    const int code = (int)numbers[i * width + j];
                    if (form->bits == 8)
                        dst[i * width + j] = (unsigned char)code;
                    else
                        words[j] |= (uint32_t)(code - form->least) << 4 * i;
                }
            if (form->bits == 4)
                memcpy(dst, words, sizeof words);
        }
}

/* The scales of a batch's B, which `fill` gives for each step, one for each group. */
MIK_SHARED void mik_f32_pack_scales(const mik_f32_quantized *form, mik_f32_fill_numbers *fill, const void *s, const mik_problem *p,
                                    int64_t batch, unsigned char *dst)
{
    enum { width = MIK_F32_CODE_COLUMNS };
    for (int64_t n = 0; n < p->n; n += width)
        for (int64_t k = 0; k < p->k; k += form->group ? form->group : p->k, dst += width * form->scales) {
            mik_f32_panel numbers[width] = {0};
            fill(s, batch, k, 1, n, mik_min(width, p->n - n), width, numbers);
#if MIK_USES_HALF
            for (int j = 0; j < width && form->scales == 2; j++) {
                const uint16_t half = mik_float_to_half(numbers[j]);
                memcpy(dst + 2 * j, &half, sizeof half);
            }
#endif
            if (form->scales == 4)
                memcpy(dst, numbers, sizeof numbers);
        }
}

/* Whole vectors of columns from n0 on, all in one panel of dst. */
static void mik_f32_unpack_vectors(const mik_f32_isa *isa, const mik_f32_quantized *form, const mik_f32_codes *at, int64_t k0, int64_t kc,
                                   int64_t n0, int64_t nc, int64_t nr, mik_f32_panel *dst)
{
    enum { width = MIK_F32_CODE_COLUMNS };
    for (int64_t n = n0; n < n0 + nc; n += isa->lanes) {
        mik_f32_codes panel = *at;
        panel.codes += n / width * at->codes_apart;
        panel.scales += n / width * at->scales_apart;
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
