/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Family warp: rows of numbers, a warp for each four rows: y = x - max + sum, the two found by shuffles, the
 * elements passed to other lanes through shared memory; a block's rows are added up at the end. All numbers are
 * exact. */
#include <stdlib.h>
#include <string.h>

#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_DIVERGENCE, "shfl.sync by lanes that its mask does not name") \
    X(2, OUT_DIVERGENCE, "shfl.sync of a full mask where only some lanes come by") \
    X(3, OUT_RACE, "no __syncwarp between one lane's store and another's load") \
    X(4, OUT_RACE, "no __syncwarp between a load and the next store to the same place") \
    X(5, OUT_WRONG, "the reduction begins with lanes 8 apart") \
    X(6, OUT_WRONG, "shfl.down's result is taken to be in all lanes") \
    X(7, OUT_WRONG, "the end of a row is not compared with its length: NaN behind it") \
    X(8, OUT_DEADLOCK, "__syncthreads once for each row, where warps have different numbers of them") \
    X(9, OUT_RACE, "no __syncthreads before the warps' sums are added") \
    X(10, OUT_WRONG, "the sum of a warp without rows is never stored") \
    X(11, OUT_WRONG | OUT_DIVERGENCE, "a segment of 16 lanes for shfl") \
    X(12, OUT_DIVERGENCE, "different masks in one vote") \
    X(13, OUT_RACE, "every lane adds to one word of shared memory without atomics") \
    X(14, OUT_BOUNDS, "a row too many") \
    X(15, OUT_WRONG | OUT_DIVERGENCE, "reads a lane that does not take part") \
    X(16, OUT_WRONG, "the lanes of a vote counted from the other end") \
    X(17, OUT_DIVERGENCE | OUT_DEADLOCK, "__syncwarp that half of the warp's lanes do not reach") \
    X(18, OUT_BARRIER | OUT_DEADLOCK | OUT_RACE, "bar.sync for a warp fewer than come") \
    X(19, OUT_RACE, "an atomic and a plain store to the same word")

enum { ROWS = 11, LENGTH = 45, LD = 48, WARPS = 2, EACH = 4, BLOCKS = 2 };

typedef struct {
    const float *x;
    float *y, *totals; /* a total for each block */
    int *positive;     /* for each row: its first positive element, of the first 32 */
} Rows;

static __device__ __forceinline__ float other_lane(float x, int distance, const int bug)
{
    if (bug == 1)
        return __shfl_xor_sync(0x0000ffffu, x, distance);
    if (bug == 6)
        return __shfl_down_sync(0xffffffffu, x, distance);
    if (bug == 11)
        return __shfl_xor_sync(0xffffffffu, x, distance, 16);
    return __shfl_xor_sync(0xffffffffu, x, distance);
}

static __device__ __forceinline__ void rows(const Rows &r, const int bug)
{
    __shared__ float passed[WARPS][64], sums[WARPS];
    __shared__ int count;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = (blockIdx.x * WARPS + warp) * EACH;
    const int some = first + EACH < ROWS ? first + EACH : ROWS, last = bug == 14 && some == ROWS ? ROWS + 3 : some;
    float warp_sum = 0;

    if (threadIdx.x == 0)
        count = 0;
    if (bug == 19)
        count = 0;
    __syncthreads();
    for (int row = first; row < last; row++) {
        float own[2], max = -1e30f, sum = 0;
        for (int i = 0; i < 2; i++) {
            const int at = lane + 32 * i;
            own[i] = at < LENGTH || (bug == 7 && at < LD) ? r.x[row * LD + at] : -1e30f;
            max = own[i] > max ? own[i] : max;
            sum += own[i] > -1e30f ? own[i] : bug == 7 ? own[i] + 1e30f : 0.0f;
        }
        const unsigned positive = bug == 12 ? __ballot_sync(lane < 16 ? 0xffffu : 0xffffffffu, own[0] > 0)
                                            : __ballot_sync(0xffffffffu, own[0] > 0);
        if (lane == 0)
            r.positive[row] = bug == 16 ? __clz(positive) : __ffs(positive) - 1;
        if (bug == 2) {
            if (lane < 20)
                max = fmaxf(max, __shfl_xor_sync(0xffffffffu, max, 16));
        } else if (bug == 15) {
            if (lane < 20)
                sum += 0 * __shfl_sync(0xfffffu, sum, lane + 12);
        }
        for (int distance = bug == 5 ? 8 : 16; distance > 0; distance /= 2) {
            max = fmaxf(max, other_lane(max, distance, bug));
            sum += other_lane(sum, distance, bug);
        }
        /* The row comes out backwards. */
        for (int i = 0; i < 2; i++)
            passed[warp][lane + 32 * i] = own[i];
        if (bug == 17 && lane < 16)
            continue;
        if (bug != 3)
            __syncwarp();
        for (int i = 0; i < 2; i++) {
            const int at = lane + 32 * i;
            if (at < LENGTH)
                r.y[row * LD + at] = passed[warp][LENGTH - 1 - at] - max + sum;
        }
        if (bug != 4)
            __syncwarp();
        passed[warp][lane] = sum;
        __syncwarp();
        warp_sum += passed[warp][31 - lane];
        if (bug == 13)
            count = count + 1;
        else
            atomicAdd(&count, 1);
        __syncwarp();
        if (bug == 8)
            __syncthreads();
    }
    if (lane == 0 && (bug != 10 || first < ROWS))
        sums[warp] = warp_sum;
    if (bug == 18)
        asm volatile("bar.sync 1, 32;" ::: "memory");
    else if (bug != 9)
        __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int i = 0; i < WARPS; i++)
            total += sums[i];
        r.totals[blockIdx.x] = total + (float)count;
    }
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(32 * WARPS) warp_##number(const Rows r) { rows(r, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)warp_##number,
static const void *const kernels[] = {BUGS(POINTER)};

