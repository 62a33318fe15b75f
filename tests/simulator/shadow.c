/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The race check of shared memory: two accesses of different threads to a byte, at least one of them a write,
 * have to be ordered by something.
 *
 * Time is a counter of the cluster that grows with every synchronisation. A thread knows everything another did
 * up to a time: of its warp since the last warp barrier, of its block since the last block barrier, and where
 * barriers of fewer threads, mbarriers or clusters order them, by a row of a matrix (a vector clock). Copy
 * engines are agents of their own: what they do is known to who has waited for them. Memory remembers, for each
 * 4 bytes, the last two writers and the last two warps that read; older ones are forgotten, so a race may be
 * missed, but none is invented.
 */
#include "shadow.h"

#include <stdio.h>
#include <stdlib.h>

enum { AGENTS = 256, GRAIN = 4, AGENT_WARP = 0x8000 };

typedef struct {
    uint32_t time, inst;
    uint16_t who;  /* thread of the cluster, or agent after them */
    uint8_t bytes; /* of the 4 */
    bool is_atomic;
} Writer;

typedef struct {
    uint32_t time, inst, lanes;
    uint16_t warp; /* of the cluster, or AGENT_WARP + agent */
    uint8_t bytes;
} Readers;

typedef struct {
    Writer writers[2];
    Readers readers[2];
} Cell;

typedef struct Shadow {
    Cell *cells;
    uint32_t *barrier_clocks[MAX_BARRIERS];
} Shadow;

typedef struct Clocks {
    uint32_t now;
    int threads, block_threads; /* slots: a block's are a multiple of 32 */
    int agent_count;
    uint32_t *block_floor, *warp_floor, *proxy_fence, *fence; /* of each thread: times */
    uint32_t *matrix;                                         /* NULL: nobody needed it yet */
    uint32_t *arrived, *cluster_row;                          /* barrier.cluster: this phase, the last one */
} Clocks;

static int thread_of(const Warp *w, int lane)
{
    return w->block->rank * w->block->cluster->clocks->block_threads + w->index * LANES + lane;
}

static int entries(const Clocks *c) { return c->threads + AGENTS; }

size_t shadow_clock_size(const Cluster *c) { return (size_t)entries(c->clocks); }

static uint32_t *row(Clocks *c, int thread)
{
    if (!c->matrix)
        c->matrix = calloc((size_t)c->threads * (size_t)entries(c), sizeof *c->matrix);
    return c->matrix + (size_t)thread * (size_t)entries(c);
}

void shadow_start(Cluster *c)
{
    Clocks *k = calloc(1, sizeof *k);
    k->block_threads = c->blocks[0].warp_count * LANES;
    k->threads = k->block_threads * c->block_count;
    k->now = 1;
    k->block_floor = calloc(4 * (size_t)k->threads, sizeof *k->block_floor);
    k->warp_floor = k->block_floor + k->threads;
    k->proxy_fence = k->warp_floor + k->threads;
    k->fence = k->proxy_fence + k->threads;
    c->clocks = k;
    for (int r = 0; r < c->block_count; r++) {
        Shadow *s = calloc(1, sizeof *s);
        s->cells = calloc(c->blocks[r].shared_size / GRAIN + 2, sizeof *s->cells);
        c->blocks[r].shadow = s;
    }
}

void shadow_end(Cluster *c)
{
    if (!c->clocks)
        return;
    for (int r = 0; r < c->block_count; r++) {
        Shadow *s = c->blocks[r].shadow;
        for (int k = 0; k < MAX_BARRIERS; k++)
            free(s->barrier_clocks[k]);
        free(s->cells);
        free(s);
    }
    free(c->clocks->block_floor);
    free(c->clocks->matrix);
    free(c->clocks->arrived);
    free(c->clocks);
}

/* ---- what is known ---- */

static bool knows(const Clocks *c, int thread, int who, uint32_t time)
{
    if (who == thread)
        return true;
    if (who < c->threads) {
        if (who / LANES == thread / LANES && time <= c->warp_floor[thread])
            return true;
        if (who / c->block_threads == thread / c->block_threads && time <= c->block_floor[thread])
            return true;
    }
    if (c->cluster_row && time <= c->cluster_row[who])
        return true;
    return c->matrix && time <= c->matrix[(size_t)thread * (size_t)entries(c) + (size_t)who];
}

