/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bulk and tensor copies (PTX ISA 9.7.9.25.4 and 9.7.9.27). A copy waits in the cluster's queue until nobody
 * else can run, in random-lazy lands at any time and in any order, in forward-eager at once. It reads when it
 * lands. */
#include <stdio.h>
#include <stdlib.h>

#include "barrier.h"
#include "cp_async.h"
#include "decode.h"
#include "float_bits.h"
#include "in_flight.h"
#include "shadow.h"
#include "tensor.h"

typedef struct Bulk {
    Warp *w;
    const Inst *inst;
    int lane;
    bool is_store, is_tensor, has_waited; /* has_waited: the thread, by griddepcontrol.wait, before it issued this */
    TensorMap map;
    int32_t at[5];
    uint64_t global;
    Block *source; /* of a copy between blocks */
    uint32_t source_address;
    Block *owner; /* of the shared memory */
    uint32_t shared, bytes;
    Block *barrier_owner;
    uint32_t barrier;
    int agent;
    uint32_t group; /* of a store: the thread's bulk group */
    struct Bulk *next;
} Bulk;

typedef struct Async {
    Bulk *first;
    int count;
} Async;

/* Of each thread of a warp: the number of its open bulk group; agents, of which group g is number g % 4's, since groups are waited for
 * apart, and the last group that each acted for. */
enum { GROUP_AGENTS = 4 };
typedef struct BulkGroups {
    uint32_t open[LANES], last[LANES][GROUP_AGENTS];
    int agent[LANES][GROUP_AGENTS];
} BulkGroups;

static Async *queue(Cluster *c)
{
    if (!c->async)
        c->async = calloc(1, sizeof *c->async);
    return c->async;
}

static BulkGroups *groups(Warp *w)
{
    if (!w->bulk) {
        w->bulk = calloc(1, sizeof *w->bulk);
        memset(w->bulk->agent, 0xff, sizeof w->bulk->agent);
    }
    return w->bulk;
}

/* ---- landing ---- */

static void land(const Bulk *b)
{
    if (b->owner->live_threads == 0 && !b->is_store)
        fault(b->w, b->inst, b->lane, SIM_ASYNC, "the copy lands in the shared memory of a block that has exited");
    uint8_t *shared = b->owner->shared + (b->shared - SHARED_BASE);
    if (b->is_tensor)
        tensor_copy(b->w, b->inst, b->lane, &b->map, b->at, b->owner, b->shared, b->is_store, b->has_waited);
    else if (b->source)
        memcpy(shared, b->source->shared + (b->source_address - SHARED_BASE), b->bytes);
    else if (b->is_store) {
        memcpy(access_global(b->w, b->inst, b->lane, b->global, b->bytes, 16), shared, b->bytes);
        shadow_global(b->w, b->inst, b->lane, b->global, b->bytes, ACCESS_WRITE);
    } else
        memcpy(shared, access_global(b->w, b->inst, b->lane, b->global, b->bytes, 16), b->bytes);
    if (!b->is_store)
        mbarrier_complete(b->w, b->inst, b->lane, b->barrier_owner, b->barrier, b->bytes, b->agent);
    b->w->launch->progress++;
}

static void land_at(Async *q, Bulk **at)
{
    Bulk *b = *at;
    *at = b->next;
    q->count--;
    land(b);
    free(b);
}

static Bulk **nth(Async *q, int n)
{
    Bulk **at = &q->first;
    while (n-- > 0)
        at = &(*at)->next;
    return at;
}

bool async_land(Cluster *c, bool all)
{
    Launch *l = c->launch;
    bool landed = false;
    for (int b = 0; b < c->block_count; b++)
        for (int k = 0; k < c->blocks[b].warp_count; k++)
            if (c->blocks[b].warps[k].copies.count > 0)
                landed |= cp_async_land(&c->blocks[b].warps[k], all);
    Async *q = c->async;
    if (!q || q->count == 0)
        return landed;
    land_at(q, nth(q, is_random(l) ? (int)(draw(&l->random) % (unsigned)q->count) : is_reverse(l) ? q->count - 1 : 0));
    return true;
}

