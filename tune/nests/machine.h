/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What predictions need to know of a processor. */
#ifndef MIKGEN_TUNE_NESTS_MACHINE_H
#define MIKGEN_TUNE_NESTS_MACHINE_H

#include "plan/vector_shape.h"

enum { CACHES = 3 };

typedef struct Machine {
    int registers;              /* for vectors */
    int latency, ports;         /* of a fused multiply-add: cycles; how many begin in one */
    int load_ports, store_ports;
    int issue;                  /* instructions of any sort in a cycle */
    int window;                 /* instructions that do not wait for those before them */
    double cache_bytes[CACHES]; /* L1, L2, L3 of one thread */
    double beyond_bytes[CACHES]; /* in a cycle, of what the cache lacks */
    int line, page;             /* bytes */
    int threads;
} Machine;

/* One thread of a usual machine with the instruction set. */
Machine machine_usual(VectorSetId set);

/* The same with the caches that Linux says this machine has, and so many threads, which share L3; what it does not say is as usual. */
Machine machine_here(VectorSetId set, int threads);

#endif
