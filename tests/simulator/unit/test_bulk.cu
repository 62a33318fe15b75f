/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compute_90a: bulk copies in one dimension, tensor copies in one to five, swizzles, what lies outside, mbarriers with
 * states, cp.async that arrives at an mbarrier. */
#include <cmath>
#include <cuda.h>

#include "simulator_test.h"

static __device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

static __device__ void init(uint64_t *b, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\nfence.mbarrier_init.release.cluster;" ::"r"(shared_address(b)), "r"(count)
                 : "memory");
}

static __device__ void wait(uint64_t *b, int parity)
{
    asm volatile(
        "{\n.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;\n}" ::"r"(shared_address(b)),
        "r"(parity)
        : "memory");
}

static __device__ void expect(uint64_t *b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes) : "memory");
}

/* ---- one dimension, there and back ---- */

__global__ void there_and_back(const int *from, int *to, int count)
{
    __shared__ __align__(128) int s[256];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&full, count * 4);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(s)),
                     "l"(from), "r"(count * 4), "r"(shared_address(&full))
                     : "memory");
    }
    wait(&full, 0);
    for (int k = threadIdx.x; k < count; k += 32)
        s[k] *= 2;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(s)), "r"(count * 4)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

static void one_dimension()
{
    std::vector<int> from(256);
    for (int k = 0; k < 256; k++)
        from[k] = k;
    Device<int> a(from), b(from);
    all_schedules([&] {
        there_and_back<<<1, 32>>>(a.data + 4, b.data, 200);
        std::vector<int> got = b.get();
        CHECK(got[0] == 8 && got[199] == 406 && got[200] == 200);
    });
    DIAGNOSED(SIM_MISALIGNED, (there_and_back<<<1, 32>>>(a.data + 1, b.data, 200)));
    DIAGNOSED(SIM_TENSOR, (there_and_back<<<1, 32>>>(a.data, b.data, 199)));
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (there_and_back<<<1, 32>>>(a.data + 64, b.data, 200)));
}

/* ---- tensors ---- */

template <int RANK> __global__ void box(const __grid_constant__ CUtensorMap map, int x, int y, int z, int bytes, int *out)
{
    extern __shared__ __align__(1024) int tile[];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
        init(&full, 1);
        expect(&full, bytes);
        if (RANK == 1)
            asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(
                             shared_address(tile)),
                         "l"(&map), "r"(x), "r"(shared_address(&full))
                         : "memory");
        else if (RANK == 2)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                             shared_address(tile)),
                         "l"(&map), "r"(x), "r"(y), "r"(shared_address(&full))
                         : "memory");
        else
            asm volatile(
                "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(
                    shared_address(tile)),
                "l"(&map), "r"(x), "r"(y), "r"(z), "r"(shared_address(&full))
                : "memory");
        wait(&full, 0);
        for (int k = 0; k < bytes / 4; k++)
            out[k] = tile[k];
    }
}

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                           CUtensorMapFloatOOBfill);
static Encode encode;