/* The block's memory is given to another block now. */
void async_block_done(Block *b)
{
    if (!b->cluster->async)
        return;
    for (const Bulk *k = b->cluster->async->first; k; k = k->next)
        if (k->owner == b || k->source == b)
            fault(k->w, k->inst, k->lane, SIM_ASYNC, "the block exits before this copy %s its shared memory is complete",
                  k->is_store || k->source == b ? "from" : "to");
}

void async_end(Cluster *c)
{
    if (c->async) {
        while (c->async->first) {
            Bulk *b = c->async->first;
            c->async->first = b->next;
            free(b);
        }
        free(c->async);
    }
    for (int b = 0; b < c->block_count; b++)
        for (int k = 0; k < c->blocks[b].warp_count; k++)
            free(c->blocks[b].warps[k].bulk);
}

static void start(Bulk b)
{
    Warp *w = b.w;
    Launch *l = w->launch;
    if (b.is_store) {
        BulkGroups *g = groups(w);
        b.group = g->open[b.lane];
        int *agent = &g->agent[b.lane][b.group % GROUP_AGENTS];
        if (l->has_races && *agent < 0)
            *agent = shadow_agent_new(w->block->cluster);
        g->last[b.lane][b.group % GROUP_AGENTS] = b.group;
        b.agent = *agent;
    } else {
        b.agent = mbarrier_agent(w, b.inst, b.lane, b.barrier_owner, b.barrier);
    }
    if (l->has_races) {
        shadow_async(w, b.inst, b.lane, b.owner, b.shared - SHARED_BASE, b.bytes, b.is_store ? ACCESS_READ : ACCESS_WRITE, b.agent);
        if (b.source)
            shadow_async(w, b.inst, b.lane, b.source, b.source_address - SHARED_BASE, b.bytes, ACCESS_READ, b.agent);
    }
    l->counters.async_bytes += b.bytes;
    if (!is_lazy(l)) {
        land(&b);
        return;
    }
    Async *q = queue(w->block->cluster);
    Bulk *kept = malloc(sizeof *kept);
    *kept = b;
    kept->next = NULL;
    *nth(q, q->count++) = kept;
}

/* ---- issuing ---- */

enum { BULK_STORE = 1, BULK_TENSOR = 2, BULK_MULTICAST = 4, BULK_BETWEEN = 8, BULK_PREFETCH = 16 };

/* What decoding leaves in extra; refs index these operands. */
typedef struct {
    Inst shared, global, barrier, source; /* addresses */
    Ref coordinates[5], size, mask;
    int rank;
} BulkOperands;

static uint64_t address_of(const Warp *w, const Inst *o, uint32_t l)
{
    return (o->a == NO_REF ? 0 : ((const u64 *)reg(w, o->a))[l]) + (u64)o->imm;
}

static Block *shared_place(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, size_t align, uint32_t *at)
{
    Block *owner;
    if ((address & WINDOW_MASK) == SHARED_WINDOW)
        address &= ~WINDOW_MASK;
    uint8_t *p = access_shared(w, i, lane, address, size, align, &owner);
    *at = (uint32_t)(p - owner->shared) + SHARED_BASE;
    return owner;
}

static void issue_load(const Inst *i, const BulkOperands *o, Bulk b, size_t align)
{
    Warp *w = b.w;
    uint32_t mask = 0, l = (uint32_t)b.lane;
    b.owner = shared_place(w, i, b.lane, address_of(w, &o->shared, l), b.bytes, align, &b.shared);
    b.barrier_owner = shared_place(w, i, b.lane, address_of(w, &o->barrier, l), 8, 8, &b.barrier);
    if (i->flags & BULK_MULTICAST)
        mask = ((const u32 *)reg(w, o->mask))[l] & 0xffff;
    if (!(i->flags & BULK_MULTICAST)) {
        start(b);
        return;
    }
    for (int r = 0; r < 16; r++) {
        if (!(mask >> r & 1))
            continue;
        if (r >= w->block->cluster->block_count)
            fault(w, i, b.lane, SIM_TENSOR, "multicast to block %d of a cluster of %d", r, w->block->cluster->block_count);
        b.owner = b.barrier_owner = &w->block->cluster->blocks[r];
        start(b);
    }
}

