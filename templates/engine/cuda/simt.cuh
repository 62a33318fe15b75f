/* Kernels for the CUDA cores. */
#pragma once
#include "fetch_simt.cuh"
#include "finish.cuh"
#include "share.cuh"

/* The piece that was taken last, found once more: cheaper than to keep it in registers through a long loop. */
MIK_DEVICE mik_piece mik_take_again(const mik_span *span, int steps, const mik_region *r, int um, int un)
{
    mik_span last;
    last.at = span->at - steps;
    last.end = span->at;
    asm volatile("" : "+l"(last.at));
    return mik_take(&last, r, um, un);
}

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

    MIK_DEVICE void piece(const args *s, const mik_work *w, const mik_region *r, mik_span *span, char *shared)
    {
        sum_type *const ring = (sum_type *)shared;
        mik_piece t = mik_take(span, r, UM, UN);
        const mik_source from_a = mik_find_source<S, typename S::a>(s, w, &t), from_b = mik_find_source<S, typename S::b>(s, w, &t);
        const int row = threadIdx.x / COLS, col = threadIdx.x % COLS;
        sum_type sum[TM][TN];

        for (int i = 0; i < TM; i++)
            for (int j = 0; j < TN; j++)
                sum[i][j] = 0;

        char *const tables = shared + STAGES * SIZE * sizeof(sum_type);
        int half = 0;
        if constexpr (gathered::ANY) {
            gathered::start(s, &t, (int64_t)t.step * UK, tables);
            __syncthreads();
        }
        /* Step `at` is computed while step at + STAGES - 1 is on its way; the first rounds only start copies. The
           barrier also says that every thread has left the buffer that is filled next. */
        int fill = 0, use = 0;
        for (int at = 1 - STAGES; at < t.steps; at++) {
            if (at >= 0) {
                mik_cp_async_wait<STAGES - 2>();
                __syncthreads();
            } else if (gathered::ANY) {
                __syncthreads(); /* for the tables of steps */
            }
            if (at + STAGES - 1 < t.steps) {
                const int64_t k = (int64_t)(t.step + at + STAGES - 1) * UK;
                const int in_k = w->p.k - k < UK ? (int)(w->p.k - k) : UK;
                sum_type *const tile = ring + fill * SIZE;
                mik_fetch_source<S, typename S::a, UM, UK, A_LD, THREADS>(tile, s, &from_a, &t, k, in_k, tables, half);
                mik_fetch_source<S, typename S::b, UN, UK, B_LD, THREADS>(tile + A_SIZE, s, &from_b, &t, k, in_k, gathered::of_b(tables),
                                                                          half);
                half ^= 1;
                gathered::next(s, k + UK, half, tables);
                fill = fill + 1 < STAGES ? fill + 1 : 0;
            }
            mik_cp_async_commit();
            if (at < 0)
                continue;
            const sum_type *const a = ring + use * SIZE + row * VM;
            const sum_type *const b = ring + use * SIZE + A_SIZE + col * VN;
            use = use + 1 < STAGES ? use + 1 : 0;
            /* (Not in a function of its own: the largest kernels would spill.) */
#pragma unroll
            for (int k = 0; k < UK; k++) {
                sum_type x[TM], y[TN];
#pragma unroll
                for (int i = 0; i < TM; i++)
                    x[i] = a[k * A_LD + i / VM * (ROWS * VM) + i % VM];
#pragma unroll
                for (int j = 0; j < TN; j++)
                    y[j] = b[k * B_LD + j / VN * (COLS * VN) + j % VN];
#pragma unroll
                for (int i = 0; i < TM; i++)
#pragma unroll
                    for (int j = 0; j < TN; j++)
                        sum[i][j] += x[i] * y[j];
            }
        }
        mik_cp_async_wait<0>();
        t = mik_take_again(span, t.steps, r, UM, UN);
        if (t.steps < r->steps) {
            __syncthreads();
            if (!mik_add_parts<TM * TN, THREADS, THREADS, 0>(sum[0], (unsigned *)shared, r, &t, threadIdx.x)) {
                __syncthreads();
                return;
            }
        }

        /* One row of every thread at a time goes through shared memory, so that neighbouring threads finish
           neighbouring columns. */
#pragma unroll
        for (int i = 0; i < TM; i++) {
            __syncthreads();
#pragma unroll
            for (int j = 0; j < TN; j++)
                ring[row * UN + j / VN * (COLS * VN) + col * VN + j % VN] = sum[i][j];
            __syncthreads();
            mik_finish<S, ROWS, UN, UN, THREADS, VM>(s, w, &t, i / VM * (ROWS * VM) + i % VM, 0, ring, threadIdx.x);
        }
        __syncthreads();
    }
};