/* 5 x 6 x 40 numbers, of which a box of 2 x 3 x WIDTH is taken at (x, y, z). */
template <int RANK> static void tensor(int width, int span, CUtensorMapSwizzle swizzle, int x, int y, int z, bool nan)
{
    std::vector<int> from(5 * 6 * 40);
    for (size_t k = 0; k < from.size(); k++)
        from[k] = (int)k;
    Device<int> a(from), out(6 * width);
    CUtensorMap map;
    cuuint64_t dims[] = {40, 6, 5}, strides[] = {160, 960};
    cuuint32_t boxes[] = {(cuuint32_t)width, 3, 2}, steps[] = {1, 1, 1};
    CHECK(encode(&map, nan ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_INT32, RANK, a.data, dims, strides, boxes, steps,
                 CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                 nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    int rows = RANK > 1 ? 3 : 1, planes = RANK > 2 ? 2 : 1;
    box<RANK><<<1, 32, 4096>>>(map, x, y, z, planes * rows * width * 4, out.data);
    std::vector<int> got = out.get();
    for (int p = 0; p < planes; p++)
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < width; c++) {
                bool inside = x + c >= 0 && x + c < 40 && y + r >= 0 && y + r < 6 && z + p >= 0 && z + p < 5;
                int byte = ((p * rows + r) * width + c) * 4, chunk = byte / 16, line = byte / 128;
                int moved = span == 0 ? chunk : chunk ^ (line % (span / 16)); /* the figures of 5.5.5 */
                int value = got[moved * 4 + c % 4];
                if (inside)
                    CHECK(value == from[((RANK > 2 ? z + p : 0) * 6 + (RANK > 1 ? y + r : 0)) * 40 + x + c]);
                else
                    CHECK(nan ? value == 0x7fffffff : value == 0);
            }
}

static void tensors()
{
    for (int x = -3; x < 40; x += 9) {
        tensor<1>(32, 0, CU_TENSOR_MAP_SWIZZLE_NONE, x, 0, 0, false);
        tensor<2>(8, 32, CU_TENSOR_MAP_SWIZZLE_32B, x, -1, 0, false);
        tensor<2>(16, 64, CU_TENSOR_MAP_SWIZZLE_64B, x, 4, 0, true);
        tensor<3>(32, 128, CU_TENSOR_MAP_SWIZZLE_128B, x, 2, 1, false);
        tensor<3>(32, 0, CU_TENSOR_MAP_SWIZZLE_NONE, x, 5, 4, true);
        tensor<3>(20, 0, CU_TENSOR_MAP_SWIZZLE_NONE, x, -2, -1, false);
    }
}

/* Numbers that the map says are tf32 are rounded to that on their way: to the nearest, of two to the even one. */
static void rounding()
{
    static const unsigned cases[][2] = {{0x3f800fff, 0x3f800000}, {0x3f801000, 0x3f800000}, {0x3f803000, 0x3f804000},
                                        {0x3f801001, 0x3f802000}, {0xbf803000, 0xbf804000}, {0x7f7fffff, 0x7f800000},
                                        {0x7f800000, 0x7f800000}, {0x7fc00001, 0x7fc00001}, {0x00001001, 0x00002000}};
    std::vector<int> from(32);
    for (size_t k = 0; k < from.size(); k++)
        from[k] = (int)cases[k % 9][0];
    Device<int> a(from), out(32);
    CUtensorMap map;
    cuuint64_t dims[] = {30};
    cuuint32_t boxes[] = {32}, steps[] = {1};
    CHECK(encode(&map, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 1, a.data, dims, NULL, boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                 CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
    box<1><<<1, 32, 4096>>>(map, 0, 0, 0, 32 * 4, out.data);
    std::vector<int> got = out.get();
    for (size_t k = 0; k < got.size(); k++)
        CHECK((unsigned)got[k] == (k < 30 ? cases[k % 9][1] : 0));
}

/* ---- mbarriers by state; copies of threads that arrive ---- */

__global__ void states(const int *from, int *to)
{
    __shared__ __align__(16) int s[2][128];
    __shared__ uint64_t b, copied;
    int t = threadIdx.x;
    if (t == 0) {
        init(&b, 32);
        init(&copied, 32);
    }
    __syncthreads();
    for (int k = 0; k < 2; k++)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared_address(&s[k][t * 4])), "l"(from + k * 128 + t * 4)
                     : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(&copied)) : "memory");
    wait(&copied, 0);
    int sum = s[0][(t * 4 + 7) % 128] + s[1][(t * 4 + 9) % 128];
    uint64_t state;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(&b)) : "memory");
    int done = 0, turns = 0;
    while (!done && turns++ < 1000000)
        asm volatile("{.reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(shared_address(&b)), "l"(state)
                     : "memory");
    to[t] = done ? sum : -1;
    __syncthreads();
    if (t == 0)
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(&b)) : "memory");
}

static void barriers()
{
    std::vector<int> from(256);
    for (int k = 0; k < 256; k++)
        from[k] = k * k;
    Device<int> a(from), out(32);
    all_schedules([&] {
        states<<<1, 32>>>(a.data, out.data);
        std::vector<int> got = out.get();
        for (int t = 0; t < 32; t++) {
            int i = (t * 4 + 7) % 128, j = 128 + (t * 4 + 9) % 128;
            CHECK(got[t] == i * i + j * j);
        }
    });
}

int main()
{
    sim_set_device(90, 0);
    cudaDriverEntryPointQueryResult result;
    CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &result));
    one_dimension();
    tensors();
    rounding();
    barriers();
    return summary();
}
