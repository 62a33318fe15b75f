/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compute_90a: wgmma's operand layouts, accumulators, scales and asynchrony. Shared memory is filled by formulas of the
 * PTX ISA's pictures (9.7.15.5): tiles of 8 rows, 16-byte chunks exclusive-or'ed with the row. */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simulator_test.h"

static __device__ uint64_t descriptor(uint32_t address, uint32_t leading, uint32_t stride, uint64_t swizzle)
{
    return (uint64_t)(address & 0x3ffff) >> 4 | (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32 | swizzle << 62;
}

static __device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

#define FENCE()  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory")
#define COMMIT() asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory")
#define WAIT(n)  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(n) : "memory")
#define PROXY()  asm volatile("fence.proxy.async.shared::cta;\n" ::: "memory")

/* Swizzle of a K-major or MN-major tile: bytes of a row, the descriptor's code. */
template <int SPAN> struct Swizzle;
template <> struct Swizzle<128> {
    enum { code = 1, chunks = 8 };
};
template <> struct Swizzle<64> {
    enum { code = 2, chunks = 4 };
};
template <> struct Swizzle<32> {
    enum { code = 3, chunks = 2 };
};
template <> struct Swizzle<16> {
    enum { code = 0, chunks = 1 };
};

/* Byte offset of element (row, k) of a K-major operand of 16-bit elements, tile 8 rows by SPAN bytes. */
template <int SPAN> static __device__ int k_major(int row, int k, int rows)
{
    int chunk = k / 8, r = row % 8, chunks = Swizzle<SPAN>::chunks;
    if (SPAN == 16) /* core matrices of 128 bytes: those of one k side by side */
        return (chunk * (rows / 8) + row / 8) * 128 + r * 16 + k % 8 * 2;
    int phase = SPAN == 128 ? r : SPAN == 64 ? r / 2 : r / 4; /* the pattern's row among 128-byte lines */
    return row / 8 * 8 * SPAN + r * SPAN + ((chunk % chunks) ^ (phase % chunks)) * 16 + k % 8 * 2;
}

/* The same of an MN-major operand: tiles of SPAN / 2 rows by 8 k; tiles of one row group side by side. */
template <int SPAN> static __device__ int mn_major(int row, int k, int ks)
{
    int per = SPAN / 2, group = row / per, chunk = row % per / 8, chunks = Swizzle<SPAN>::chunks, r = k % 8;
    int phase = SPAN == 128 ? r : SPAN == 64 ? r / 2 : r / 4;
    return (group * (ks / 8) + k / 8) * 8 * SPAN + r * SPAN + (chunk ^ (phase % chunks)) * 16 + row % 8 * 2;
}

/* C (64 x 64) = A (64 x 16) B (64 x 16)', all 16-bit. */
template <int SPAN_A, bool MN_A, int SPAN_B, bool MN_B, bool REGISTERS>
__global__ void multiply(const half *a, const half *b, float *c, int accumulate)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    unsigned char *as = shared, *bs = shared + 8192;
    for (int e = threadIdx.x; e < 64 * 16; e += 128) {
        int row = e / 16, k = e % 16;
        *(half *)(as + (MN_A ? mn_major<SPAN_A>(row, k, 16) : k_major<SPAN_A>(row, k, 64))) = a[e];
        *(half *)(bs + (MN_B ? mn_major<SPAN_B>(row, k, 16) : k_major<SPAN_B>(row, k, 64))) = b[e];
    }
    PROXY();
    __syncthreads();
    float d[32];
    for (int v = 0; v < 32; v++)
        d[v] = 1000;
    /* K-major without a swizzle: leading = next 16 bytes of k, stride = next 8 rows. */
    uint64_t da = MN_A ? descriptor(shared_address(as), SPAN_A == 16 ? 128 : 2 * 8 * SPAN_A, SPAN_A == 16 ? 256 : 8 * SPAN_A,
                                    Swizzle<SPAN_A>::code)
                       : descriptor(shared_address(as), SPAN_A == 16 ? 1024 : 0, SPAN_A == 16 ? 128 : 8 * SPAN_A, Swizzle<SPAN_A>::code);
    uint64_t db = MN_B ? descriptor(shared_address(bs), SPAN_B == 16 ? 128 : 2 * 8 * SPAN_B, SPAN_B == 16 ? 256 : 8 * SPAN_B,
                                    Swizzle<SPAN_B>::code)
                       : descriptor(shared_address(bs), SPAN_B == 16 ? 1024 : 0, SPAN_B == 16 ? 128 : 8 * SPAN_B, Swizzle<SPAN_B>::code);
    FENCE();
#define D8(o) "+f"(d[o]), "+f"(d[o + 1]), "+f"(d[o + 2]), "+f"(d[o + 3]), "+f"(d[o + 4]), "+f"(d[o + 5]), "+f"(d[o + 6]), "+f"(d[o + 7])
#define LIST  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}"
    if (REGISTERS) {
        int warp = threadIdx.x / 32, g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        uint32_t r[4];
        for (int v = 0; v < 4; v++)
            memcpy(&r[v], a + (warp * 16 + g + v % 2 * 8) * 16 + t * 2 + v / 2 * 8, 4);
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %37, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST ", {%32,%33,%34,%35}, %36, p, 1, 1, %38;\n}\n"
                     : D8(0), D8(8), D8(16), D8(24)
                     : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(db), "r"(accumulate), "n"(MN_B));
    } else {
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\n"
                     "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " LIST ", %32, %33, p, 1, 1, %35, %36;\n}\n"
                     : D8(0), D8(8), D8(16), D8(24)
                     : "l"(da), "l"(db), "r"(accumulate), "n"(MN_A), "n"(MN_B));
    }
    COMMIT();
    WAIT(0);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int v = 0; v < 32; v++)
        c[(warp * 16 + lane / 4 + v / 2 % 2 * 8) * 64 + v / 4 * 8 + lane % 4 * 2 + v % 2] = d[v];
}

