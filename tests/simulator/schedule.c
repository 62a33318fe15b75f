/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who runs when. A warp's lanes that are at the same instruction run together, the ones furthest behind first,
 * so that they meet again after a branch. A warp runs until all its lanes wait; a cluster of blocks until all
 * its warps do; then the next of the resident clusters has its turn, so that blocks may wait for each other. */
#include <stdlib.h>

#include "barrier.h"
#include "in_flight.h"
#include "shadow.h"
#include "special.h"
#include "wgmma.h"

enum {
    SLICE = 1 << 16,  /* instructions of one warp before the next has its turn */
    SPINS = 24,       /* turns of a waiting loop */
    IDLE_ROUNDS = 400 /* of all resident clusters, without any change: nobody will ever go on */
};

/* ---- lanes ---- */

void block_lanes(Warp *w, uint32_t lanes, Wait wait, bool again)
{
    wait.pc = w->pc;
    w->blocked |= lanes;
    EACH_LANE (l, lanes) {
        w->wait[l] = wait;
        w->lane_pc[l] = w->pc + !again;
    }
}

void wake(Warp *w, uint32_t lanes)
{
    w->blocked &= ~lanes;
    w->launch->progress++;
}

void wake_all(Cluster *c, WaitKind kind, uint64_t address)
{
    for (int b = 0; b < c->block_count; b++)
        for (int k = 0; k < c->blocks[b].warp_count; k++) {
            Warp *w = &c->blocks[b].warps[k];
            uint32_t lanes = 0;
            EACH_LANE (l, w->blocked)
                if (w->wait[l].kind == kind && (address == 0 || w->wait[l].address == address))
                    lanes |= 1u << l;
            if (lanes)
                wake(w, lanes);
        }
}

/* Somebody else's instruction cannot be the one that these lanes wait at. */
static void check_gathering(Warp *w, const Inst *i, uint32_t lanes)
{
    EACH_LANE (l, lanes & w->blocked)
        if (w->wait[l].kind == WAIT_LANES && w->lane_pc[l] != w->pc && (w->wait[l].lanes & w->group))
            fault(w, i, first_lane(w->group), SIM_DIVERGENCE, "lanes 0x%08x are here, but lane %u is at %s", w->group, l,
                  inst_text(w, &w->code->insts[w->lane_pc[l]]));
}

bool lanes_gathered(Warp *w, const Inst *i, uint32_t some, uint32_t all)
{
    if ((w->group & all) == all)
        return true;
    check_gathering(w, i, all);
    block_lanes(w, some, (Wait){.kind = WAIT_LANES, .lanes = all}, true);
    return false;
}

static void lanes_exit(Warp *w, const Inst *i, uint32_t lanes)
{
    if (w->wgmma.flights)
        wgmma_exit(w, i);
    w->alive &= ~lanes;
    w->block->live_threads -= __builtin_popcount(lanes);
    w->launch->progress++;
    EACH_LANE (l, w->blocked & w->alive) /* perhaps they waited only for these */
        if (w->wait[l].kind == WAIT_LANES)
            wake(w, 1u << l);
    if (w->block->cluster->arrived > 0)
        cluster_barrier_check(w->block->cluster);
    if (w->block->live_threads == 0) {
        wgmma_block_done(w->block);
        async_block_done(w->block);
    }
}

/* ---- one warp ---- */

static uint32_t at_pc(const Warp *w, uint32_t lanes, int pc)
{
    uint32_t there = 0;
    EACH_LANE (l, lanes)
        there |= (uint32_t)(w->lane_pc[l] == pc) << l;
    return there;
}

static uint32_t ready(const Warp *w) { return w->alive & ~w->blocked & ~w->yielded; }

/* Lanes that wait for the rest of a collective operation go with the group that reaches it. */
static uint32_t gathering(const Warp *w)
{
    uint32_t lanes = 0;
    EACH_LANE (l, w->alive & w->blocked)
        lanes |= (uint32_t)(w->wait[l].kind == WAIT_LANES) << l;
    return lanes;
}