static float element(int row, int i) { return (float)((row * 37 + i * 11 + row * i * 5) % 61 - 30) / 8; }

/* Row BLOCKS * WARPS * EACH is the first that does not exist for anybody; rows from ROWS on have no memory. */
static int is_right(const float *y, const float *totals, const int *positive)
{
    for (int block = 0; block < BLOCKS; block++) {
        float total = 0;
        for (int row = block * WARPS * EACH; row < (block + 1) * WARPS * EACH && row < ROWS; row++) {
            float max = -1e30f, sum = 0;
            int first = LENGTH;
            for (int i = 0; i < LENGTH; i++) {
                const float x = element(row, i);
                max = x > max ? x : max;
                sum += x;
                first = x > 0 && i < first ? i : first;
            }
            for (int i = 0; i < LD; i++)
                if (y[row * LD + i] != (i < LENGTH ? element(row, LENGTH - 1 - i) - max + sum : -7.0f))
                    return 0;
            if (positive[row] != (first < 32 ? first : -1))
                return 0;
            total += sum + 32;
        }
        if (totals[block] != total)
            return 0;
    }
    return 1;
}

static Outcome run(int bug)
{
    static float x[ROWS * LD], y[ROWS * LD], totals[BLOCKS];
    static int positive[ROWS];
    Rows r = {};
    void *arguments[] = {&r};
    Outcome outcome = OUT_REFUSED;
    for (int i = 0; i < ROWS * LD; i++) {
        x[i] = i % LD < LENGTH ? element(i / LD, i % LD) : __builtin_nanf("");
        y[i] = -7.0f;
    }
    if (cudaMalloc((void **)&r.x, sizeof x) == cudaSuccess && cudaMalloc((void **)&r.y, sizeof y) == cudaSuccess &&
        cudaMalloc((void **)&r.totals, sizeof totals) == cudaSuccess && cudaMalloc((void **)&r.positive, sizeof positive) == cudaSuccess &&
        cudaMemcpy((void *)r.x, x, sizeof x, cudaMemcpyHostToDevice) == cudaSuccess &&
        cudaMemcpy(r.y, y, sizeof y, cudaMemcpyHostToDevice) == cudaSuccess &&
        cudaLaunchKernel(kernels[bug], dim3(BLOCKS), dim3(32 * WARPS), arguments, 0, 0) == cudaSuccess &&
        cudaMemcpy(y, r.y, sizeof y, cudaMemcpyDeviceToHost) == cudaSuccess &&
        cudaMemcpy(totals, r.totals, sizeof totals, cudaMemcpyDeviceToHost) == cudaSuccess &&
        cudaMemcpy(positive, r.positive, sizeof positive, cudaMemcpyDeviceToHost) == cudaSuccess)
        outcome = is_right(y, totals, positive) ? OUT_RIGHT : OUT_WRONG;
    cudaFree((void *)r.x);
    cudaFree(r.y);
    cudaFree(r.totals);
    cudaFree(r.positive);
    return outcome;
}

FAMILY(warp, run)
