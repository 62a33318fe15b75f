/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * A B of codes, of one instruction set: its product with a few rows, each code becoming a number in a register, and numbers for
 * the panels of other kernels. One panel at a time, which is one stream of memory. (Zen 4, 113 MB of 4-bit codes, one row: 96 % of what a
 * loop gets that only reads them, 84 and 89 % by two and four panels at once.)
 */
#pragma once
#include "../sets/avx512/codes.h"
#include "types.h"

/* Of a group: the scales, or what else it shares, of vector v of a panel's columns. */
MIK_INLINE MIK_AVX512 f32z_vec f32z_shared(const mik_f32_quantized *form, int which, const unsigned char *shared, int64_t group, int v)
{
    static const mik_f32_acc none[] = {[MIK_F32_SCALE] = 1, [MIK_F32_ZERO] = 0, [MIK_F32_OFFSET] = 0, [MIK_F32_FACTOR] = 1};
    const int bytes = form->shared[which];
    const unsigned char *at = shared + (group * MIK_F32_CODE_COLUMNS + v * F32Z_LANES) * bytes;
    if (bytes == 0)
        return f32z_spread(&none[which]);
    if (bytes == 1)
        return f32z_byte(at, form->least_zero);
    return bytes == 2 ? f32z_halves(at) : f32z_load((const mik_f32_acc *)(const void *)at);
}

/* What a group does to its codes before a row's element multiplies them, of the kinds that do it. */
typedef struct {
    f32z_less less;
    f32z_vec zero, scale, offset;
} f32z_change;

MIK_INLINE MIK_AVX512 f32z_change f32z_change_of(const mik_f32_quantized *form, const unsigned char *const *shared, int64_t group, int v,
                                                 const int bits, const int kind)
{
    f32z_change change;
    memset(&change, 0, sizeof change);
    if (kind == MIK_F32_WHOLE_ZEROS)
        change.less = f32z_less_of(f32z_shared(form, MIK_F32_ZERO, shared[MIK_F32_ZERO], group, v), form->least, bits);
    if (kind == MIK_F32_ZEROS || kind == MIK_F32_ZEROS_OFFSETS)
        change.zero = f32z_shared(form, MIK_F32_ZERO, shared[MIK_F32_ZERO], group, v);
    if (kind == MIK_F32_OFFSETS || kind == MIK_F32_ZEROS_OFFSETS) {
        change.scale = f32z_shared(form, MIK_F32_SCALE, shared[MIK_F32_SCALE], group, v);
        change.offset = f32z_shared(form, MIK_F32_OFFSET, shared[MIK_F32_OFFSET], group, v);
    }
    return change;
}

/* What waits for the sum of a group. */
MIK_INLINE MIK_AVX512 f32z_vec f32z_last(const mik_f32_quantized *form, const unsigned char *const *shared, int64_t group, int v,
                                         const int kind)
{
    const int which = kind == MIK_F32_OFFSETS || kind == MIK_F32_ZEROS_OFFSETS ? MIK_F32_FACTOR : MIK_F32_SCALE;
    return f32z_shared(form, which, shared[which], group, v);
}

/* The code of step j of a unit, vector v of the columns, of so many bits; `words` are the unit's, of less than 8 bits. */
MIK_INLINE MIK_AVX512 f32z_vec f32z_code(const unsigned char *unit, const f32z_words words, const f32z_book book, const int j, const int v,
                                         const int bits, const int bf16, const int kind, int least, const f32z_change *change)
{
    enum { width = MIK_F32_CODE_COLUMNS, plane = width * MIK_F32_CODE_STEPS / 8 };
    const int at = j * width + v * F32Z_LANES;
    if (bits == 16)
        return bf16 ? f32z_bf16(unit + 2 * at) : f32z_halves(unit + 2 * at);
    if (bits == 8)
        return kind == MIK_F32_WHOLE_ZEROS ? f32z_byte_less(unit + at, least, change->less) : f32z_byte(unit + at, least);
    f32z_vec y = kind == MIK_F32_WHOLE_ZEROS ? f32z_nibble_less(words, j, change->less) : f32z_nibble(words, j, book);
    if (bits > 4)
        y = f32z_with_bit(y, unit + 4 * plane + 2 * j, v, 16);
    if (bits > 5)
        y = f32z_with_bit(y, unit + 5 * plane + 2 * j, v, 32);
    return y;
}

