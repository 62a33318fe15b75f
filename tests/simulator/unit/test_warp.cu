/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exchanges between lanes, atomics, the forms of loads and stores, control flow, clusters: compute_90. */
#include <cuda_fp16.h>

#include "simulator_test.h"

/* ---- lanes ---- */

__global__ void lanes(int *out)
{
    int t = threadIdx.x, x = t * t, *to = out + t;
    to[0] = __shfl_sync(~0u, x, 5);
    to[32] = __shfl_up_sync(~0u, x, 3);
    to[64] = __shfl_down_sync(~0u, x, 3, 16);
    to[96] = __shfl_xor_sync(~0u, x, 9);
    to[128] = __shfl_sync(~0u, x, t + 1, 8);
    to[160] = (int)__ballot_sync(~0u, t % 3 == 0);
    to[192] = __all_sync(~0u, t < 32) * 2 + __any_sync(~0u, t == 40);
    to[224] = (int)__match_any_sync(~0u, t / 4);
    to[256] = (int)__reduce_add_sync(~0u, (unsigned)t);
    to[288] = __reduce_min_sync(~0u, t - 9);
    if (t % 2)
        to[320] = (int)__activemask();
    else
        to[320] = (int)__reduce_or_sync(0x55555555, 1u << t);
    unsigned half = t < 16 ? 0xffff : 0xffff0000;
    to[352] = (int)__reduce_max_sync(half, (unsigned)t); /* two sets at one instruction */
    int count = __syncthreads_count(t > 20), all = __syncthreads_and(t < 31), any = __syncthreads_or(t == 31);
    to[384] = count * 4 + !!all * 2 + !!any;
    unsigned leader, is_leader;
    asm volatile("{.reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p;}" : "=r"(leader), "=r"(is_leader));
    to[416] = (int)(is_leader && leader == t);
}

/* A block that does not fill its warp: lanes that are not there are not waited for. */
__global__ void few(int *out)
{
    int x = threadIdx.x;
    if (x == 7)
        return;
    for (int k = 1; k < 32; k *= 2)
        x += __shfl_xor_sync(~0u, x, k) * 0;
    __syncwarp();
    out[threadIdx.x] = x;
}

static void exchange()
{
    Device<int> d20(20);
    few<<<1, 20>>>(d20.data);
    CHECK(d20.get()[19] == 19);
    all_schedules([&] {
        Device<int> d(14 * 32);
        lanes<<<1, 32>>>(d.data);
        std::vector<int> got = d.get();
        int leaders = 0;
        for (int t = 0; t < 32; t++) {
            auto square = [](int l) { return l * l; };
            CHECK(got[t] == 25);
            CHECK(got[32 + t] == square(t < 3 ? t : t - 3));
            CHECK(got[64 + t] == square(t % 16 + 3 > 15 ? t : t + 3));
            CHECK(got[96 + t] == square(t ^ 9));
            CHECK(got[128 + t] == square(t / 8 * 8 + (t + 1) % 8));
            CHECK((unsigned)got[160 + t] == 0x49249249);
            CHECK(got[192 + t] == 2);
            CHECK((unsigned)got[224 + t] == 0xfu << t / 4 * 4);
            CHECK(got[256 + t] == 496 && got[288 + t] == -9);
            CHECK(t % 2 || got[320 + t] == 0x55555555);
            CHECK(!(t % 2) || (got[320 + t] & 0x55555555) == 0);
            CHECK(got[352 + t] == (t < 16 ? 15 : 31));
            CHECK(got[384 + t] == 11 * 4 + 1);
            leaders += got[416 + t];
        }
        CHECK(leaders == 1);
    });
}

/* ---- atomics ---- */