static void issue(Warp *w, const Inst *i, uint32_t l)
{
    const BulkOperands *o = i->extra;
    Bulk b = {.w = w, .inst = i, .lane = (int)l, .agent = -1, .has_waited = w->has_waited >> l & 1};
    size_t align = 16;
    b.is_store = i->flags & BULK_STORE;
    b.is_tensor = i->flags & BULK_TENSOR;
    if (b.is_tensor) {
        b.map = *tensor_map(w, i, (int)l, address_of(w, &o->global, l));
        if (b.map.rank != o->rank)
            fault(w, i, (int)l, SIM_TENSOR, "%d coordinates for a tensor map of rank %d", o->rank, b.map.rank);
        for (int k = 0; k < o->rank; k++)
            b.at[k] = ((const s32 *)reg(w, o->coordinates[k]))[l];
        b.bytes = (uint32_t)tensor_box_bytes(&b.map);
        align = 128;
    } else {
        b.global = address_of(w, &o->global, l);
        b.bytes = ((const u32 *)reg(w, o->size))[l];
        if (b.bytes % 16 != 0)
            fault(w, i, (int)l, SIM_TENSOR, "a copy of %u bytes: not a multiple of 16", b.bytes);
        if (b.bytes == 0 && b.is_store)
            return;
        if (!(i->flags & BULK_BETWEEN)) {
            access_global(w, i, (int)l, b.global, b.bytes, 16);
            shadow_early(w, i, (int)l, b.global, b.bytes, b.has_waited);
        }
    }
    if (i->flags & BULK_PREFETCH)
        return;
    if (b.is_store) {
        b.owner = shared_place(w, i, (int)l, address_of(w, &o->shared, l), b.bytes, align, &b.shared);
        start(b);
        return;
    }
    if (i->flags & BULK_BETWEEN)
        b.source = shared_place(w, i, (int)l, address_of(w, &o->source, l), b.bytes, 16, &b.source_address);
    issue_load(i, o, b, align);
}

static void run_bulk(Warp *w, const Inst *i, uint32_t mask)
{
    EACH_LANE (l, mask)
        issue(w, i, l);
}

static void run_bulk_commit(Warp *w, const Inst *i, uint32_t mask)
{
    (void)i;
    EACH_LANE (l, mask)
        groups(w)->open[l]++;
}

static void run_bulk_wait(Warp *w, const Inst *i, uint32_t mask)
{
    BulkGroups *g = groups(w);
    Async *q = queue(w->block->cluster);
    EACH_LANE (l, mask) {
        uint32_t before = g->open[l] > (uint64_t)i->imm ? g->open[l] - (uint32_t)i->imm : 0;
        for (Bulk **at = &q->first; *at;)
            if ((*at)->w == w && (*at)->lane == (int)l && (*at)->is_store && (*at)->group < before)
                land_at(q, at);
            else
                at = &(*at)->next;
        for (int a = 0; a < GROUP_AGENTS && w->launch->has_races; a++)
            if (g->agent[l][a] >= 0 && g->last[l][a] < before)
                shadow_agent_seen(w, (int)l, g->agent[l][a]);
    }
}

/* ---- decoding ---- */

static void take_tensor(Decoder *d, BulkOperands *o, const Operand *operand)
{
    if (operand->kind != O_ADDRESS || operand->count != 2 || operand->parts[1].kind != O_VECTOR || operand->parts[1].count > 5)
        decode_fail(d, "unsupported tensor operand of");
    o->rank = operand->parts[1].count;
    for (int k = 0; k < o->rank; k++)
        o->coordinates[k] = source(d, &operand->parts[1].parts[k], 4, NULL);
    address_operand(d, operand, &o->global, SPACE_GENERIC);
}

