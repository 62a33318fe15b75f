/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SplitMix64: the same numbers on every machine. */
#ifndef BENCH_RANDOM_H
#define BENCH_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* In [0, n). */
static inline int random_below(uint64_t *state, int n) { return (int)(random_next(state) % (uint64_t)n); }

/* In [0, 1). */
static inline double random_unit(uint64_t *state) { return (double)(random_next(state) >> 11) * 0x1p-53; }

#endif
