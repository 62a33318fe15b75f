/* Family turns: a product of half matrices on sm_90a, tiles of 64 x 64 by 64 steps, several for each block. One thread has TMA fill a ring
 * of three stages; two warpgroups take turns at the tiles, by the engine's own functions (templates/engine/cuda/turns.cuh): one finishes
 * while the other multiplies. Sums leave by TMA: each warp has two buffers of 16 rows by 32 columns, swizzled by 128 bytes. */
#include "../../../templates/engine/cuda/turns.cuh"
#include "bugs.h"

#define BUGS(X) \
    X(0, OUT_RIGHT, "control") \
    X(1, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "a warpgroup does not wait for its turn") \
    X(2, OUT_DEADLOCK, "the first warpgroup waits for a turn that nobody passes") \
    X(3, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "a turn is passed before the tile's buffers are filled") \
    X(4, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "a warpgroup does not go past the other's buffers") \
    X(5, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "the phase is left as it was") \
    X(6, OUT_DEADLOCK, "buffers are free when both warpgroups have said so") \
    X(7, OUT_DEADLOCK, "three of four warps pass the turn") \
    X(8, OUT_RACE | OUT_WRONG | OUT_BARRIER | OUT_DEADLOCK | OUT_ASYNC, "one warp's arrival is a turn") \
    X(9, OUT_RACE, "no fence.proxy.async between the sums' stores and the copy of them") \
    X(10, OUT_RACE, "no barrier between them") \
    X(11, OUT_RACE, "a buffer is filled while its copy is on the way") \
    X(12, OUT_RACE, "two copies may be on their way, and are from both buffers") \
    X(13, OUT_RACE, "another lane waits than has the copies started") \
    X(14, OUT_ASYNC, "the block ends before its last copies have read") \
    X(15, OUT_RACE | OUT_ASYNC, "copies are in no group") \
    X(16, OUT_WRONG, "sums are not swizzled") \
    X(17, OUT_WRONG, "buffers that begin in the middle of the swizzle's pattern") \
    X(18, OUT_RACE, "the warpgroups share their buffers") \
    X(19, OUT_RACE | OUT_WRONG, "boxes go out half a box further left") \
    X(20, OUT_ASYNC, "sums are stored before wgmma is done")

enum { TILE = 64, STEP = 64, STAGES = 3, STAGE = 2 * TILE * STEP * 2, BOX = 16 * 128, ROOM = 8 * 2 * BOX / 4 + 64 };
enum { SHARED = 1024 + STAGES * (STAGE + 16) + ROOM * 4 + 32, THREADS = 384, BLOCKS = 2 };

typedef struct {
    CUtensorMap a, b, c;
    int m, n, k;
} Product;

#define R8(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3]), "+f"(c[i + 4]), "+f"(c[i + 5]), "+f"(c[i + 6]), "+f"(c[i + 7])

static __device__ __forceinline__ void multiply(float c[32], uint64_t a, uint64_t b, int add)
{
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %34, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, p, 1, 1, 0, 1;\n\t}"
                 : R8(0), R8(8), R8(16), R8(24)
                 : "l"(a), "l"(b), "r"(add));
}

static __device__ __forceinline__ void fetch(const Product &p, int m, int n, int steps, mik_ring *ring)
{
    for (int at = 0; at < steps; at++) {
        const uint32_t full = ring->filled + ring->buffer * 8, a = ring->data + ring->buffer * STAGE;
        mik_barrier_wait(ring->freed + ring->buffer * 8, ring->phase ^ 1);
        mik_barrier_expect(full, STAGE);
        mik_load_box(a, &p.a, full, at * STEP, m, 0);
        mik_load_box(a + STAGE / 2, &p.b, full, n, at * STEP, 0);
        mik_advance<STAGES>(ring);
    }
}

static __device__ __forceinline__ void await_turn(const mik_ring *ring, int mine, const int bug)
{
    if (bug == 2)
        mik_barrier_wait(ring->turns + mine * 8, ring->turn);
    else if (bug != 1)
        mik_await_turn(ring, mine);
}

static __device__ __forceinline__ void pass_turn(mik_ring *ring, int mine, const int bug)
{
    if (bug != 7 || threadIdx.x / 32 % 4 != 2)
        mik_pass_turn(ring, mine);
    else
        ring->turn ^= 1;
}

static __device__ __forceinline__ void sum_up(float sums[32], int steps, int mine, mik_ring *ring, const int bug)
{
    await_turn(ring, mine, bug);
    if (bug == 3)
        pass_turn(ring, mine, bug);
    for (int at = 0; at < steps; at++) {
        const uint32_t a = ring->data + ring->buffer * STAGE;
        mik_barrier_wait(ring->filled + ring->buffer * 8, ring->phase);
        mik_wgmma_fence();
#pragma unroll
        for (int k = 0; k < STEP / 16; k++)
            multiply(sums, mik_whole_descriptor(mik_descriptor(a, 8192) + k * 2),
                     mik_whole_descriptor(mik_descriptor(a + STAGE / 2, 8192) + k * 128), at + k > 0);
        mik_wgmma_commit();
        mik_wgmma_wait<1>();
        if (at > 0 && threadIdx.x % 32 == 0)
            mik_free<1>(ring, (ring->buffer + STAGES - 1) % STAGES);
        mik_advance<STAGES>(ring);
    }
    if (bug != 3)
        pass_turn(ring, mine, bug);
    if (bug != 20)
        mik_wgmma_wait<0>();
    if (threadIdx.x % 32 == 0)
        mik_free<1>(ring, (ring->buffer + STAGES - 1) % STAGES);
}

