/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is diagnosed, and beside each mistake the kernel without it. */
#include <cassert>

#include "simulator_test.h"

/* ---- memory ---- */

__global__ void store_at(float *p, long long at) { p[at] = 1; }

__global__ void load_from(const float *p, long long at, float *to) { *to = p[at]; }

__global__ void shared_at(int at, float *to)
{
    __shared__ float s[32];
    s[threadIdx.x] = 1;
    __syncthreads();
    *to = ((volatile float *)s)[at];
}

__global__ void dynamic_at(int at)
{
    extern __shared__ float dynamic[];
    ((volatile float *)dynamic)[at] = 1;
}

__global__ void local_at(int at, float *to)
{
    float s[16];
    for (int k = 0; k < 16; k++)
        s[k] = to[k];
    for (int k = 0; k < 16; k++)
        s[(k * at) & 15] += s[k];
    *to = s[at];
}

__global__ void misaligned(char *p) { *(int *)(p + 2) = 1; }

static void memory()
{
    Device<float> p(100);
    store_at<<<1, 1>>>(p.data, 99);
    CUDA(cudaDeviceSynchronize());
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (store_at<<<1, 1>>>(p.data, 100)));
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (store_at<<<1, 1>>>(p.data, -1)));
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (store_at<<<1, 1>>>(p.data, 1 << 20)));
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (store_at<<<1, 1>>>(nullptr, 0)));
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (load_from<<<1, 1>>>(p.data, 100, p.data)));
    DIAGNOSED(SIM_MISALIGNED, (misaligned<<<1, 1>>>((char *)p.data)));
    float *freed;
    CUDA(cudaMalloc((void **)&freed, 400));
    CUDA(cudaFree(freed));
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (store_at<<<1, 1>>>(freed, 0)));
    shared_at<<<1, 32>>>(31, p.data);
    CUDA(cudaDeviceSynchronize());
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (shared_at<<<1, 32>>>(32, p.data)));
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (shared_at<<<1, 32>>>(-1, p.data)));
    dynamic_at<<<1, 1, 400>>>(99);
    CUDA(cudaDeviceSynchronize());
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (dynamic_at<<<1, 1, 400>>>(100)));
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (dynamic_at<<<1, 1>>>(0)));
    local_at<<<1, 1>>>(15, p.data);
    CUDA(cudaDeviceSynchronize());
    DIAGNOSED(SIM_OUT_OF_BOUNDS, (local_at<<<1, 1>>>(1000, p.data)));
    Device<float> fresh(4);
    CHECK(fresh.get()[2] != fresh.get()[2]);
}

static void text()
{
    Device<float> p(100);
    sim_set_quiet(1);
    store_at<<<dim3(1), dim3(1)>>>(p.data, 102);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    for (const char *part :
         {"store_at", "block (0,0,0)", "thread (0,0,0)", "line ", "8 bytes after the end of the 400 bytes of allocation"})
        CHECK(std::strstr(sim_text(), part) != nullptr);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress); /* sticky */
    void *q;
    CHECK(cudaMalloc(&q, 16) == cudaErrorIllegalAddress);
    CHECK(cudaGetLastError() == cudaErrorIllegalAddress && cudaGetLastError() == cudaErrorIllegalAddress);
    sim_reset();
    sim_set_quiet(0);
    CHECK(cudaGetLastError() == cudaSuccess && sim_text()[0] == '\0');
}

/* ---- races ---- */

enum { RIGHT, MISSING, SAME_WORD, WARP_RIGHT, WARP_MISSING, BYTES, ONE_WARP_SKIPS, REUSE, PARTIAL_WARP, COUNTED };

