/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Kernels on the tensor cores of sm_90a, in two functions, of the thread that fetches and of the warpgroups that multiply. */
#pragma once
#include "exchange.cuh"
#include "finish.cuh"
#include "ring.cuh"
#include "share.cuh"
#include "store_tma.cuh"
#include "turns.cuh"

/* Kernels are compiled for all architectures, and are empty on others, and by clang, which copies tensor maps to where instructions cannot read
   them. */
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && !(defined(__clang__) && defined(__CUDA__))
#define MIK_WARPGROUPS      1
#define MIK_CLUSTER(BLOCKS) __cluster_dims__(BLOCKS, 1, 1)
#else
#define MIK_WARPGROUPS 0
#define MIK_CLUSTER(BLOCKS)
#endif
#if defined(__clang__) && defined(__CUDA__)
#define MIK_IN_PLACE
#else
#define MIK_IN_PLACE __grid_constant__ /* a parameter that is not copied */
#endif

/* A region as one block of a pair sees it: places for its own part of shared tiles, of so many sums. */
MIK_DEVICE mik_region mik_half_region(const mik_region *both, int sums, int rank)
{
    mik_region r = *both;
    r.partial += rank * 2 * r.blocks * sums * (int64_t)sizeof(float);
    r.arrived += rank * r.tiles;
    return r;
}

/* Of `count` rows, columns or steps those that one block of a cluster computes: at most `most`. What is below zero is cleared by its sign:
   of two comparisons ptxas 13.0 makes one VIMNMX.RELU, and takes its predicate for whether there are the most, which is wrong (seen on an
   H200: of whole tiles half passed for cut off). */
MIK_DEVICE int mik_half(int count, int most, int rank)
{
    const int left = count - rank * most;
    int below = left >> 31;
    asm("" : "+r"(below));
    const int some = left & ~below;
    return some < most ? some : most;
}

/* How a kernel of warpgroups gathers an operand: gather_group.cuh. */
template <class T> struct mik_gather_group;

/* A tile of UM x UN for each of the CLUSTER blocks, one below the other, or BESIDE it, or, where they SPLIT k, one for all, by UK steps of
   k, 128 bytes: the tensor memory
   accelerator brings tiles of A and B into a ring of STAGES buffers; each of GROUPS warpgroups multiplies so many times (HALVES) 64 rows of
   the multiply-add's larger side, x, by all of the smaller one, y. The larger side lies along m; where the kernel is TURNED, along n.
   Operands are aligned to 16 bytes. With two TURNS the block has twice as many warpgroups, which take turns: see turns.cuh. An operand that
   is gathered comes by copies of all the threads of the warpgroup that fetches. Maps store outputs only where they are BOXED. */
template <class S, int UM, int UN, int UK, int GROUP_COUNT, bool TURNED, int STAGE_COUNT, int BLOCKS, int TURN_COUNT = 1,
          bool BESIDE = false, bool SPLIT = false, bool BOXED = true>
struct mik_group {
    typedef typename S::args args;
    typedef typename S::sum sum_type;
    typedef mik_wgmma<typename S::template product<TURNED>, TURNED ? UM : UN> wgmma;
    typedef typename mik_pick<TURNED, typename S::a, typename S::b>::type x_operand;
    typedef typename mik_pick<!TURNED, typename S::a, typename S::b>::type y_operand;

    static constexpr int GROUPS = GROUP_COUNT, STAGES = STAGE_COUNT, CLUSTER = BLOCKS, TURNS = TURN_COUNT,
                         THREADS = (GROUPS * TURNS + 1) * 128, SPLITTERS = SPLIT ? GROUPS : 0, SHARERS = SPLIT ? 1 : CLUSTER;
    static constexpr int A_SIZE = UM * 128, BYTES = (UM + UN) * 128, Y_SIDE = TURNED ? UM : UN;
    static constexpr int HALVES = (TURNED ? UN : UM) / 64 / GROUPS;
    /* Sums that are finished at a time, in lines. */
    static constexpr int ROWS = !TURNED ? 16 : UM < 32 ? UM : 32, COLS = TURNED ? 64 : UN < 32 ? UN : 32, LINE = COLS + (TURNED ? 4 : 8);
    typedef mik_boxes<S, UM, UN, TURNED, S::MAPPED && BOXED> boxes;
    static constexpr int LINES_ROOM = (TURNED ? ROWS : 4 * ROWS) * LINE, MOST_ROOM = LINES_ROOM > boxes::ROOM ? LINES_ROOM : boxes::ROOM;
    static constexpr int GROUP_ROOM = boxes::POSSIBLE ? (MOST_ROOM + 255) / 256 * 256
                                                      : MOST_ROOM; /* words; swizzled boxes start at 1024 bytes */
    /* Sums of a thread; where blocks of the cluster leave them, behind the lines. */
    static constexpr int COUNT = HALVES * Y_SIDE / 2, PARTS = GROUPS * TURNS * GROUP_ROOM;
    static constexpr int ROOM = PARTS + (SPLIT ? (CLUSTER - 1) * COUNT * 128 : 0);

