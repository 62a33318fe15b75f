/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Some rows of a product alone: an operation over the rows of another one.
 */
#pragma once
#include "block_rows.h"
#include "call.h"

typedef struct {
    const mik_f32_operation *op;
    const void *s;
    int64_t batch, m0;            /* where the rows are */
    int64_t a_m, c_m;
    const mik_f32_panel *packed;    /* all of B, as panels; or null */
#if MIK_F32_QUANTIZED
    mik_f32_quantized form;            /* op's, with a place of its own */
#endif
} mik_f32_piece;

static const mik_f32_panel *mik_f32_piece_a(const void *s, int64_t batch)
{
    const mik_f32_piece *x = s;
    return x->op->a(x->s, x->batch + batch) + x->m0 * x->a_m;
}

static const mik_f32_panel *mik_f32_piece_b(const void *s, int64_t batch)
{
    const mik_f32_piece *x = s;
    return x->packed ? x->packed : x->op->b(x->s, x->batch + batch);
}

static mik_f32_acc *mik_f32_piece_c(const void *s, int64_t batch)
{
    const mik_f32_piece *x = s;
    return x->op->c(x->s, x->batch + batch) + x->m0 * x->c_m;
}

static void mik_f32_piece_pack_a(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t mr,
                                 mik_f32_panel *dst)
{
    const mik_f32_piece *x = s;
    x->op->pack_a(x->s, isa, x->batch + batch, x->m0 + m0, mc, k0, kc, mr, dst);
}

static void mik_f32_piece_pack_b(const void *s, int isa, int64_t batch, int64_t k0, int64_t kc, int64_t n0, int64_t nc, int64_t nr,
                                 mik_f32_panel *dst)
{
    const mik_f32_piece *x = s;
    x->op->pack_b(x->s, isa, x->batch + batch, k0, kc, n0, nc, nr, dst);
}

#if MIK_F32_QUANTIZED
static void mik_f32_piece_place(const void *s, int64_t batch, mik_f32_codes *at)
{
    const mik_f32_piece *x = s;
    x->op->quantized->place(x->s, x->batch + batch, at);
}

#endif
#if MIK_F32_BY_ROWS
static void mik_f32_piece_rows_a(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t k0, int64_t kc, int64_t pitch,
                                 mik_f32_panel *dst)
{
    const mik_f32_piece *x = s;
    x->op->rows_a(x->s, isa, x->batch + batch, x->m0 + m0, mc, k0, kc, pitch, dst);
}

static int mik_f32_piece_live_a(const void *s, int64_t batch, int64_t m0, int64_t mc, int64_t k0, int64_t kc, mik_live *live)
{
    const mik_f32_piece *x = s;
    return x->op->live_a(x->s, x->batch + batch, x->m0 + m0, mc, k0, kc, live);
}

#endif
static void mik_f32_piece_epilogue(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, mik_f32_acc *t,
                                   int64_t ldt)
{
    const mik_f32_piece *x = s;
    x->op->epilogue(x->s, isa, x->batch + batch, x->m0 + m0, mc, n0, nc, t, ldt);
}

#if MIK_F32_A_WORDS
static const mik_f32_panel *mik_f32_piece_a_words(const void *s, int64_t batch)
{
    const mik_f32_piece *x = s;
    return x->op->a_words(x->s, x->batch + batch) + x->m0 * x->a_m;
}

#endif
#if MIK_F32_NARROWS
static uint16_t *mik_f32_piece_narrow(const void *s, int64_t batch)
{
    const mik_f32_piece *x = s;
    return x->op->narrow(x->s, x->batch + batch) + x->m0 * x->c_m;
}

#endif
#if MIK_F32_MORE_ISA
static void mik_f32_piece_more(const void *s, int isa, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, const mik_f32_acc *t,
                               int64_t ldt)
{
    const mik_f32_piece *x = s;
    x->op->more(x->s, isa, x->batch + batch, x->m0 + m0, mc, n0, nc, t, ldt);
}
#else
static void mik_f32_piece_more(const void *s, int64_t batch, int64_t m0, int64_t mc, int64_t n0, int64_t nc, const mik_f32_acc *t,
                               int64_t ldt)
{
    const mik_f32_piece *x = s;
    x->op->more(x->s, x->batch + batch, x->m0 + m0, mc, n0, nc, t, ldt);
}
#endif

