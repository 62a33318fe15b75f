/* The cache of plans. */
#pragma once
#include "plan.cuh"

/* Plans already made, one per slot, found by all that the choice depends on. A slot's sequence number is odd while it is
   written; a reader that sees it change, and a writer that finds it taken, go on without the cache. */
typedef struct {
    uint64_t sequence, word[10];
} mik_slot;

typedef struct {
    mik_slot slot[MIK_PLANS];
} mik_cache;

static mik_slot *mik_find_slot(mik_cache *cache, const mik_request *q, uint64_t key[6])
{
    /* Odd numbers, one for each part of the key, so that all products are made at once; the sum's upper bits hang on all of it. */
    static const uint64_t odd[6] = {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu,
                                    0xd6e8feb86659fd93u, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u};
    uint64_t hash = 0;
    key[0] = (uint64_t)q->p.batch;
    key[1] = (uint64_t)q->p.m;
    key[2] = (uint64_t)q->p.n;
    key[3] = (uint64_t)q->p.k;
    key[4] = (uint64_t)q->d.ordinal << 8 | (uint64_t)q->align << 2 | (uint64_t)q->tma << 1 | (q->copies > 0);
    key[5] = (uint64_t)q->scratch;
    for (int i = 0; i < 6; i++)
        hash += key[i] * odd[i];
    return &cache->slot[(hash >> 32) % MIK_PLANS];
}

static int mik_recall(mik_cache *cache, const mik_request *q, mik_plan *plan)
{
    uint64_t key[6], word[10];
    mik_slot *const slot = mik_find_slot(cache, q, key);
    const uint64_t before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    int same = before != 0 && before % 2 == 0;
    for (int i = 0; i < 10; i++)
        word[i] = __atomic_load_n(&slot->word[i], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    same = same && __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == before;
    for (int i = 0; i < 6; i++)
        same = same && word[i] == key[i];
    plan->pattern = (int)(word[6] & 0xff);
    plan->kernel[0] = (int)(word[6] >> 8 & 0xffff);
    plan->kernel[1] = (int)(word[6] >> 24 & 0xffff);
    plan->twin = (int)(word[6] >> 40) - 1;
    plan->split = (int64_t)word[7];
    plan->blocks[0] = (int64_t)word[8];
    plan->blocks[1] = (int64_t)word[9];
    plan->cost = 0;
    return same;
}

static void mik_remember(mik_cache *cache, const mik_request *q, const mik_plan *plan)
{
    uint64_t key[6];
    mik_slot *const slot = mik_find_slot(cache, q, key);
    uint64_t before = __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED);
    if (before % 2 != 0 || !__atomic_compare_exchange_n(&slot->sequence, &before, before + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int i = 0; i < 6; i++)
        __atomic_store_n(&slot->word[i], key[i], __ATOMIC_RELAXED);
    const uint64_t kernels = (uint64_t)plan->kernel[0] << 8 | (uint64_t)plan->kernel[1] << 24 | (uint64_t)(plan->twin + 1) << 40;
    __atomic_store_n(&slot->word[6], (uint64_t)plan->pattern | kernels, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->word[7], (uint64_t)plan->split, __ATOMIC_RELAXED);
    __atomic_store_n(&slot->word[8], (uint64_t)plan->blocks[0], __ATOMIC_RELAXED);
    __atomic_store_n(&slot->word[9], (uint64_t)plan->blocks[1], __ATOMIC_RELAXED);
    __atomic_store_n(&slot->sequence, before + 2, __ATOMIC_RELEASE);
}