    static constexpr bool GATHERS_B = S::b::GATHERED, GATHERS = S::a::GATHERED || GATHERS_B;
    static constexpr int STEPS = UK, SIDE_A = UM, SIDE_B = UN;
    typedef S traits;
    static_assert(!SPLIT || (TURNS == 1 && GROUPS <= CLUSTER && !GATHERS), "a block adds up the sums of one warpgroup");
    static_assert(UK * S::a::BYTES == 128 && UK * S::b::BYTES == 128, "lines of 128 bytes");
    /* Only lines of 2-byte elements may run across k, as wgmma reads them. Of others tensor maps describe copies that run along it. */
    template <class O> static constexpr bool ALONG = O::K_INNER || O::BYTES != 2;

    /* Steps of k in a tile, of all blocks that split it. */
    MIK_DEVICE int all_steps(int64_t k) { return k > UK ? (int)((k + UK - 1) / UK) : 1; }

    /* A step of a region that blocks split is one of each. */
    MIK_DEVICE mik_piece take(mik_span *span, const mik_region *r, int rank, int64_t k)
    {
        mik_piece t = mik_take(span, r, BESIDE ? UM : SHARERS * UM, BESIDE ? CLUSTER * UN : UN);
        if constexpr (SPLIT) {
            t.step = rank * (int)r->steps;
            t.steps = mik_half(all_steps(k), (int)r->steps, rank);
        } else if constexpr (CLUSTER == 2 && BESIDE) {
            t.n += rank * UN;
            t.cols = mik_half(t.cols, UN, rank);
        } else if constexpr (SHARERS == 2) {
            t.m += rank * UM;
            t.rows = mik_half(t.rows, UM, rank);
        }
        return t;
    }

    /* Boxes from `from` to `to` of an operand's lines: 128 bytes by 64 lines, fewer lines where a side along lines is smaller. */
    template <class O, bool FOR_BOTH>
    MIK_DEVICE void load(uint32_t data, const CUtensorMap *map, uint32_t full, const mik_piece *t, int k, int batch, int from, int to)
    {
        for (int i = from; i < to; i += 64) {
            const int line = (int)O::first(t) + i;
            if constexpr (FOR_BOTH)
                mik_load_box_for_both(data + i * 128, map, full, ALONG<O> ? k : line, ALONG<O> ? line : k, batch);
            else
                mik_load_box(data + i * 128, map, full, ALONG<O> ? k : line, ALONG<O> ? line : k, batch);
        }
    }

    /* Of SIDE lines that both blocks of a pair need, this one fetches half, for both: of a single box, half of what lies along its lines. */
    template <class O, int SIDE>
    MIK_DEVICE void load_shared(uint32_t data, const CUtensorMap *map, uint32_t full, const mik_piece *t, int k, int batch, int rank)
    {
        constexpr int HALF = SIDE / 2;
        const int line = (int)O::first(t), from = rank * HALF;
        if constexpr (HALF < 64)
            mik_load_box_for_both(data + from * 128, map, full, ALONG<O> ? k : line, (ALONG<O> ? line : k) + from, batch);
        else
            load<O, true>(data, map, full, t, k, batch, from, from + HALF);
    }

    /* A's part of a buffer, and B's. Of what a pair of blocks shares, each fetches half of the boxes, for both. */
    MIK_DEVICE void fetch_a(uint32_t a, const CUtensorMap *map, uint32_t full, const mik_piece *t, int k, int batch, int rank)
    {
        if constexpr (SHARERS == 2 && BESIDE)
            load_shared<typename S::a, UM>(a, map, full, t, k, batch, rank);
        else
            load<typename S::a, false>(a, map, full, t, k, batch, 0, UM);
    }
    MIK_DEVICE void fetch_b(uint32_t b, const CUtensorMap *map, uint32_t full, const mik_piece *t, int k, int batch, int rank)
    {
        if constexpr (SHARERS == 2 && !BESIDE)
            load_shared<typename S::b, UN>(b, map, full, t, k, batch, rank);
        else
            load<typename S::b, false>(b, map, full, t, k, batch, 0, UN);
    }