/* The same after what its group does to it. */
MIK_INLINE MIK_AVX512 f32z_vec f32z_number(const unsigned char *unit, const f32z_words words, const f32z_book book, const int j,
                                           const int v, const int bits, const int bf16, const int kind, int least,
                                           const f32z_change *change)
{
    f32z_vec y = f32z_code(unit, words, book, j, v, bits, bf16, kind, least, change);
    if (kind == MIK_F32_ZEROS || kind == MIK_F32_ZEROS_OFFSETS)
        y = f32z_sub(y, change->zero);
    if (kind == MIK_F32_OFFSETS || kind == MIK_F32_ZEROS_OFFSETS)
        y = f32z_add(f32z_mul(y, change->scale), change->offset);
    return y;
}

/* `rows` of them; `bits`, `bf16` and `kind` are the form's. */
MIK_FOLDED MIK_AVX512 void f32z_codes_of(const mik_f32_few *t, const int rows, const int bits, const int bf16, const int kind)
{
    enum { width = MIK_F32_CODE_COLUMNS, vectors = width / F32Z_LANES, steps = MIK_F32_CODE_STEPS, most = 4 * vectors, far = 2048 };
    const int all = rows * vectors, sets = all < 4 ? 4 / all : 1, bytes = bits * (width * steps / 8), least = t->form->least;
    const mik_f32_acc *a = t->a;
    const int64_t a_m = t->a_m, a_k = t->a_k, group = t->form->group ? t->form->group : t->k;
    const unsigned char *codes = t->codes;
    const f32z_book book = f32z_book_of(kind == MIK_F32_OFFSETS ? 0 : least);
    f32z_vec sum[most];
    MIK_UNROLL
    for (int i = 0; i < all; i++)
        sum[i] = f32z_zero();
    for (int64_t k = 0, g = 0; k < t->k; g++) {
        const int64_t end = mik_min(k + group, t->k);
        f32z_vec part[most > 4 ? most : 4];
        f32z_change change[vectors];
        MIK_UNROLL
        for (int i = 0; i < all * sets; i++)
            part[i] = f32z_zero();
        MIK_UNROLL
        for (int v = 0; v < vectors; v++)
            change[v] = f32z_change_of(t->form, t->shared, g, v, bits, kind);
        for (; k < end; k += steps, a += steps * a_k, codes += bytes) {
            f32z_words words[vectors];
            MIK_UNROLL
            for (int j = 0; j < bytes; j += 64)
                MIK_PREFETCH(codes + far + j);
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
                    const f32z_vec y = f32z_number(codes, words[v], book, j, v, bits, bf16, kind, least, &change[v]);
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
            sum[i] = f32z_fma(total, f32z_last(t->form, t->shared, g, i % vectors, kind), sum[i]);
        }
    }
    MIK_UNROLL
    for (int i = 0; i < all; i++)
        f32z_put(t->c + i / vectors * t->c_m + i % vectors * F32Z_LANES, sum[i]);
}

#if F32Z_WIDE
enum { F32Z_CODE_ROWS = 4 };
#else
enum { F32Z_CODE_ROWS = 2 };
#endif

/* At most so many rows. */
MIK_FOLDED MIK_AVX512 void f32z_codes_rows(const mik_f32_few *t, int rows, const int bits, const int bf16, const int kind)
{
    if (F32Z_CODE_ROWS > 3 && rows > 3)
        f32z_codes_of(t, 4, bits, bf16, kind);
    else if (F32Z_CODE_ROWS > 2 && rows > 2)
        f32z_codes_of(t, 3, bits, bf16, kind);
    else if (rows > 1)
        f32z_codes_of(t, 2, bits, bf16, kind);
    else
        f32z_codes_of(t, 1, bits, bf16, kind);
}

