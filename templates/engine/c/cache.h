/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * The cache of plans: direct-mapped, without locks. Every entry is guarded by a sequence number, odd while somebody writes; all
 * words are read and written by relaxed atomic operations, so a torn entry is seen by its number and counts as a miss.
 */
#pragma once
#include "tasks.h"

/* The plan for a shape, from the cache when it is there. */
static void mik_f32_lookup(const mik_f32_isa *isa, const mik_f32_shape *s, mik_f32_plan *p)
{
#if defined(__GNUC__) && defined(__ATOMIC_ACQUIRE) && UINTPTR_MAX > 0xffffffffu
    enum { KEY = sizeof *s / 8, KEPT = sizeof *p, WORDS = KEY + KEPT / 8, ENTRIES = 256 };
    static struct {
        uint64_t sequence, word[WORDS];
    } cache[ENTRIES];
    uint64_t word[WORDS], hash = 0;
    memcpy(word, s, sizeof *s);
    for (int i = 0; i < KEY; i++)
        hash = (hash ^ word[i]) * 0x9e3779b97f4a7c15u;
    const uint64_t at = hash >> 56;
    uint64_t *sequence = &cache[at].sequence;
    const uint64_t before = __atomic_load_n(sequence, __ATOMIC_ACQUIRE);
    if (before && !(before & 1)) {
        uint64_t differ = 0;
        for (int i = 0; i < KEY; i++)
            differ |= word[i] ^ __atomic_load_n(&cache[at].word[i], __ATOMIC_RELAXED);
        for (int i = KEY; i < WORDS; i++)
            word[i] = __atomic_load_n(&cache[at].word[i], __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (!differ && __atomic_load_n(sequence, __ATOMIC_RELAXED) == before) {
            memcpy(p, word + KEY, KEPT);
            return;
        }
    }
    mik_f32_decide(isa, s, p);
    memcpy(word + KEY, p, KEPT);
    uint64_t expected = before & ~(uint64_t)1;
    if (!__atomic_compare_exchange_n(sequence, &expected, expected + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int i = 0; i < WORDS; i++)
        __atomic_store_n(&cache[at].word[i], word[i], __ATOMIC_RELAXED);
    __atomic_store_n(sequence, expected + 2, __ATOMIC_RELEASE);
#else
    mik_f32_decide(isa, s, p);
#endif
}
