/* What the machine can do at most, measured: multiply-adds from registers, and reads from memory. */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>

double seconds(void);
/* Bytes of the last-level cache, 32 MiB if the system does not tell. */
size_t last_level_cache(void);
/* GFLOP/s of `threads` cores together, one short measurement; take the best of several over a run. */
double fma_peak(int type, int threads);
/* GB/s of `threads` cores reading an array far larger than the caches; best of a few. */
double read_bandwidth(int threads);

#endif
