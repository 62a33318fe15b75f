/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mbarrier (PTX ISA 9.7.13.15). A phase is over when its arrivals have come and its transaction bytes have
 * landed; the objects live here, shared memory only holds a mark. try_wait blocks its lanes; where nobody else
 * can go on it times out, as it may. */
#include <stdio.h>
#include <stdlib.h>

#include "barrier.h"
#include "decode.h"
#include "float_bits.h"
#include "shadow.h"

enum { MOST = (1 << 20) - 1 };
#define MARK 0x7262616d0c0c0000ull

typedef struct Mbarrier {
    uint32_t address;
    bool is_valid, is_announced; /* is_announced: by a fence of who has initialised it */
    int thread;                  /* that has, in the block */
    uint32_t phase, expected, pending;
    int64_t bytes;                 /* still to come */
    uint32_t *arriving, *complete; /* clocks of the race check: of this phase, of those that are over */
    int agent;
    struct Mbarrier *next;
} Mbarrier;

typedef struct Mbarriers {
    Mbarrier *first;
} Mbarriers;

uint8_t *touch_memory(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, AccessKind kind);
Space take_space(Decoder *d);

void mbarriers_end(Block *b)
{
    if (!b->mbarriers)
        return;
    for (Mbarrier *m = b->mbarriers->first, *next; m; m = next) {
        next = m->next;
        free(m->arriving);
        free(m);
    }
    free(b->mbarriers);
}

static Mbarrier *find(const Block *b, uint32_t address)
{
    if (b->mbarriers)
        for (Mbarrier *m = b->mbarriers->first; m; m = m->next)
            if (m->address == address)
                return m;
    return NULL;
}

static Mbarrier *valid(Warp *w, const Inst *i, int lane, const Block *b, uint32_t address)
{
    Mbarrier *m = find(b, address);
    uint64_t mark;
    if (!m || !m->is_valid)
        fault(w, i, lane, SIM_BARRIER, "there is no mbarrier at 0x%x of block %d: not initialised", address, b->rank);
    memcpy(&mark, b->shared + (address - SHARED_BASE), 8);
    if (mark != MARK + address)
        fault(w, i, lane, SIM_BARRIER, "the mbarrier at 0x%x was overwritten", address);
    return m;
}

/* One that copies complete, or other blocks arrive at. */
static Mbarrier *announced(Warp *w, const Inst *i, int lane, const Block *b, uint32_t address)
{
    Mbarrier *m = valid(w, i, lane, b, address);
    if (!m->is_announced)
        fault(w, i, lane, SIM_BARRIER,
              "the mbarrier at 0x%x of block %d: no fence.mbarrier_init, nor fence.proxy.async, is behind its initialisation", address,
              b->rank);
    return m;
}

void mbarriers_announce(Warp *w, uint32_t lanes)
{
    for (Mbarrier *m = w->block->mbarriers ? w->block->mbarriers->first : NULL; m; m = m->next)
        if (m->thread / LANES == w->index && lanes >> m->thread % LANES & 1)
            m->is_announced = true;
}

/* The shared memory and the address in it that a lane's operand means. */
static Block *place(Warp *w, const Inst *i, int lane, uint32_t *address, AccessKind kind)
{
    const u64 *base = i->a == NO_REF ? NULL : reg(w, i->a);
    u64 at = (base ? base[lane] : 0) + (u64)i->imm;
    Block *owner;
    if (i->space == SPACE_GENERIC)
        at &= ~WINDOW_MASK;
    u8 *p = access_shared(w, i, lane, at, 8, 8, &owner);
    *address = (uint32_t)(p - owner->shared) + SHARED_BASE;
    if (w->launch->has_races)
        shadow_access(w, i, lane, owner, (size_t)(p - owner->shared), 8, kind);
    return owner;
}

/* ---- phases ---- */

static void check_phase(Block *b, Mbarrier *m)
{
    if (m->pending != 0 || m->bytes != 0)
        return;
    m->phase++;
    m->pending = m->expected;
    if (m->arriving)
        memcpy(m->complete, m->arriving, shadow_clock_size(b->cluster) * sizeof *m->arriving);
    b->launch->progress++;
    wake_all(b->cluster, WAIT_MBARRIER, m->address);
}

enum { ARRIVE = 1, ARRIVE_DROP = 2, EXPECT = 4, HAS_COUNT = 8, FAR = 16, RELAXED = 32 }; /* FAR: .cluster */

/* What is published to another block takes .release.cluster. */
static void arrive(Warp *w, const Inst *i, int lane, Block *b, Mbarrier *m, uint32_t count, uint32_t flags)
{
    if (count == 0 || count > m->pending)
        fault(w, i, lane, SIM_BARRIER, "mbarrier 0x%x: %u arrivals where the phase expects %u more", m->address, count, m->pending);
    if (m->arriving && (flags & RELAXED || (b != w->block && !(flags & FAR))))
        shadow_release_agents(w, lane, m->arriving);
    else if (m->arriving)
        shadow_release(w, lane, m->arriving);
    m->pending -= count;
    check_phase(b, m);
}

