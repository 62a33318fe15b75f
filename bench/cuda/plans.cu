/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GENERATED: the emitted file; OPERATOR: what its static names begin with; ARGS: its operator's arguments, if that begins with
   a prefix besides: as in -DGENERATED='"gemm_dyn.cu"' -DOPERATOR=gemm. */
#include GENERATED

#include "plans.h"

#include <algorithm>
#include <math.h>

#define PASTE(a, b)           a##b
#define NAMED(operator, what) PASTE(operator, what)
#define OF(what)              NAMED(OPERATOR, what)

#ifndef ARGS
#define ARGS OF(_args)
#endif

static const mik_set &set = OF(_set);
static mik_device device;

void plans_assume(bool current_device)
{
    if (!current_device || mik_get_device(&device) != cudaSuccess)
        device = mik_default_device();
}

int plans_multiprocessors(void) { return device.sms; }
double plans_launch(void) { return device.launch * 1e-6; }
int plans_kernels(void) { return set.count; }
const char *plans_kernel(int kernel) { return set.variants[kernel].name; }
bool plans_kernel_any(int kernel) { return set.variants[kernel].align <= 1; }

/* What the emitted file asks about the operands; some operators want to describe lines of A, B and the outputs. */
template <typename Args> static void ask(void (*of)(const Args *, mik_request *, int), const Args *args, mik_request *q) { of(args, q, 1); }

template <typename Args, typename Lines>
static void ask(void (*of)(const Args *, mik_request *, int, Lines *), const Args *args, mik_request *q)
{
    Lines lines[3];
    of(args, q, 1, lines);
}

/* Arrays that begin at multiples of 16 bytes, and any amount of workspace. */
static mik_request request(const Shape &shape)
{
    ARGS args = {};
    mik_request q = {};
    args.M = shape.m;
    args.N = shape.n;
    args.K = shape.k;
    OF(_problem)(&args, &q.p);
    q.d = device;
    ask(OF(_ask), &args, &q);
    q.scratch = SIZE_MAX / 2;
    return q;
}

/* Picoseconds of one kernel for the whole. */
static double cost(const mik_request &q, const mik_variant *v, int64_t blocks)
{
    return mik_cost(&set, v, &q.d, q.p.batch, q.p.m, q.p.n, q.p.k, blocks) + (v->tma ? q.copying : 0);
}

static mikgen_cuda_options options_of(const mik_plan &plan)
{
    mikgen_cuda_options o = {};
    o.pattern = plan.pattern;
    o.split = plan.split;
    for (int i = 0; i < 2; i++) {
        o.kernel[i] = plan.kernel[i];
        o.blocks[i] = plan.blocks[i];
    }
    return o;
}

Candidate plans_chosen(const Shape &shape)
{
    const mik_request q = request(shape);
    mik_plan best[2];
    mik_choose(&set, &q, 1, best);
    return {options_of(best[0]), best[0].cost * 1e-6};
}

double plans_whole(const Shape &shape, int kernel)
{
    const mik_request q = request(shape);
    const mik_variant *const v = &set.variants[kernel];
    return mik_usable(v, &q) ? cost(q, v, 0) * 1e-6 : INFINITY;
}

static void add(std::vector<Candidate> *candidates, const mik_request &q, mik_plan plan)
{
    if (!mik_plan_fits(&plan, &set, &q))
        return;
    plan.cost = plan.pattern == 1 ? cost(q, &set.variants[plan.kernel[0]], plan.blocks[0]) : mik_two_cost(&set, &q, &plan);
    candidates->push_back({options_of(plan), plan.cost * 1e-6});
}

static void add_whole(std::vector<Candidate> *candidates, const mik_request &q, int i)
{
    static const int parts[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 64};
    const mik_variant *const v = &set.variants[i];
    const int64_t tiles = mik_tiles(v, q.p.batch, q.p.m, q.p.n), steps = mik_steps(v, q.p.k);
    std::vector<int64_t> blocks = {0};
    for (int n : parts)
        blocks.push_back(tiles * n);
    for (int r = 1; r <= mik_resident(v, &q.d); r++) {
        const int64_t slots = mik_slots(v, &q.d, r);
        blocks.push_back(slots);
        blocks.push_back(slots / tiles * tiles);
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    for (int64_t n : blocks)
        if (n == 0 || (n != tiles && n <= tiles * steps && n <= 16 * (int64_t)q.d.sms))
            add(candidates, q, mik_plan{1, {i, i}, -1, 0, {n, 0}, 0});
}

static void add_cuts(std::vector<Candidate> *candidates, const mik_request &q, int pattern, int i)
{
    const mik_variant *const v = &set.variants[i];
    const int64_t side = pattern == 2 ? v->m : v->n, extent = pattern == 2 ? q.p.m : q.p.n;
    const int64_t across = q.p.batch * (pattern == 2 ? mik_ceil(q.p.n, v->n) : mik_ceil(q.p.m, v->m));
    const int64_t slots = mik_slots(v, &q.d, mik_resident(v, &q.d)), waves = across * mik_ceil(extent, side) / slots;
    for (int64_t w = waves; w > 0 && w > waves - 4; w--)
        for (int j = 0; j < set.count; j++)
            if (j != i)
                add(candidates, q, mik_plan{pattern, {i, j}, -1, w * slots / across * side, {0, 0}, 0});
}

std::vector<Candidate> plans_all(const Shape &shape)
{
    const mik_request q = request(shape);
    std::vector<Candidate> candidates;
    for (int i = 0; i < set.count; i++) {
        if (!mik_usable(&set.variants[i], &q))
            continue;
        add_whole(&candidates, q, i);
        add_cuts(&candidates, q, 2, i);
        add_cuts(&candidates, q, 3, i);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate &x, const Candidate &y) { return x.expected < y.expected; });
    return candidates;
}

void plans_decide(const Shape &shape)
{
    const mik_request q = request(shape);
    mik_plan best[2];
    mik_choose(&set, &q, 1, best);
    mik_remember(&OF(_plans), &q, &best[0]);
}

bool plans_recall(const Shape &shape)
{
    const mik_request q = request(shape);
    mik_plan plan;
    return mik_recall(&OF(_plans), &q, &plan);
}

int plans_recall_only(const Shape &shape, int times)
{
    const mik_request q = request(shape);
    mik_plan plan;
    int found = 0;
    for (int i = 0; i < times; i++)
        found += mik_recall(&OF(_plans), &q, &plan);
    return found;
}
