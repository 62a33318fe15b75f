/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Instructions of sm_90a: mbarriers, clusters, the tensor memory accelerator, and what surrounds warpgroups' multiply-adds.
   PTX ISA 9.7.13.15 (mbarrier), 9.7.9.27 (cp.async.bulk.tensor), 9.7.13.3 (barrier.cluster), 9.7.15 (wgmma). */
#pragma once
#include "async.cuh"
#include <cuda.h>

MIK_DEVICE void mik_barrier_init(uint32_t barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/* One arrival; the phase also waits for so many bytes. */
MIK_DEVICE void mik_barrier_expect(uint32_t barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

MIK_DEVICE void mik_barrier_arrive(uint32_t barrier) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory"); }

/* This thread arrives when all the copies that it has started are there. Where tensor cores read them, who waits tells by mik_fence_async. */
MIK_DEVICE void mik_barrier_arrive_copied(uint32_t barrier)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}

/* An arrival at a barrier of any block of the cluster: tensor cores have read what tensor copies may overwrite. wgmma.wait_group has
   waited for that, and the copies start after they have seen the barrier's phase end, so that there is nothing left to order; nor has
   this thread written anything that the other block reads. Hence .release.cta, which is what no qualifier means: for
   .release.cluster the thread would wait, in every step, until the whole GPU sees all its stores. */
MIK_DEVICE void mik_barrier_arrive_far(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* The same place in the shared memory of another block of the cluster. */
MIK_DEVICE uint32_t mik_far(uint32_t at, int rank)
{
    uint32_t x;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(x) : "r"(at), "r"(rank));
    return x;
}

/* An arrival, likewise: whoever waits for it by mik_barrier_wait_far sees what this thread, and whom barriers have shown it, has stored or
   read. */
MIK_DEVICE void mik_barrier_publish(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Waits for the end of the barrier's phase of this parity. */
MIK_DEVICE void mik_barrier_wait(uint32_t barrier, int parity)
{
    uint32_t done = 0;
    while (!done)
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
}

/* The same where other blocks arrive, with what they have stored. */
MIK_DEVICE void mik_barrier_wait_far(uint32_t barrier, int parity)
{
    uint32_t done = 0;
    while (!done)
        asm volatile(
            "{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
            : "=r"(done)
            : "r"(barrier), "r"(parity)
            : "memory");
}

/* A box of an operand, from (inner, outer, batch) on, into shared memory; its bytes count at the barrier. */
MIK_DEVICE void mik_load_box(uint32_t to, const CUtensorMap *map, uint32_t barrier, int inner, int outer, int batch)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, { %3, %4, %5}], [%2];" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(inner), "r"(outer), "r"(batch)
                 : "memory");
}

/* As mik_load_box, to the same place in both blocks; its bytes count at the same barrier of each. */
MIK_DEVICE void mik_load_box_for_both(uint32_t to, const CUtensorMap *map, uint32_t barrier, int inner, int outer, int batch)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, { %3, %4, "
                 "%5}], [%2], %6;" ::"r"(to),
                 "l"(map), "r"(barrier), "r"(inner), "r"(outer), "r"(batch), "h"((uint16_t)3)
                 : "memory");
}

/* A box, from (inner, outer, batch) on, out of shared memory, which whoever has written it must have told by mik_fence_async. */
MIK_DEVICE void mik_store_box(const CUtensorMap *map, uint32_t from, int inner, int outer, int batch)
{
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, { %2, %3, %4}], [%1];" ::"l"(map), "r"(from), "r"(inner),
                 "r"(outer), "r"(batch)
                 : "memory");
}

/* Boxes that this thread has had stored since the last call are a group. */
MIK_DEVICE void mik_store_commit(void) { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

/* All of this thread's groups but the LEFT youngest have been read from shared memory. */
template <int LEFT> MIK_DEVICE void mik_store_wait(void) { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(LEFT) : "memory"); }

/* Tensor copies that are issued after a barrier see what this thread has written to shared memory. */
MIK_DEVICE void mik_fence_async(void) { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/* A warp stores 8 x 8 elements of 2 bytes for each register: lane i has row i / 4, from column i % 4 * 2 on, or, ACROSS, the other way
   round; lane i tells where row i % 8 of matrix i / 8 goes. */
template <bool ACROSS> MIK_DEVICE void mik_store_matrices(uint32_t to, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    if constexpr (ACROSS)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(a), "r"(b), "r"(c), "r"(d)
                     : "memory");
    else
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(a), "r"(b), "r"(c), "r"(d)
                     : "memory");
}

template <bool ACROSS> MIK_DEVICE void mik_store_matrices(uint32_t to, uint32_t a, uint32_t b)
{
    if constexpr (ACROSS)
        asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(a), "r"(b) : "memory");
    else
        asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(to), "r"(a), "r"(b) : "memory");
}

/* All threads of the cluster that have not ended wait for each other, and for what the others have done at barriers and in memory. */
MIK_DEVICE void mik_meet(void) { asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory"); }

/* The same before any block has done more than to initialise barriers, which fence.mbarrier_init alone publishes: no fence of all memory. */
MIK_DEVICE void mik_meet_first(void) { asm volatile("barrier.cluster.arrive.relaxed;\n\tbarrier.cluster.wait.acquire;" ::: "memory"); }

MIK_DEVICE void mik_wgmma_fence(void) { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

MIK_DEVICE void mik_wgmma_commit(void) { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

template <int LEFT> MIK_DEVICE void mik_wgmma_wait(void) { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory"); }

/* What wgmma reads: lines of 128 bytes, swizzled, in groups of 8; `next` bytes on to the next 64 elements across k. This is the
   lower half of a descriptor, 1 larger for every 16 bytes further on; the upper half is the same for all. */
MIK_DEVICE uint32_t mik_descriptor(uint32_t at, int next) { return (at & 0x3ffff) >> 4 | (uint32_t)(next >> 4) << 16; }

MIK_DEVICE uint64_t mik_whole_descriptor(uint32_t lower) { return (uint64_t)(1024 >> 4 | 1 << 30) << 32 | lower; }

/* Warpgroups' multiply-adds, by the smaller side of the product: a specialisation each. */
template <class PRODUCT, int SIDE> struct mik_wgmma;