    /* One thread has a piece fetched, into the buffers of RING, a kernel. */
    template <class RING>
    MIK_DEVICE void fetch(const mik_work &work, const mik_piece *t, const CUtensorMap &map_a, const CUtensorMap &map_b, mik_ring *ring)
    {
        const int batch_a = work.a_batched ? (int)t->b : 0, batch_b = work.b_batched ? (int)t->b : 0;
        for (int at = 0; at < t->steps; at++) {
            const uint32_t full = ring->filled + ring->buffer * 8, a = ring->data + ring->buffer * RING::BYTES, b = a + A_SIZE;
            const int k = (t->step + at) * UK;
            mik_barrier_wait(ring->freed + ring->buffer * 8, ring->phase ^ 1);
            mik_barrier_expect(full, BYTES);
            fetch_a(a, &map_a, full, t, k, batch_a, ring->rank);
            fetch_b(b, &map_b, full, t, k, batch_b, ring->rank);
            mik_advance<RING::STAGES>(ring);
        }
    }

    /* Finishes the sums of a warpgroup's thread, 64 lines of x from line `x` on. */
    MIK_DEVICE void finish(const args *s, const mik_work *work, const mik_piece *t, const sum_type (*sum)[4], int x, mik_ring *ring)
    {
        const int thread = threadIdx.x - 128, warp = thread / 32, lane = thread % 32;
        sum_type *const lines = (sum_type *)ring->lines + (TURNED ? thread / 128 * GROUP_ROOM : warp * (GROUP_ROOM / 4));
        if (t->rows == 0 || t->cols == 0) /* of the second block of a pair */
            return;
        if constexpr (boxes::POSSIBLE) {
            if (boxes::fit(work, t)) {
                boxes::store(s, work, t, TURNED ? 0 : x + warp % 4 * 16, TURNED ? x : 0, sum, mik_shared_address(lines), ring);
                return;
            }
            if (boxes::leads())
                mik_store_wait<0>(); /* boxes have left from where the lines go */
        }
        if constexpr (TURNED) {
            /* Each warpgroup turns its sums into lines of 64 columns, ROWS of them at a time. */
#pragma unroll 1
            for (int at = 0; at < UM / ROWS; at++) {
                mik_sync<128>(2 + thread / 128);
#pragma unroll
                for (int i = 0; i < UM / ROWS; i++)
                    if (i == at)
#pragma unroll
                        for (int j = 0; j < ROWS / 8; j++)
#pragma unroll
                            for (int e = 0; e < 4; e++)
                                lines[(j * 8 + lane % 4 * 2 + e % 2) * LINE + warp % 4 * 16 + lane / 4 + e / 2 * 8] =
                                    sum[i * (ROWS / 8) + j][e];
                mik_sync<128>(2 + thread / 128);
                mik_finish<S, ROWS, COLS, LINE, 128>(s, work, t, at * ROWS, x, lines, thread % 128);
            }
        } else {
            /* Each warp turns 16 rows of its sums into lines, COLS columns at a time. */
#pragma unroll 1
            for (int at = 0; at < UN / COLS; at++) {
                __syncwarp();
#pragma unroll
                for (int i = 0; i < UN / COLS; i++)
                    if (i == at)
#pragma unroll
                        for (int j = 0; j < COLS / 8; j++)
#pragma unroll
                            for (int e = 0; e < 4; e++)
                                lines[(lane / 4 + e / 2 * 8) * LINE + j * 8 + lane % 4 * 2 + e % 2] = sum[i * (COLS / 8) + j][e];
                __syncwarp();
                mik_finish<S, ROWS, COLS, LINE, 32>(s, work, t, x + warp % 4 * 16, at * COLS, lines, lane);
            }
        }
    }

