/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycles of a replayed loop if memory were no matter: the most of ports, instructions in all, and sums that wait for one another. */
#ifndef MIKGEN_TUNE_NESTS_LOOP_CYCLES_H
#define MIKGEN_TUNE_NESTS_LOOP_CYCLES_H

#include "tune/nests/hot_loop.h"
#include "tune/nests/replay.h"

/* What an iteration of a loop without loops inside asks for. */
typedef struct Hot {
    CarriedChains carried;
    int registers;
} Hot;

Hot hot_of(Arena *arena, const ReplayLoop *loop);

/* Of the loop's own work, in all. */
double loop_cycles_of(const Machine *m, const ReplayLoop *loop, const Hot *hot);
double loop_cycles(const Machine *m, Arena *arena, const ReplayLoop *loop);

#endif
