/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The race check of global memory: blocks of one launch that touch a word, one of them writing. A block that
 * has acquired, or made any atomic, volatile or relaxed access and then a fence, or waited at a cluster's barrier,
 * counts as ordered with all others: what it waited for is not followed. But what it then reads must have been
 * published: the block that wrote it must have executed a fence since, or a release. And it must not come from the
 * first-level cache, where it may be older. So this finds tiles that overlap, missing fences on either side, and
 * loads that are cached too near. */
#include <stdlib.h>

#include "heap.h"
#include "shadow.h"

/* Of each 4 bytes: who wrote them, and in which launch. */
typedef struct {
    uint32_t launch, block, inst, fences; /* fences: of the block, before */
    uint8_t bytes;
    bool is_strong;
} Word;

static uint32_t block_number(const Block *b)
{
    const uint32_t *grid = b->launch->grid;
    return b->id[0] + grid[0] * (b->id[1] + grid[1] * b->id[2]) + 1;
}

static Word *words_of(uint64_t address)
{
    Allocation *a = heap_find(address);
    if (!a)
        return NULL;
    if (!a->shadow)
        a->shadow = calloc(a->size / 4 + 2, sizeof(Word));
    return a->shadow ? (Word *)a->shadow + (address - a->start) / 4 : NULL;
}

void shadow_fence(Warp *w)
{
    if (w->launch->fences)
        w->launch->fences[block_number(w->block)].count++;
}

void shadow_publish(Warp *w)
{
    FenceCount *f = w->launch->fences;
    if (f)
        f[block_number(w->block)].published = f[block_number(w->block)].count;
}

void shadow_learn(Warp *w)
{
    Block *b = w->block;
    b->is_synchronised = b->is_synchronised || b->has_looked;
}

static const char *what_is_missing(const Block *b)
{
    if (b->is_synchronised)
        return "not ordered: there is no fence between the write and what the blocks wait by";
    return b->has_looked ? "not ordered: what the block waits by does not acquire, and no fence is behind it" : "not ordered";
}

/* May the launch that wrote a word still run, for a thread that has waited, or has not? */
static bool may_still_run(const Launch *l, const Word *word, bool has_waited)
{
    const unsigned from = has_waited ? l->after_wait : l->before_wait, to = has_waited ? l->in_front : l->number;
    return from != 0 && word->launch >= from && word->launch < to;
}

void shadow_early(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, bool has_waited)
{
    const Launch *l = w->launch;
    const Word *word = l->fences && l->before_wait ? words_of(address) : NULL;
    if (!word)
        return;
    for (uint64_t at = address; at < address + size; at = at / 4 * 4 + 4, word++) {
        uint64_t stop = at / 4 * 4 + 4 < address + size ? 4 : address + size - at / 4 * 4;
        if (may_still_run(l, word, has_waited) && word->bytes & ((1u << stop) - (1u << at % 4)))
            fault(w, i, lane, SIM_RACE, "global address 0x%llx is written by a kernel in front that may still run: %s",
                  (unsigned long long)at,
                  has_waited ? "the kernel between has not waited for it" : "no griddepcontrol.wait of this thread");
    }
}

void shadow_global(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, AccessKind kind)
{
    Block *b = w->block;
    Launch *l = w->launch;
    const bool is_near = i->order & ORDER_NEAR, is_strong = i->order & ORDER_STRONG && !is_near;
    shadow_early(w, i, lane, address, size, w->has_waited >> lane & 1);
    if (kind == ACCESS_ATOMIC || (is_strong && kind == ACCESS_READ)) {
        b->has_looked = true;
        b->is_synchronised = b->is_synchronised || (i->order & ORDER_ACQUIRE && !is_near);
    }
    if ((kind == ACCESS_ATOMIC && !is_near) || (is_strong && kind == ACCESS_WRITE))
        shadow_publish(w);
    Word *word = l->fences && kind != ACCESS_ATOMIC && !(is_strong && kind == ACCESS_READ) ? words_of(address) : NULL;
    if (!word)
        return;
    uint32_t number = block_number(b);
    for (uint64_t at = address; at < address + size; at = at / 4 * 4 + 4, word++) {
        uint64_t stop = at / 4 * 4 + 4 < address + size ? 4 : address + size - at / 4 * 4;
        uint8_t bytes = (uint8_t)((1u << stop) - (1u << at % 4));
        bool is_other = word->launch == l->number && word->block != number && word->bytes & bytes;
        bool is_published = word->is_strong || (is_other && l->fences[word->block].published > word->fences);
        if (is_other && !is_strong && !(b->is_synchronised && is_published))
            fault(w, i, lane, SIM_RACE, "this %s of global address 0x%llx and the write by block number %u, %s, are %s",
                  kind == ACCESS_READ ? "read" : "write", (unsigned long long)at, word->block - 1,
                  inst_text(w, &w->code->insts[word->inst]), what_is_missing(b));
        if (is_other && kind == ACCESS_READ && !(i->order & (ORDER_STRONG | ORDER_FAR)))
            fault(w, i, lane, SIM_RACE,
                  "global address 0x%llx was written by block number %u, %s: the first-level cache may have what was there before (.cg)",
                  (unsigned long long)at, word->block - 1, inst_text(w, &w->code->insts[word->inst]));
        if (kind == ACCESS_READ)
            continue;
        bool is_same = word->launch == l->number && word->block == number && word->fences == l->fences[number].count;
        *word = (Word){
            l->number, number, (uint32_t)(i - w->code->insts), l->fences[number].count, (uint8_t)(is_same ? word->bytes | bytes : bytes),
            is_strong};
    }
}
