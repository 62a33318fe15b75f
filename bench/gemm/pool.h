/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that stay, for a caller's parallel_for: a worker spins for a fraction of a millisecond after its last job,
 * then sleeps. One job at a time.
 */
#ifndef BENCH_POOL_H
#define BENCH_POOL_H

enum { POOL_MOST = 64 };

typedef struct Pool Pool;

/* n threads in all, at most POOL_MOST, the caller of pool_for among them. Ends the program when threads cannot be had. */
Pool *pool_start(int n);
/* task(arg, i) for every i in 0 .. n-1, in any order; returns when all are done. */
void pool_for(Pool *pool, int n, void (*task)(void *arg, int i), void *arg);
int pool_threads(const Pool *pool);
void pool_stop(Pool *pool);

#endif