/* A file with many kinds has one body for all but plain codes, which asks for the kind: compilers take as long as there are bodies. */
enum {
    F32Z_CODES_OTHERS = MIK_F32_CODES_WHOLE_ZEROS | MIK_F32_CODES_ZEROS | MIK_F32_CODES_OFFSETS | MIK_F32_CODES_ZEROS_OFFSETS,
    F32Z_CODES_MANY = (MIK_F32_CODES_WHOLE_ZEROS != 0) + (MIK_F32_CODES_ZEROS != 0) + (MIK_F32_CODES_OFFSETS != 0) +
                          (MIK_F32_CODES_ZEROS_OFFSETS != 0) >
                      2
};

/* The same, if the form is of the kind, of which the file `has` codes of so many bits. */
MIK_FOLDED MIK_AVX512 void f32z_codes_kind(const mik_f32_few *t, int rows, const int kind, const int has)
{
    const int form = t->form->kind == kind ? t->form->bits + t->form->bf16 : 0;
    if (has >> 4 & 1 && form == 4)
        f32z_codes_rows(t, rows, 4, 0, kind);
    if (has >> 5 & 1 && form == 5)
        f32z_codes_rows(t, rows, 5, 0, kind);
    if (has >> 6 & 1 && form == 6)
        f32z_codes_rows(t, rows, 6, 0, kind);
    if (has >> 8 & 1 && form == 8)
        f32z_codes_rows(t, rows, 8, 0, kind);
    if (has >> 16 & 1 && form == 16)
        f32z_codes_rows(t, rows, 16, 0, kind);
    if (has >> 17 & 1 && form == 17)
        f32z_codes_rows(t, rows, 16, 1, kind);
}

/* Any number of rows: as many at a time as registers hold. */
MIK_AVX512
static void f32z_codes(const mik_f32_few *t, int64_t rows)
{
    mik_f32_few x = *t;
    for (int64_t h; rows > 0; rows -= h) {
        h = mik_min(rows, F32Z_CODE_ROWS);
        f32z_codes_kind(&x, (int)h, MIK_F32_PLAIN, MIK_F32_CODES_PLAIN);
        if (F32Z_CODES_MANY) {
            if (t->form->kind != MIK_F32_PLAIN)
                f32z_codes_kind(&x, (int)h, t->form->kind, F32Z_CODES_OTHERS);
        } else {
            f32z_codes_kind(&x, (int)h, MIK_F32_WHOLE_ZEROS, MIK_F32_CODES_WHOLE_ZEROS);
            f32z_codes_kind(&x, (int)h, MIK_F32_ZEROS, MIK_F32_CODES_ZEROS);
            f32z_codes_kind(&x, (int)h, MIK_F32_OFFSETS, MIK_F32_CODES_OFFSETS);
            f32z_codes_kind(&x, (int)h, MIK_F32_ZEROS_OFFSETS, MIK_F32_CODES_ZEROS_OFFSETS);
        }
        x.a += h * x.a_m;
        x.c += h * x.c_m;
    }
}

/* All steps of a unit of vector v, rows `pitch` apart. */
MIK_FOLDED MIK_AVX512 void f32z_unpack_unit(const unsigned char *unit, int v, int least, const int bits, const int bf16, const int kind,
                                            const f32z_change *change, f32z_vec last, mik_f32_panel *dst, int64_t pitch)
{
    const f32z_book book = f32z_book_of(kind == MIK_F32_OFFSETS ? 0 : least);
    const f32z_words words = f32z_words_at(unit + 4 * F32Z_LANES * v);
    MIK_UNROLL
    for (int j = 0; j < MIK_F32_CODE_STEPS; j++)
        f32z_put(dst + j * pitch, f32z_mul(f32z_number(unit, words, book, j, v, bits, bf16, kind, least, change), last));
}

