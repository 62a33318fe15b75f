/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The race check; see shadow.c. All of these do nothing where the launch has it switched off. */
#ifndef SIM_SHADOW_H
#define SIM_SHADOW_H

#include "multiprocessor.h"

typedef enum { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } AccessKind;

void shadow_start(Cluster *c);
void shadow_end(Cluster *c);

/* An access of lane LANE to SIZE bytes at OFFSET of OWNER's shared memory. */
void shadow_access(Warp *w, const Inst *i, int lane, Block *owner, size_t offset, size_t size, AccessKind kind);

/* A copy engine's access on behalf of a thread: AGENT >= 0 is what the thread will wait for. */
void shadow_async(Warp *w, const Inst *i, int lane, Block *owner, size_t offset, size_t size, AccessKind kind, int agent);

/* A barrier of the whole block is over. */
void shadow_barrier(Block *b);

/* Barriers of some threads, some of which may only arrive; those that waited learn what the others knew. */
void shadow_arrive(Block *b, int barrier, const Warp *w, uint32_t lanes);
void shadow_leave(Block *b, int barrier, const uint32_t *waiting);
void shadow_warp(Warp *w, uint32_t lanes); /* bar.warp.sync */
void shadow_cluster_arrive(Warp *w, uint32_t lanes, bool is_relaxed);
void shadow_cluster_fence(Warp *w, uint32_t lanes); /* what a relaxed arrival publishes */
void shadow_cluster_leave(Cluster *c);

/* What a thread knows goes into an mbarrier's clock, and the other way round. */
void shadow_release(Warp *w, int lane, uint32_t *clock);
void shadow_release_agents(Warp *w, int lane, uint32_t *clock); /* only what copies and wgmma have done, and it has waited for */
void shadow_acquire(Warp *w, int lane, const uint32_t *clock);
void shadow_acquire_block(Warp *w, int lane, const uint32_t *clock); /* but for what threads of other blocks have published */
size_t shadow_clock_size(const Cluster *c); /* entries of a clock */
int shadow_agent_new(Cluster *c);           /* an agent of its own for each mbarrier and bulk group */
void shadow_agent_done(Cluster *c, int agent, uint32_t *clock); /* complete_tx: the barrier knows of it */
void shadow_agent_seen(Warp *w, int lane, int agent);           /* wait_group: the thread does */
void shadow_proxy_fence(Warp *w, uint32_t lanes);

/* Global memory. */
void shadow_global(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, AccessKind kind);
/* An access by itself, before or after griddepcontrol.wait, to what a launch in front may still be writing. */
void shadow_early(Warp *w, const Inst *i, int lane, uint64_t address, size_t size, bool has_waited);
void shadow_fence(Warp *w);   /* of the scope of a cluster or more */
void shadow_publish(Warp *w); /* an access that others may wait for */
void shadow_learn(Warp *w);   /* a fence: what the block has waited for counts from here on */

#endif
