/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads and stores (PTX ISA 9.7.9.8 to 9.7.9.13): every address is checked against what may be touched. */
#include <stdio.h>

#include "decode.h"
#include "heap.h"
#include "shadow.h"

static const char *const space_names[] = {"generic", "global", "shared", "local", "constant", "parameter", "shared::cluster"};

static void misaligned(Warp *w, const Inst *i, int lane, Space space, uint64_t address, size_t align)
{
    fault(w, i, lane, SIM_MISALIGNED, "address 0x%llx in %s memory is not a multiple of %zu", (unsigned long long)address,
          space_names[space], align);
}

uint8_t *access_global(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, size_t align)
{
    static Allocation last; /* a copy: the array of allocations may move */
    static unsigned last_launch;
    if (address & (align - 1))
        misaligned(w, i, lane, SPACE_GLOBAL, address, align);
    uint64_t offset = address - last.start;
    if (offset < last.size && last.size - offset >= size && last_launch == w->launch->number)
        return heap_host(address);
    const Allocation *a = heap_find(address);
    if (a && !a->is_freed && a->size - (address - a->start) >= size) {
        last = *a;
        last_launch = w->launch->number;
        return heap_host(address);
    }
    if (!a)
        a = heap_nearest(address);
    if (!a || address < 4096)
        fault(w, i, lane, SIM_OUT_OF_BOUNDS, "%zu bytes at address 0x%llx, which is no device memory", size, (unsigned long long)address);
    uint64_t end = a->start + a->size;
    char where[100];
    if (address < a->start)
        snprintf(where, sizeof where, "%llu bytes before", (unsigned long long)(a->start - address));
    else if (address >= end)
        snprintf(where, sizeof where, "%llu bytes after the end of", (unsigned long long)(address - end));
    else
        snprintf(where, sizeof where, "%llu bytes into", (unsigned long long)(address - a->start));
    fault(w, i, lane, SIM_OUT_OF_BOUNDS, "%zu bytes at address 0x%llx: %s the %zu bytes of %s %u%s%s", size, (unsigned long long)address,
          where, a->size, a->is_freed ? "freed allocation" : "allocation", a->number, a->name ? ", variable " : "", a->name ? a->name : "");
}

static Block *shared_owner(Warp *w, const Inst *i, int lane, uint64_t address)
{
    int rank = (int)(address >> RANK_SHIFT & 0xff);
    if (rank == 0)
        return w->block;
    if (rank > w->block->cluster->block_count)
        fault(w, i, lane, SIM_OUT_OF_BOUNDS, "shared::cluster address 0x%llx names no block of this cluster of %d",
              (unsigned long long)address, w->block->cluster->block_count);
    return &w->block->cluster->blocks[rank - 1];
}

uint8_t *access_shared(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, size_t align, Block **owner)
{
    Block *b = w->block;
    uint64_t offset = (address & ((1u << RANK_SHIFT) - 1)) - SHARED_BASE;
    if (address >> RANK_SHIFT)
        b = address >> 32 ? b : shared_owner(w, i, lane, address);
    if (address & (align - 1))
        misaligned(w, i, lane, SPACE_SHARED, address, align);
    if (offset >= b->shared_size || b->shared_size - offset < size || address >> 32)
        fault(w, i, lane, SIM_OUT_OF_BOUNDS, "%zu bytes at offset %lld of the block's %zu bytes of shared memory", size, (long long)offset,
              b->shared_size);
    if (b->live_threads == 0 && b != w->block)
        fault(w, i, lane, SIM_OUT_OF_BOUNDS, "the shared memory of block %u of the cluster, which has exited", (unsigned)b->rank);
    *owner = b;
    return b->shared + offset;
}

static uint8_t *access_local(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, size_t align)
{
    size_t room = w->code->local_size;
    if (address & (align - 1))
        misaligned(w, i, lane, SPACE_LOCAL, address, align);
    if (address < 16 || address >= room || room - address < size)
        fault(w, i, lane, SIM_OUT_OF_BOUNDS, "%zu bytes at offset %lld of the thread's %zu bytes of local memory", size,
              (long long)address - 16, room - 16);
    return w->local + (size_t)lane * room + address;
}

static uint8_t *access_param(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, size_t align)
{
    if (address & (align - 1))
        misaligned(w, i, lane, SPACE_PARAM, address, align);
    if (address >= w->launch->param_size || w->launch->param_size - address < size)
        fault(w, i, lane, SIM_OUT_OF_BOUNDS, "%zu bytes at offset %lld of %zu bytes of parameters", size, (long long)address,
              w->launch->param_size);
    return w->launch->params + address;
}

static Space resolve_generic(uint64_t *address)
{
    uint64_t window = *address & WINDOW_MASK;
    if (window != SHARED_WINDOW && window != LOCAL_WINDOW && window != PARAM_WINDOW)
        return SPACE_GLOBAL;
    *address &= ~WINDOW_MASK;
    return window == SHARED_WINDOW ? SPACE_SHARED : window == LOCAL_WINDOW ? SPACE_LOCAL : SPACE_PARAM;
}

