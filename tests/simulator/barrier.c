/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bar, barrier (PTX ISA 9.7.13.1), barrier.cluster (9.7.13.3) and bar.warp.sync (9.7.13.2). A thread that has
 * exited never arrives: who waits for it waits for ever, and is told so. */
#include <stdlib.h>

#include "barrier.h"
#include "decode.h"
#include "shadow.h"

enum { BAR_SYNC, BAR_ARRIVE, BAR_POPC, BAR_AND, BAR_OR };

static void give_votes(Warp *w, const Inst *i, uint32_t lanes, const Barrier *bar)
{
    uint32_t *d = i->d == NO_REF ? NULL : reg(w, i->d);
    uint32_t holds = i->flags == BAR_AND ? (int)bar->votes == bar->expected : bar->votes > 0;
    if (i->flags == BAR_POPC)
        EACH_LANE (l, lanes)
            d[l] = bar->votes;
    else if (d)
        *d = holds ? *d | lanes : *d & ~lanes;
}

static void complete(Block *b, int number)
{
    Barrier *bar = &b->barriers[number];
    if (b->shadow && bar->has_count)
        shadow_leave(b, number, bar->waiting);
    else if (b->shadow)
        shadow_barrier(b);
    for (int k = 0; k < b->warp_count; k++) {
        Warp *w = &b->warps[k];
        uint32_t lanes = bar->waiting[k];
        if (!lanes)
            continue;
        EACH_LANE (l, lanes)
            give_votes(w, &w->code->insts[w->wait[l].pc], 1u << l, bar);
        wake(w, lanes);
    }
    memset(bar, 0, sizeof *bar);
    b->launch->progress++;
}

static void arrive(Warp *w, const Inst *i, uint32_t mask, int number, int expected)
{
    Block *b = w->block;
    int lane = first_lane(mask);
    if (number < 0 || number >= MAX_BARRIERS)
        fault(w, i, lane, SIM_BARRIER, "there is no barrier %d", number);
    if (expected <= 0 || expected % LANES != 0 || (i->b != NO_REF && expected > (b->thread_count + LANES - 1) / LANES * LANES))
        if (i->b != NO_REF)
            fault(w, i, lane, SIM_BARRIER, "barrier %d for %d threads: not a multiple of 32 up to the block's %d", number, expected,
                  b->thread_count);
    Barrier *bar = &b->barriers[number];
    if (bar->expected && bar->expected != expected)
        fault(w, i, lane, SIM_BARRIER, "barrier %d for %d threads, but others already wait at it for %d", number, expected, bar->expected);
    if (bar->here[w->index] & mask)
        fault(w, i, lane, SIM_BARRIER, "barrier %d: the thread arrives a second time before the barrier is complete", number);
    bar->expected = expected;
    bar->has_count = i->b != NO_REF;
    if (b->shadow && bar->has_count)
        shadow_arrive(b, number, w, mask);
    bar->arrived += __builtin_popcount(mask);
    bar->here[w->index] |= mask;
    if (bar->arrived > expected)
        fault(w, i, lane, SIM_BARRIER, "barrier %d: %d threads arrive where %d are expected", number, bar->arrived, expected);
}

static void run_bar(Warp *w, const Inst *i, uint32_t mask)
{
    const uint32_t *a = reg(w, i->a), *count = i->b == NO_REF ? NULL : reg(w, i->b);
    int lane = first_lane(mask), number = (int)a[lane];
    EACH_LANE (l, mask)
        if (a[l] != a[lane] || (count && count[l] != count[lane]))
            fault(w, i, (int)l, SIM_BARRIER, "lanes of one warp at barriers %u and %u", a[lane], a[l]);
    arrive(w, i, mask, number, count ? (int)count[lane] : w->block->thread_count);
    Barrier *bar = &w->block->barriers[number];
    if (i->c != NO_REF)
        bar->votes += (uint32_t)__builtin_popcount((i->imm ? ~pred(w, i->c) : pred(w, i->c)) & mask);
    if (i->flags != BAR_ARRIVE) {
        bar->waiting[w->index] |= mask;
        block_lanes(w, mask, (Wait){.kind = WAIT_BARRIER, .barrier = number}, false);
    }
    if (bar->arrived == bar->expected)
        complete(w->block, number);
}

static Inst *emit_bar(Decoder *d, uint32_t what, bool is_aligned, int at)
{
    int count_at = what == BAR_SYNC || what == BAR_ARRIVE ? at + 1 : d->stmt->count == at + 3 ? at + 1 : 99;
    Ref a = source(d, operand_at(d, at), 4, NULL);
    Ref b = d->stmt->count > count_at ? source(d, operand_at(d, count_at), 4, NULL) : NO_REF;
    Inst *i = emit(d, run_bar);
    i->flow = FLOW_SYNC;
    i->a = a;
    i->b = b;
    i->flags = what;
    i->is_collective = is_aligned;
    return i;
}