/* TO learns what the thread knows. */
static void add_knowledge(Clocks *c, int thread, uint32_t *to)
{
    int n = entries(c), block = thread / c->block_threads * c->block_threads, warp = thread / LANES * LANES;
    if (c->matrix) {
        const uint32_t *from = row(c, thread);
        for (int k = 0; k < n; k++)
            to[k] = to[k] > from[k] ? to[k] : from[k];
    }
    uint32_t floor = c->block_floor[thread];
    for (int k = block; k < block + c->block_threads; k++)
        to[k] = to[k] > floor ? to[k] : floor;
    floor = c->warp_floor[thread];
    for (int k = warp; k < warp + LANES; k++)
        to[k] = to[k] > floor ? to[k] : floor;
    if (to[thread] < c->now)
        to[thread] = c->now;
}

static void learn(Clocks *c, int thread, const uint32_t *from)
{
    uint32_t *to = row(c, thread);
    int n = entries(c);
    for (int k = 0; k < n; k++)
        to[k] = to[k] > from[k] ? to[k] : from[k];
}

void shadow_release(Warp *w, int lane, uint32_t *clock)
{
    Clocks *c = w->block->cluster->clocks;
    add_knowledge(c, thread_of(w, lane), clock);
    c->now++;
}

void shadow_release_agents(Warp *w, int lane, uint32_t *clock)
{
    Clocks *c = w->block->cluster->clocks;
    const uint32_t *from = row(c, thread_of(w, lane));
    for (int k = c->threads; k < entries(c); k++)
        clock[k] = clock[k] > from[k] ? clock[k] : from[k];
    c->now++;
}

void shadow_acquire(Warp *w, int lane, const uint32_t *clock) { learn(w->block->cluster->clocks, thread_of(w, lane), clock); }

void shadow_acquire_block(Warp *w, int lane, const uint32_t *clock)
{
    Clocks *c = w->block->cluster->clocks;
    const int base = w->block->rank * c->block_threads;
    uint32_t *to = row(c, thread_of(w, lane));
    for (int k = 0; k < entries(c); k++)
        if (k >= c->threads || (k >= base && k < base + c->block_threads))
            to[k] = to[k] > clock[k] ? to[k] : clock[k];
}

/* ---- barriers ---- */

/* Those named by LANES, of each warp of the block from FIRST, tell each other everything. */
static void exchange(Clocks *c, int base, int warps, const uint32_t *lanes)
{
    uint32_t *all = calloc((size_t)entries(c), sizeof *all);
    for (int k = 0; k < warps; k++)
        EACH_LANE (l, lanes[k])
            add_knowledge(c, base + k * LANES + (int)l, all);
    for (int k = 0; k < warps; k++)
        EACH_LANE (l, lanes[k])
            learn(c, base + k * LANES + (int)l, all);
    free(all);
}

/* A barrier of the whole block. */
void shadow_barrier(Block *b)
{
    Clocks *c = b->cluster->clocks;
    int base = b->rank * c->block_threads;
    if (c->matrix) {
        uint32_t lanes[LANES];
        for (int k = 0; k < b->warp_count; k++)
            lanes[k] = b->warps[k].alive;
        exchange(c, base, b->warp_count, lanes);
    }
    for (int k = base; k < base + c->block_threads; k++)
        c->block_floor[k] = c->warp_floor[k] = c->now;
    c->now++;
}

void shadow_arrive(Block *b, int barrier, const Warp *w, uint32_t lanes)
{
    Clocks *c = b->cluster->clocks;
    uint32_t **clock = &b->shadow->barrier_clocks[barrier];
    if (!*clock)
        *clock = calloc((size_t)entries(c), sizeof **clock);
    EACH_LANE (l, lanes)
        add_knowledge(c, thread_of(w, (int)l), *clock);
    c->now++;
}

void shadow_leave(Block *b, int barrier, const uint32_t *waiting)
{
    Clocks *c = b->cluster->clocks;
    uint32_t *clock = b->shadow->barrier_clocks[barrier];
    for (int k = 0; k < b->warp_count; k++)
        EACH_LANE (l, waiting[k])
            learn(c, thread_of(&b->warps[k], (int)l), clock);
    memset(clock, 0, (size_t)entries(c) * sizeof *clock);
}