/* The operation over the part's rows. */
static mik_f32_operation mik_f32_piece_operation(mik_f32_piece *part, int packed)
{
    const mik_f32_operation *const op = part->op;
    mik_f32_operation o = *op;
    o.a = op->a ? mik_f32_piece_a : NULL;
    o.b = op->b || packed ? mik_f32_piece_b : NULL;
    o.c = op->c ? mik_f32_piece_c : NULL;
    o.pack_a = op->pack_a ? mik_f32_piece_pack_a : NULL;
    o.pack_b = op->pack_b && !packed ? mik_f32_piece_pack_b : NULL;
#if MIK_F32_BY_ROWS
    o.rows_a = op->rows_a ? mik_f32_piece_rows_a : NULL;
    o.live_a = op->live_a ? mik_f32_piece_live_a : NULL;
#endif
#if MIK_F32_JUMPS
    o.gather_a = NULL; /* rows of their own */
#endif
#if MIK_F32_A_WORDS
    o.a_words = op->a_words ? mik_f32_piece_a_words : NULL;
#endif
#if MIK_F32_NARROWS
    o.narrow = op->narrow ? mik_f32_piece_narrow : NULL;
#endif
    o.epilogue = op->epilogue ? mik_f32_piece_epilogue : NULL;
    o.more = op->more ? mik_f32_piece_more : NULL;
    o.hook_b = op->hook_b && !packed;
#if MIK_TRACE
    o.from_batch = part->batch;
    o.from_row = part->m0;
#endif
#if MIK_F32_QUANTIZED
    if (op->quantized) {
        part->form = *op->quantized;
        part->form.place = mik_f32_piece_place;
    }
    o.quantized = op->quantized && !packed ? &part->form : NULL;
#endif
#if MIK_F32_FIXED_COVERS
    o.fixed_covers = NULL;
#endif
    return o;
}

#if MIK_F32_AHEAD && MIK_F32_UNIT == 1
/* Is B packed for all blocks, as one that comes prepacked is? Where it can be read row after row, rows of few columns are as
   good as panels, and others are worth it if there are rows of A enough. (Zen 3: 2048 rows times 768 x 768, 82 at a time.) */
static int mik_f32_packs_once(const mik_f32_operation *op, const mik_problem *p, const mik_rows *r)
{
    const int in_place = op->b && p->b_in_place && p->b_n == 1;
#if MIK_F32_QUANTIZED
    if (op->quantized && r->serves <= MIK_F32_FEW_BY_CODES)
        return 0;
#endif
    if (r->serves == 0 || p->k == 0 || p->n == 0 || p->ahead_n)
        return 0;
    return !in_place || (p->n > MIK_F32_AHEAD_COLUMNS && r->serves >= MIK_F32_WORTH_PACKING);
}

#endif
/* What `r` asks of the product. Its rows are `each` rows of p->m; those of the loop around, `count` for each iteration, are folded into
   p->m, else its iterations are batches. These rows need no more than so many columns, and steps. */
MIK_SHARED int mik_f32_some_rows(const mik_f32_operation *op, const void *s, const mik_problem *p, int64_t each, int folded, int64_t count,
                                 int64_t columns, int64_t steps, mik_rows *r, const mikgen_options *opt)
{
    const int isa = mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS);
    const int64_t m0 = ((folded ? r->outer * count : 0) + r->row) * each;
    mik_f32_piece part = {.op = op, .s = s, .batch = folded ? 0 : r->outer, .m0 = m0, .a_m = p->a_m, .c_m = p->c_m};
    mik_problem q = *p;
    int packed = 0;
    if (isa == 0)
        return MIKGEN_UNSUPPORTED;
    q.batch = 1;
    q.m = r->rows * each;
#if MIK_F32_AHEAD && MIK_F32_UNIT == 1
    packed = mik_f32_packs_once(op, p, r);
    if (packed) {
#if MIK_TRACE
        const uint64_t begin = r->what == MIK_PACK ? mik_trace_begin(opt) : 0;
#endif
        if (r->what == MIK_PACK)
            mik_f32_ahead_pack(op, s, p, part.batch, (mik_f32_panel *)(void *)r->packed);
#if MIK_TRACE
        const mik_f32_region all = {.n1 = p->n};
        if (begin)
            mik_f32_tell(op, opt, 0, "pack B", NULL, part.batch, part.batch + 1, &all, 0, p->k, 0, begin);
#endif
        part.packed = (const mik_f32_panel *)(const void *)r->packed;
        mik_f32_take_ahead(&q);
    }
#endif
    const mik_f32_operation o = mik_f32_piece_operation(&part, packed);
    if (r->what == MIK_ROOM) {
#if MIK_F32_AHEAD && MIK_F32_UNIT == 1
        r->packed_bytes = packed ? mik_f32_ahead_size(p->k, p->n) * (int64_t)sizeof(mik_f32_panel) : 0;
#endif
        r->bytes = (int64_t)mik_f32_workspace(&o, &q, opt);
    }
    q.n = columns < q.n ? columns > 0 ? columns : 0 : q.n;
    q.k = steps < q.k ? steps > 0 ? steps : 0 : q.k;
    return r->what == MIK_ROWS ? mik_f32_run(&o, &part, &q, opt) : MIKGEN_OK;
}
