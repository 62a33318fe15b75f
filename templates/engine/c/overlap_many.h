/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Do any of many arrays overlap? As mik_overlap says of two, but not pair by pair: those that are written are sorted by where they begin. */
#pragma once
#include "config.h"
#include "overlap.h"

typedef struct {
    const void *at;
    uint64_t bytes;
} mik_bytes_at;

static inline int mik_overlap_at(const mik_bytes_at *x, const mik_bytes_at *y) { return mik_overlap(x->at, x->bytes, y->at, y->bytes); }

/* Shell's sort, with Knuth's gaps: arrays that lie in order, as they often do, stay where they are. */
static inline void mik_sort_by_address(mik_bytes_at *all, int n)
{
    int gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < n; i++) {
            const mik_bytes_at own = all[i];
            int to = i;
            for (; to >= gap && (uintptr_t)all[to - gap].at > (uintptr_t)own.at; to -= gap)
                all[to] = all[to - gap];
            all[to] = own;
        }
}

/* Of n sorted arrays, how many begin where x does, or before? */
static inline int mik_begun(const mik_bytes_at *all, int n, const mik_bytes_at *x)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if ((uintptr_t)all[middle].at <= (uintptr_t)x->at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Does one of the first `written` of n arrays overlap any other of the n? Addresses are a circle here as there: if a written array meets any
   other, it meets the next; and if none does, what a further array meets begins last before it or first behind it. */
static inline int mik_any_overlap(mik_bytes_at *all, int written, int n)
{
    int sorted = 0;
    for (int i = 0; i < written; i++)
        if (all[i].at && all[i].bytes)
            all[sorted++] = all[i];
    mik_sort_by_address(all, sorted);
    for (int i = 0; sorted > 1 && i < sorted; i++)
        if (mik_overlap_at(&all[i], &all[(i + 1) % sorted]))
            return 1;
    for (int i = written; sorted > 0 && i < n; i++) {
        const int behind = mik_begun(all, sorted, &all[i]);
        if (mik_overlap_at(&all[i], &all[behind % sorted]) || mik_overlap_at(&all[i], &all[(behind + sorted - 1) % sorted]))
            return 1;
    }
    return 0;
}