    /* A warpgroup's threads wait for the next buffer and multiply its lines of x, from line `x` on, by all of y: sums begin with a piece's
       FIRST step, or are added to. */
    template <class RING, bool FIRST> MIK_DEVICE void multiply_step(sum_type (*sum)[Y_SIDE / 8][4], mik_ring *ring, int x)
    {
        constexpr int X_ACROSS = !ALONG<x_operand>, Y_ACROSS = !ALONG<y_operand>;
        const uint32_t a = ring->data + ring->buffer * RING::BYTES, b = a + A_SIZE;
        const uint32_t at_x = mik_descriptor((TURNED ? b : a) + x * 128, 8192), at_y = mik_descriptor(TURNED ? a : b, 8192);
        mik_barrier_wait(ring->filled + ring->buffer * 8, ring->phase);
        if constexpr (GATHERS)
            mik_fence_async(); /* of threads' copies */
        mik_wgmma_fence();
#pragma unroll
        for (int k = 0; k < 4; k++)
#pragma unroll
            for (int half = 0; half < HALVES; half++)
                wgmma::template multiply<X_ACROSS, Y_ACROSS>(sum[half][0], at_x + half * 512 + k * (X_ACROSS ? 128 : 2),
                                                             at_y + k * (Y_ACROSS ? 128 : 2), !FIRST || k > 0);
        mik_wgmma_commit();
        mik_advance<RING::STAGES>(ring);
    }

    /* A warp is done with the buffer that is `behind` the next one. */
    template <class RING> MIK_DEVICE void free_behind(const mik_ring *ring, int behind)
    {
        const int buffer = ring->buffer - behind;
        if (threadIdx.x % 32 == 0)
            mik_free<SHARERS>(ring, buffer < 0 ? buffer + RING::STAGES : buffer);
    }

    /* The warpgroups' threads multiply a piece and finish its outputs. SHARED: others may have a part of the tile. */
    template <class RING, bool SHARED>
    MIK_DEVICE void multiply(const args *s, const mik_work *work, const mik_region *r, const mik_piece *t, mik_ring *ring)
    {
        const int thread = threadIdx.x - 128, x = thread / 128 % GROUPS * HALVES * 64;
        sum_type sum[HALVES][Y_SIDE / 8][4];
        if constexpr (TURNS == 2)
            mik_await_turn(ring, thread / 128 / GROUPS);
        /* The first step has code of its own: ptxas before 12.9 takes sums without a value that a loop's predicate says to overwrite for
           written by others while tensor cores work, and lets no two of their instructions overlap. */
        if (t->steps > 0)
            multiply_step<RING, true>(sum, ring, x);
#pragma unroll 1
        for (int at = 1; at < t->steps; at++) {
            multiply_step<RING, false>(sum, ring, x);
            /* This warp's multiplications of the step before are done with their buffer. */
            mik_wgmma_wait<1>();
            free_behind<RING>(ring, 2);
        }
        if constexpr (TURNS == 2)
            mik_pass_turn(ring, thread / 128 / GROUPS);
        mik_wgmma_wait<0>();
        free_behind<RING>(ring, 1); /* a block of a cluster that never has steps frees what it never fills */
        if constexpr (SPLIT) {
            const int parts = (all_steps(work->p.k) - 1) / (int)r->steps + 1;
            if (!mik_exchange<COUNT, CLUSTER>(sum[0][0], ring, mik_shared_address(ring->lines + PARTS), thread / 128, parts))
                return;
        }
        if (SHARED && t->steps < r->steps && !mik_add_parts<COUNT, GROUPS * 128, 1, GROUPS * 128, 1>(sum[0][0], ring->word, r, t, thread))
            return;
#pragma unroll
        for (int half = 0; half < HALVES; half++)
            finish(s, work, t, sum[half], x + half * 64, ring);
    }

    /* This block's pieces of a region, from `block` on. */
    template <class RING>
    MIK_DEVICE void fetch_all(const args &args, const mik_work &work, const mik_region *r, int64_t *block, const CUtensorMap &map_a,
                              const CUtensorMap &map_b, mik_ring *ring)
    {
        for (; *block < r->blocks; *block += gridDim.x / CLUSTER) {
            mik_span span = mik_my_span(r, *block);
            do {
                const mik_piece t = take(&span, r, ring->rank, work.p.k);
                if constexpr (GATHERS)
                    mik_gather_group<mik_group>::template fetch<RING>(&args, work, &t, GATHERS_B ? map_a : map_b, ring);
                else
                    fetch<RING>(work, &t, map_a, map_b, ring);
            } while (span.at < span.end);
        }
    }

    /* Warpgroups that take turns compute every other of the block's tiles. */
    template <class RING>
    MIK_DEVICE void take_turns(const args &args, const mik_work &work, const mik_region *r, int64_t block, mik_ring *ring)
    {
        for (int turn = ((int)threadIdx.x - 128) / 128 / GROUPS; block < r->blocks; block += gridDim.x / CLUSTER, turn ^= 1) {
            mik_span span = mik_my_span(r, block);
            const mik_piece t = take(&span, r, ring->rank, work.p.k);
            if (turn == 0)
                multiply<RING, false>(&args, &work, r, &t, ring);
            else
                mik_skip<RING::STAGES>(ring, t.steps);
        }
    }

