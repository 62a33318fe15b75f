/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Calls of a few rows with a B of codes: each code is unpacked in a register, so that memory is read once, packed. */
#pragma once
#include "shares.h"

enum {
    MIK_F32_FEW_BY_CODES = 8,  /* rows, beyond which panels of numbers take less time; */
    MIK_F32_FEW_WIDE = 32,     /* of vectors of 512 bits. (Zen 4: 16 rows 96 GFLOP/s against 77, 32 rows 96 against 90; AVX2, 9 rows: 52
                                  against 64.) */
    MIK_F32_FEW_SUMS = 2048    /* that are finished at a time */
};

/* Is it such a call? */
static int mik_f32_is_few(const mik_f32_operation *op, const mik_problem *p, const mikgen_options *opt)
{
    const int isa = mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS);
    if (!op->quantized || !op->a || !p->a_in_place || p->k == 0 || p->k % MIK_F32_CODE_STEPS || isa == 0)
        return 0;
    if (opt && opt->plan & (MIK_PATTERN | MIK_VARIANT | MIK_PACK_A | MIK_PACK_B | MIK_SPLIT))
        return 0;
    return p->m <= (mik_f32_choose(isa)->lanes > 8 ? MIK_F32_FEW_WIDE : MIK_F32_FEW_BY_CODES);
}

typedef struct {
    const mik_f32_operation *op;
    const void *s;
    const mik_problem *p;
    const mikgen_options *opt;
    const mik_f32_isa *isa;
    int workers;
} mik_f32_few_call;

/* The panels of a batch from `first` to `end`. */
static void mik_f32_few_panels(const mik_f32_few_call *x, int64_t batch, int64_t first, int64_t end)
{
    enum { width = MIK_F32_CODE_COLUMNS };
    mik_f32_acc sums[MIK_F32_FEW_SUMS];
    const mik_problem *p = x->p;
    const int64_t some = mik_min(MIK_F32_FEW_SUMS / width / p->m, 16);
    mik_f32_codes at;
    x->op->quantized->place(x->s, batch, &at);
    mik_f32_block block = {.op = x->op, .s = x->s, .batch = batch, .c_m = p->c_m, .c_n = p->c_n};
    block.tiling.isa = x->isa;
    block.c = x->op->c && p->c_direct ? x->op->c(x->s, batch) : NULL;
    mik_f32_few t = {.form = x->op->quantized, .a = x->op->a(x->s, batch), .a_m = p->a_m, .a_k = p->a_k, .k = p->k, .c_m = some * width};
    for (int64_t n = first; n < end; n += some) {
        const int64_t count = mik_min(some, end - n);
        for (int64_t i = 0; i < count; i++) {
            t.codes = at.codes + (n + i) * at.codes_apart;
            for (int w = 0; w < MIK_F32_PER_GROUP; w++)
                t.shared[w] = at.shared[w] + (n + i) * at.shared_apart[w];
            t.c = sums + i * width;
            x->isa->codes(&t, p->m);
        }
        mik_f32_finish(&block, 0, p->m, n * width, mik_min(count * width, p->n - n * width), sums, t.c_m);
    }
}

/* The panel of so many at which worker w begins. */
static int64_t mik_f32_few_from(const mik_f32_few_call *x, int64_t all, int w)
{
    if (w == 0 || w == x->workers)
        return w ? all : 0;
    return (int64_t)((double)all * (mik_speeds(x->opt, w) / mik_speeds(x->opt, x->workers)));
}

/* Worker w's share of the panels of all batches. */
static void mik_f32_few_work(void *arg, int w)
{
    const mik_f32_few_call *x = arg;
    const int64_t panels = mik_ceil_div(x->p->n, MIK_F32_CODE_COLUMNS), all = panels * x->p->batch;
    const int64_t from = mik_f32_few_from(x, all, w), to = mik_f32_few_from(x, all, w + 1);
#if MIK_TRACE
    char room[48];
    const uint64_t begin = mik_trace_begin(x->opt);
    mik_f32_region r = {.m1 = x->p->m, .n0 = from % panels * MIK_F32_CODE_COLUMNS, .n1 = to % panels * MIK_F32_CODE_COLUMNS};
#endif
    for (int64_t batch = from / panels; batch * panels < to; batch++)
        mik_f32_few_panels(x, batch, mik_max(from - batch * panels, 0), mik_min(to - batch * panels, panels));
#if MIK_TRACE
    if (begin && from < to) {
        if (x->p->batch > 1 || r.n1 == 0) {
            r.n0 = from / panels == (to - 1) / panels ? r.n0 : 0;
            r.n1 = x->p->n;
        }
        r.n1 = mik_min(r.n1, x->p->n);
        snprintf(room, sizeof room, "f32 %s by codes", x->isa->name);
        mik_f32_tell(x->op, x->opt, w, "region", room, from / panels, (to - 1) / panels + 1, &r, 0, x->p->k, 0, begin);
    }
#endif
}

/* What it takes is estimated for the number of workers alone: a part for each code, and one for each row's multiply-add. (Zen 4, 4096 x 4096
   in 4 bits: 0.036 ns a code for 1 row, 0.17 for 8.) */
static void mik_f32_run_few(const mik_f32_operation *op, const void *s, const mik_problem *p, const mikgen_options *opt)
{
    mik_f32_few_call x = {op, s, p, opt, mik_f32_choose(mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS)), 1};
    const double codes = (double)p->batch * (double)p->n * (double)p->k;
    if (opt)
        x.workers = mik_f32_workers_for(x.isa, opt, codes * (0.017 + 0.019 * (double)p->m));
    mik_parallel(opt, x.workers, mik_f32_few_work, &x);
}
