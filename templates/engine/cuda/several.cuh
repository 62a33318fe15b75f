/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Plans for several contractions at once. */
#pragma once
#include "plan.cuh"

/* What the choice depends on where several contractions run together, as if it were one: of all of them, mixed (splitmix64) into a number
   that the first has no use for, its batch. */
static mik_request mik_several_key(const mik_request *member, int count)
{
    mik_request q = member[0];
    uint64_t mix = 0;
    for (int i = 0; i < count * 3; i++) {
        const mik_request *const x = &member[i / 3];
        const uint64_t flags = (uint64_t)x->align << 2 | (uint64_t)x->tma << 1 | (x->copies > 0);
        mix ^= i % 3 == 0 ? (uint64_t)x->p.n << 8 | flags : i % 3 == 1 ? (uint64_t)x->p.batch : (uint64_t)x->p.k;
        mix += 0x9e3779b97f4a7c15u;
        mix = (mix ^ mix >> 30) * 0xbf58476d1ce4e5b9u;
        mix = (mix ^ mix >> 27) * 0x94d049bb133111ebu;
        mix ^= mix >> 31;
    }
    q.p.batch = (int64_t)mix;
    return q;
}
