/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of this folder share. Each is a CUDA program, compiled by nvcc and linked with the library; it prints
 * what failed and returns how often. */
#ifndef SIMULATOR_TEST_H
#define SIMULATOR_TEST_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#include "simulator.h"

static int failures;

static inline void check(bool holds, const char *file, int line, const char *what)
{
    if (holds)
        return;
    if (failures++ >= 12) /* the rest follows from these */
        return;
    std::printf("FAILED: %s:%d: %s (%s; %.400s)\n", file, line, what, sim_kind_name(sim_kind()), sim_text());
}

#define CHECK(condition) check(condition, __FILE__, __LINE__, #condition)
#define CUDA(call)       check((call) == cudaSuccess, __FILE__, __LINE__, #call)

/* An array on the device. */
template <typename T> struct Device {
    T *data;
    size_t count;
    explicit Device(size_t n) : count(n) { CUDA(cudaMalloc((void **)&data, n * sizeof(T))); }
    explicit Device(const std::vector<T> &from) : count(from.size())
    {
        CUDA(cudaMalloc((void **)&data, count * sizeof(T)));
        CUDA(cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Device() { cudaFree(data); }
    std::vector<T> get() const
    {
        std::vector<T> to(count);
        CUDA(cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }
};

/* Runs a test under every schedule. */
template <typename F> static inline void all_schedules(F test)
{
    for (int s = 0; s < SIM_SCHEDULES; s++)
        for (unsigned seed = 1; seed <= (s == SIM_RANDOM_LAZY ? 5u : 1u); seed++) {
            sim_set_schedule((SimSchedule)s, seed);
            test();
        }
    sim_set_schedule(SIM_FORWARD_LAZY, 1);
}

/* A launch that has to be diagnosed, and as what. */
template <typename F> static inline void diagnosed(SimKind kind, F launch, const char *file, int line)
{
    sim_set_quiet(1);
    launch();
    cudaError_t error = cudaDeviceSynchronize();
    if (sim_kind() != kind || error == cudaSuccess) {
        std::printf("FAILED: %s:%d: expected \"%s\", got \"%s\": %s\n", file, line, sim_kind_name(kind), sim_kind_name(sim_kind()),
                    sim_text());
        failures++;
    }
    sim_reset();
    sim_set_quiet(0);
}
#define DIAGNOSED(kind, ...) diagnosed(kind, [&] { __VA_ARGS__; }, __FILE__, __LINE__)

static inline int summary()
{
    std::printf("%s\n", failures ? "some checks failed" : "all checks passed");
    return failures != 0;
}

#endif