__global__ void atomics(int *i, unsigned *u, float *f, double *d, half2 *h, unsigned long long *x)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    int t = threadIdx.x;
    atomicAdd(&s, t);
    atomicAdd(&i[0], t);
    atomicMin(&i[1], t - 10);
    atomicMax(&i[2], t);
    atomicInc(&u[0], 9);
    atomicDec(&u[1], 9);
    atomicOr(&u[2], 1u << t % 32);
    atomicXor(&u[3], (unsigned)t);
    atomicAnd(&u[4], ~(1u << t % 32));
    atomicAdd(&f[0], 0.5f);
    atomicAdd(&d[0], 0.25);
    atomicAdd(h, __floats2half2_rn(1, 2));
    atomicAdd(&x[0], 1ull << 40);
    int seen, expected;
    do {
        expected = *(volatile int *)&i[3];
        seen = atomicCAS(&i[3], expected, expected * 3 % 1009 + 1);
    } while (seen != expected);
    atomicExch(&i[4], 77);
    asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(f + 2), "f"(1.0f), "f"(2.0f) : "memory");
    __syncthreads();
    i[5] = s;
}

static void atomic_operations()
{
    std::vector<int> zi(8);
    zi[1] = 100;
    std::vector<unsigned> zu(8);
    zu[4] = ~0u;
    std::vector<float> zf(4);
    std::vector<double> zd(1);
    std::vector<half2> zh(1, __floats2half2_rn(0, 0));
    std::vector<unsigned long long> zx(1);
    int chain = 0;
    for (int k = 0; k < 64; k++)
        chain = chain * 3 % 1009 + 1;
    sim_set_races(0); /* the last store is one word by all */
    all_schedules([&] {
        Device<int> i(zi);
        Device<unsigned> u(zu);
        Device<float> f(zf);
        Device<double> d(zd);
        Device<half2> h(zh);
        Device<unsigned long long> x(zx);
        atomics<<<1, 64>>>(i.data, u.data, f.data, d.data, h.data, x.data);
        std::vector<int> gi = i.get();
        std::vector<unsigned> gu = u.get();
        CHECK(gi[0] == 2016 && gi[1] == -10 && gi[2] == 63 && gi[3] == chain && gi[4] == 77 && gi[5] == 2016);
        CHECK(gu[0] == 4 && gu[2] == ~0u && gu[3] == 0 && gu[4] == 0);
        CHECK(gu[1] == 6); /* 0, 9, 8, ... 0: 64 steps of a circle of ten */
        CHECK(f.get()[0] == 32 && d.get()[0] == 16 && x.get()[0] == 64ull << 40);
        CHECK(f.get()[2] == 64 && f.get()[3] == 128);
        CHECK(__low2float(h.get()[0]) == 64 && __high2float(h.get()[0]) == 128);
    });
    sim_set_races(1);
}

/* ---- memory forms ---- */

struct alignas(16) Mixed {
    signed char c;
    unsigned char uc;
    short s;
    unsigned short us;
    long long ll;
};

__device__ __noinline__ int called(int x, const int *p) { return x > 3 ? p[x % 4] * 2 : x; }

__global__ void forms(const Mixed *m, const float4 *v, float *out, int *integers, int n)
{
    __shared__ float s[8];
    int t = threadIdx.x, local[4], *p;
    float4 q = __ldg(v), r = __ldcs(v + 1);
    integers[0] = m->c + m->uc * 1000;
    integers[1] = m->s;
    integers[2] = m->us;
    integers[3] = (int)(m->ll >> 32);
    out[0] = q.x + q.w;
    *(float2 *)(out + 2) = make_float2(r.y, r.z);
    s[0] = 3;
    local[n] = 8;
    local[n ^ 1] = 9;
    p = n > 5 ? integers : &local[0]; /* generic: local or global */
    integers[4] = p[n];
    float *g = n > 5 ? out : s;
    integers[5] = (int)*g;
    integers[6] = called(n + 7, local);
    switch (n + t) {
    case 0: integers[7] = 10; break;
    case 1: integers[7] = 21; break;
    case 2: integers[7] = 32; break;
    case 3: integers[7] = 43; break;
    case 4: integers[7] = 54; break;
    case 5: integers[7] = 65; break;
    default: integers[7] = -1;
    }
    unsigned clock0 = clock(), clock1 = clock();
    integers[8] = clock1 - clock0 > 0;
    signed char bytes[4] = {-1, 2, -3, 4};
    integers[9] = bytes[n & 3];
}