uint8_t *access_memory(Warp *w, const Inst *i, int lane, Space space, uint64_t address, size_t size, size_t align)
{
    Block *owner;
    if (space == SPACE_GENERIC)
        space = resolve_generic(&address);
    switch (space) {
    case SPACE_SHARED:
    case SPACE_CLUSTER: return access_shared(w, i, lane, address, size, align, &owner);
    case SPACE_LOCAL: return access_local(w, i, lane, address, size, align);
    case SPACE_PARAM: return access_param(w, i, lane, address, size, align);
    default: return access_global(w, i, lane, address, size, align);
    }
}

/* As access_memory, and the race check hears of it. */
uint8_t *touch_memory(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, AccessKind kind);
uint8_t *touch_memory(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, AccessKind kind)
{
    Space space = i->space;
    if (space == SPACE_GENERIC)
        space = resolve_generic(&address);
    if (space == SPACE_SHARED || space == SPACE_CLUSTER) {
        Block *owner;
        uint8_t *p = access_shared(w, i, lane, address, size, size, &owner);
        if (w->launch->has_races)
            shadow_access(w, i, lane, owner, (size_t)(p - owner->shared), size, kind);
        return p;
    }
    uint8_t *p = access_memory(w, i, lane, space, address, size, size);
    if (space == SPACE_GLOBAL && w->launch->has_races)
        shadow_global(w, i, lane, address, size, kind);
    if (space == SPACE_GLOBAL && kind != ACCESS_READ) {
        const Allocation *a = heap_find(address);
        if (a && a->is_constant)
            fault(w, i, lane, SIM_OUT_OF_BOUNDS, "a store to constant memory, variable %s", a->name);
    }
    return p;
}

/* Addresses of all lanes; the frequent case, one's own shared memory without the race check, is one loop. */
static void touch_lanes(Warp *w, const Inst *i, uint32_t mask, size_t size, AccessKind kind, uint8_t **p)
{
    const uint64_t *base = i->a == NO_REF ? NULL : reg(w, i->a);
    uint64_t offset = (uint64_t)i->imm;
    if (i->space == SPACE_SHARED && base && !w->launch->has_races) {
        uint64_t room = w->block->shared_size, bad = 0;
        for (int l = 0; l < LANES; l++) {
            uint64_t at = base[l] + offset - SHARED_BASE;
            p[l] = w->block->shared + at;
            bad |= (mask >> l & 1) && (at >= room || room - at < size || (at & (size - 1)));
        }
        if (!bad)
            return;
    }
    EACH_LANE (l, mask)
        p[l] = touch_memory(w, i, (int)l, (base ? base[l] : 0) + offset, size, kind);
}

static void count_bytes(Warp *w, const Inst *i, uint32_t mask, size_t size, bool is_store)
{
    SimCounters *c = &w->launch->counters;
    long long bytes = (long long)size * __builtin_popcount(mask);
    if (i->space == SPACE_SHARED || i->space == SPACE_CLUSTER)
        *(is_store ? &c->shared_store_bytes : &c->shared_load_bytes) += bytes;
    else if (i->space == SPACE_GLOBAL || i->space == SPACE_GENERIC)
        *(is_store ? &c->global_store_bytes : &c->global_load_bytes) += bytes;
}

#define COPY_LANES(T, to, from) \
    EACH_LANE (l, mask) \
    *(T *)(to) = *(const T *)(from)

static void run_load(Warp *w, const Inst *i, uint32_t mask)
{
    uint8_t *p[LANES];
    size_t size = i->size;
    touch_lanes(w, i, mask, size * i->count, ACCESS_READ, p);
    count_bytes(w, i, mask, size * i->count, false);
    for (int k = 0; k < i->count; k++) {
        uint8_t *to = reg(w, i->refs[k]);
        size_t at = size * (size_t)k;
        switch (size) {
        case 1: COPY_LANES(uint8_t, to + l, p[l] + at); break;
        case 2: COPY_LANES(uint16_t, to + 2 * l, p[l] + at); break;
        case 4: COPY_LANES(uint32_t, to + 4 * l, p[l] + at); break;
        case 8: COPY_LANES(uint64_t, to + 8 * l, p[l] + at); break;
        default: EACH_LANE (l, mask) memcpy(to + 16 * l, p[l] + at, 16);
        }
    }
}

static void store_lane(Warp *w, const Inst *i, uint8_t *p, uint32_t l)
{
    size_t size = i->size;
    for (int k = 0; k < i->count; k++)
        memcpy(p + size * (size_t)k, (uint8_t *)reg(w, i->refs[k]) + size * l, size);
}

