/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "race.h"

#include <algorithm>
#include <math.h>
#include <time.h>

#include "device.h"

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static __device__ unsigned long long nanoseconds(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* Ends by itself after a tenth of a second, should the host wait for something before it opens. */
static __global__ void gate_kernel(const volatile int *open, int batch)
{
    const unsigned long long start = nanoseconds();
    while (*open < batch && nanoseconds() - start < 100000000ull)
        ;
}

Race *race_open(bool gate, size_t cold_bytes)
{
    Race *race = new Race();
    race->gate = gate;
    race->cold_bytes = cold_bytes;
    CHECK(cudaStreamCreateWithFlags(&race->stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&race->begin));
    CHECK(cudaEventCreate(&race->end));
    CHECK(cudaHostAlloc((void **)&race->open, sizeof *race->open, cudaHostAllocMapped));
    *race->open = 0;
    if (cold_bytes > 0) {
        CHECK(cudaMalloc(&race->cold, cold_bytes));
        CHECK(cudaMemset(race->cold, 0, cold_bytes));
    }
    return race;
}

void race_close(Race *race)
{
    cudaFree(race->cold);
    cudaFreeHost((void *)race->open);
    cudaEventDestroy(race->begin);
    cudaEventDestroy(race->end);
    cudaStreamDestroy(race->stream);
    delete race;
}

bool race_warm(Race *race, const Contender &contender)
{
    const bool done = contender.call(contender.self, 0);
    CHECK(cudaStreamSynchronize(race->stream));
    return done;
}

double race_batch(Race *race, const Contender &contender, int calls, int copies)
{
    float milliseconds = 0;
    bool done = true;
    race->batch++;
    if (race->gate) {
        gate_kernel<<<1, 1, 0, race->stream>>>(race->open, race->batch);
        CHECK(cudaGetLastError());
    }
    if (race->cold)
        device_read(race->cold, race->cold_bytes, race->stream);
    CHECK(cudaEventRecord(race->begin, race->stream));
    for (int i = 0; i < calls && done; i++)
        done = contender.call(contender.self, i % copies);
    CHECK(cudaEventRecord(race->end, race->stream));
    __atomic_store_n(race->open, race->batch, __ATOMIC_RELEASE);
    CHECK(cudaStreamSynchronize(race->stream));
    CHECK(cudaEventElapsedTime(&milliseconds, race->begin, race->end));
    return done ? (double)milliseconds * 1000 / calls : INFINITY;
}

int race_calls(double microseconds)
{
    const double calls = ceil(200 / (microseconds > 1 ? microseconds : 1));
    return calls < 1 ? 1 : calls > 32 ? 32 : (int)calls;
}

void race_run(Race *race, const std::vector<Contender> &contenders, int rounds, int copies, std::vector<double> *times)
{
    std::vector<std::vector<double>> all(contenders.size());
    for (int round = 0; round < rounds; round++)
        for (size_t turn = 0; turn < contenders.size(); turn++) {
            const size_t i = (turn + (size_t)round) % contenders.size();
            if (isfinite((*times)[i]))
                all[i].push_back(race_batch(race, contenders[i], race_calls((*times)[i]), copies));
        }
    for (size_t i = 0; i < contenders.size(); i++)
        if (!all[i].empty()) {
            std::sort(all[i].begin(), all[i].end());
            (*times)[i] = all[i][all[i].size() / 2];
        }
}