/* 16 rows of a warp, 32 columns at a time. */
static __device__ __forceinline__ void store(const Product &p, const float sums[32], int m, int n, mik_ring *ring, const int bug)
{
    const int lane = threadIdx.x % 32, warp = (threadIdx.x - 128) / 32, across = lane / 4, along = lane % 4 * 2;
    const uint32_t room = mik_shared_address(ring->lines) + (bug == 18 ? warp % 4 : warp) * 2 * BOX + (bug == 17 ? 256 : 0);
    for (int i = 0; i < 2; i++) {
        const uint32_t from = room + ring->stored * BOX;
        if (lane == (bug == 13)) {
            if (bug == 12)
                mik_store_wait<2>();
            else if (bug != 11)
                mik_store_wait<1>();
        }
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 16; j++) {
            const int row = across + j / 2 % 2 * 8, chunk = j / 4 * 2 + along / 4;
            mik_store(from + row * 128 + (bug == 16 ? chunk : chunk ^ across) * 16 + along % 4 * 4 + j % 2 * 4,
                      __float_as_uint(sums[i * 16 + j]));
        }
        if (bug != 9)
            mik_fence_async();
        if (bug != 10)
            __syncwarp();
        if (lane == 0) {
            mik_store_box(&p.c, from, n + i * 32 - (bug == 19 && n > 0 ? 16 : 0), m + warp % 4 * 16, 0);
            if (bug != 15)
                mik_store_commit();
        }
        ring->stored ^= 1;
    }
}

static __device__ __forceinline__ mik_ring make_ring(char *shared, const int bug)
{
    if (bug == 6)
        return mik_make_ring<STAGES, STAGE, ROOM, 8, 1, 2>(shared);
    mik_ring ring = mik_make_ring<STAGES, STAGE, ROOM, 4, 1, 2>(shared);
    if (bug == 8) {
        if (threadIdx.x < 2) {
            asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(ring.turns + threadIdx.x * 8) : "memory");
            mik_barrier_init(ring.turns + threadIdx.x * 8, 1);
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
        __syncthreads();
    }
    return ring;
}

static __device__ __forceinline__ void turns(const Product &p, const int bug)
{
    extern __shared__ __align__(1024) char shared[];
    mik_ring ring = make_ring(shared, bug);
    const int rows = (p.m + TILE - 1) / TILE, tiles = rows * ((p.n + TILE - 1) / TILE), steps = (p.k + STEP - 1) / STEP;
    const int mine = (int)threadIdx.x / 128 - 1;
    float sums[32];
    for (int tile = blockIdx.x, turn = mine; tile < tiles; tile += BLOCKS, turn ^= 1) {
        const int m = tile % rows * TILE, n = tile / rows * TILE, phase = ring.phase;
        if (mine < 0) {
            if (threadIdx.x == 0)
                fetch(p, m, n, steps, &ring);
        } else if (turn != 0) {
            if (bug != 4)
                mik_skip<STAGES>(&ring, steps);
            ring.phase = bug == 5 ? phase : ring.phase;
        } else {
            sum_up(sums, steps, mine, &ring, bug);
            store(p, sums, m, n, &ring, bug);
        }
    }
    if (bug != 14)
        mik_store_wait<0>();
}

#define INSTANCE(number, expected, what) \
    extern "C" __global__ void __launch_bounds__(THREADS) turns_##number(const __grid_constant__ Product p) { turns(p, number); }
BUGS(INSTANCE)
#define POINTER(number, expected, what) (const void *)turns_##number,
static const void *const kernels[] = {BUGS(POINTER)};

/* ---- host ---- */

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                           CUtensorMapFloatOOBfill);

/* Rows of `length` elements, `ld` apart; boxes of 128 bytes by box_rows rows. */
static CUresult make_map(CUtensorMap *map, CUtensorMapDataType type, const void *at, int rows, int length, int ld, int box_rows)
{
    const cuuint64_t bytes = type == CU_TENSOR_MAP_DATA_TYPE_FLOAT32 ? 4 : 2, line = (cuuint64_t)ld * bytes;
    const cuuint64_t extents[3] = {(cuuint64_t)length, (cuuint64_t)rows, 1}, strides[2] = {line, line * (cuuint64_t)rows};
    const cuuint32_t box[3] = {128 / (cuuint32_t)bytes, (cuuint32_t)box_rows, 1}, steps[3] = {1, 1, 1};
    void *encode = NULL;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found) != cudaSuccess)
        return CUDA_ERROR_NOT_FOUND;
    return ((Encode)encode)(map, type, 3, (void *)at, extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

static cudaError_t launch(int bug, const Gemm *g)
{
    Product p;
    void *arguments[] = {&p};
    p.m = g->m;
    p.n = g->n;
    p.k = g->k;
    if (make_map(&p.a, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, g->a, g->m, g->k, g->lda, TILE) != CUDA_SUCCESS ||
        make_map(&p.b, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, g->b, g->k, g->n, g->ldb, STEP) != CUDA_SUCCESS ||
        make_map(&p.c, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, g->c, g->m, g->n, g->ldc, 16) != CUDA_SUCCESS)
        return cudaErrorInvalidValue;
    const cudaError_t error = cudaFuncSetAttribute(kernels[bug], cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    return error == cudaSuccess ? cudaLaunchKernel(kernels[bug], dim3(BLOCKS), dim3(THREADS), arguments, SHARED, 0) : error;
}

static Outcome run(int bug)
{
    static const GemmCase test = {{136, 150, 300, 320, 152, 152, NULL, NULL, NULL}, 1, 1, 0, launch};
    return run_gemm(&test, bug);
}

FAMILY(turns, run)