static void expect(Warp *w, const Inst *i, int lane, Mbarrier *m, int64_t bytes)
{
    m->bytes += bytes;
    if (m->bytes > MOST || m->bytes < -MOST)
        fault(w, i, lane, SIM_BARRIER, "mbarrier 0x%x: a transaction count of %lld", m->address, (long long)m->bytes);
}

void mbarrier_complete(Warp *w, const Inst *i, int lane, Block *b, uint32_t address, int64_t bytes, int agent)
{
    Mbarrier *m = announced(w, i, lane, b, address);
    expect(w, i, lane, m, -bytes);
    if (m->arriving && agent >= 0)
        shadow_agent_done(b->cluster, agent, m->arriving);
    check_phase(b, m);
}

int mbarrier_agent(Warp *w, const Inst *i, int lane, Block *b, uint32_t address) { return valid(w, i, lane, b, address)->agent; }

void mbarrier_arrive_later(Warp *w, const Inst *i, int lane, uint32_t address, bool is_counted)
{
    Mbarrier *m = valid(w, i, lane, w->block, address);
    if (is_counted)
        m->pending++; /* it adds what it takes: only .noinc is part of the expected count */
    arrive(w, i, lane, w->block, m, 1, ARRIVE);
}

void mbarrier_describe(Block *b, uint64_t address, char *text, size_t size)
{
    const Mbarrier *m = find(b, (uint32_t)address);
    if (!m)
        snprintf(text, size, "gone");
    else
        snprintf(text, size, "phase %u, %u of %u arrivals and %lld bytes missing", m->phase, m->pending, m->expected, (long long)m->bytes);
}

/* ---- the instructions ---- */

static void run_init(Warp *w, const Inst *i, uint32_t mask)
{
    const u32 *count = reg(w, i->b);
    EACH_LANE (l, mask) {
        uint32_t address;
        Block *b = place(w, i, (int)l, &address, ACCESS_WRITE);
        Mbarrier *m = find(b, address);
        if (m && m->is_valid)
            fault(w, i, (int)l, SIM_BARRIER, "the mbarrier at 0x%x is already initialised", address);
        if (count[l] == 0 || count[l] > MOST)
            fault(w, i, (int)l, SIM_BARRIER, "an mbarrier for %u arrivals", count[l]);
        if (!m) {
            if (!b->mbarriers)
                b->mbarriers = calloc(1, sizeof *b->mbarriers);
            m = calloc(1, sizeof *m);
            m->next = b->mbarriers->first;
            b->mbarriers->first = m;
            m->agent = -1;
            if (w->launch->has_races) {
                m->agent = shadow_agent_new(b->cluster);
                size_t entries = shadow_clock_size(b->cluster);
                m->arriving = calloc(2 * entries, sizeof *m->arriving);
                m->complete = m->arriving + entries;
            }
        }
        m->address = address;
        m->is_valid = true;
        m->is_announced = false;
        m->thread = w->index * LANES + (int)l;
        m->phase = 0;
        m->expected = m->pending = count[l];
        m->bytes = 0;
        u64 mark = MARK + address;
        memcpy(b->shared + (address - SHARED_BASE), &mark, 8);
    }
}

static void run_inval(Warp *w, const Inst *i, uint32_t mask)
{
    EACH_LANE (l, mask) {
        uint32_t address;
        Block *b = place(w, i, (int)l, &address, ACCESS_WRITE);
        valid(w, i, (int)l, b, address)->is_valid = false;
        memset(b->shared + (address - SHARED_BASE), 0xff, 8);
    }
}

static void run_arrive(Warp *w, const Inst *i, uint32_t mask)
{
    const u32 *count = i->b == NO_REF ? NULL : reg(w, i->b);
    u64 *state = i->d == NO_REF ? NULL : reg(w, i->d);
    EACH_LANE (l, mask) {
        uint32_t address, arrivals = i->flags & HAS_COUNT ? count[l] : 1;
        Block *b = place(w, i, (int)l, &address, ACCESS_ATOMIC);
        Mbarrier *m = (b == w->block ? valid : announced)(w, i, (int)l, b, address);
        if (i->flags & EXPECT)
            expect(w, i, (int)l, m, count[l]);
        if (state)
            state[l] = (u64)m->phase << 32 | m->pending;
        if (i->flags & ARRIVE_DROP)
            m->expected -= arrivals;
        if (i->flags & (ARRIVE | ARRIVE_DROP))
            arrive(w, i, (int)l, b, m, arrivals, i->flags);
        else
            check_phase(b, m);
    }
}

enum { WAIT_TRY = 1, WAIT_PARITY = 2, WAIT_FAR = 4 }; /* WAIT_FAR: .cluster, which takes in what other blocks have published */

static bool is_over(const Inst *i, const Mbarrier *m, const Warp *w, uint32_t l)
{
    if (i->flags & WAIT_PARITY)
        return (m->phase & 1) != (((const u32 *)reg(w, i->b))[l] & 1);
    return m->phase != (uint32_t)(((const u64 *)reg(w, i->b))[l] >> 32);
}

