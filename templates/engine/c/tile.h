/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The register-tiled micro-kernels of one family on one instruction set: c(i, j) (+)= sum over k of a(i, k) * b(k, j) for mr rows
 * of A and nv vectors of columns of B. One body, which the compiler makes for each row of the table of variants: mr, nv and
 * sets are constants there, all loops over them are unrolled, and arrays are registers. A has two run-time strides and B one,
 * which serves operands in place and packed panels alike. Low tiles split k over `sets` sets of accumulators to hide the latency of the
 * multiply-add. Each step prefetches as many lines as a row of B has in the tile, from t->prefetch on, which the caller points at
 * whatever will be needed: rows of B in place, the next chunk of a sweep, the next tile's rows of A.
 */
#pragma once
#include "sums.h"

/* Where a kernel is: fours of rows of A, whose elements lie s apart; B; lines to prefetch. Of several vectors of columns the last
   begins at `last`, so that the tile ends at the last column: what it shares with the one before is computed twice, alike, and
   stored twice, and no step needs a mask. A single vector may be a part. */
typedef struct {
    const mik_f32_panel *a[(F32Z_REGISTERS + 3) / 4], *b, *f;
    int64_t s[4], a_k, b_k, f_k, last;
    f32z_mask part;
} f32z_place;

/* Row i of A. Distances are bytes: one number serves all addresses, where GCC would keep several of each for the registers to hold. */
MIK_FOLDED const mik_f32_panel *f32z_at(const f32z_place *p, int i)
{
    return (const mik_f32_panel *)(const void *)((const char *)p->a[i / 4] + p->s[i % 4]);
}

/* Vector j of nv of the row of B. */
MIK_FOLDED MIK_AVX512 f32z_operand f32z_columns(const f32z_place *p, int j, const int mr, const int nv, const int part)
{
    const mik_f32_panel *b = p->b + (j == 0 ? 0 : j < nv - 1 ? j * F32Z_LANES * MIK_F32_UNIT : p->last);
    const f32z_operand y = part ? f32z_load_part(b, p->part) : mr > 1 ? f32z_fetch(b) : f32z_load(b);
#if F32Z_TURNS
    return f32z_turn(y);
#else
    return y;
#endif
}

MIK_FOLDED MIK_AVX512 void f32z_advance(f32z_place *p, const int mr)
{
    MIK_UNROLL
    for (int i = 0; i < mr; i += 4)
        p->a[i / 4] += p->a_k;
    p->b += p->b_k;
}

#if MIK_F32_JUMPS
/* On to where the steps behind a pass are. */
MIK_FOLDED void f32z_jump(f32z_place *p, const mik_f32_jump *by, const int mr)
{
    MIK_UNROLL
    for (int i = 0; i < mr; i += 4)
        p->a[i / 4] += by->a;
    p->b += by->b * p->b_k;
}

#endif
/* One step of k, of the rows from `first` to `last` - 1. A and B are loaded once; with more vectors than rows the rows' elements are held in
   registers, else the vectors are; a single vector leaves it to the multiply-adds to spread the rows' elements. */
