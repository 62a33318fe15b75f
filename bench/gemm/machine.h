/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the machine can do at most, measured: multiply-adds from registers, and reads from memory. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "pool.h"

/* Since some moment. */
double seconds(void);
/* The same of this thread alone: time in which the system runs somebody else on its core does not count. */
double thread_seconds(void);
/* Has the system run this process and its threads before all ordinary ones. Without that, two threads can share one core for
   seconds although the other runs nothing but the least urgent process. False: not permitted. */
bool run_first(void);
/* Bytes of the last-level cache, 32 MiB if the system does not tell. */
size_t last_level_cache(void);
/* GFLOP/s of the pool's threads together, one short measurement; take the best of several over a run. */
double fma_peak(int type, Pool *pool);
/* The same in single precision of loops of some 30 microseconds: whether all cores are free just now. */
double fma_now(Pool *pool);
/* The pool's threads read an array, each its part as so many sequential streams; less than a few KiB of it may be left out. */
void read_array(Pool *pool, const void *array, size_t bytes, int streams);
/* GB/s of reads from an array far larger than the caches: the best of a few. */
double read_bandwidth(Pool *pool);

#endif
