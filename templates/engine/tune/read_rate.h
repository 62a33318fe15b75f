/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* What memory delivers. */
#pragma once
#include "clock.h"
#include "room.h"
#include "tune_machine.h"

/* A stretch of memory that no cache holds. */
static size_t tune_stream_bytes(void)
{
    long l3 = 0;
    if (tune_sample < 1e5)
        return (size_t)1 << 24;         /* only trying things out */
#if defined(_SC_LEVEL3_CACHE_SIZE)
    l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    const size_t bytes = l3 > 0 ? 4 * (size_t)l3 : (size_t)1 << 27;
    return bytes<(size_t)1 << 26 ? (size_t)1 << 26 : bytes>(size_t) 1 << 29 ? (size_t)1 << 29 : bytes;
}

typedef struct {
    const uint64_t *words;
    size_t bytes;
    pthread_barrier_t *barrier;
    double from, to;
    uint64_t sum;
    int core;
} tune_reader;

/* One word of every line, in order: what is read is there as soon as the memory delivers. */
static void tune_read(tune_reader *r)
{
    uint64_t sum = 0;
    for (size_t i = 0; i + 32 <= r->bytes / 8; i += 32)
        sum += r->words[i] + r->words[i + 8] + r->words[i + 16] + r->words[i + 24];
    r->sum += sum;
}

static void *tune_read_thread(void *arg)
{
    tune_reader *r = arg;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(r->core, &set);
    sched_setaffinity(0, sizeof set, &set);
    pthread_barrier_wait(r->barrier);
    r->from = tune_clock(CLOCK_MONOTONIC);
    tune_read(r);
    r->to = tune_clock(CLOCK_MONOTONIC);
    return NULL;
}

/* Nanoseconds per byte: of one core alone, or of each of all cores at once. */
static double tune_read_rate(int all)
{
    enum { MOST = 256 };
    const size_t bytes = tune_stream_bytes();
    const uint64_t *words = tune_keep(TUNE_STREAM, bytes);
    int cores = 0;
    pthread_t thread[MOST];
    tune_reader reader[MOST];
    pthread_barrier_t barrier;
    memset(reader, 0, sizeof reader);
    if (!all) {
        reader[0].words = words, reader[0].bytes = bytes;
        const double from = tune_clock(CLOCK_MONOTONIC);
        tune_read(&reader[0]);
        return (tune_clock(CLOCK_MONOTONIC) - from) / (double)bytes;
    }
    const int count = CPU_COUNT(&tune_all) < MOST ? CPU_COUNT(&tune_all) : MOST;
    const size_t share = bytes / (size_t)count / 4096 * 4096;
    pthread_barrier_init(&barrier, NULL, (unsigned)count);
    for (int i = 0; i < CPU_SETSIZE && cores < count; i++) {
        if (!CPU_ISSET(i, &tune_all))
            continue;
        tune_reader *r = &reader[cores];
        r->words = words + (size_t)cores * share / 8, r->bytes = share, r->barrier = &barrier, r->core = i;
        if (pthread_create(&thread[cores++], NULL, tune_read_thread, r)) {
            fprintf(stderr, "cannot start a thread\n");
            exit(1);
        }
    }
    double from = 1e300, to = 0;
    for (int i = 0; i < cores; i++) {
        pthread_join(thread[i], NULL);
        from = reader[i].from < from ? reader[i].from : from;
        to = reader[i].to > to ? reader[i].to : to;
    }
    pthread_barrier_destroy(&barrier);
    return (to - from) / (double)share;
}
