/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Kernels for the CUDA cores. */
#pragma once
#include "fetch_simt.cuh"
#include "finish.cuh"
#include "share.cuh"

/* A block computes pieces of tiles of UM x UN of the output by UK steps of k, each thread TM x TN of it; tiles of A and B go through a
   ring of STAGES buffers in shared memory, lines of constant k. */
template <class S, int UM, int UN, int UK, int TM, int TN, int STAGES> struct mik_simt {
    typedef typename S::args args;
    typedef typename S::sum sum_type;

    static constexpr int ROWS = UM / TM, COLS = UN / TN, THREADS = ROWS * COLS, PAD = 16 / (int)sizeof(sum_type);
    static constexpr int VM = TM < PAD ? TM : PAD, VN = TN < PAD ? TN : PAD; /* elements that one load from shared memory takes */
    static constexpr int A_LD = UM + PAD, A_SIZE = UK * A_LD, B_LD = UN + PAD, B_SIZE = UK * B_LD, SIZE = A_SIZE + B_SIZE;
    static_assert(ROWS * UN <= STAGES * SIZE, "the sums pass through the same memory");
    typedef mik_tables<S, UM, UN, UK, THREADS> gathered;
    typedef typename S::a A;
    typedef typename S::b B;
    typedef mik_tile_copier<A, sum_type, UK, UM, A_LD, THREADS> copier_a;
    typedef mik_tile_copier<B, sum_type, UK, UN, B_LD, THREADS> copier_b;
    static constexpr bool WHOLE = A::IN_PLACE && B::IN_PLACE && A::BYTES == sizeof(sum_type) && B::BYTES == sizeof(sum_type);

    /* The factors of step k, where those of a thread's first one are at a and b. */
    MIK_DEVICE void load(sum_type *x, sum_type *y, const sum_type *a, const sum_type *b, int k)
    {
#pragma unroll
        for (int i = 0; i < TM; i++)
            x[i] = a[k * A_LD + i / VM * (ROWS * VM) + i % VM];
#pragma unroll
        for (int j = 0; j < TN; j++)
            y[j] = b[k * B_LD + j / VN * (COLS * VN) + j % VN];
    }

    MIK_DEVICE void multiply(sum_type (*sum)[TN], const sum_type *x, const sum_type *y)
    {
#pragma unroll
        for (int i = 0; i < TM; i++)
#pragma unroll
            for (int j = 0; j < TN; j++)
                sum[i][j] += x[i] * y[j];
    }

    /* Steps at a time, of tiles of any sort: those of whole tiles have a loop of their own. */
    static constexpr int UNROLL = (WHOLE ? 128 : 512) / (TM * TN) < UK ? (WHOLE ? 128 : 512) / (TM * TN) : UK;

    /* Two buffers are told apart by how many steps are left, which takes no register; that which is used has this place. */
    static constexpr bool PAIR = STAGES == 2;
    MIK_DEVICE int place_in_pair(int left) { return left % 2 * SIZE; }

    /* From a buffer of the ring to the next one, in elements. */
    MIK_DEVICE void pass(int *at) { *at = STAGES == 2 ? *at ^ SIZE : *at + SIZE < STAGES * SIZE ? *at + SIZE : 0; }

    /* So many sums that where a thread's copies go is found at each step, and not kept. */
    static constexpr bool MANY = TM * TN >= 64;

    /* All steps of a whole tile. Where k does not end with a step, its last one comes first, so that the loop has whole ones only. A step's
       factors are loaded while the one before is multiplied, also from one buffer to the next. */
    MIK_DEVICE void add_whole(const mik_source *from_a, const mik_source *from_b, const mik_piece *t, int64_t all, sum_type (*sum)[TN],
                              const sum_type *ring, const sum_type *a, const sum_type *b, unsigned thread)
    {
        const int a_apart = copier_a::apart(from_a), a_rest = copier_a::rest(from_a);
        const int b_apart = copier_b::apart(from_b), b_rest = copier_b::rest(from_b);
        const int ragged = all < (int64_t)(t->step + t->steps) * UK, steps = t->steps;
        int use = PAIR ? place_in_pair(steps) : 0; /* where the buffer that is used next is; that in front of it is filled next */
#pragma unroll 1
        for (int i = 0; i < STAGES - 1; i++) {
            if (i < steps) {
                const int64_t k = (int64_t)(t->step + (i >= ragged ? i - ragged : steps - 1)) * UK;
                const int in_k = all - k < UK ? (int)(all - k) : UK;
                const uint32_t tile = mik_shared_address(ring + (PAIR ? use : i * SIZE));
                copier_a::copy_part(tile, copier_a::start(from_a, k, thread), a_apart, thread, in_k);
                copier_b::copy_part(tile + A_SIZE * (int)sizeof(sum_type), copier_b::start(from_b, k, thread), b_apart, thread, in_k);
            }
            mik_cp_async_commit();
        }
        const int64_t next = (int64_t)(t->step + STAGES - 1 - ragged) * UK;
        const char *next_a = copier_a::start(from_a, next, thread), *next_b = copier_b::start(from_b, next, thread);
        sum_type x[2][TM], y[2][TN];
        mik_cp_async_wait<STAGES - 2>();
        __syncthreads();
        load(x[0], y[0], a + use, b + use, 0);
#pragma unroll 1
        for (int left = steps; left > 0; left--) {
            const int fill = PAIR ? place_in_pair(left + 1) : use >= SIZE ? use - SIZE : use + (STAGES - 1) * SIZE;
            const uint32_t tile = mik_shared_address(ring + fill);
            copier_a::copy(tile, &next_a, a_apart, a_rest, MANY ? mik_thread() : thread, left > STAGES - 1);
            copier_b::copy(tile + A_SIZE * (int)sizeof(sum_type), &next_b, b_apart, b_rest, MANY ? mik_thread() : thread,
                           left > STAGES - 1);
            mik_cp_async_commit();
#pragma unroll
            for (int j = 0; j < UK; j++) {
                if (j + 1 == UK) {
                    mik_cp_async_wait<STAGES - 2>();
                    __syncthreads();
                    if (!PAIR)
                        pass(&use);
                }
                const int at = PAIR ? place_in_pair(j + 1 == UK ? left + 1 : left) : use;
                load(x[(j + 1) % 2], y[(j + 1) % 2], a + at, b + at, (j + 1) % UK);
                multiply(sum, x[j % 2], y[j % 2]);
            }
        }
    }

    /* All steps of any tile. */
    MIK_DEVICE void add_any(const args *s, const mik_source *from_a, const mik_source *from_b, const mik_piece *t, int64_t all,
                            sum_type (*sum)[TN], sum_type *ring, const sum_type *a, const sum_type *b, char *tables, unsigned thread)
    {
        int half = 0;
        if constexpr (gathered::ANY) {
            gathered::start(s, t, (int64_t)t->step * UK, tables);
            __syncthreads();
        }
        /* Step `at` is computed while step at + STAGES - 1 is on its way; the first rounds only start copies. The
           barrier also says that every thread has left the buffer that is filled next. */
        int place = 0; /* of the buffer that is filled, then of the one that is used */
        for (int at = 1 - STAGES; at < t->steps; at++) {
            if (at >= 0) {
                mik_cp_async_wait<STAGES - 2>();
                __syncthreads();
            } else if (gathered::ANY) {
                __syncthreads(); /* for the tables of steps */
            }
            if (at + STAGES - 1 < t->steps) {
                const int64_t k = (int64_t)(t->step + at + STAGES - 1) * UK;
                const int in_k = all - k < UK ? (int)(all - k) : UK;
                sum_type *const tile = ring + place;
                mik_fetch_source<S, A, UM, UK, A_LD, THREADS>(tile, s, from_a, t, k, in_k, tables, half, thread);
                mik_fetch_source<S, B, UN, UK, B_LD, THREADS>(tile + A_SIZE, s, from_b, t, k, in_k, gathered::of_b(tables), half, thread);
                half ^= 1;
                gathered::next(s, k + UK, half, tables);
            }
            mik_cp_async_commit();
            pass(&place);
            if (at < 0)
                continue;
#pragma unroll UNROLL
            for (int k = 0; k < UK; k++) {
                sum_type x[TM], y[TN];
                load(x, y, a + place, b + place, k);
                multiply(sum, x, y);
            }
        }
    }

    MIK_DEVICE void piece(const args *s, const mik_work *w, const mik_region *r, mik_span *span, char *shared)
    {
        sum_type *const ring = (sum_type *)shared;
        mik_piece t = mik_next_piece(span, r, UM, UN);
        const mik_source from_a = mik_find_source<S, A>(s, w, &t), from_b = mik_find_source<S, B>(s, w, &t);
        const unsigned own = mik_thread(), number = MANY ? own : threadIdx.x;
        const sum_type *const a = ring + number / COLS * VM, *const b = ring + A_SIZE + number % COLS * VN;
        sum_type sum[TM][TN];

        for (int i = 0; i < TM; i++)
            for (int j = 0; j < TN; j++)
                sum[i][j] = 0;
        if (WHOLE && t.rows == UM && t.cols == UN && copier_a::can(&from_a) && copier_b::can(&from_b))
            add_whole(&from_a, &from_b, &t, w->p.k, sum, ring, a, b, own);
        else
            add_any(s, &from_a, &from_b, &t, w->p.k, sum, ring, a, b, shared + STAGES * SIZE * sizeof(sum_type), own);
        t = mik_take_known(span, &t, &w, &r, UM, UN);
        if (t.steps < r->steps) {
            __syncthreads();
            if (!mik_add_parts<TM * TN, THREADS, 1, THREADS, 0>(sum[0], shared, r, &t, (int)mik_thread())) {
                __syncthreads();
                return;
            }
        }

        /* One row of every thread at a time goes through shared memory, so that neighbouring threads finish
           neighbouring columns. */
        const int thread = (int)mik_thread(), row = thread / COLS, col = thread % COLS;
#pragma unroll 1
        for (int at = 0; at < TM; at++) {
            __syncthreads();
#pragma unroll
            for (int i = 0; i < TM; i++)
                if (i == at)
#pragma unroll
                    for (int j = 0; j < TN; j++)
                        ring[row * UN + j / VN * (COLS * VN) + col * VN + j % VN] = sum[i][j];
            __syncthreads();
            mik_finish<S, ROWS, UN, UN, THREADS, VM>(s, w, &t, at / VM * (ROWS * VM) + at % VM, 0, ring, thread);
        }
        __syncthreads();
    }
};
