/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cp.async of single threads (PTX ISA 9.7.9.25.3). A copy lands when its thread waits for it, in random-lazy
 * perhaps before, in forward-eager at once; memory is read when it lands, too. */
#include <stdlib.h>

#include "barrier.h"
#include "cp_async.h"
#include "decode.h"
#include "in_flight.h"
#include "shadow.h"

uint8_t take_memory_modifiers(Decoder *d);

static void land(Warp *w, const Copy *c)
{
    Block *owner;
    if (c->size == 0) {
        mbarrier_arrive_later(w, c->inst, c->lane, c->shared, c->source_size != 0);
        return;
    }
    uint8_t *to = access_shared(w, c->inst, c->lane, c->shared, (size_t)c->size, 1, &owner);
    memset(to, 0, (size_t)c->size);
    if (c->source_size > 0)
        memcpy(to, access_global(w, c->inst, c->lane, c->global, (size_t)c->source_size, 1), (size_t)c->source_size);
    if (w->launch->has_races)
        shadow_access(w, c->inst, c->lane, owner, (size_t)(to - owner->shared), (size_t)c->size, ACCESS_WRITE);
}

static void remember(Warp *w, Copy copy)
{
    Copies *c = &w->copies;
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 64;
        c->copies = realloc(c->copies, (size_t)c->room * sizeof *c->copies);
    }
    c->copies[c->count++] = copy;
}

/* Lands the copies of some lanes, up to a group of each. */
static bool land_lanes(Warp *w, uint32_t lanes, const uint32_t *before)
{
    Copies *c = &w->copies;
    int kept = 0, count = c->count;
    for (int k = 0; k < count; k++) {
        Copy copy = c->copies[k];
        if (lanes >> copy.lane & 1 && copy.group < before[copy.lane])
            land(w, &copy);
        else
            c->copies[kept++] = copy;
    }
    c->count = kept;
    return kept < count;
}

bool cp_async_land(Warp *w, bool all)
{
    uint32_t lanes = 0, before[LANES];
    for (int k = 0; k < w->copies.count; k++)
        if (!all || w->copies.copies[k].size == 0)
            lanes |= 1u << w->copies.copies[k].lane;
    if (!lanes)
        return false;
    if (!all)
        lanes &= (uint32_t)draw(&w->launch->random);
    memset(before, 0xff, sizeof before);
    return land_lanes(w, lanes, before);
}

static void run_cp_async(Warp *w, const Inst *i, uint32_t mask)
{
    const uint64_t *to = i->a == NO_REF ? NULL : reg(w, i->a), *from = reg(w, i->b);
    const uint32_t *taken = i->c == NO_REF ? NULL : reg(w, i->c);
    uint32_t ignored = i->e == NO_REF ? 0 : pred(w, i->e);
    EACH_LANE (l, mask) {
        Copy c = {.lane = (int)l, .size = i->size, .source_size = i->size, .inst = i, .group = w->copies.group[l]};
        Block *owner;
        c.shared = (uint32_t)((to ? to[l] : 0) + (uint64_t)i->imm);
        c.global = from[l] + (uint64_t)(int64_t)(int32_t)i->flags;
        if (taken)
            c.source_size = (int)taken[l];
        if (ignored >> l & 1)
            c.source_size = 0;
        if (c.source_size > c.size || c.source_size < 0)
            fault(w, i, (int)l, SIM_OUT_OF_BOUNDS, "src-size %d of a copy of %d bytes", c.source_size, c.size);
        uint8_t *p = access_shared(w, i, (int)l, c.shared, i->size, i->size, &owner);
        if (c.global & (i->size - 1u))
            fault(w, i, (int)l, SIM_MISALIGNED, "source 0x%llx is not a multiple of %d", (unsigned long long)c.global, i->size);
        if (c.source_size > 0)
            access_global(w, i, (int)l, c.global, (size_t)c.source_size, 1);
        if (w->launch->has_races)
            shadow_access(w, i, (int)l, owner, (size_t)(p - owner->shared), i->size, ACCESS_WRITE);
        w->launch->counters.async_bytes += i->size;
        if (is_lazy(w->launch))
            remember(w, c);
        else
            land(w, &c);
    }
}