template <int HOW> __global__ void exchange(int *to)
{
    __shared__ int s[128];
    __shared__ unsigned char bytes[128];
    int t = threadIdx.x;
    if (HOW == SAME_WORD) {
        *(volatile int *)s = 1;
        __syncthreads();
        to[t] = *(volatile int *)s;
        return;
    }
    if (HOW == BYTES) { /* neighbours in one word */
        bytes[t] = (unsigned char)t;
        __syncthreads();
        to[t] = bytes[t ^ 1];
        return;
    }
    s[t] = t;
    if (HOW == RIGHT || HOW == REUSE || (HOW == ONE_WARP_SKIPS && t < 96))
        __syncthreads();
    if (HOW == WARP_RIGHT)
        __syncwarp();
    if (HOW == PARTIAL_WARP)
        __syncwarp(t % 32 < 16 ? 0xffff : 0xffff0000);
    if (HOW == COUNTED)
        asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
    int other = HOW >= WARP_RIGHT && HOW <= WARP_MISSING ? t ^ 1 : HOW == PARTIAL_WARP ? t ^ 16 : HOW == COUNTED ? t ^ 32 : 127 - t;
    to[t] = s[other];
    if (HOW == REUSE)
        s[t] = 0;
}

static void races()
{
    Device<int> p(128);
    all_schedules([&] {
        exchange<RIGHT><<<1, 128>>>(p.data);
        CUDA(cudaDeviceSynchronize());
        CHECK(p.get()[5] == 122);
        exchange<WARP_RIGHT><<<1, 128>>>(p.data);
        exchange<BYTES><<<1, 128>>>(p.data);
        exchange<COUNTED><<<1, 128>>>(p.data);
        CUDA(cudaDeviceSynchronize());
        CHECK(p.get()[5] == 37);
        DIAGNOSED(SIM_RACE, (exchange<MISSING><<<1, 128>>>(p.data)));
        DIAGNOSED(SIM_RACE, (exchange<SAME_WORD><<<1, 128>>>(p.data)));
        DIAGNOSED(SIM_RACE, (exchange<WARP_MISSING><<<1, 128>>>(p.data)));
        DIAGNOSED(SIM_RACE, (exchange<PARTIAL_WARP><<<1, 128>>>(p.data)));
        DIAGNOSED(SIM_RACE, (exchange<REUSE><<<1, 128>>>(p.data)));
    });
    sim_set_races(0);
    exchange<SAME_WORD><<<1, 128>>>(p.data);
    CUDA(cudaDeviceSynchronize());
    sim_set_schedule(SIM_RANDOM_LAZY, 3); /* lanes apart: the result shows it, too */
    bool is_wrong = false;
    for (int k = 0; k < 20; k++) {
        exchange<WARP_MISSING><<<1, 128>>>(p.data);
        std::vector<int> got = p.get();
        for (int t = 0; t < 128; t++)
            is_wrong = is_wrong || got[t] != (t ^ 1);
    }
    CHECK(is_wrong);
    sim_set_schedule(SIM_FORWARD_LAZY, 1);
    sim_set_races(1);
}

/* ---- barriers, collectives ---- */

__global__ void skip_barrier(int until, int *to)
{
    if ((int)threadIdx.x < until)
        __syncthreads();
    to[threadIdx.x] = 1;
}

__global__ void two_barriers(int *to)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    to[threadIdx.x] = 1;
}

__global__ void other_counts(int *to)
{
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 1, 96;" ::: "memory");
    to[threadIdx.x] = 1;
}

__global__ void shuffle(unsigned mask, int limit, int *to)
{
    int x = threadIdx.x;
    if ((int)threadIdx.x < limit)
        x = __shfl_xor_sync(mask, x, 1);
    __syncthreads();
    to[threadIdx.x] = x;
}

__global__ void spin_for_ever(volatile int *flag)
{
    while (*flag == 0)
        ;
}

__global__ void fails_assertion(int n) { assert(n < 3); }

__global__ void traps(int n)
{
    if (n > 3)
        __trap();
}

__global__ void unsupported(int *p)
{
    int x;
    asm volatile("vadd.s32.u32.u32 %0, %1, %1;" : "=r"(x) : "r"(threadIdx.x));
    *p = x;
}