static void run_store(Warp *w, const Inst *i, uint32_t mask)
{
    uint8_t *p[LANES];
    size_t size = i->size;
    touch_lanes(w, i, mask, size * i->count, ACCESS_WRITE, p);
    count_bytes(w, i, mask, size * i->count, true);
    w->launch->progress++;
    if (i->order & ORDER_RELEASE && !(i->order & ORDER_NEAR))
        shadow_fence(w);
    if (is_reverse(w->launch)) { /* who wins where lanes write to one place */
        for (int l = LANES - 1; l >= 0; l--)
            if (mask >> l & 1)
                store_lane(w, i, p[l], (uint32_t)l);
        return;
    }
    for (int k = 0; k < i->count; k++) {
        const uint8_t *from = reg(w, i->refs[k]);
        size_t at = size * (size_t)k;
        switch (size) {
        case 1: COPY_LANES(uint8_t, p[l] + at, from + l); break;
        case 2: COPY_LANES(uint16_t, p[l] + at, from + 2 * l); break;
        case 4: COPY_LANES(uint32_t, p[l] + at, from + 4 * l); break;
        case 8: COPY_LANES(uint64_t, p[l] + at, from + 8 * l); break;
        default: EACH_LANE (l, mask) memcpy(p[l] + at, from + 16 * l, 16);
        }
    }
}

/* ---- decoding ---- */

/* What an access says of its order and its cache: ORDER_ bits. */
uint8_t take_memory_modifiers(Decoder *d);
uint8_t take_memory_modifiers(Decoder *d)
{
    static const char *const others[] = {"weak", "mmio", "ca", "cs", "lu", "nc", "wb", "wt", "cluster", "gpu", "sys"};
    const bool is_both = take(d, "acq_rel"), is_relaxed = take(d, "volatile") || take(d, "relaxed");
    const bool acquires = take(d, "acquire") || is_both, releases = take(d, "release") || is_both;
    const bool is_far = take(d, "cg") || take(d, "cv"), is_near = take(d, "cta");
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        take(d, others[k]);
    while (take_prefix(d, "L1::") || take_prefix(d, "L2::"))
        continue;
    return (uint8_t)((is_relaxed || acquires || releases ? ORDER_STRONG : 0) | (acquires ? ORDER_ACQUIRE : 0) |
                     (releases ? ORDER_RELEASE : 0) | (is_far ? ORDER_FAR : 0) | (is_near ? ORDER_NEAR : 0));
}

Space take_space(Decoder *d);
Space take_space(Decoder *d)
{
    if (take(d, "global"))
        return SPACE_GLOBAL;
    if (take(d, "shared") || take(d, "shared::cta"))
        return SPACE_SHARED;
    if (take(d, "shared::cluster"))
        return SPACE_CLUSTER;
    if (take(d, "local"))
        return SPACE_LOCAL;
    if (take(d, "const"))
        return SPACE_CONST;
    if (take(d, "param") || take(d, "param::entry") || take(d, "param::func"))
        return SPACE_PARAM;
    return SPACE_GENERIC;
}

/* An operand of space .param is a kernel's parameter, or in a call a variable of local memory. */
static Space param_space(const Decoder *d, const Operand *o)
{
    const Var *v = o->count > 0 ? o->parts[0].var : NULL;
    if (!v)
        return SPACE_PARAM;
    if (d->frame->function->is_entry)
        for (const Var *p = d->frame->function->params; p; p = p->next)
            if (p == v)
                return SPACE_PARAM;
    return SPACE_LOCAL;
}

static void decode_access(Decoder *d, bool is_store)
{
    const char *type = take_last(d);
    Space space = take_space(d);
    const uint8_t order = take_memory_modifiers(d);
    take_prefix(d, "v2");
    take_prefix(d, "v4");
    take_prefix(d, "v8");
    take(d, "unified");
    finish_parts(d);
    const Operand *data = operand_at(d, is_store ? 1 : 0), *address = operand_at(d, is_store ? 0 : 1);
    int count = data->kind == O_VECTOR ? data->count : 1, bytes = type_bytes(d, type);
    Ref *refs = ptx_new((size_t)count * sizeof *refs);
    for (int k = 0; k < count; k++) {
        const Operand *o = data->kind == O_VECTOR ? &data->parts[k] : data;
        refs[k] = is_store ? source(d, o, bytes, type) : dest(d, o, bytes, type_signed(type));
    }
    if (space == SPACE_PARAM)
        space = param_space(d, address);
    Inst where = {.a = NO_REF};
    address_operand(d, address, &where, space); /* may emit */
    Inst *i = emit(d, is_store ? run_store : run_load);
    i->a = where.a;
    i->imm = where.imm;
    i->space = where.space;
    i->refs = refs;
    i->ref_count = count;
    i->writes_refs = !is_store;
    i->count = (uint8_t)count;
    i->size = (uint8_t)bytes;
    i->flow = order & ORDER_STRONG && !is_store ? FLOW_SPIN : FLOW_NEXT;
    i->order = order;
}

void decode_ld(Decoder *d);
void decode_ld(Decoder *d) { decode_access(d, false); }

void decode_st(Decoder *d);
void decode_st(Decoder *d) { decode_access(d, true); }
