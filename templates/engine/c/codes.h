/*
 * A B of codes and scales, of one instruction set: its product with a few rows, each code becoming a number in a register, and numbers for
 * the panels of other kernels. One panel at a time, which is one stream of memory. (Zen 4, 113 MB of 4-bit codes, one row: 96 % of what a
 * loop gets that only reads them, 84 and 89 % by two and four panels at once.)
 */
#pragma once
#include "codes_avx512.h"
#include "types.h"

MIK_INLINE MIK_AVX512 f32z_vec f32z_scale(const mik_f32_quantized *form, const unsigned char *scales, int64_t group, int v)
{
    static const mik_f32_acc one = 1;
    const unsigned char *at = scales + (group * MIK_F32_CODE_COLUMNS + v * F32Z_LANES) * form->scales;
    if (form->scales == 0)
        return f32z_spread(&one);
    return form->scales == 2 ? f32z_halves(at) : f32z_load((const mik_f32_acc *)(const void *)at);
}

/* `rows` of them, `bits` being the form's. */
MIK_FOLDED MIK_AVX512 void f32z_codes_of(const mik_f32_few *t, const int rows, const int bits)
{
    enum { width = MIK_F32_CODE_COLUMNS, vectors = width / F32Z_LANES, steps = MIK_F32_CODE_STEPS, most = 4 * vectors, far = 2048 };
    const int all = rows * vectors, sets = all < 4 ? 4 / all : 1, bytes = bits * (width * steps / 8), least = t->form->least;
    const mik_f32_acc *a = t->a;
    const int64_t a_m = t->a_m, a_k = t->a_k, group = t->form->group ? t->form->group : t->k;
    const unsigned char *codes = t->codes;
    const f32z_book book = f32z_book_of(least);
    f32z_vec sum[most];
    MIK_UNROLL
    for (int i = 0; i < all; i++)
        sum[i] = f32z_zero();
    for (int64_t k = 0, g = 0; k < t->k; g++) {
        const int64_t end = mik_min(k + group, t->k);
        f32z_vec part[most > 4 ? most : 4];
        MIK_UNROLL
        for (int i = 0; i < all * sets; i++)
            part[i] = f32z_zero();
        for (; k < end; k += steps, a += steps * a_k, codes += bytes) {
            f32z_words words[vectors]; /* of 4-bit codes */
            MIK_UNROLL
            for (int j = 0; j < bytes; j += 64)
                MIK_FETCH(codes + far + j);
            MIK_UNROLL
            for (int v = 0; v < vectors; v++)
                words[v] = f32z_words_at(codes + 4 * F32Z_LANES * v);
            MIK_UNROLL
            for (int j = 0; j < steps; j++) {
                f32z_vec x[4];
                MIK_UNROLL
                for (int i = 0; i < rows; i++)
                    x[i] = f32z_spread(a + i * a_m + j * a_k);
                MIK_UNROLL
                for (int v = 0; v < vectors; v++) {
                    const f32z_vec y = bits == 4 ? f32z_nibble(words[v], j, book) : f32z_byte(codes + j * width + v * F32Z_LANES, least);
                    MIK_UNROLL
                    for (int i = 0; i < rows; i++) {
                        f32z_vec *const to = &part[(i * vectors + v) * sets + j % sets];
                        *to = f32z_fma(x[i], y, *to);
                    }
                }
            }
        }
        MIK_UNROLL
        for (int i = 0; i < all; i++) {
            f32z_vec total = part[i * sets];
            MIK_UNROLL
            for (int j = 1; j < sets; j++)
                total = f32z_add(total, part[i * sets + j]);
            sum[i] = f32z_fma(total, f32z_scale(t->form, t->scales, g, i % vectors), sum[i]);
        }
    }
    MIK_UNROLL
    for (int i = 0; i < all; i++)
        f32z_put(t->c + i / vectors * t->c_m + i % vectors * F32Z_LANES, sum[i]);
}

/* Any number of rows: as many at a time as registers hold. */
MIK_AVX512
static void f32z_codes(const mik_f32_few *t, int64_t rows)
{
#if F32Z_WIDE
    enum { most = 4 };
#else
    enum { most = 2 };
#endif
    mik_f32_few x = *t;
    for (int64_t h; rows > 0; rows -= h) {
        h = mik_min(rows, most);
        switch (2 * (int)h + (t->form->bits == 4)) {
        case 2: f32z_codes_of(&x, 1, 8); break;
        case 3: f32z_codes_of(&x, 1, 4); break;
        case 4: f32z_codes_of(&x, 2, 8); break;
        case 5: f32z_codes_of(&x, 2, 4); break;
#if F32Z_WIDE
        case 6: f32z_codes_of(&x, 3, 8); break;
        case 7: f32z_codes_of(&x, 3, 4); break;
        case 8: f32z_codes_of(&x, 4, 8); break;
        default: f32z_codes_of(&x, 4, 4);
#endif
        }
        x.a += h * x.a_m;
        x.c += h * x.c_m;
    }
}

/* All steps of a unit, times their scale, rows `pitch` apart. */
MIK_FOLDED MIK_AVX512 void f32z_unpack_unit(const unsigned char *codes, int v, int least, const int bits, f32z_vec scale,
                                            mik_f32_panel *dst, int64_t pitch)
{
    const f32z_book book = f32z_book_of(least);
    const f32z_words words = f32z_words_at(codes + 4 * F32Z_LANES * v);
    MIK_UNROLL
    for (int j = 0; j < MIK_F32_CODE_STEPS; j++) {
        const f32z_vec y = bits == 4 ? f32z_nibble(words, j, book) : f32z_byte(codes + j * MIK_F32_CODE_COLUMNS + v * F32Z_LANES, least);
        f32z_put(dst + j * pitch, f32z_fma(y, scale, f32z_zero()));
    }
}

MIK_FOLDED MIK_AVX512 void f32z_unpack_of(const mik_f32_quantized *form, const mik_f32_codes *at, int v, const int bits, int64_t k0,
                                          int64_t kc, mik_f32_panel *dst, int64_t pitch)
{
    enum { steps = MIK_F32_CODE_STEPS };
    const int64_t group = form->group ? form->group : k0 + kc;
    for (int64_t k = k0, end; k < k0 + kc; k = end) {
        const f32z_vec scale = f32z_scale(form, at->scales, k / group, v);
        for (end = mik_min((k / group + 1) * group, k0 + kc); k < end;) {
            const unsigned char *codes = at->codes + k / steps * (bits * (MIK_F32_CODE_COLUMNS * steps / 8));
            if (k % steps == 0 && end - k >= steps) {
                f32z_unpack_unit(codes, v, form->least, bits, scale, dst + (k - k0) * pitch, pitch);
                k += steps;
                continue;
            }
            mik_f32_panel some[steps * F32Z_LANES];
            f32z_unpack_unit(codes, v, form->least, bits, scale, some, F32Z_LANES);
            do {
                memcpy(dst + (k - k0) * pitch, some + k % steps * F32Z_LANES, F32Z_LANES * sizeof *some);
                k++;
            } while (k < end && k % steps);
        }
    }
}

MIK_AVX512
static void f32z_unpack(const mik_f32_quantized *form, const mik_f32_codes *at, int v, int64_t k0, int64_t kc, mik_f32_panel *dst,
                        int64_t pitch)
{
    if (form->bits == 4)
        f32z_unpack_of(form, at, v, 4, k0, kc, dst, pitch);
    else
        f32z_unpack_of(form, at, v, 8, k0, kc, dst, pitch);
}
