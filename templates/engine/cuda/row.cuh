/* Kernels for a vector times a matrix. Nothing is used twice, so nothing passes through shared memory but sums. */
#pragma once
#include "piece.cuh"
#include "share.cuh"

/* A block of THREADS threads computes pieces of 1 x SIDE of the output by UK steps of k; TURNED: SIDE x 1. */
template <class S, int SIDE, int UK, int THREAD_COUNT, bool TURNED> struct mik_row {
    typedef typename S::args args;
    typedef typename S::sum sum_type;
    typedef typename mik_pick<!TURNED, typename S::a, typename S::b>::type matrix;
    typedef typename mik_pick<TURNED, typename S::a, typename S::b>::type vector;

    static constexpr int THREADS = THREAD_COUNT, VECTOR = 16 / matrix::BYTES; /* elements that one load takes */

    MIK_DEVICE void piece(const args *s, const mik_work *w, const mik_region *r, mik_span *span, char *shared)
    {
        const mik_piece t = mik_take(span, r, TURNED ? SIDE : 1, TURNED ? 1 : SIDE);
        const int64_t k0 = (int64_t)t.step * UK, k1 = w->p.k - k0 < (int64_t)t.steps * UK ? w->p.k : k0 + (int64_t)t.steps * UK;
        const typename vector::type *const v = vector::address(s, t.b) + vector::first(&t) * vector::line(&w->p);
        const int64_t v_k = vector::step(&w->p), x_k = matrix::step(&w->p), x_line = matrix::line(&w->p);
        const typename matrix::type *const x = matrix::address(s, t.b) + matrix::first(&t) * x_line;
        const int there = matrix::there(&t);
        sum_type *const sums = (sum_type *)shared, whole = 0;
        /* (Not in functions of their own: kernels would take two registers more.) */
        if constexpr (matrix::K_INNER) {
            /* Each warp takes LINES rows (columns), its lanes steps of k. */
            constexpr int LINES = SIDE / (THREADS / 32);
            const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * LINES;
            const bool wide = x_k == 1 && v_k == 1 &&
                              ((uint64_t)(uintptr_t)x | (uint64_t)(uintptr_t)v | (uint64_t)x_line * matrix::BYTES) % 16 == 0;
            const int64_t wide_end = wide ? k0 + (k1 - k0) / VECTOR * VECTOR : k0;
            sum_type sum[LINES] = {};
#pragma unroll 2
            for (int64_t k = k0 + lane * VECTOR; k < wide_end; k += 32 * VECTOR) {
                alignas(16) typename vector::type factor[VECTOR];
                alignas(16) typename matrix::type line[LINES][VECTOR];
                *(int4 *)factor = __ldg((const int4 *)(v + k));
#pragma unroll
                for (int i = 0; i < LINES; i++)
                    *(int4 *)line[i] = first + i < there ? __ldg((const int4 *)(x + (first + i) * x_line + k)) : make_int4(0, 0, 0, 0);
#pragma unroll
                for (int i = 0; i < LINES; i++)
#pragma unroll
                    for (int e = 0; e < VECTOR; e++)
                        sum[i] += (sum_type)factor[e] * (sum_type)line[i][e];
            }
#pragma unroll 2
            for (int64_t k = wide_end + lane; k < k1; k += 32) {
                const sum_type factor = (sum_type)v[k * v_k];
#pragma unroll
                for (int i = 0; i < LINES; i++)
                    if (first + i < there)
                        sum[i] += factor * (sum_type)x[(first + i) * x_line + k * x_k];
            }
#pragma unroll
            for (int i = 0; i < LINES; i++) {
#pragma unroll
                for (int far = 16; far > 0; far /= 2)
                    sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], far);
                if (lane == i % 32)
                    sums[first + i] = sum[i];
            }
            __syncthreads();
            whole = threadIdx.x < SIDE ? sums[threadIdx.x] : 0;
            __syncthreads();
        } else {
            /* Neighbouring threads take vectors of rows (columns), groups of them steps of k in turn. */
            constexpr int LANES = SIDE / VECTOR, GROUPS = THREADS / LANES;
            const int lane = threadIdx.x % LANES, group = threadIdx.x / LANES, first = lane * VECTOR;
            const bool wide = x_line == 1 && ((uint64_t)(uintptr_t)x | (uint64_t)x_k * matrix::BYTES) % 16 == 0 && first + VECTOR <= there;
            sum_type sum[VECTOR] = {};
            if (wide) {
#pragma unroll 8
                for (int64_t k = k0 + group; k < k1; k += GROUPS) {
                    alignas(16) typename matrix::type line[VECTOR];
                    const sum_type factor = (sum_type)v[k * v_k];
                    *(int4 *)line = __ldg((const int4 *)(x + k * x_k + first));
#pragma unroll
                    for (int e = 0; e < VECTOR; e++)
                        sum[e] += factor * (sum_type)line[e];
                }
            } else {
#pragma unroll 2
                for (int64_t k = k0 + group; k < k1; k += GROUPS) {
                    const sum_type factor = (sum_type)v[k * v_k];
#pragma unroll
                    for (int e = 0; e < VECTOR; e++)
                        if (first + e < there)
                            sum[e] += factor * (sum_type)x[k * x_k + (first + e) * x_line];
                }
            }
#pragma unroll
            for (int e = 0; e < VECTOR; e++)
                sums[group * SIDE + first + e] = sum[e];
            __syncthreads();
            if (threadIdx.x < SIDE)
                for (int i = 0; i < GROUPS; i++)
                    whole += sums[i * SIDE + threadIdx.x];
            __syncthreads();
        }
        if (t.steps < r->steps && !mik_add_parts<1, SIDE, THREADS, 0>(&whole, (unsigned *)shared, r, &t, threadIdx.x)) {
            __syncthreads();
            return;
        }
        if ((int)threadIdx.x < there)
            S::epilogue(s, t.b, TURNED ? t.m + threadIdx.x : t.m, TURNED ? t.n : t.n + threadIdx.x, whole);
        __syncthreads();
    }
};