void shadow_warp(Warp *w, uint32_t lanes)
{
    Clocks *c = w->block->cluster->clocks;
    int base = thread_of(w, 0);
    bool is_whole = lanes == w->alive;
    if (c->matrix || !is_whole)
        exchange(c, base, 1, &lanes);
    EACH_LANE (l, is_whole ? lanes : 0)
        c->warp_floor[base + (int)l] = c->now;
    c->now++;
}

void shadow_cluster_fence(Warp *w, uint32_t lanes)
{
    Clocks *c = w->block->cluster->clocks;
    EACH_LANE (l, lanes)
        c->fence[thread_of(w, (int)l)] = c->now;
    c->now++;
}

void shadow_cluster_arrive(Warp *w, uint32_t lanes, bool is_relaxed)
{
    Clocks *c = w->block->cluster->clocks;
    if (!c->arrived) {
        c->arrived = calloc(2 * (size_t)entries(c), sizeof *c->arrived);
        c->cluster_row = c->arrived + entries(c);
    }
    EACH_LANE (l, lanes) {
        int t = thread_of(w, (int)l);
        c->arrived[t] = is_relaxed ? c->fence[t] : c->now;
        for (int k = c->threads; c->matrix && k < entries(c); k++) {
            uint32_t time = row(c, t)[k];
            c->arrived[k] = c->arrived[k] > time ? c->arrived[k] : time;
        }
    }
    c->now++;
}

void shadow_cluster_leave(Cluster *cluster)
{
    Clocks *c = cluster->clocks;
    if (c->arrived)
        memcpy(c->cluster_row, c->arrived, (size_t)entries(c) * sizeof *c->arrived);
    c->now++;
}

/* ---- agents ---- */

int shadow_agent_new(Cluster *c)
{
    row(c->clocks, 0);
    return c->clocks->agent_count++ % AGENTS;
}

void shadow_agent_done(Cluster *cluster, int agent, uint32_t *clock)
{
    Clocks *c = cluster->clocks;
    clock[c->threads + agent] = c->now++;
}

void shadow_agent_seen(Warp *w, int lane, int agent)
{
    Clocks *c = w->block->cluster->clocks;
    row(c, thread_of(w, lane))[c->threads + agent] = c->now++;
}

void shadow_proxy_fence(Warp *w, uint32_t lanes)
{
    Clocks *c = w->block->cluster->clocks;
    EACH_LANE (l, lanes)
        c->proxy_fence[thread_of(w, (int)l)] = c->now;
    c->now++;
}

/* ---- accesses ---- */

typedef struct {
    Warp *w;
    const Inst *i;
    int lane, thread, who; /* who: the thread, or the agent that acts for it */
    Block *owner;
    size_t offset;
    AccessKind kind;
} Access;

static const char *const kind_texts[] = {"read", "write", "atomic access"};

static void name(const Clocks *c, const Access *a, int who, char *text, size_t size)
{
    if (who >= c->threads)
        snprintf(text, size, "a copy or wgmma that was not waited for");
    else
        snprintf(text, size, "thread %d%s", who % c->block_threads,
                 who / c->block_threads == a->w->block->rank ? "" : " of another block of the cluster");
}

static void race(const Access *a, int who, uint32_t inst, const char *what, const char *because)
{
    char text[100];
    name(a->w->block->cluster->clocks, a, who, text, sizeof text);
    fault(a->w, a->i, a->lane, SIM_RACE, "this %s of offset %zu of shared memory and the %s by %s, %s, are %s", kind_texts[a->kind],
          a->offset, what, text, inst_text(a->w, &a->w->code->insts[inst]), because);
}

/* A copy engine sees a thread's write only after a proxy fence, of the writer or of who started the copy. */
static void check_proxy(const Clocks *c, const Access *a, const Writer *last)
{
    if (a->who >= c->threads && last->who < c->threads && a->kind == ACCESS_READ && !last->is_atomic &&
        c->proxy_fence[last->who] < last->time && c->proxy_fence[a->thread] < last->time)
        race(a, last->who, last->inst, "write", "ordered, but there is no fence.proxy.async between them");
}

