/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the loops of a replay touch in memory, and how much of it comes from beyond a cache: whatever an iteration of a loop touches is in
 * the cache in the next one if all that an iteration touches fits there; what a call touches in all, if that fits, is there before. */
#ifndef MIKGEN_TUNE_NESTS_FOOTPRINT_H
#define MIKGEN_TUNE_NESTS_FOOTPRINT_H

#include "tune/nests/replay.h"

/* Accesses to an array that move alike: `copies` runs of `bytes` neighbours, `apart` bytes from one another. */
typedef struct Piece {
    const Sym *array;
    int loop;
    double times;             /* how often each run is touched */
    double low, bytes;        /* where the first one begins */
    double copies, apart;
    double slope[DUAL_LOOPS]; /* bytes */
    unsigned wild;            /* loops with which it moves as nobody knows */
    double scattered;         /* runs that are nobody knows where; 1: there are none */
    double array_bytes;       /* INFINITY: nobody knows */
    bool loads, stores;
} Piece;

typedef struct Footprint {
    const Replay *replay;
    Machine machine;
    Arena *arena;
    Vec pieces;       /* Piece *, those of an array side by side */
    double *once;     /* by loop: bytes of the lines that an iteration touches */
    double *all;      /* of those that all iterations touch together, */
    double *moved;    /* what is stored counted twice, as it is fetched and written back, */
    double *used;     /* and the bytes that are wanted of these lines */
    double non_temporal;      /* bytes that are stored non-temporally, in all; no part of the above */
    double stored;    /* bytes that are stored, these included */
} Footprint;

Footprint *footprint_of(const Replay *replay, const Machine *machine, Arena *arena);

/* Bytes that a cache of that size has from beyond it, or hands on. */
double bytes_beyond(const Footprint *f, double cache_bytes);

/* Of the bytes that come into a cache of that size, however it begins: how many are wanted, 0 to 1. */
double share_wanted(const Footprint *f, double cache_bytes);

/* Of a run of the loop: pages that are touched of each that the bytes of its arrays would fill, at least 1; runs of neighbours that go on
 * from iteration to iteration. */
enum { MOST_STREAMS = 64 }; /* of a piece */
double pages_per_full_page(const Footprint *f, int loop);
int streams_of(const Footprint *f, int loop);

#endif
