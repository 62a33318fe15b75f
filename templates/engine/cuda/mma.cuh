/* Kernels on tensor cores, of sm_80. */
#pragma once
#include "fetch.cuh"
#include "finish.cuh"
#include "fragments.cuh"
#include "share.cuh"

/* A block computes pieces of tiles of UM x UN of the output by UK steps of k, each warp WM x WN of it by multiply-adds of {16 or 8} x 8 x
   32 bytes of k; tiles of A and B go through a ring of STAGES buffers in shared memory. SLICES groups of warps share out the steps
   within one buffer. The multiply-add's larger side, x, lies along m; where the kernel is TURNED, along n. Operands are
   ALIGNED to 16 bytes, or not. */
template <class S, int UM, int UN, int UK, int WM, int WN, int SLICES, bool TURNED, int STAGES, bool ALIGNED> struct mik_mma {
    typedef typename S::args args;
    typedef typename S::sum sum_type;
    typedef typename S::template product<TURNED> product;
    typedef typename mik_pick<TURNED, typename S::a, typename S::b>::type x_operand;
    typedef typename mik_pick<!TURNED, typename S::a, typename S::b>::type y_operand;

    static constexpr int THREADS = UM / WM * (UN / WN) * SLICES * 32;
    typedef mik_tables<S, UM, UN, UK, THREADS> gathered;
    static constexpr int A_SIZE = UM * UK * S::a::BYTES, B_SIZE = UN * UK * S::b::BYTES, SIZE = A_SIZE + B_SIZE,
                         RING = STAGES * SIZE; /* bytes */
    static constexpr int ELEMENTS = product::ROWS / 4; /* of a thread, in a fragment of sums */
    static constexpr int COUNT_X = (TURNED ? WN : WM) / product::ROWS, COUNT_Y = (TURNED ? WM : WN) / 8,
                         SUMS = COUNT_X * COUNT_Y * ELEMENTS;
    static constexpr int X_CHUNKS = (x_operand::K_INNER ? UK : TURNED ? UN : UM) * x_operand::BYTES / 16; /* in a line */
    static constexpr int Y_CHUNKS = (y_operand::K_INNER ? UK : TURNED ? UM : UN) * y_operand::BYTES / 16;
    static constexpr bool X_BYTES = x_operand::BYTES == 1 && !x_operand::K_INNER, Y_BYTES = y_operand::BYTES == 1 && !y_operand::K_INNER;
    static constexpr int ROWS = TURNED ? WM : product::ROWS,
                         LINE = WN + (TURNED ? 4 : 8); /* that a warp finishes at a time, with room between them */
    static_assert(SLICES == 1 || (SLICES - 1) * UM * UN * sizeof(sum_type) <= RING, "the slices meet in the ring");
    static_assert(THREADS / 32 / SLICES * ROWS * LINE * sizeof(sum_type) <= RING, "the sums pass through the ring");

    /* Where element e of fragment (i, j) of a warp's sums belongs in its lines. */
    MIK_DEVICE int place(int i, int j, int e, int lane)
    {
        const int x = X_BYTES ? lane / 4 * 2 + e / 2 : lane / 4 + e / 2 * 8;
        const int y = Y_BYTES ? j / 2 * 16 + (lane % 4 * 2 + e % 2) * 2 + j % 2 : j * 8 + lane % 4 * 2 + e % 2;
        return TURNED ? y * LINE + i * product::ROWS + x : x * LINE + y;
    }

    /* Each warp turns its sums from the layout of the multiply-add into lines, so that neighbouring lanes finish neighbouring columns: ROWS
       of its rows at a time; all of them, where the kernel is turned. */
    MIK_DEVICE void finish(const args *s, const mik_work *w, const mik_piece *t, const sum_type (*sum)[COUNT_Y][ELEMENTS], sum_type *lines,
                           int warp_m, int warp_n, int lane)
    {
#pragma unroll
        for (int i = 0; i < COUNT_X; i++) {
#pragma unroll
            for (int j = 0; j < COUNT_Y; j++)
#pragma unroll
                for (int e = 0; e < ELEMENTS; e++)
                    lines[place(i, j, e, lane)] = sum[i][j][e];
            if constexpr (!TURNED) {
                __syncwarp();
                mik_finish<S, ROWS, WN, LINE, 32>(s, w, t, warp_m + i * ROWS, warp_n, lines, lane);
                __syncwarp();
            }
        }
        if constexpr (TURNED) {
            __syncwarp();
            mik_finish<S, ROWS, WN, LINE, 32>(s, w, t, warp_m, warp_n, lines, lane);
        }
    }

    MIK_DEVICE void piece(const args *s, const mik_work *w, const mik_region *r, mik_span *span, char *shared)
    {
        const mik_piece t = mik_take(span, r, UM, UN);
        const uint32_t ring = mik_shared_address(shared);
        const int lane = threadIdx.x % 32, warp = SLICES > 1 ? threadIdx.x / 32 % (THREADS / 32 / SLICES) : threadIdx.x / 32;
        const int slice = SLICES > 1 ? threadIdx.x / (THREADS / SLICES) : 0;
        const int warp_m = warp / (UN / WN) * WM, warp_n = warp % (UN / WN) * WN;
        mik_from from = mik_start<S>(s, w, &t, UK);
        sum_type sum[COUNT_X][COUNT_Y][ELEMENTS] = {};

        if constexpr (gathered::ANY) {
            gathered::start(s, &t, from.k, shared + RING);
            __syncthreads();
        }
        /* Step `at` is computed while step at + STAGES - 1 is on its way; the first rounds only start copies. The
           barrier also says that every warp has left the buffer that is filled next. */
        int fill = 0, use = 0;
        for (int at = 1 - STAGES; at < t.steps; at++) {
            if (at >= 0) {
                mik_cp_async_wait<STAGES - 2>();
                __syncthreads();
            } else if (gathered::ANY) {
                __syncthreads(); /* for the tables of steps */
            }
            if (at + STAGES - 1 < t.steps) {
                mik_fetch<S, UM, UN, UK, THREADS, ALIGNED>(&from, s, &t, ring + fill, ring + fill + A_SIZE, shared + RING);
                fill = fill + SIZE < RING ? fill + SIZE : 0;
            }
            mik_cp_async_commit();
            if (at < 0)
                continue;
            const uint32_t a = ring + use, b = a + A_SIZE;
            use = use + SIZE < RING ? use + SIZE : 0;
            /* (Not in a function of its own: kernels would take up to eight registers more.) */
#pragma unroll
            for (int i = 0; i < UK / product::STEPS / SLICES; i++) {
                const int k = i * SLICES + slice;
                typename product::fragment x[COUNT_X][product::X_COUNT], y[COUNT_Y][product::Y_COUNT];
                mik_fragments<x_operand::BYTES, x_operand::K_INNER>::template x<COUNT_X, X_CHUNKS>(x, TURNED ? b : a,
                                                                                                   TURNED ? warp_n : warp_m, k, lane);
                mik_fragments<y_operand::BYTES, y_operand::K_INNER>::template y<COUNT_Y, Y_CHUNKS>(y, TURNED ? a : b,
                                                                                                   TURNED ? warp_m : warp_n, k, lane);
                if constexpr (product::SPLITS) {
                    uint32_t x_rest[COUNT_X][product::X_COUNT], y_rest[COUNT_Y][product::Y_COUNT];
                    product::template split<COUNT_X * product::X_COUNT>(x[0], x_rest[0]);
                    product::template split<COUNT_Y * product::Y_COUNT>(y[0], y_rest[0]);
#pragma unroll
                    for (int p = 0; p < COUNT_X; p++)
#pragma unroll
                        for (int q = 0; q < COUNT_Y; q++) {
                            product::multiply(sum[p][q], x_rest[p], y[q]);
                            product::multiply(sum[p][q], x[p], y_rest[q]);
                            product::multiply(sum[p][q], x[p], y[q]);
                        }
                } else {
                    if constexpr (product::ROUNDS) {
                        product::template round<COUNT_X * product::X_COUNT>(x[0]);
                        product::template round<COUNT_Y * product::Y_COUNT>(y[0]);
                    }
#pragma unroll
                    for (int p = 0; p < COUNT_X; p++)
#pragma unroll
                        for (int q = 0; q < COUNT_Y; q++)
                            product::multiply(sum[p][q], x[p], y[q]);
                }
            }
        }
        mik_cp_async_wait<0>();
        __syncthreads();
        if constexpr (SLICES > 1)
            mik_add_slices<SUMS, THREADS / SLICES, SLICES>(sum[0][0], (sum_type *)shared);
        if (t.steps < r->steps && !mik_add_parts<SUMS, THREADS / SLICES, THREADS, 0>(sum[0][0], (unsigned *)shared, r, &t, threadIdx.x)) {
            __syncthreads();
            return;
        }
        __syncthreads();
        if (slice == 0)
            finish(s, w, &t, sum, (sum_type *)shared + warp * ROWS * LINE, warp_m, warp_n, lane);
        __syncthreads();
    }
};
