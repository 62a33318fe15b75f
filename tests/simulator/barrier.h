/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Barriers of a block and of a cluster, and mbarriers. */
#ifndef SIM_BARRIER_H
#define SIM_BARRIER_H

#include "multiprocessor.h"

void mbarriers_end(Block *b);

/* Exited threads count as arrived at barrier.cluster. */
void cluster_barrier_check(Cluster *c);

/* An mbarrier's transaction bytes arrived: ADDRESS in B's shared memory. AGENT: who the race check says wrote
 * them. */
void mbarrier_complete(Warp *w, const Inst *i, int lane, Block *b, uint32_t address, int64_t bytes, int agent);
int mbarrier_agent(Warp *w, const Inst *i, int lane, Block *b, uint32_t address);

/* cp.async.mbarrier.arrive's arrival, once the thread's copies have landed. */
void mbarrier_arrive_later(Warp *w, const Inst *i, int lane, uint32_t address, bool is_counted);

/* Asynchronous copies, and other blocks, hear of the mbarriers that these lanes have initialised. */
void mbarriers_announce(Warp *w, uint32_t lanes);

/* Text about an mbarrier somebody waits for: "phase 3, 1 of 2 arrivals and 4096 bytes missing". */
void mbarrier_describe(Block *b, uint64_t address, char *text, size_t size);

#endif