/* Chooses the group; returns how far it may run until it meets other lanes. */
static int choose_group(Warp *w)
{
    uint32_t lanes = ready(w);
    if (lanes & ~w->held)
        lanes &= ~w->held;
    else
        w->held = 0;
    int pc = w->lane_pc[first_lane(lanes)];
    if (is_random(w->launch)) {
        uint64_t r = draw(&w->launch->random);
        int skip = (int)(r % (unsigned)__builtin_popcount(lanes));
        EACH_LANE (l, lanes)
            if (skip-- == 0)
                pc = w->lane_pc[l];
    } else {
        EACH_LANE (l, lanes)
            if (w->lane_pc[l] < pc)
                pc = w->lane_pc[l];
    }
    w->group = at_pc(w, lanes, pc);
    if (is_random(w->launch) && (draw(&w->launch->random) & 3) == 0) {
        uint32_t some = w->group & (uint32_t)draw(&w->launch->random);
        if (some && some != w->group) {
            w->held |= w->group & ~some;
            w->group = some;
        }
    }
    uint32_t waiting = gathering(w), others = (ready(w) & ~w->held) | waiting;
    uint32_t gathered = at_pc(w, waiting, pc);
    w->blocked &= ~gathered;
    w->group |= gathered;
    w->pc = pc;
    int merge = INT32_MAX;
    EACH_LANE (l, others & ~w->group)
        if (w->lane_pc[l] > pc && w->lane_pc[l] < merge)
            merge = w->lane_pc[l];
    return merge;
}

static void park(Warp *w, uint32_t lanes, int pc)
{
    EACH_LANE (l, lanes)
        w->lane_pc[l] = pc;
}

static uint32_t guarded(const Warp *w, const Inst *i)
{
    if (i->guard == NO_REF)
        return w->group;
    uint32_t p = pred(w, i->guard);
    return w->group & (i->is_guard_negated ? ~p : p);
}

/* A branch; false: the group has parted or yields, and its lanes are parked. */
static bool branch(Warp *w, const Inst *i)
{
    uint32_t taken = guarded(w, i);
    if (i->target <= w->pc && taken) {
        w->turns = w->is_spinning ? w->turns + 1 : 0;
        w->is_spinning = false;
    }
    if (taken == 0) {
        w->pc++;
        return true;
    }
    if (taken == w->group && w->turns < SPINS) {
        bool is_forward = i->target > w->pc;
        w->pc = i->target;
        return is_forward || w->group == w->alive;
    }
    park(w, taken, i->target);
    park(w, w->group & ~taken, w->pc + 1);
    if (w->turns >= SPINS) {
        w->yielded |= taken;
        w->turns = 0;
    }
    w->group = 0;
    return false;
}

static void table_branch(Warp *w, const Inst *i)
{
    const uint32_t *index = reg(w, i->a);
    const int *table = i->extra;
    uint32_t mask = guarded(w, i);
    park(w, w->group & ~mask, w->pc + 1);
    EACH_LANE (l, mask) {
        if (index[l] >= (uint64_t)i->imm)
            fault(w, i, (int)l, SIM_OUT_OF_BOUNDS, "index %u into %d branch targets", index[l], (int)i->imm);
        w->lane_pc[l] = table[index[l]];
    }
    w->group = 0;
}

/* A collective operation or one that may wait; false: the group is to be chosen anew. */
static bool synchronise(Warp *w, const Inst *i)
{
    uint32_t mask = guarded(w, i), group = w->group;
    if (mask == 0) {
        w->pc++;
        return true;
    }
    if (i->is_collective) {
        if (i->needs_warp && w->alive != ~0u)
            fault(w, i, first_lane(mask), SIM_DIVERGENCE, "all 32 lanes have to execute it, but 0x%08x have exited", ~w->alive);
        if (mask != group)
            fault(w, i, first_lane(mask), SIM_DIVERGENCE, "all lanes of the warp have to execute it, not 0x%08x only", mask);
        if (!lanes_gathered(w, i, group, w->alive)) {
            w->group = 0;
            return false;
        }
    }
    i->run(w, i, mask);
    uint32_t parked = group & w->blocked;
    if (!parked) {
        w->pc++;
        return true;
    }
    park(w, group & ~parked & w->alive, w->pc + 1);
    w->group = 0;
    return false;
}