MIK_FOLDED MIK_AVX512 void f32z_step_of(f32z_place *p, f32z_vec *sum, const int mr, const int nv, const int part, const int first,
                                        const int last)
{
    f32z_operand y[F32Z_REGISTERS];
    f32z_element x[F32Z_REGISTERS];
#if F32Z_PREFETCHES
    /* Processors do not guess the rows of an operand in place. Low tiles are bound by loads. From the last element back: where lines
       begin elsewhere than rows of tiles, the first line is the last one of the columns before. */
    if (mr * nv > 4 && mr > 1 && (mr > 2 || nv > 5)) {
        MIK_UNROLL
        for (int j = nv * F32Z_LANES - 1; j >= 0; j -= MIK_F32_LINE)
            MIK_PREFETCH(p->f + j);
        p->f += p->f_k;
    }
#endif
    if (nv > mr) {
        MIK_UNROLL
        for (int i = first; i < last; i++)
            x[i] = f32z_splat(f32z_at(p, i));
        MIK_UNROLL
        for (int j = 0; j < nv; j++) {
            y[0] = f32z_columns(p, j, mr, nv, part);
            MIK_UNROLL
            for (int i = first; i < last; i++)
                sum[i * nv + j] = f32z_fma(x[i], y[0], sum[i * nv + j]);
        }
    } else {
        MIK_UNROLL
        for (int j = 0; j < nv; j++)
            y[j] = f32z_columns(p, j, mr, nv, part);
        MIK_UNROLL
        for (int i = first; i < last; i++) {
            x[0] = nv > 1 ? f32z_splat(f32z_at(p, i)) : f32z_each(f32z_at(p, i));
            MIK_UNROLL
            for (int j = 0; j < nv; j++)
                sum[i * nv + j] = f32z_fma(x[0], y[j], sum[i * nv + j]);
        }
    }
    f32z_advance(p, mr);
}

#if F32Z_NARROWS
/* Sums of mr rows and nv vectors of columns, the last of which begins at `last`: rounded to 16 bits at `to`. */
MIK_FOLDED MIK_AVX512 void f32z_end_narrow(const mik_f32_tile *t, uint16_t *to, int64_t last, const f32z_vec *sum, f32z_mask some,
                                           const int mr, const int nv, const int part, const int half)
{
    MIK_UNROLL
    for (int i = 0; i < mr; i++, to += t->narrow_m) {
        const f32z_vec *const row = sum + i * nv;
        if (part) {
            f32z_put_narrow_part(to, row[0], some, half);
            continue;
        }
        MIK_UNROLL
        for (int j = 0; j < nv; j++)
            f32z_put_narrow(to + (j == 0 ? 0 : j < nv - 1 ? j * F32Z_LANES : last), row[j], half);
    }
}

