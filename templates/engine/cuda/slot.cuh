/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Words that calls keep for later ones, in slots that any thread reads and writes. */
#pragma once
#include "host_config.cuh"

/* Its sequence number is odd while it is written; a reader that sees it change, and a writer that finds it taken, go on without it. */
template <int WORDS> struct mik_slot {
    uint64_t sequence, word[WORDS];
};

/* Copies the words out; 0 if there are none, or they may be a mixture. */
template <int WORDS> static int mik_read_slot(const mik_slot<WORDS> *slot, uint64_t *word)
{
    const uint64_t before = __atomic_load_n(&slot->sequence, __ATOMIC_ACQUIRE);
    for (int i = 0; i < WORDS; i++)
        word[i] = __atomic_load_n(&slot->word[i], __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return before != 0 && before % 2 == 0 && __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED) == before;
}

template <int WORDS> static void mik_write_slot(mik_slot<WORDS> *slot, const uint64_t *word)
{
    uint64_t before = __atomic_load_n(&slot->sequence, __ATOMIC_RELAXED);
    if (before % 2 != 0 || !__atomic_compare_exchange_n(&slot->sequence, &before, before + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    for (int i = 0; i < WORDS; i++)
        __atomic_store_n(&slot->word[i], word[i], __ATOMIC_RELAXED);
    __atomic_store_n(&slot->sequence, before + 2, __ATOMIC_RELEASE);
}