static void run_warp(Warp *w)
{
    Launch *l = w->launch;
    const Inst *code = w->code->insts;
    long long count = 0;
    int budget = is_random(l) ? 1 + (int)(draw(&l->random) % 400) : SLICE;
    while (ready(w) && budget > 0) {
        int merge = choose_group(w);
        while (budget-- > 0 && w->pc < merge) {
            const Inst *i = &code[w->pc];
            if (w->wgmma.any_taint)
                wgmma_check_taint(w, i);
            switch (i->flow) {
            case FLOW_SPIN: w->is_spinning = true; /* fall through */
            case FLOW_NEXT: {
                uint32_t mask = guarded(w, i);
                if (mask)
                    i->run(w, i, mask);
                count += __builtin_popcount(mask);
                w->pc++;
                break;
            }
            case FLOW_SYNC:
                count += __builtin_popcount(w->group);
                if (!synchronise(w, i))
                    goto parted;
                break;
            case FLOW_BRANCH:
                count += __builtin_popcount(w->group);
                if (!branch(w, i))
                    goto parted;
                break;
            case FLOW_TABLE: table_branch(w, i); goto parted;
            default: {
                uint32_t mask = guarded(w, i);
                count += __builtin_popcount(mask);
                lanes_exit(w, i, mask);
                park(w, w->group & ~mask, w->pc + 1);
                w->group = 0;
                goto parted;
            }
            }
        }
    parted:
        park(w, w->group, w->pc);
    }
    if (budget <= 0 && w->turns == 0 && !w->is_spinning)
        l->busy++;
    w->held = 0;
    l->counters.instructions += count;
    l->clock += (uint64_t)count;
}

/* ---- clusters ---- */

static void start_warp(Warp *w, Block *b, int index)
{
    Code *code = b->launch->code;
    w->block = b;
    w->launch = b->launch;
    w->code = code;
    w->index = index;
    w->file[0] = aligned_alloc(64, code->file_size + 64);
    memset(w->file[0], 0xff, code->file_size + 64);
    w->file[1] = code->constants;
    int lanes = b->thread_count - index * LANES;
    w->alive = lanes >= LANES ? ~0u : (1u << lanes) - 1;
    if (code->local_size > 16) {
        w->local = malloc(LANES * code->local_size);
        memset(w->local, 0xff, LANES * code->local_size);
    }
    special_start(w);
}

static Cluster *start_cluster(Launch *l, uint64_t number)
{
    Cluster *c = calloc(1, sizeof *c);
    const uint32_t *n = l->cluster;
    uint32_t clusters[2] = {l->grid[0] / n[0], l->grid[1] / n[1]};
    uint32_t id[3] = {(uint32_t)(number % clusters[0]), (uint32_t)(number / clusters[0] % clusters[1]),
                      (uint32_t)(number / clusters[0] / clusters[1])};
    c->launch = l;
    c->block_count = (int)(n[0] * n[1] * n[2]);
    c->blocks = calloc((size_t)c->block_count, sizeof *c->blocks);
    for (int r = 0; r < c->block_count; r++) {
        Block *b = &c->blocks[r];
        b->cluster = c;
        b->launch = l;
        b->rank = r;
        b->id[0] = id[0] * n[0] + (uint32_t)r % n[0];
        b->id[1] = id[1] * n[1] + (uint32_t)r / n[0] % n[1];
        b->id[2] = id[2] * n[2] + (uint32_t)r / n[0] / n[1];
        b->shared_size = l->shared_size;
        b->shared = malloc(b->shared_size + 1);
        memset(b->shared, 0xff, b->shared_size);
        b->thread_count = b->live_threads = (int)(l->block[0] * l->block[1] * l->block[2]);
        b->warp_count = (b->thread_count + LANES - 1) / LANES;
        b->warps = calloc((size_t)b->warp_count, sizeof *b->warps);
        for (int k = 0; k < b->warp_count; k++)
            start_warp(&b->warps[k], b, k);
    }
    if (l->has_races)
        shadow_start(c);
    l->counters.blocks += c->block_count;
    return c;
}

static void end_cluster(Cluster *c)
{
    async_end(c);
    shadow_end(c);
    for (int r = 0; r < c->block_count; r++) {
        Block *b = &c->blocks[r];
        for (int k = 0; k < b->warp_count; k++) {
            free(b->warps[k].file[0]);
            free(b->warps[k].local);
            free(b->warps[k].copies.copies);
            wgmma_end(&b->warps[k]);
        }
        mbarriers_end(b);
        free(b->warps);
        free(b->shared);
    }
    free(c->has_arrived);
    free(c->blocks);
    free(c);
}

