/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/loop_cycles.h"

#include <math.h>

Hot hot_of(Arena *arena, const ReplayLoop *loop)
{
    return (Hot){carried_by(arena, (Node *)loop->body), registers_needed(arena, loop->loop, (Node *)loop->body)};
}

/* Sums wait for one another, but not those of a run for those of the next one, which begins as soon as it is in the window. */
static double cycles_of_chains(const Machine *m, const ReplayLoop *loop, const Hot *hot, double instructions)
{
    const double together = fmax(1, m->window / fmax(1, instructions / fmax(1, loop->runs)));
    return (double)m->latency * hot->carried.updates * loop->runs * loop->trips / together;
}

/* Of the loop's own work, in all. A value for which there is no register is stored and loaded in each iteration. */
double loop_cycles_of(const Machine *m, const ReplayLoop *loop, const Hot *hot)
{
    const Work *w = &loop->work;
    const double spilled = fmax(0, hot->registers - m->registers) * loop->runs * loop->trips;
    const double loads = w->loads + w->prefetches + spilled, stores = w->stores + spilled,
                 all = w->arithmetic + loads + stores + w->scalars;
    const double ports = fmax(w->arithmetic / m->ports, fmax(loads / m->load_ports, stores / m->store_ports));
    const double waits = cycles_of_chains(m, loop, hot, all);
    return fmax(fmax(ports, all / m->issue), waits) + (loop->loop ? START * loop->runs : 0);
}

double loop_cycles(const Machine *m, Arena *arena, const ReplayLoop *loop)
{
    const Hot hot = loop->innermost ? hot_of(arena, loop) : (Hot){0};
    return loop_cycles_of(m, loop, &hot);
}