    template <class RING, bool SHARED>
    MIK_DEVICE void multiply_all(const args &args, const mik_work &work, const mik_region *r, int64_t *block, mik_ring *ring)
    {
        for (; *block < r->blocks; *block += gridDim.x / CLUSTER) {
            mik_region half;
            const mik_region *mine = r;
            if constexpr (SHARERS == 2 && SHARED) {
                half = mik_half_region(r, UM * UN, ring->rank);
                mine = &half;
            }
            mik_span span = mik_my_span(mine, *block);
            do {
                const mik_piece t = take(&span, mine, ring->rank, work.p.k);
                multiply<RING, SHARED>(&args, &work, mine, &t, ring);
            } while (span.at < span.end);
        }
    }
};

struct mik_no_twin {
    static constexpr int THREADS = 0;
};

/* A kernel's block, which is persistent: for the pieces of a region, or, with a SECOND kernel, for the whole tiles of two regions, one after the
   other without a gap. The FIRST one's tiles are at least as large; both have as many threads, and blocks to a cluster. The first
   warpgroup's first thread fetches, or all of them where an operand is gathered; the others multiply. map_c: of the outputs, where S is MAPPED. */
template <class FIRST, class SECOND = mik_no_twin>
MIK_DEVICE void mik_run_groups(const typename FIRST::args &args, const mik_work &work, const CUtensorMap &map_a, const CUtensorMap &map_b,
                               const CUtensorMap *map_c)
{
#if MIK_WARPGROUPS
    constexpr bool TWINS = SECOND::THREADS > 0;
    /* Who fetches by tensor copies alone is one thread; who gathers, that and all threads of the warpgroup. */
    constexpr int CLUSTER = FIRST::CLUSTER, FILLERS = FIRST::GATHERS ? 129 : 1;
    /* Registers of the threads that fetch, and of the others, where there are two warpgroups of these: 64512 in all. */
    constexpr int FEW = FIRST::GATHERS ? 88 : 40, MANY = FIRST::GATHERS ? 208 : 232;
    extern __shared__ __align__(128) char mik_shared[];
    mik_ring ring =
        mik_make_ring<FIRST::STAGES, FIRST::BYTES, FIRST::ROOM, FIRST::GROUPS * 4, CLUSTER, FIRST::TURNS, FIRST::SPLITTERS, FILLERS>(
            mik_shared);
    ring.map_c = map_c;
    mik_let_next_begin();
    mik_wait_for_launch();
    if (threadIdx.x < 128) {
        if constexpr (FIRST::THREADS >= 384)
            asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(FEW));
        if (FIRST::GATHERS || threadIdx.x == 0) {
            int64_t block = blockIdx.x / CLUSTER;
            FIRST::template fetch_all<FIRST>(args, work, &work.region[0], &block, map_a, map_b, &ring);
            if constexpr (TWINS) {
                block -= work.region[0].blocks;
                SECOND::template fetch_all<FIRST>(args, work, &work.region[1], &block, map_a, map_b, &ring);
            }
        }
        if constexpr (FIRST::GATHERS)
            mik_cp_async_wait<0>(); /* nobody ends before what it has started */
    } else {
        if constexpr (FIRST::THREADS >= 384)
            asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(MANY));
        int64_t block = blockIdx.x / CLUSTER;
        if constexpr (FIRST::TURNS == 2)
            FIRST::template take_turns<FIRST>(args, work, &work.region[0], block, &ring);
        else
            FIRST::template multiply_all<FIRST, !TWINS && FIRST::SPLITTERS == 0>(args, work, &work.region[0], &block, &ring);
        if constexpr (TWINS) {
            block -= work.region[0].blocks;
            SECOND::template multiply_all<FIRST, false>(args, work, &work.region[1], &block, &ring);
        }
        if constexpr (FIRST::boxes::POSSIBLE)
            mik_store_wait<0>(); /* boxes have left shared memory before it goes */
    }
    if constexpr (CLUSTER > 1)
        mik_meet(); /* another block may still fill this one's buffers, free its own here, or arrive here */
#else
    /* Nothing: compiled for another architecture. The host knows by the shared memory. */
    __shared__ volatile char stub[1];
    stub[0] = 0;
    (void)args;
    (void)work;
    (void)map_a;
    (void)map_b;
    (void)map_c;
#endif
}