MIK_FOLDED MIK_AVX512 void f32z_unpack_of(const mik_f32_quantized *form, const mik_f32_codes *at, int v, const int bits, const int bf16,
                                          const int kind, int64_t k0, int64_t kc, mik_f32_panel *dst, int64_t pitch)
{
    enum { steps = MIK_F32_CODE_STEPS };
    const int64_t group = form->group ? form->group : k0 + kc;
    for (int64_t k = k0, end; k < k0 + kc; k = end) {
        const f32z_change change = f32z_change_of(form, at->shared, k / group, v, bits, kind);
        const f32z_vec last = f32z_last(form, at->shared, k / group, v, kind);
        for (end = mik_min((k / group + 1) * group, k0 + kc); k < end;) {
            const unsigned char *unit = at->codes + k / steps * (bits * (MIK_F32_CODE_COLUMNS * steps / 8));
            if (k % steps == 0 && end - k >= steps) {
                f32z_unpack_unit(unit, v, form->least, bits, bf16, kind, &change, last, dst + (k - k0) * pitch, pitch);
                k += steps;
                continue;
            }
            mik_f32_panel some[steps * F32Z_LANES];
            f32z_unpack_unit(unit, v, form->least, bits, bf16, kind, &change, last, some, F32Z_LANES);
            do {
                memcpy(dst + (k - k0) * pitch, some + k % steps * F32Z_LANES, F32Z_LANES * sizeof *some);
                k++;
            } while (k < end && k % steps);
        }
    }
}

MIK_FOLDED MIK_AVX512 void f32z_unpack_kind(const mik_f32_quantized *form, const mik_f32_codes *at, int v, const int kind, const int has,
                                            int64_t k0, int64_t kc, mik_f32_panel *dst, int64_t pitch)
{
    const int is = form->kind == kind ? form->bits + form->bf16 : 0;
    if (has >> 4 & 1 && is == 4)
        f32z_unpack_of(form, at, v, 4, 0, kind, k0, kc, dst, pitch);
    if (has >> 5 & 1 && is == 5)
        f32z_unpack_of(form, at, v, 5, 0, kind, k0, kc, dst, pitch);
    if (has >> 6 & 1 && is == 6)
        f32z_unpack_of(form, at, v, 6, 0, kind, k0, kc, dst, pitch);
    if (has >> 8 & 1 && is == 8)
        f32z_unpack_of(form, at, v, 8, 0, kind, k0, kc, dst, pitch);
    if (has >> 16 & 1 && is == 16)
        f32z_unpack_of(form, at, v, 16, 0, kind, k0, kc, dst, pitch);
    if (has >> 17 & 1 && is == 17)
        f32z_unpack_of(form, at, v, 16, 1, kind, k0, kc, dst, pitch);
}

MIK_AVX512
static void f32z_unpack(const mik_f32_quantized *form, const mik_f32_codes *at, int v, int64_t k0, int64_t kc, mik_f32_panel *dst,
                        int64_t pitch)
{
    f32z_unpack_kind(form, at, v, MIK_F32_PLAIN, MIK_F32_CODES_PLAIN, k0, kc, dst, pitch);
    if (F32Z_CODES_MANY) {
        if (form->kind != MIK_F32_PLAIN)
            f32z_unpack_kind(form, at, v, form->kind, F32Z_CODES_OTHERS, k0, kc, dst, pitch);
    } else {
        f32z_unpack_kind(form, at, v, MIK_F32_WHOLE_ZEROS, MIK_F32_CODES_WHOLE_ZEROS, k0, kc, dst, pitch);
        f32z_unpack_kind(form, at, v, MIK_F32_ZEROS, MIK_F32_CODES_ZEROS, k0, kc, dst, pitch);
        f32z_unpack_kind(form, at, v, MIK_F32_OFFSETS, MIK_F32_CODES_OFFSETS, k0, kc, dst, pitch);
        f32z_unpack_kind(form, at, v, MIK_F32_ZEROS_OFFSETS, MIK_F32_CODES_ZEROS_OFFSETS, k0, kc, dst, pitch);
    }
}