static void barriers()
{
    Device<int> p(128);
    skip_barrier<<<1, 64>>>(64, p.data);
    CUDA(cudaDeviceSynchronize());
    DIAGNOSED(SIM_DEADLOCK, (skip_barrier<<<1, 64>>>(32, p.data)));
    DIAGNOSED(SIM_DEADLOCK, (two_barriers<<<1, 64>>>(p.data)));
    DIAGNOSED(SIM_BARRIER, (other_counts<<<1, 96>>>(p.data)));
    shuffle<<<1, 32>>>(0xffffffff, 32, p.data);
    CHECK(p.get()[6] == 7);
    shuffle<<<1, 32>>>(0xffff, 16, p.data);
    CHECK(p.get()[6] == 7 && p.get()[20] == 20);
    DIAGNOSED(SIM_DIVERGENCE, (shuffle<<<1, 32>>>(0xffffffff, 16, p.data)));
    DIAGNOSED(SIM_DIVERGENCE, (shuffle<<<1, 32>>>(0xff, 16, p.data)));
    std::vector<int> zeros(1);
    Device<int> flag(zeros);
    DIAGNOSED(SIM_DEADLOCK, (spin_for_ever<<<1, 1>>>(flag.data)));
    DIAGNOSED(SIM_TRAP, (fails_assertion<<<1, 1>>>(3)));
    fails_assertion<<<1, 1>>>(2);
    traps<<<1, 1>>>(3);
    CUDA(cudaDeviceSynchronize());
    DIAGNOSED(SIM_TRAP, (traps<<<1, 1>>>(4)));
    sim_set_quiet(1);
    skip_barrier<<<1, 64>>>(32, p.data);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    CHECK(std::strstr(sim_text(), "threads 0-31: barrier 0 (32 of 64 threads have arrived)") &&
          std::strstr(sim_text(), "threads 32-63: done"));
    sim_reset();
    DIAGNOSED(SIM_UNSUPPORTED, (unsupported<<<1, 1>>>(p.data)));
    sim_set_quiet(0);
}

/* ---- blocks that wait for each other ---- */

__global__ void chain(volatile int *turn, int *sum, int blocks, int reverse)
{
    int mine = reverse ? blocks - 1 - (int)blockIdx.x : blockIdx.x;
    if (threadIdx.x == 0) {
        while (*turn != mine)
            ;
        __threadfence();
        *sum = __ldcg(sum) * 2 + mine;
        __threadfence();
        *turn = mine + 1;
    }
}

__global__ void last_block(unsigned *count, int *parts, int *sum)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = (int)blockIdx.x;
        __threadfence();
        is_last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        *sum = 0;
        for (unsigned k = 0; k < gridDim.x; k++)
            *sum += ((volatile int *)parts)[k];
    }
}

/* Tiles of 40 threads that are laid out 32 apart: eight words belong to two blocks. */
__global__ void overlapping(int *p, int step) { p[blockIdx.x * step + threadIdx.x] = 1; }

static void blocks()
{
    Device<int> tiles(400);
    overlapping<<<4, 40>>>(tiles.data, 40);
    CUDA(cudaDeviceSynchronize());
    DIAGNOSED(SIM_RACE, (overlapping<<<4, 40>>>(tiles.data, 32)));
    std::vector<int> zeros(64);
    all_schedules([&] {
        for (int reverse = 0; reverse < 2; reverse++) {
            Device<int> p(zeros);
            chain<<<10, 32>>>(p.data, p.data + 1, 10, reverse);
            CUDA(cudaDeviceSynchronize());
            CHECK(p.get()[1] == 1013);
        }
        Device<int> q(zeros);
        last_block<<<20, 64>>>((unsigned *)q.data, q.data + 2, q.data + 1);
        CHECK(q.get()[1] == 190);
    });
}

int main()
{
    memory();
    text();
    races();
    barriers();
    blocks();
    return summary();
}