static void wake_yielded(Cluster *c)
{
    for (int r = 0; r < c->block_count; r++)
        for (int k = 0; k < c->blocks[r].warp_count; k++)
            c->blocks[r].warps[k].yielded = 0;
}

static bool is_done(const Cluster *c)
{
    for (int r = 0; r < c->block_count; r++)
        if (c->blocks[r].live_threads > 0)
            return false;
    return true;
}

/* All warps that can run do, in the schedule's order. */
static bool run_warps(Cluster *c)
{
    Launch *l = c->launch;
    int warps = c->blocks[0].warp_count, total = c->block_count * warps;
    int start = is_random(l) ? (int)(draw(&l->random) % (unsigned)total) : 0;
    int step = is_random(l) && (draw(&l->random) & 1) ? total - 1 : 1;
    bool ran = false;
    for (int n = 0; n < total; n++) {
        int k = is_reverse(l) ? total - 1 - n : (start + n * step) % total;
        Warp *w = &c->blocks[k / warps].warps[k % warps];
        if (!ready(w))
            continue;
        run_warp(w);
        ran = true;
        if (is_random(l) && (draw(&l->random) & 3) == 0)
            async_land(c, false);
    }
    return ran;
}

/* try_wait waits for a limited time only. */
static void time_out(Cluster *c)
{
    for (int r = 0; r < c->block_count; r++)
        for (int k = 0; k < c->blocks[r].warp_count; k++) {
            Warp *w = &c->blocks[r].warps[k];
            EACH_LANE (l, w->blocked & w->alive)
                if (w->wait[l].kind == WAIT_MBARRIER)
                    w->timed_out |= 1u << l;
            w->blocked &= ~w->timed_out;
        }
}

/* Runs until all is done (true), or nobody can go on without another cluster. */
static bool run_cluster(Cluster *c)
{
    Launch *l = c->launch;
    bool has_timed_out = false;
    wake_yielded(c);
    for (;;) {
        long long progress = l->progress;
        bool ran = run_warps(c);
        if (ran && is_random(l) && (draw(&l->random) & 7) == 0)
            return is_done(c); /* another cluster in between */
        if (ran)
            continue;
        if (is_done(c))
            return true;
        if (l->progress == progress && !async_land(c, true)) {
            if (has_timed_out)
                return false;
            time_out(c);
            has_timed_out = true;
        }
        wake_yielded(c);
    }
}

/* ---- the grid ---- */

/* The order of the clusters: a table, where it is random. */
static uint32_t *draw_order(Launch *l, uint64_t total)
{
    if (!is_random(l) || total > 1u << 24)
        return NULL;
    uint32_t *order = malloc(total * sizeof *order);
    for (uint64_t k = 0; k < total; k++) {
        uint64_t at = draw(&l->random) % (k + 1);
        order[k] = order[at];
        order[at] = (uint32_t)k;
    }
    return order;
}

void end_grid(Launch *l);
void end_grid(Launch *l)
{
    while (l->active) {
        Cluster *c = l->active;
        l->active = c->next;
        end_cluster(c);
    }
}

/* A turn for every cluster that has begun; returns how many are left. */
static int run_round(Launch *l)
{
    int left = 0;
    for (Cluster **at = &l->active; *at;) {
        Cluster *c = *at;
        if (run_cluster(c)) {
            *at = c->next;
            end_cluster(c);
        } else {
            at = &c->next;
            left++;
        }
    }
    return left;
}

void run_grid(Launch *l)
{
    uint64_t total = 1, next = 0;
    for (int k = 0; k < 3; k++)
        total *= l->grid[k] / l->cluster[k];
    uint32_t *order = draw_order(l, total);
    l->order = order;
    int active = 0, idle = 0;
    while (next < total || active > 0) {
        long long progress = l->progress, busy = l->busy;
        int starts = is_random(l) ? 1 + (int)(draw(&l->random) % 3) : 1;
        bool is_full = active >= l->resident;
        for (; starts > 0 && next < total && active < l->resident; starts--, active++, next++) {
            Cluster *c = start_cluster(l, order ? order[next] : is_reverse(l) ? total - 1 - next : next);
            Cluster **last = &l->active;
            while (*last)
                last = &(*last)->next;
            *last = c;
        }
        active = run_round(l);
        if (l->progress != progress || !(is_full || next == total))
            idle = 0;
        else
            idle += l->busy == busy;
        if (idle > IDLE_ROUNDS)
            fault_deadlock(l);
    }
}