#endif
/* mr rows by nv vectors of columns at b and c, k split over `sets` sets of accumulators. part: a single vector of fewer columns. */
MIK_FOLDED MIK_AVX512 void f32z_tile_of(const mik_f32_tile *t, const mik_f32_panel *b, const mik_f32_panel *f, mik_f32_acc *c, int cols,
                                        const int mr, const int nv, const int sets, const int part)
{
    const int64_t down = t->a_m * (int64_t)sizeof *t->a, last = cols - F32Z_LANES, c_m = t->c_m;
    const int add = t->add;
    f32z_place p = {{t->a},
                    b,
                    f,
                    {0, mik_opaque(down), mik_opaque(2 * down), mik_opaque(3 * down)},
                    t->a_k,
                    t->b_k,
                    t->prefetch_k,
                    MIK_F32_UNIT * last,
                    f32z_first(nv > 1 ? F32Z_LANES : cols)};
    f32z_vec sum[F32Z_REGISTERS];
    int64_t k = t->k;
    MIK_UNROLL
    for (int i = 4; i < mr; i += 4)
        p.a[i / 4] = p.a[i / 4 - 1] + mik_opaque(4 * t->a_m);
    MIK_UNROLL
    for (int i = 0; i < mr * nv * sets; i++)
        sum[i] = f32z_zero();
#if MIK_F32_HEAD_SUMS
    /* Sums start with what the heads of a row and of a column say. */
    p.b = t->heads + (b - t->b);
    MIK_UNROLL
    for (int j = 0; j < nv; j++) {
        MIK_UNROLL
        for (int i = 0; i < mr; i++)
            sum[i * nv + j] = f32z_add(f32z_splat(t->head + i * t->pitch), f32z_columns(&p, j, mr, nv, part));
    }
    f32z_advance(&p, mr);
    p.b = b;
#endif
#if MIK_F32_BY_ROWS
    if (MIK_F32_PASSES(mr, nv) && t->count > 0) {
        for (const mik_f32_pass *pass = t->passes, *const end = pass + t->count; pass < end; pass++) {
            for (int i = pass->steps[0]; i > 0; i--)
                f32z_step_of(&p, sum, mr, nv, part, 1, mr);
            for (int i = pass->steps[1]; i > 0; i--)
                f32z_step_of(&p, sum, mr, nv, part, 0, mr);
            for (int i = pass->steps[2]; i > 0; i--)
                f32z_step_of(&p, sum, mr, nv, part, 0, mr - 1);
#if MIK_F32_JUMPS
            if (t->jumps)
                f32z_jump(&p, t->jumps + (pass - t->passes), mr);
#endif
        }
        k = 0;
    }
#endif
    for (; k >= sets; k -= sets) {
        MIK_UNROLL
        for (int set = 0; set < sets; set++) {
            f32z_step_of(&p, sum + set * mr * nv, mr, nv, part, 0, mr);
            /* GCC would make addresses of the whole loop's steps, too many for the registers. */
            if (sets > 1 && mr > 1) {
                MIK_HIDE(p.a[0]);
                MIK_HIDE(p.b);
                MIK_HIDE(p.f);
            }
        }
    }
    if (sets > 1)
        for (; k > 0; k--)
            f32z_step_of(&p, sum, mr, nv, part, 0, mr);
    MIK_UNROLL
    for (int set = 1; set < sets; set++) {
        MIK_UNROLL
        for (int i = 0; i < mr * nv; i++)
            sum[i] = f32z_add(sum[i], sum[set * mr * nv + i]);
    }
#if F32Z_NARROWS
    if (t->narrow) {
        uint16_t *const to = t->narrow + (c - t->c);
#if F32Z_NARROWS == 3
        if (t->narrow_half)
            f32z_end_narrow(t, to, last, sum, p.part, mr, nv, part, 1);
        else
            f32z_end_narrow(t, to, last, sum, p.part, mr, nv, part, 0);
#elif F32Z_NARROWS == 2
        f32z_end_narrow(t, to, last, sum, p.part, mr, nv, part, 1);
#else
        f32z_end_narrow(t, to, last, sum, p.part, mr, nv, part, 0);
#endif
        return;
    }
#endif
    MIK_UNROLL
    for (int i = 0; i < mr; i++, c += c_m) {
        f32z_vec *row = sum + i * nv;
        if (nv == 1) {
            part ? f32z_end_part(c, row[0], add, p.part) : f32z_end(c, row[0], add);
            continue;
        }
        row[nv - 1] = f32z_plus(c + last, row[nv - 1], add);
        MIK_UNROLL
        for (int j = 0; j < nv - 1; j++)
            f32z_end(c + j * F32Z_LANES, row[j], add);
        f32z_put(c + last, row[nv - 1]);
    }
}

/* A variant. Kernels of a single vector walk along any number of columns, prefetching each row of B a few cache lines ahead: a few
   steps of k at a time, that reads B in as many streams. */
MIK_FOLDED MIK_AVX512 void f32z_tile(const mik_f32_tile *t, const int mr, const int nv, const int sets)
{
    enum { lanes = F32Z_LANES, width = F32Z_LANES * MIK_F32_UNIT, line = 64 / sizeof(mik_f32_acc) };
    const mik_f32_panel *b = t->b, *f = t->prefetch;
    mik_f32_acc *c = t->c;
    int cols = t->cols;
    if (nv > 1) {
        f32z_tile_of(t, b, f, c, cols, mr, nv, sets, 0);
        return;
    }
    for (; cols >= lanes; cols -= lanes, b += width, f += width, c += lanes) {
        if (cols > 10 * line && (line <= lanes || cols % line < lanes))
            mik_ahead(b + 8 * line * MIK_F32_UNIT, t->k, t->b_k * (int64_t)sizeof *b);
        f32z_tile_of(t, b, f, c, cols, mr, 1, sets, 0);
    }
    if (cols > 0)
        f32z_tile_of(t, b, f, c, cols, mr, 1, sets, 1);
}