static void emit_bulk(Decoder *d, BulkOperands o, uint32_t flags)
{
    BulkOperands *kept = ptx_new(sizeof *kept);
    *kept = o;
    Inst *i = emit(d, run_bulk);
    i->extra = kept;
    i->flags = flags;
}

static void decode_store(Decoder *d, bool is_tensor)
{
    BulkOperands o;
    memset(&o, 0xff, sizeof o);
    take(d, "bulk_group");
    finish_parts(d);
    if (is_tensor)
        take_tensor(d, &o, operand_at(d, 0));
    else
        address_operand(d, operand_at(d, 0), &o.global, SPACE_GLOBAL);
    address_operand(d, operand_at(d, 1), &o.shared, SPACE_SHARED);
    if (!is_tensor)
        o.size = source(d, operand_at(d, 2), 4, NULL);
    emit_bulk(d, o, BULK_STORE | (is_tensor ? BULK_TENSOR : 0));
}

static void decode_load(Decoder *d, bool is_tensor, bool is_between)
{
    BulkOperands o;
    memset(&o, 0xff, sizeof o);
    bool is_multicast = take(d, "multicast::cluster");
    bool has_hint = take(d, "L2::cache_hint");
    if (!take(d, "mbarrier::complete_tx::bytes"))
        decode_fail(d, "unsupported instruction");
    finish_parts(d);
    address_operand(d, operand_at(d, 0), &o.shared, SPACE_CLUSTER);
    if (is_tensor)
        take_tensor(d, &o, operand_at(d, 1));
    else
        address_operand(d, operand_at(d, 1), is_between ? &o.source : &o.global, is_between ? SPACE_SHARED : SPACE_GLOBAL);
    if (!is_tensor)
        o.size = source(d, operand_at(d, 2), 4, NULL);
    address_operand(d, operand_at(d, is_tensor ? 2 : 3), &o.barrier, SPACE_CLUSTER);
    if (is_multicast)
        o.mask = source(d, operand_at(d, d->stmt->count - 1 - has_hint), 4, NULL);
    emit_bulk(d, o, (is_tensor ? BULK_TENSOR : 0) | (is_multicast ? BULK_MULTICAST : 0) | (is_between ? BULK_BETWEEN : 0));
}

static void decode_bulk(Decoder *d)
{
    if (take(d, "commit_group")) {
        finish_parts(d);
        emit(d, run_bulk_commit);
        return;
    }
    if (take(d, "wait_group")) {
        int64_t pending = 0;
        take(d, "read");
        finish_parts(d);
        if (!constant_value(d, operand_at(d, 0), &pending))
            decode_fail(d, "unsupported operand of");
        emit(d, run_bulk_wait)->imm = pending;
        return;
    }
    bool is_tensor = take(d, "tensor");
    if (is_tensor && !(take(d, "1d") || take(d, "2d") || take(d, "3d") || take(d, "4d") || take(d, "5d")))
        decode_fail(d, "unsupported instruction");
    take(d, "tile");
    if (take(d, "prefetch")) { /* only the map is looked at */
        BulkOperands o;
        memset(&o, 0xff, sizeof o);
        if (!is_tensor)
            return;
        take_tensor(d, &o, operand_at(d, 0));
        emit_bulk(d, o, BULK_TENSOR | BULK_PREFETCH);
        return;
    }
    bool is_first_global = d->parts > 0 && take(d, "global") && (take(d, "shared::cta") || true);
    bool to_shared = take(d, "shared::cluster"), from_own = false;
    for (int k = 0; k < d->parts; k++)
        if (d->part[k] && strcmp(d->part[k], "bulk_group") == 0) {
            take(d, "L2::cache_hint");
            decode_store(d, is_tensor);
            return;
        }
    from_own = !is_first_global && to_shared && take(d, "shared::cta");
    take(d, "shared::cta");
    decode_load(d, is_tensor, from_own);
}

Decode decode_cp;

void decode_cp(Decoder *d)
{
    if (!take(d, "async"))
        decode_fail(d, "unsupported instruction");
    if (take(d, "bulk"))
        decode_bulk(d);
    else
        decode_cp_async(d);
}