static void run_warp_sync(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t left = mask, lanes;
    while (gather_lanes(w, i, mask, &left, i->a, &lanes))
        continue;
}

static void decode_kind(Decoder *d, bool is_aligned)
{
    const char *type = NULL;
    take(d, "cta");
    if (take(d, "sync")) {
        finish_parts(d);
        emit_bar(d, BAR_SYNC, is_aligned, 0);
    } else if (take(d, "arrive")) {
        finish_parts(d);
        emit_bar(d, BAR_ARRIVE, is_aligned, 0);
    } else if (take(d, "red")) {
        type = take_last(d);
        uint32_t what = take(d, "popc") ? BAR_POPC : take(d, "and") ? BAR_AND : take(d, "or") ? BAR_OR : BAR_SYNC;
        finish_parts(d);
        (void)type;
        Ref vote = source_pred(d, operand_at(d, d->stmt->count - 1));
        Ref to = what == BAR_POPC ? dest(d, operand_at(d, 0), 4, false) : dest_pred(d, operand_at(d, 0));
        Inst *i = emit_bar(d, what, is_aligned, 1);
        i->c = vote;
        i->d = to;
    } else {
        decode_fail(d, "unsupported instruction");
    }
}

Decode decode_bar, decode_barrier;

void decode_bar(Decoder *d)
{
    if (take(d, "warp")) {
        take(d, "sync");
        finish_parts(d);
        Ref a = source(d, operand_at(d, 0), 4, NULL);
        Inst *i = emit(d, run_warp_sync);
        i->flow = FLOW_SYNC;
        i->a = a;
        return;
    }
    decode_kind(d, true);
}

/* ---- barrier.cluster ---- */

enum { CLUSTER_ARRIVE, CLUSTER_WAIT };

static uint8_t *arrivals(Cluster *c)
{
    if (!c->has_arrived)
        c->has_arrived = calloc((size_t)c->block_count * 1024, 1);
    return c->has_arrived;
}

/* Every thread of the cluster has arrived, or exited: those count as arrived (9.7.13.3). */
void cluster_barrier_check(Cluster *c)
{
    int live = 0;
    for (int r = 0; r < c->block_count; r++)
        live += c->blocks[r].live_threads;
    if (c->arrived == 0 || c->arrived < live)
        return;
    c->arrived = 0;
    c->phase++;
    if (c->launch->has_races)
        shadow_cluster_leave(c);
    for (int k = 0; k < c->block_count * 1024; k++)
        c->has_arrived[k] = c->has_arrived[k] == 1 ? 2 : 0; /* may leave */
    wake_all(c, WAIT_CLUSTER, 0);
    c->launch->progress++;
}

static void run_cluster_barrier(Warp *w, const Inst *i, uint32_t mask)
{
    Cluster *c = w->block->cluster;
    uint8_t *state = arrivals(c) + w->block->rank * 1024 + w->index * LANES;
    if (i->flags == CLUSTER_ARRIVE) {
        EACH_LANE (l, mask) {
            if (state[l])
                fault(w, i, (int)l, SIM_BARRIER, "a second arrival without a wait in between");
            state[l] = 1;
        }
        if (w->launch->has_races)
            shadow_cluster_arrive(w, mask, i->imm);
        if (w->launch->has_races && !i->imm) {
            shadow_fence(w);
            shadow_publish(w);
        }
        w->block->is_synchronised = true;
        c->arrived += __builtin_popcount(mask);
        cluster_barrier_check(c);
        return;
    }
    uint32_t waiting = 0;
    EACH_LANE (l, mask) {
        if (state[l] == 0)
            fault(w, i, (int)l, SIM_BARRIER, "a wait without an arrival");
        if (state[l] == 1)
            waiting |= 1u << l;
        else
            state[l] = 0;
    }
    if (waiting)
        block_lanes(w, waiting, (Wait){.kind = WAIT_CLUSTER}, true);
}

void decode_barrier(Decoder *d)
{
    bool is_aligned = take(d, "aligned");
    if (!take(d, "cluster")) {
        decode_kind(d, is_aligned);
        return;
    }
    bool is_arrive = take(d, "arrive");
    if (!is_arrive && !take(d, "wait"))
        decode_fail(d, "unsupported instruction");
    take(d, "release");
    bool is_relaxed = take(d, "relaxed");
    take(d, "acquire");
    finish_parts(d);
    Inst *i = emit(d, run_cluster_barrier);
    i->imm = is_relaxed;
    i->flow = FLOW_SYNC;
    i->flags = is_arrive ? CLUSTER_ARRIVE : CLUSTER_WAIT;
    i->is_collective = is_aligned;
}
