#include "plan/gpu.h"

#include <stddef.h>

/* m, n, k, inner m, inner n, stages, blocks. Register and shared-memory use of each was read off ptxas -v for sm_80:
 * nothing spills, and `blocks` of them fit one SM together. */
typedef struct Tile {
    int m, n, k, inner_m, inner_n, stages, blocks;
} Tile;

static const Tile tensor_tiles[] = {
    {128, 128, 32, 64, 32, 3, 2}, {128, 64, 32, 64, 32, 3, 3}, {64, 128, 32, 32, 64, 3, 3}, {64, 64, 32, 32, 32, 4, 4},
    {32, 128, 32, 32, 32, 4, 4},  {128, 32, 32, 32, 32, 4, 4}, {32, 64, 64, 16, 32, 3, 4},  {64, 32, 64, 32, 16, 3, 4},
    {32, 32, 64, 16, 16, 4, 4},   {16, 128, 64, 16, 32, 3, 4}, {16, 64, 64, 16, 16, 4, 5},  {64, 16, 64, 16, 16, 4, 5},
    {16, 32, 64, 16, 16, 4, 8},   {16, 16, 64, 16, 16, 4, 12},
};
static const Tile f32_tiles[] = {
    {128, 128, 8, 8, 8, 3, 2}, {128, 64, 8, 8, 8, 3, 3},  {64, 64, 16, 8, 4, 3, 4},  {32, 64, 16, 4, 4, 3, 5},
    {64, 32, 16, 4, 4, 3, 5},  {32, 32, 16, 4, 4, 3, 10}, {16, 128, 16, 4, 4, 3, 5}, {16, 64, 16, 2, 4, 3, 7},
    {64, 16, 16, 4, 2, 3, 7},  {16, 16, 32, 2, 2, 3, 10},
};
static const Tile f64_tiles[] = {
    {64, 64, 8, 4, 4, 3, 2}, {32, 64, 8, 4, 4, 3, 4}, {32, 32, 16, 4, 2, 3, 4}, {16, 32, 16, 2, 2, 3, 4}, {16, 16, 16, 2, 2, 3, 8},
};
static const Tile i8_tiles[] = {
    {64, 64, 16, 8, 4, 2, 4}, {32, 32, 16, 4, 4, 2, 8}, {16, 64, 16, 2, 4, 2, 8}, {16, 16, 32, 2, 2, 2, 12},
};

/* Analytical rates of one SM of an A100-class GPU: multiply-adds per ns, bytes per ns from L2, and the ns that one
 * step of an unloaded ring takes at least. A measured profile replaces what follows from them. */
static const struct {
    const Tile *tiles;
    int count, bytes;
    const char *types;
    double macs, bytes_per_ns, latency;
} families[FAM_COUNT] = {
    [FAM_F32] = {f32_tiles, sizeof f32_tiles / sizeof *f32_tiles, 4, "f32f32", 190, 40, 250},
    [FAM_F64] = {f64_tiles, sizeof f64_tiles / sizeof *f64_tiles, 8, "f64f64", 95, 40, 250},
    [FAM_I8] = {i8_tiles, sizeof i8_tiles / sizeof *i8_tiles, 1, "i8i32", 90, 25, 400},
    [FAM_F16] = {tensor_tiles, sizeof tensor_tiles / sizeof *tensor_tiles, 2, "f16f32", 2100, 40, 350},
    [FAM_BF16] = {tensor_tiles, sizeof tensor_tiles / sizeof *tensor_tiles, 2, "bf16f32", 2100, 40, 350},
};

bool gpu_uses_tensor_cores(Family family)
{
    return family == FAM_F16 || family == FAM_BF16;
}

static double larger(double a, double b) { return a > b ? a : b; }

const GpuKernel *gpu_kernels(Arena *arena, Family family, int max_kernels, int *count)
{
    int n = families[family].count;
    n = max_kernels > 0 && max_kernels < n ? max_kernels : n;
    GpuKernel *out = arena_new_array(arena, GpuKernel, n);
    for (int i = 0; i < n; i++) {
        const Tile *t = &families[family].tiles[i];
        double macs = (double)t->m * t->n * t->k, rate = families[family].macs;
        double copied = (double)(t->m + t->n) * t->k * families[family].bytes / families[family].bytes_per_ns;
        double step = larger(macs / rate, copied);
        int threads = t->m / t->inner_m * (t->n / t->inner_n);
        double warps = gpu_uses_tensor_cores(family) ? threads : larger(1, threads / 32);
        double busy = warps < 8 ? warps / 8 : 1; /* fewer warps than that cannot keep an SM's units busy alone */
        double alone = larger(larger(step, families[family].latency / (t->stages - 1)), macs / (rate * busy));
        double fixed = 1500 + (double)t->m * t->n * families[family].bytes / families[family].bytes_per_ns;
        out[i] = (GpuKernel){.m = t->m, .n = t->n, .k = t->k, .inner_m = t->inner_m, .inner_n = t->inner_n, .stages = t->stages,
                             .blocks = t->blocks, .fixed = (int)(1e3 * fixed + 0.5), .step = (int)(1e3 * step + 0.5),
                             .alone = (int)(1e3 * alone + 0.5)};
    }
    *count = n;
    return out;
}

int gpu_blocks(Family family, const GpuKernel *k, bool gathers)
{
    int threads = k->m / k->inner_m * (k->n / k->inner_n), sums = k->inner_m * k->inner_n;
    if (!gathers || gpu_uses_tensor_cores(family) || k->blocks * threads * 128 < 65536 || sums < 64)
        return k->blocks;
    return 1;
}

const char *gpu_symbol(Arena *arena, const char *stem, Family family, const GpuKernel *k)
{
    return arena_printf(arena, "mik_%s_%s_%dx%dx%d_sm80", stem, families[family].types, k->m, k->n, k->k);
}
