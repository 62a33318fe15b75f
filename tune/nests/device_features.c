/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas, in the order in which the header names them. */
#include "tune/nests/device_features.h"

#include <math.h>

#include "plan/targets.h"

const DeviceFeatureInfo device_feature_info[DEVICE_FEATURES] = {
    [FEATURE_WAVES] = {"waves", "what part of the multiprocessors has blocks, the last wave counted"},
    [FEATURE_OCCUPANCY] = {"occupancy", "warps that are resident, of those that may be"},
    [FEATURE_ILP] = {"ilp", "outputs of a thread"},
    [FEATURE_WLP] = {"wlp", "warps that shared memory and registers leave room for"},
    [FEATURE_CONCURRENCY] = {"concurrency", "wlp times ilp"},
    [FEATURE_REUSE] = {"reuse", "how often inputs are used once they are in registers"},
    [FEATURE_GLOBAL] = {"global", "iterations for each transaction with memory, in warps"},
    [FEATURE_SHARED] = {"shared", "products for each transaction with shared memory, in warps"},
};

enum { KIB = 1024, WORD = 4 };

#define LIMITS(sms, resident, kib, ahead) \
    {.multiprocessors = (sms), \
     .warps = (resident), \
     .registers = 64 * KIB, \
     .shared = (kib) * KIB, \
     .block_shared = 48 * KIB, \
     .thread_registers = 256, \
     .least_threads = 32, \
     .most_threads = 1024, \
     .lanes = 32, \
     .banks = 32, \
     .line = 128, \
     .other_registers = 20, \
     .spare_registers = 25, \
     .shared_elements = 64 * KIB, \
     .lines_ahead = (ahead)}

const DeviceLimits *device_limits(int gpu)
{
    static const DeviceLimits limits[GPU_COUNT] = {
        [GPU_SM80] = LIMITS(108, 64, 164, 57),
        [GPU_SM86] = LIMITS(84, 48, 100, 43),
        [GPU_SM89] = LIMITS(128, 48, 100, 31),
        [GPU_SM90] = LIMITS(132, 64, 228, 119),
    };
    return &limits[gpu];
}

static int warps_of(const DeviceLimits *limits, int threads) { return (threads + limits->lanes - 1) / limits->lanes; }

double wave_efficiency(int64_t blocks, int multiprocessors)
{
    const double waves = (double)blocks / multiprocessors;
    return blocks > 0 ? waves / ceil(waves) : 0;
}

int resident_blocks(const DeviceLimits *limits, int threads, int registers, int shared)
{
    int most = limits->warps / warps_of(limits, threads);
    const int by_registers = limits->registers / (registers * threads), by_shared = shared ? limits->shared / shared : most;
    most = by_registers < most ? by_registers : most;
    return by_shared < most ? by_shared : most;
}

double occupancy_of(const DeviceLimits *limits, int threads, int registers, int shared)
{
    return (double)resident_blocks(limits, threads, registers, shared) * warps_of(limits, threads) / limits->warps;
}

double warps_by_shared(const DeviceLimits *limits, int threads, int shared_elements)
{
    return shared_elements ? (double)limits->shared_elements / shared_elements * warps_of(limits, threads) : HUGE_VAL;
}

static double warps_by_registers(const DeviceLimits *limits, int threads, int elements)
{
    return limits->registers / ((double)(elements + limits->spare_registers) * threads);
}

double register_reuse(const double *reuse, int ninputs)
{
    double sum = 0;
    for (int i = 0; i < ninputs; i++)
        sum += 1 / reuse[i];
    return ninputs ? 1 / sum : 0;
}

static double global_intensity(const DeviceLimits *limits, double iterations, double transactions)
{
    return transactions > 0 ? iterations / (limits->lanes * transactions) : 0;
}

/* Each step of a sum further out does the same again, products as well as transactions. */
static double shared_intensity(const DeviceLimits *limits, int threads, int outputs, double depth, double transactions)
{
    return transactions > 0 ? (double)threads * outputs * depth / limits->lanes / transactions : 0;
}

double staging_transactions(const DeviceLimits *limits, double elements, int threads, int vector, double lines)
{
    return ceil(elements / threads) * warps_of(limits, threads) / vector * lines;
}

static bool is_among(const int64_t *list, int n, int64_t number)
{
    for (int i = 0; i < n; i++)
        if (list[i] == number)
            return true;
    return false;
}

int lines_of_warp(const int64_t *address, int n, int bytes, int line)
{
    int64_t lines[2 * MOST_LANES];
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int end = 0; end < 2; end++) {
            const int64_t at = address[i] + (end ? bytes - 1 : 0), number = (at - (at % line + line) % line) / line;
            if (!is_among(lines, count, number))
                lines[count++] = number;
        }
    return count;
}

int bank_transactions(const int64_t *word, int n, int banks)
{
    int most = 0;
    for (int i = 0; i < n; i++) {
        int behind = 0; /* different words of the bank from this one on */
        for (int j = i; j < n; j++)
            behind += (word[j] - word[i]) % banks == 0 && !is_among(word + i, j - i, word[j]);
        most = behind > most ? behind : most;
    }
    return most;
}

bool device_features(const DeviceLimits *limits, const DeviceNumbers *n, double feature[DEVICE_FEATURES])
{
    const int registers = n->elements + limits->other_registers;
    for (int i = 0; i < DEVICE_FEATURES; i++)
        feature[i] = 0;
    if (n->threads < limits->least_threads || n->threads > limits->most_threads || registers > limits->thread_registers ||
        n->shared > limits->block_shared)
        return false;
    feature[FEATURE_WAVES] = wave_efficiency(n->blocks, limits->multiprocessors);
    feature[FEATURE_OCCUPANCY] = occupancy_of(limits, n->threads, registers, n->shared);
    feature[FEATURE_ILP] = n->outputs;
    feature[FEATURE_WLP] = fmin(warps_by_shared(limits, n->threads, n->shared_elements),
                                warps_by_registers(limits, n->threads, n->elements));
    feature[FEATURE_CONCURRENCY] = feature[FEATURE_WLP] * feature[FEATURE_ILP];
    feature[FEATURE_REUSE] = register_reuse(n->reuse, n->ninputs);
    feature[FEATURE_GLOBAL] = global_intensity(limits, n->iterations, n->transactions);
    feature[FEATURE_SHARED] = shared_intensity(limits, n->threads, n->outputs, n->depth, n->shared_transactions);
    return true;
}
