/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contenders that take turns on one stream, timed by events. */
#ifndef BENCH_CUDA_RACE_H
#define BENCH_CUDA_RACE_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <vector>

/* Enqueues one call on copy `copy` of the operands; false: refused. */
struct Contender {
    bool (*call)(void *self, int copy);
    void *self;
};

struct Race {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    bool gate;          /* calls queue up behind a kernel that waits for the last of them: the host's time does not show */
    volatile int *open; /* number of the last batch that may start; mapped host memory */
    int batch;
    void *cold; /* read before each batch, so that nothing of the operands is in the caches; NULL: not done */
    size_t cold_bytes;
};

/* cold_bytes: 0, caches stay as they are. */
Race *race_open(bool gate, size_t cold_bytes);
void race_close(Race *race);

/* One call that is waited for, so that whatever a first call loads is there; false: refused. */
bool race_warm(Race *race, const Contender &contender);

/* Microseconds of a call, of so many in turn on copies 0, 1, ... of `copies`; infinite: it was refused. */
double race_batch(Race *race, const Contender &contender, int calls, int copies);

/* Calls that a batch should have, so that it takes about 0.2 ms; 32 at most. */
int race_calls(double microseconds);

/* Medians of `rounds` batches of each contender, in turns; each copy is fresh in a batch where there are enough. times[i] in:
   an estimate, infinite for what is left out; out: the median. */
void race_run(Race *race, const std::vector<Contender> &contenders, int rounds, int copies, std::vector<double> *times);

double seconds_now(void);

#endif
