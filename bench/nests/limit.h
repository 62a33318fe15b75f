/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long it takes at least to bring bytes from memory and back: by passes that do nothing else. */
#ifndef BENCH_NESTS_LIMIT_H
#define BENCH_NESTS_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "pool.h"

/* Room for as many bytes as must come, as must go, and as do both; all whole lines of 64. */
typedef struct {
    char *from, *to, *both;
    size_t from_bytes, to_bytes, both_bytes;
    bool past_caches; /* how to store what only goes */
} Limit;

/* The pool's threads read, write, or both, their parts of it. */
void touch(const Limit *limit, Pool *pool);

#endif