static void run_commit(Warp *w, const Inst *i, uint32_t mask)
{
    (void)i;
    EACH_LANE (l, mask)
        w->copies.group[l]++;
}

static void run_wait(Warp *w, const Inst *i, uint32_t mask)
{
    uint32_t before[LANES];
    if (w->copies.count == 0)
        return;
    EACH_LANE (l, mask)
        before[l] = i->flags ? ~0u : w->copies.group[l] > (uint64_t)i->imm ? w->copies.group[l] - (uint32_t)i->imm : 0;
    land_lanes(w, mask, before);
}

static void run_arrive(Warp *w, const Inst *i, uint32_t mask)
{
    const uint64_t *a = i->a == NO_REF ? NULL : reg(w, i->a);
    EACH_LANE (l, mask) {
        Copy c = {.lane = (int)l, .inst = i, .group = w->copies.group[l], .source_size = (int)i->flags};
        c.shared = (uint32_t)((a ? a[l] : 0) + (uint64_t)i->imm);
        if (is_lazy(w->launch))
            remember(w, c);
        else
            land(w, &c);
    }
}

void decode_cp_async(Decoder *d)
{
    if (take(d, "commit_group")) {
        finish_parts(d);
        emit(d, run_commit);
    } else if (take(d, "wait_group") || take(d, "wait_all")) {
        int64_t pending = 0;
        bool is_all = d->stmt->count == 0;
        if (!is_all && !constant_value(d, operand_at(d, 0), &pending))
            decode_fail(d, "unsupported operand of");
        finish_parts(d);
        Inst *i = emit(d, run_wait);
        i->imm = pending;
        i->flags = is_all;
    } else if (take(d, "mbarrier")) {
        bool is_counted = !take(d, "noinc");
        take(d, "arrive");
        take(d, "shared");
        take(d, "shared::cta");
        take(d, "b64");
        finish_parts(d);
        Inst where = {.a = NO_REF};
        address_operand(d, operand_at(d, 0), &where, SPACE_SHARED);
        Inst *i = emit(d, run_arrive);
        i->a = where.a;
        i->imm = where.imm;
        i->flags = is_counted;
    } else {
        int64_t size;
        bool is_cached = take(d, "ca");
        take_memory_modifiers(d);
        take(d, "shared");
        take(d, "shared::cta");
        take(d, "global");
        finish_parts(d);
        if (!constant_value(d, operand_at(d, 2), &size) || (size != 16 && (!is_cached || (size != 4 && size != 8))))
            decode_fail(d, "unsupported size of");
        const Operand *last = d->stmt->count > 3 ? operand_at(d, 3) : NULL;
        bool is_ignored = last && last->kind == O_REG && last->reg->width == T_PRED;
        Inst to = {.a = NO_REF}, from = {.a = NO_REF};
        address_operand(d, operand_at(d, 0), &to, SPACE_SHARED);
        address_operand(d, operand_at(d, 1), &from, SPACE_GLOBAL);
        if (from.a == NO_REF) {
            from.a = new_constant(d, 8, (uint64_t)from.imm);
            from.imm = 0;
        }
        Ref count = last && !is_ignored ? source(d, last, 4, NULL) : NO_REF;
        Ref ignored = is_ignored ? source_pred(d, last) : NO_REF;
        Inst *i = emit(d, run_cp_async);
        i->a = to.a;
        i->imm = to.imm;
        i->b = from.a;
        i->flags = (uint32_t)(int32_t)from.imm;
        i->c = count;
        i->e = ignored;
        i->size = (uint8_t)size;
    }
}
