/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The cache of plans. */
#pragma once
#include "plan.cuh"
#include "slot.cuh"

/* Plans already made, one per slot, found by all that the choice depends on: six words of a slot; four are the plan. */
enum { MIK_PLAN_KEY = 6, MIK_PLAN_WORDS = MIK_PLAN_KEY + 4 };

typedef struct {
    mik_slot<MIK_PLAN_WORDS> slot[MIK_PLANS];
} mik_cache;

/* The slot in which its plan may be, and the key by which that is told. */
static mik_slot<MIK_PLAN_WORDS> *mik_find_slot(mik_cache *cache, const mik_request *q, uint64_t *key)
{
    /* Odd numbers, one for each part of the key, so that all products are made at once; the sum's upper bits depend on all of it. */
    static const uint64_t odd[MIK_PLAN_KEY] = {0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu,
                                               0xd6e8feb86659fd93u, 0xff51afd7ed558ccdu, 0xc4ceb9fe1a85ec53u};
    uint64_t hash = 0;
    key[0] = (uint64_t)q->p.batch;
    key[1] = (uint64_t)q->p.m;
    key[2] = (uint64_t)q->p.n;
    key[3] = (uint64_t)q->p.k;
    key[4] = (uint64_t)q->d.ordinal << 8 | (uint64_t)q->align << 2 | (uint64_t)q->tma << 1 | (q->copies > 0);
    key[5] = (uint64_t)q->scratch;
    for (int i = 0; i < MIK_PLAN_KEY; i++)
        hash += key[i] * odd[i];
    return &cache->slot[(hash >> 32) % MIK_PLANS];
}

static int mik_recall(mik_cache *cache, const mik_request *q, mik_plan *plan)
{
    uint64_t key[MIK_PLAN_KEY], word[MIK_PLAN_WORDS];
    int same = mik_read_slot(mik_find_slot(cache, q, key), word);
    for (int i = 0; i < MIK_PLAN_KEY; i++)
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
    uint64_t word[MIK_PLAN_WORDS];
    mik_slot<MIK_PLAN_WORDS> *const slot = mik_find_slot(cache, q, word);
    const uint64_t kernels = (uint64_t)plan->kernel[0] << 8 | (uint64_t)plan->kernel[1] << 24 | (uint64_t)(plan->twin + 1) << 40;
    word[6] = (uint64_t)plan->pattern | kernels;
    word[7] = (uint64_t)plan->split;
    word[8] = (uint64_t)plan->blocks[0];
    word[9] = (uint64_t)plan->blocks[1];
    mik_write_slot(slot, word);
}
