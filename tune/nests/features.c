/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/features.h"

#include <math.h>

#include "tune/nests/footprint.h"
#include "tune/nests/loop_cycles.h"
#include "tune/nests/nest_numbers.h"

const NestFeatureInfo nest_features[NEST_FEATURES] = {
#define FEATURE(id, name, what, unit, least, most) [id] = {name, what, unit, least, most},
#include "tune/nests/features.def"
};

typedef struct Measures {
    const FeatureInput *in;
    const Replay *replay;
    const Footprint *footprint;
    Work work;            /* of all loops */
    double elements;      /* of work, at least 1 */
    double cycles;        /* if there were no memory */
    int hottest;          /* number of the loop; 0: there are none */
    Hot hot;              /* of that */
    double beyond[CACHES]; /* bytes from beyond each cache */
} Measures;

static void add_work(Work *to, const Work *w)
{
    to->arithmetic += w->arithmetic;
    to->calls += w->calls;
    to->loads += w->loads;
    to->stores += w->stores;
    to->prefetches += w->prefetches;
    to->gathered += w->gathered;
    to->scattered += w->scattered;
    to->scalars += w->scalars;
    to->wanted += w->wanted;
    to->lanes += w->lanes;
    to->in_main += w->in_main;
}

static void measure_loops(Measures *m, Arena *arena)
{
    double most = -1;
    for (int i = 0; i < m->replay->loops.count; i++) {
        const ReplayLoop *loop = m->replay->loops.items[i];
        const Hot hot = loop->innermost ? hot_of(arena, loop) : (Hot){0};
        const double cycles = loop_cycles_of(&m->in->machine, loop, &hot);
        add_work(&m->work, &loop->work);
        m->cycles += cycles;
        if (loop->innermost && cycles > most) {
            most = cycles;
            m->hottest = i;
            m->hot = hot;
        }
    }
}

static void measure_memory(Measures *m, Arena *arena)
{
    m->footprint = footprint_of(m->replay, &m->in->machine, arena);
    for (int i = 0; i < CACHES; i++)
        m->beyond[i] = bytes_beyond(m->footprint, m->in->machine.cache_bytes[i]);
    m->beyond[CACHES - 1] += m->footprint->non_temporal;
}

static double bottleneck(const Measures *m)
{
    double cycles = fmax(m->cycles, 1);
    for (int i = 0; i < CACHES; i++)
        cycles = fmax(cycles, m->beyond[i] / m->in->machine.beyond_bytes[i]);
    return cycles;
}

/* ---------------------------------------------------------------- features */

/* Where there is nothing to divide by, the most there can be of something, and nothing of nothing. */
static double ratio(double a, double b) { return b > 0 ? a / b : a > 0 ? INFINITY : 0; }

static double log_of_more(double x) { return log2(1 + x); }

static double chains_of(const Measures *m)
{
    const Machine *machine = &m->in->machine;
    return m->hot.carried.chains ? m->hot.carried.chains / (double)(machine->latency * machine->ports) : 1;
}

static double balance_of(const Measures *m)
{
    const HostNest *nest = m->in->nest;
    const int threads = m->in->machine.threads, each = nest->chosen.knobs[m->in->set].value[KNOB_TASKS];
    double iterations = 1;
    for (int i = 0; i < nest->cut.loops; i++) {
        const Dual count = dual_of(&m->replay->numbers, nest->cut.count[i]);
        iterations *= count.known ? fmax(1, count.value) : UNKNOWN_TRIPS;
    }
    const double tasks = fmin(iterations, threads > 1 && each > 1 ? threads * each : threads);
    return iterations / (threads * ceil(tasks / threads) * ceil(iterations / tasks));
}

static void fill(const Measures *m, double *out)
{
    const Work *w = &m->work;
    const ReplayLoop *hot = m->replay->loops.items[m->hottest];
    const Machine *machine = &m->in->machine;
    out[FEATURE_LANES] = w->lanes > 0 ? w->wanted / w->lanes : 1;
    out[FEATURE_MAIN] = w->wanted > 0 ? w->in_main / w->wanted : 1;
    out[FEATURE_CHAINS] = chains_of(m);
    out[FEATURE_REGISTERS] = m->hot.registers / (double)machine->registers;
    out[FEATURE_LOADS] = ratio(w->loads, w->arithmetic);
    out[FEATURE_STORES] = ratio(w->stores, w->arithmetic);
    out[FEATURE_GATHERED] = w->gathered / m->elements;
    out[FEATURE_SCATTERED] = w->scattered / m->elements;
    out[FEATURE_CALLS] = w->calls / m->elements;
    out[FEATURE_SCALARS] = log_of_more(ratio(w->scalars, w->arithmetic + w->loads + w->stores));
    out[FEATURE_PREFETCHES] = ratio(w->prefetches, w->loads);
    out[FEATURE_FROM_L2] = log_of_more(m->beyond[0] / m->elements);
    out[FEATURE_FROM_L3] = log_of_more(m->beyond[1] / m->elements);
    out[FEATURE_FROM_MEMORY] = log_of_more(m->beyond[2] / m->elements);
    out[FEATURE_LINES] = share_wanted(m->footprint, machine->cache_bytes[0]);
    out[FEATURE_PAGES] = log2(pages_per_full_page(m->footprint, m->hottest));
    out[FEATURE_STREAMS] = log_of_more(streams_of(m->footprint, m->hottest));
    out[FEATURE_NON_TEMPORAL] = m->footprint->stored > 0 ? m->footprint->non_temporal / m->footprint->stored : 0;
    out[FEATURE_BALANCE] = balance_of(m);
    out[FEATURE_ITERATIONS] = log_of_more(hot->trips);
    out[FEATURE_SIZE] = log_of_more(m->elements);
    out[FEATURE_CYCLES] = log2(bottleneck(m) / m->elements);
}

static void keep_within(double *out)
{
    for (int i = 0; i < NEST_FEATURES; i++)
        out[i] = fmin(fmax(out[i], nest_features[i].least), nest_features[i].most);
}

/* The form, if the emitted file runs it at the shape. */
static const Replay *replay_form(const FeatureInput *in, Arena *arena, const Replay *plain)
{
    const Func *form = in->nest->vectors.form[in->set];
    const Numbers numbers = nest_numbers(in, arena);
    const bool few = in->nest->vectors.few && chance_of(&numbers, in->nest->vectors.few) > 0.5;
    return form && !few ? replay_nest(in, arena, form->body) : plain;
}

void nest_features_of(const FeatureInput *in, double *out)
{
    Arena *arena = in->ir->scratch;
    const Replay *plain = replay_nest(in, arena, in->nest->loops->body);
    Measures m = {.in = in, .replay = replay_form(in, arena, plain), .elements = fmax(1, plain->iterations)};
    measure_loops(&m, arena);
    measure_memory(&m, arena);
    fill(&m, out);
    keep_within(out);
    arena_reset(arena);
}