__global__ void jump(int *out)
{
    int x;
    asm volatile("{\ntargets: .branchtargets first, second, third;\nbrx.idx %1, targets;\nfirst: mov.u32 %0, 11; bra.uni done;\n"
                 "second: mov.u32 %0, 22; bra.uni done;\nthird: mov.u32 %0, 33;\ndone:\n}"
                 : "=r"(x)
                 : "r"(threadIdx.x % 3));
    out[threadIdx.x] = x;
}

__global__ void diverge(int *out)
{
    int t = threadIdx.x, x = 0;
    for (int k = 0; k < t; k++) {
        if (k % 3 == t % 3)
            continue;
        x += k;
        if (x > 100)
            break;
    }
    for (int lane = 0; lane < 32; lane++) /* each lane in its turn, the others wait */
        if (lane == t)
            x += lane;
    __syncwarp();
    if (t == 40)
        return;
    out[t] = x;
}

static void memory_forms()
{
    std::vector<Mixed> m(1);
    m[0] = {-5, 200, -300, 60000, 7ll << 32};
    std::vector<float4> v = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    Device<Mixed> dm(m);
    Device<float4> dv(v);
    Device<float> out(8);
    Device<int> integers(10);
    forms<<<1, 1>>>(dm.data, dv.data, out.data, integers.data, 2);
    std::vector<int> got = integers.get();
    static const int expected[] = {-5 + 200000, -300, 60000, 7, 8, 3, 0, 32, 1, -3};
    for (int k = 0; k < 10; k++)
        CHECK(k == 6 || got[k] == expected[k]);
    CHECK(out.get()[0] == 5 && out.get()[2] == 6 && out.get()[3] == 7);
    all_schedules([&] {
        Device<int> j(32);
        jump<<<1, 32>>>(j.data);
        CHECK(j.get()[3] == 11 && j.get()[4] == 22 && j.get()[31] == 22 && j.get()[5] == 33);
        Device<int> d(64);
        diverge<<<1, 64>>>(d.data);
        std::vector<int> x = d.get();
        for (int t = 0; t < 64; t++) {
            int sum = 0;
            for (int k = 0; k < t; k++) {
                if (k % 3 == t % 3)
                    continue;
                sum += k;
                if (sum > 100)
                    break;
            }
            CHECK(t == 40 || x[t] == sum + (t < 32 ? t : 0));
        }
    });
}

/* ---- clusters ---- */

enum { RIGHT, NO_BARRIER, EXITS_EARLY };

template <int HOW> __global__ void __cluster_dims__(4, 1, 1) neighbours(int *out)
{
    __shared__ int s[32];
    unsigned rank, size;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    s[threadIdx.x] = (int)(rank * 100 + threadIdx.x);
    if (HOW != NO_BARRIER)
        asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
    unsigned address = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x ^ 1]), remote;
    int x;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"((rank + 1) % size));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(x) : "r"(remote) : "memory");
    if (HOW != EXITS_EARLY)
        asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    out[blockIdx.x * 32 + threadIdx.x] = x;
}

static void clusters()
{
    all_schedules([&] {
        Device<int> d(8 * 32);
        neighbours<RIGHT><<<8, 32>>>(d.data);
        std::vector<int> got = d.get();
        for (int k = 0; k < 256; k++)
            CHECK(got[k] == (k / 32 % 4 + 1) % 4 * 100 + (k % 32 ^ 1));
        DIAGNOSED(SIM_RACE, (neighbours<NO_BARRIER><<<8, 32>>>(d.data)));
    });
    Device<int> d(8 * 32);
    neighbours<RIGHT><<<6, 32>>>(d.data);
    CHECK(cudaGetLastError() == cudaErrorInvalidClusterSize);
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (neighbours<EXITS_EARLY><<<8, 32>>>(d.data)));
}

int main()
{
    sim_set_device(90, 0);
    exchange();
    atomic_operations();
    memory_forms();
    clusters();
    return summary();
}