static void run_wait(Warp *w, const Inst *i, uint32_t mask)
{
    u32 *p = reg(w, i->d);
    EACH_LANE (l, mask) {
        uint32_t address;
        Block *b = place(w, i, (int)l, &address, ACCESS_ATOMIC);
        if (b != w->block)
            fault(w, i, (int)l, SIM_BARRIER, "a wait for another block's mbarrier");
        Mbarrier *m = valid(w, i, (int)l, b, address);
        bool done = is_over(i, m, w, l);
        if (done && m->complete && i->flags & WAIT_FAR)
            shadow_acquire(w, (int)l, m->complete);
        else if (done && m->complete)
            shadow_acquire_block(w, (int)l, m->complete);
        if (!done && i->flags & WAIT_TRY && !(w->timed_out >> l & 1)) {
            block_lanes(w, 1u << l, (Wait){.kind = WAIT_MBARRIER, .address = address}, true);
            continue;
        }
        w->is_spinning |= w->timed_out >> l & 1;
        w->timed_out &= ~(1u << l);
        *p = done ? *p | 1u << l : *p & ~(1u << l);
    }
}

static void run_pending_count(Warp *w, const Inst *i, uint32_t mask)
{
    const u64 *state = reg(w, i->b);
    u32 *d = reg(w, i->d);
    EACH_LANE (l, mask)
        d[l] = (u32)state[l];
}

/* ---- decoding ---- */

static Inst *emit_at(Decoder *d, Run *run, int at, Space space, Ref b, Ref to)
{
    Inst where = {.a = NO_REF};
    address_operand(d, operand_at(d, at), &where, space);
    Inst *i = emit(d, run);
    i->a = where.a;
    i->imm = where.imm;
    i->space = where.space;
    i->b = b;
    i->d = to;
    return i;
}

static void decode_arrive(Decoder *d, uint32_t flags, Space space)
{
    bool is_expecting = take(d, "expect_tx");
    take(d, "noComplete");
    finish_parts(d);
    /* state, [address], count: the state is missing where the address is another block's */
    int at = operand_at(d, 0)->kind == O_ADDRESS ? 0 : 1;
    const Operand *to = at == 1 ? operand_at(d, 0) : NULL;
    Ref state = !to || to->kind == O_SINK ? NO_REF : dest(d, to, 8, false);
    bool has_operand = d->stmt->count > at + 1;
    Ref count = has_operand ? source(d, operand_at(d, at + 1), 4, NULL) : NO_REF;
    if (is_expecting && !has_operand)
        decode_fail(d, "unsupported instruction");
    flags |= is_expecting ? EXPECT : has_operand ? HAS_COUNT : 0;
    emit_at(d, run_arrive, at, space, count, state)->flags = flags;
}

static void decode_wait(Decoder *d, bool is_try, uint32_t order, Space space)
{
    bool is_parity = take(d, "parity");
    finish_parts(d);
    Ref p = dest_pred(d, operand_at(d, 0)), b = source(d, operand_at(d, 2), is_parity ? 4 : 8, NULL);
    Inst *i = emit_at(d, run_wait, 1, space, b, p);
    i->flow = is_try ? FLOW_SYNC : FLOW_SPIN;
    i->flags = (is_try ? WAIT_TRY : 0) | (is_parity ? WAIT_PARITY : 0) | (order == FAR ? WAIT_FAR : 0);
}

Decode decode_mbarrier;

void decode_mbarrier(Decoder *d)
{
    take(d, "b64");
    take(d, "release");
    uint32_t order = take(d, "relaxed") ? RELAXED : 0;
    take(d, "acquire");
    take(d, "cta");
    order |= take(d, "cluster") ? FAR : 0;
    Space space = take_space(d);
    const char *what = take_first(d);
    if (strcmp(what, "init") == 0) {
        finish_parts(d);
        emit_at(d, run_init, 0, space, source(d, operand_at(d, 1), 4, NULL), NO_REF);
    } else if (strcmp(what, "inval") == 0) {
        finish_parts(d);
        emit_at(d, run_inval, 0, space, NO_REF, NO_REF);
    } else if (strcmp(what, "expect_tx") == 0) {
        finish_parts(d);
        emit_at(d, run_arrive, 0, space, source(d, operand_at(d, 1), 4, NULL), NO_REF)->flags = EXPECT;
    } else if (strcmp(what, "arrive") == 0) {
        decode_arrive(d, ARRIVE | order, space);
    } else if (strcmp(what, "arrive_drop") == 0) {
        decode_arrive(d, ARRIVE_DROP | order, space);
    } else if (strcmp(what, "test_wait") == 0 || strcmp(what, "try_wait") == 0) {
        decode_wait(d, what[1] == 'r', order, space);
    } else if (strcmp(what, "pending_count") == 0) {
        Ref state = source(d, operand_at(d, 1), 8, NULL), to = dest(d, operand_at(d, 0), 4, false);
        Inst *i = emit(d, run_pending_count);
        i->b = state;
        i->d = to;
    } else {
        decode_fail(d, "unsupported instruction");
    }
}
