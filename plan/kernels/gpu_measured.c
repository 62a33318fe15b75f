/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of a profile in the kernels' rates; the others scaled as those of their sort were. */
#include "plan/kernels/gpu_measured.h"

#include <math.h>
#include <string.h>

enum { RATES = 3, SORTS = 3 };
static const char *const rate_names[RATES] = {"fixed", "step", "alone"};

RecordKey gpu_record_key(Arena *arena, const Contraction *c, const GpuKernel *k, int gpu)
{
    return (RecordKey){.kind = RECORD_BLOCK,
                       .family = c->family,
                       .isa = gpu_name(gpu),
                       .rows = k->m,
                       .columns = k->n,
                       .kernel = gpu_kernel_name(arena, c, k),
                       .tf32 = c->tf32};
}

static int *rate_of(GpuRates *rates, int i) { return i == 0 ? &rates->fixed : i == 1 ? &rates->step : &rates->alone; }

static int sort_of(const GpuKernel *k) { return k->row ? 0 : k->tma ? 1 : 2; }

/* Emitted as picoseconds in an int, from 1 on where a kernel takes any time. */
static int picoseconds(double ps, int least)
{
    const double most = 2e9;
    return ps < least ? least : ps > most ? (int)most : (int)(ps + 0.5);
}

/* Sums of logarithms, and of how many: of each sort, and of all. */
typedef struct Mean {
    double sum[SORTS + 1];
    int count[SORTS + 1];
} Mean;

static void mean_add(Mean *mean, int sort, double ratio)
{
    mean->sum[sort] += log(ratio), mean->count[sort]++;
    mean->sum[SORTS] += log(ratio), mean->count[SORTS]++;
}

static double mean_of(const Mean *mean, int sort)
{
    const int i = mean->count[sort] ? sort : SORTS;
    return mean->count[i] ? exp(mean->sum[i] / mean->count[i]) : 1;
}

/* Gives the kernels their rates on one kind of GPU; false if the profile has no line about any of them. */
static bool apply(Arena *arena, const Profile *profile, const Contraction *c, int gpu, GpuKernel *list, int count)
{
    Mean mean[RATES] = {{{0}, {0}}};
    bool *known = arena_new_array(arena, bool, count + 1);
    bool any = false;
    for (int i = 0; profile && i < count; i++) {
        const RecordKey key = gpu_record_key(arena, c, &list[i], gpu);
        for (int j = 0; j < RATES; j++) {
            const double *ns = profile_get(profile, &key, rate_names[j]);
            if (!ns)
                continue;
            int *rate = rate_of(&list[i].rates[gpu], j), measured = picoseconds(1e3 * *ns, j > 0);
            if (measured > 0)
                mean_add(&mean[j], sort_of(&list[i]), (double)measured / *rate);
            *rate = measured;
            any = known[i] = true;
        }
    }
    for (int i = 0; any && i < count; i++)
        for (int j = 0; j < RATES && !known[i]; j++) {
            int *rate = rate_of(&list[i].rates[gpu], j);
            *rate = picoseconds(*rate * mean_of(&mean[j], sort_of(&list[i])), j > 0);
        }
    return any;
}

const GpuKernel *gpu_measured_kernels(Arena *arena, const Contraction *c, const KernelOptions *opt, int *count)
{
    const GpuKernel *analytical = gpu_kernels(arena, c, opt, count);
    GpuKernel *list = arena_new_array(arena, GpuKernel, *count + 1);
    memcpy(list, analytical, sizeof *list * (size_t)*count);
    for (int g = 0; g < GPU_COUNT; g++)
        if (!apply(arena, opt->profile, c, g, list, *count))
            apply(arena, opt->usual, c, g, list, *count);
    return list;
}

static void put(const Profile *profile, int gpu, const char *field, double *out)
{
    const RecordKey key = {.kind = RECORD_GPU, .family = FAM_COUNT, .isa = gpu_name(gpu)};
    const double *value = profile ? profile_get(profile, &key, field) : NULL;
    *out = value ? *value : *out;
}

GpuCosts gpu_measured_costs(const KernelOptions *opt, int gpu)
{
    GpuCosts costs = gpu_costs[gpu];
    const Profile *const profiles[] = {opt->usual, opt->profile};
    for (int i = 0; i < 2; i++) {
        put(profiles[i], gpu, "bandwidth", &costs.bandwidth);
        put(profiles[i], gpu, "reached", &costs.reached);
        put(profiles[i], gpu, "launch", &costs.launch);
        put(profiles[i], gpu, "meeting", &costs.reduction);
        put(profiles[i], gpu, "partial", &costs.partial);
    }
    return costs;
}
