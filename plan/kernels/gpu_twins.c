/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of GPU micro-kernels that one launch runs. */
#include "plan/kernels/gpu.h"

/* Tiles m x n of large kernels, and of smaller ones with as many threads for what they leave: those that the model takes for some of
   3,600 products, on an A100 or an H200. Others win next to nothing over two launches, and take long to compile. */
typedef struct TwinTiles {
    int first_m, first_n, second_m, second_n;
    bool tma;
    int cluster;
} TwinTiles;

static const TwinTiles twin_tiles[] = {
    {128, 128, 64, 64, false, 1},
    {128, 128, 32, 64, false, 1},
    {256, 256, 256, 128, true, 2},
};

static int find_kernel(const GpuKernel *kernels, int count, int m, int n, bool tma, int cluster)
{
    for (int i = 0; i < count; i++) {
        const GpuKernel *k = &kernels[i];
        if (k->align == 16 && k->tma == tma && k->cluster == cluster && k->turns == 1 && !k->split_k && !k->row && k->m == m && k->n == n)
            return i;
    }
    return -1;
}

const GpuTwin *gpu_twins(Arena *arena, const GpuKernel *kernels, int nkernels, int *count)
{
    enum { TWINS = sizeof twin_tiles / sizeof *twin_tiles };
    GpuTwin *out = arena_new_array(arena, GpuTwin, TWINS);
    *count = 0;
    for (const TwinTiles *p = twin_tiles; p < twin_tiles + TWINS; p++) {
        int first = find_kernel(kernels, nkernels, p->first_m, p->first_n, p->tma, p->cluster);
        int second = find_kernel(kernels, nkernels, p->second_m, p->second_n, p->tma, p->cluster);
        if (first < 0 || second < 0 || kernels[first].threads != kernels[second].threads)
            continue;
        const GpuKernel *a = &kernels[first], *b = &kernels[second];
        /* Outputs go through the same places; the second's tiles go through the first's buffers. */
        if (a->tma &&
            (a->turned != b->turned || a->beside != b->beside || a->room != b->room || a->box != b->box || a->m + a->n < b->m + b->n))
            continue;
        int blocks = a->blocks < b->blocks ? a->blocks : b->blocks;
        int shared = a->tma || a->shared > b->shared ? a->shared : b->shared;
        out[(*count)++] = (GpuTwin){first, second, shared, blocks};
    }
    return out;
}