static void check_writers(const Clocks *c, const Access *a, const Cell *cell, uint8_t bytes)
{
    for (int k = 0; k < 2; k++) {
        const Writer *last = &cell->writers[k];
        if (last->time == 0 || !(last->bytes & bytes))
            continue;
        if (a->kind == ACCESS_ATOMIC && last->is_atomic)
            continue;
        if (!knows(c, a->thread, last->who, last->time))
            race(a, last->who, last->inst, last->is_atomic ? "atomic access" : "write", "not ordered");
        check_proxy(c, a, last);
    }
}

static void check_readers(const Clocks *c, const Access *a, const Cell *cell, uint8_t bytes)
{
    for (int k = 0; k < 2; k++) {
        const Readers *last = &cell->readers[k];
        if (last->time == 0 || !(last->bytes & bytes))
            continue;
        if (last->warp >= AGENT_WARP) {
            int agent = c->threads + last->warp - AGENT_WARP;
            if (!knows(c, a->thread, agent, last->time))
                race(a, agent, last->inst, "read", "not ordered");
            continue;
        }
        EACH_LANE (l, last->lanes) {
            int who = last->warp * LANES + (int)l;
            if (!knows(c, a->thread, who, last->time))
                race(a, who, last->inst, "read", "not ordered");
        }
    }
}

/* An atomic access does not take the place of a plain write, which conflicts with more. */
static void record_write(const Clocks *c, const Access *a, Cell *cell, uint8_t bytes)
{
    bool is_atomic = a->kind == ACCESS_ATOMIC;
    Writer *w = cell->writers;
    if (is_atomic && w[0].time && !w[0].is_atomic)
        w++;
    bool is_same = w->who == a->who && w->time == c->now && w->is_atomic == is_atomic;
    if (w == cell->writers && !is_same && (w[0].bytes & ~bytes))
        w[1] = w[0];
    w->bytes = is_same ? w->bytes | bytes : bytes;
    w->time = c->now;
    w->inst = (uint32_t)(a->i - a->w->code->insts);
    w->who = (uint16_t)a->who;
    w->is_atomic = is_atomic;
}

static void record_read(const Clocks *c, const Access *a, Cell *cell, uint8_t bytes)
{
    bool is_agent = a->who >= c->threads;
    uint16_t warp = (uint16_t)(is_agent ? AGENT_WARP + a->who - c->threads : a->who / LANES);
    uint32_t lane = is_agent ? 1 : 1u << a->who % LANES;
    Readers *r = cell->readers;
    if (r[0].warp != warp || r[0].time == 0) {
        Readers first = r[0];
        r[0] = r[1].warp == warp ? r[1] : (Readers){.warp = warp};
        r[1] = first;
    }
    bool is_same = r[0].time == c->now;
    r[0].lanes = is_same ? r[0].lanes | lane : lane;
    r[0].bytes = is_same ? r[0].bytes | bytes : bytes;
    r[0].time = c->now;
    r[0].inst = (uint32_t)(a->i - a->w->code->insts);
}

static void access_cells(Access a, size_t size)
{
    Clocks *c = a.w->block->cluster->clocks;
    Cell *cells = a.owner->shadow->cells;
    size_t end = a.offset + size;
    for (size_t at = a.offset; at < end; at = (at / GRAIN + 1) * GRAIN) {
        Cell *cell = &cells[at / GRAIN];
        size_t stop = (at / GRAIN + 1) * GRAIN < end ? GRAIN : end - at / GRAIN * GRAIN;
        uint8_t bytes = (uint8_t)((1u << stop) - (1u << at % GRAIN));
        a.offset = at;
        check_writers(c, &a, cell, bytes);
        if (a.kind != ACCESS_READ) {
            check_readers(c, &a, cell, bytes);
            record_write(c, &a, cell, bytes);
        } else {
            record_read(c, &a, cell, bytes);
        }
    }
}

void shadow_access(Warp *w, const Inst *i, int lane, Block *owner, size_t offset, size_t size, AccessKind kind)
{
    int thread = thread_of(w, lane);
    access_cells((Access){w, i, lane, thread, thread, owner, offset, kind}, size);
}

void shadow_async(Warp *w, const Inst *i, int lane, Block *owner, size_t offset, size_t size, AccessKind kind, int agent)
{
    int thread = thread_of(w, lane);
    access_cells((Access){w, i, lane, thread, w->block->cluster->clocks->threads + agent, owner, offset, kind}, size);
}