template <int SPAN_A, bool MN_A, int SPAN_B, bool MN_B, bool REGISTERS> static void layout()
{
    std::vector<half> a(64 * 16), b(64 * 16);
    std::vector<float> expected(64 * 64);
    for (size_t k = 0; k < a.size(); k++) {
        a[k] = __float2half((float)((int)(k * 7 % 31) - 15) / 8);
        b[k] = __float2half((float)((int)(k * 5 % 29) - 14) / 8);
    }
    Device<half> da(a), db(b);
    Device<float> dc(64 * 64);
    auto kernel = multiply<SPAN_A, MN_A, SPAN_B, MN_B, REGISTERS>;
    for (int accumulate = 0; accumulate < 2; accumulate++) {
        for (int m = 0; m < 64; m++)
            for (int n = 0; n < 64; n++) {
                float sum = accumulate ? 1000 : 0;
                for (int k = 0; k < 16; k++)
                    sum += __half2float(a[m * 16 + k]) * __half2float(b[n * 16 + k]);
                expected[m * 64 + n] = sum;
            }
        all_schedules([&] {
            kernel<<<1, 128, 16384>>>(da.data, db.data, dc.data, accumulate);
            CUDA(cudaDeviceSynchronize());
            CHECK(dc.get() == expected);
        });
    }
}

/* ---- misuse ---- */

enum { RIGHT, NO_WAIT, NO_FENCE, OVERWRITE, NOT_ALL_WARPS, NO_PROXY_FENCE, TWO_IN_FLIGHT };

template <int HOW> __global__ void misuse(float *c)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    for (int e = threadIdx.x; e < 4096; e += 128)
        ((half *)shared)[e] = __float2half(1);
    if (HOW != NO_PROXY_FENCE)
        PROXY();
    __syncthreads();
    float d[4] = {0, 0, 0, 0}, f[4] = {0, 0, 0, 0};
    uint64_t da = descriptor(shared_address(shared), 0, 1024, 1), db = descriptor(shared_address(shared), 0, 1024, 1);
    if (HOW != NO_FENCE)
        FENCE();
    if (HOW != NOT_ALL_WARPS || threadIdx.x < 64)
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;\n"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "l"(da), "l"(db));
    COMMIT();
    if (HOW == TWO_IN_FLIGHT) {
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;\n"
                     : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
                     : "l"(da), "l"(db));
        COMMIT();
        WAIT(1);
        c[threadIdx.x] = d[0];
        WAIT(0);
        c[threadIdx.x] += f[0];
        return;
    }
    if (HOW == OVERWRITE)
        *(volatile half *)(shared + threadIdx.x * 2) = __float2half(2);
    if (HOW != NO_WAIT)
        WAIT(0);
    c[threadIdx.x] = d[0] + d[1];
    if (HOW == NO_WAIT)
        WAIT(0);
}

int main()
{
    sim_set_device(90, 0);
    layout<128, false, 128, false, false>();
    layout<64, false, 64, false, false>();
    layout<32, false, 32, false, false>();
    layout<16, false, 16, false, false>();
    layout<128, true, 128, true, false>();
    layout<64, true, 64, true, false>();
    layout<32, true, 32, true, false>();
    layout<16, true, 16, true, false>();
    layout<128, false, 128, true, false>();
    layout<128, true, 64, false, false>();
    layout<128, false, 128, true, true>();
    layout<128, false, 32, false, true>();
    Device<float> c(128);
    misuse<RIGHT><<<1, 128, 8192>>>(c.data);
    CHECK(c.get()[5] == 32);
    misuse<TWO_IN_FLIGHT><<<1, 128, 8192>>>(c.data);
    CHECK(c.get()[5] == 32);
    DIAGNOSED(SIM_ASYNC, (misuse<NO_WAIT><<<1, 128, 8192>>>(c.data)));
    DIAGNOSED(SIM_ASYNC, (misuse<NO_FENCE><<<1, 128, 8192>>>(c.data)));
    sim_set_races(0);
    DIAGNOSED(SIM_ASYNC, (misuse<OVERWRITE><<<1, 128, 8192>>>(c.data)));
    sim_set_races(1);
    DIAGNOSED(SIM_RACE, (misuse<OVERWRITE><<<1, 128, 8192>>>(c.data)));
    DIAGNOSED(SIM_RACE, (misuse<NO_PROXY_FENCE><<<1, 128, 8192>>>(c.data)));
    DIAGNOSED(SIM_DIVERGENCE, (misuse<NOT_ALL_WARPS><<<1, 128, 8192>>>(c.data)));
    return summary();
}
