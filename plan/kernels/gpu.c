/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of GPU micro-kernels, and their analytical rates. */
#include "plan/kernels/gpu.h"

#include <string.h>

#include <stddef.h>

#include "plan/contract/gather.h"
#include "plan/fitted.h"
#include "plan/kernels/gpu_rank.h"

/* Register use of each kernel was read off ptxas -v: nothing spills, and `blocks` of them fit one SM together. */

/* Tensor cores: k and the tiles' alignment in bytes, so that one table serves all types of 1, 2 and 4 bytes. */
typedef struct WarpTile {
    int m, n, k_bytes, wm, wn, slices, turned, stages, blocks, align;
} WarpTile;

/* clang-format off */
static const WarpTile narrow_tiles[] = {
    {128, 128, 64, 64, 64, 1, 0, 4, 2, 16}, {64, 64, 128, 32, 32, 1, 0, 3, 3, 16},  {256, 128, 64, 64, 64, 1, 0, 3, 1, 16},
    {128, 256, 64, 64, 64, 1, 0, 3, 1, 16}, {128, 64, 128, 64, 32, 1, 0, 3, 2, 16}, {64, 128, 128, 32, 64, 1, 0, 3, 2, 16},
    {32, 128, 128, 32, 32, 1, 0, 4, 2, 16}, {128, 32, 128, 32, 32, 1, 0, 4, 2, 16}, {32, 32, 128, 32, 32, 4, 0, 4, 4, 16},
    {32, 64, 128, 32, 32, 2, 0, 4, 3, 16},  {64, 32, 128, 32, 32, 2, 0, 4, 3, 16},  {16, 128, 128, 16, 32, 1, 0, 4, 3, 16},
    {16, 64, 256, 16, 32, 2, 0, 4, 2, 16},  {16, 32, 256, 16, 32, 4, 0, 6, 3, 16},  {128, 16, 128, 32, 16, 1, 0, 4, 3, 16},
    {32, 16, 256, 32, 16, 4, 0, 6, 3, 16},  {8, 128, 128, 8, 32, 1, 1, 4, 3, 16},   {8, 32, 256, 8, 32, 4, 1, 6, 3, 16},
    {128, 8, 128, 32, 8, 1, 0, 4, 3, 16},   {32, 8, 256, 32, 8, 4, 0, 6, 3, 16},    {128, 128, 64, 64, 64, 1, 0, 3, 2, 1},
    {64, 64, 64, 32, 32, 1, 0, 4, 3, 1},    {32, 64, 64, 16, 32, 1, 0, 4, 4, 1},    {64, 32, 64, 32, 16, 1, 0, 4, 4, 1},
    {16, 64, 128, 16, 16, 1, 0, 4, 4, 1},   {64, 16, 128, 16, 16, 1, 0, 4, 4, 1},   {16, 16, 128, 16, 16, 4, 0, 4, 4, 1},
};
/* clang-format on */
/* clang-format off */
static const WarpTile double_tiles[] = {
    {64, 64, 128, 32, 32, 1, 0, 3, 2, 16}, {128, 64, 128, 32, 32, 1, 0, 3, 1, 16}, {32, 64, 128, 16, 32, 1, 0, 4, 2, 16},
    {64, 32, 128, 32, 16, 1, 0, 4, 2, 16}, {32, 32, 128, 16, 16, 1, 0, 4, 4, 16},  {16, 32, 128, 16, 16, 2, 0, 6, 4, 16},
    {8, 64, 128, 8, 16, 1, 0, 4, 4, 16},   {8, 16, 256, 8, 16, 4, 0, 6, 4, 16},    {64, 8, 128, 16, 8, 1, 0, 4, 4, 16},
    {16, 8, 256, 16, 8, 4, 0, 6, 4, 16},   {64, 64, 64, 32, 32, 1, 0, 4, 2, 1},    {32, 32, 128, 16, 16, 1, 0, 3, 4, 1},
    {8, 32, 128, 8, 16, 2, 0, 6, 4, 1},    {32, 8, 128, 16, 8, 2, 0, 6, 4, 1},
};
/* clang-format on */

/* Warpgroups of sm_90a, for types of 1, 2 and 4 bytes and steps of 128 bytes; m and n of one block of the cluster, whose blocks lie
 * along m (0), along n (1) or, all in one place, along k (2); groups of them compute a tile, as many as there are turns at a time. */
typedef struct GroupTile {
    int m, n, groups, turned, stages, blocks, cluster, along, turns;
} GroupTile;

/* clang-format off */
static const GroupTile group_tiles[] = {
    {128, 256, 2, 0, 4, 1, 1, 0, 1}, {128, 256, 2, 0, 4, 1, 2, 0, 1}, {128, 128, 2, 0, 5, 1, 1, 0, 1}, {256, 128, 2, 1, 4, 1, 1, 0, 1},
    {128, 128, 2, 0, 5, 1, 2, 0, 1}, {128, 192, 2, 0, 4, 1, 1, 0, 1}, {192, 128, 2, 1, 4, 1, 1, 0, 1}, {128, 64, 2, 0, 7, 1, 1, 0, 1},
    {64, 128, 2, 1, 7, 1, 1, 0, 1},  {64, 64, 1, 0, 5, 2, 1, 0, 1},   {32, 128, 2, 1, 8, 1, 1, 0, 1},  {128, 32, 2, 0, 8, 1, 1, 0, 1},
    {16, 128, 2, 1, 9, 1, 1, 0, 1},  {128, 16, 2, 0, 9, 1, 1, 0, 1},  {16, 64, 1, 1, 8, 2, 1, 0, 1},   {8, 128, 2, 1, 10, 1, 1, 0, 1},
    {8, 64, 1, 1, 9, 2, 1, 0, 1},    {128, 128, 1, 0, 5, 1, 2, 0, 2}, {128, 128, 1, 0, 5, 1, 1, 0, 2}, {64, 256, 1, 0, 4, 1, 1, 0, 2},
    {256, 64, 1, 1, 4, 1, 1, 0, 2},  {64, 128, 1, 0, 7, 1, 1, 0, 2},  {128, 256, 2, 0, 4, 1, 2, 1, 1}, {128, 128, 2, 0, 5, 1, 2, 1, 1},
    {64, 128, 2, 1, 7, 1, 2, 1, 1},  {64, 64, 1, 0, 8, 1, 4, 2, 1}, {16, 128, 2, 1, 9, 1, 4, 2, 1}, {128, 128, 2, 0, 4, 1, 2, 2, 1},
};
/* clang-format on */

/* CUDA cores. */
typedef struct ThreadTile {
    int m, n, k, tm, tn, stages, blocks;
} ThreadTile;

/* clang-format off */
static const ThreadTile f32_tiles[] = {
    {128, 128, 16, 8, 8, 2, 2}, {128, 64, 16, 8, 8, 2, 3}, {64, 64, 16, 8, 4, 3, 4},  {32, 64, 16, 4, 4, 3, 5},
    {64, 32, 16, 4, 4, 3, 5},  {32, 32, 16, 4, 4, 3, 10}, {16, 128, 16, 4, 4, 3, 5}, {16, 64, 16, 2, 4, 4, 7},
    {64, 16, 16, 4, 2, 4, 7},  {16, 16, 32, 2, 2, 3, 10},
};
/* clang-format on */
/* clang-format off */
static const ThreadTile i8_tiles[] = {
    {64, 64, 16, 8, 4, 2, 4}, {32, 32, 16, 4, 4, 2, 8}, {16, 64, 16, 2, 4, 2, 8}, {16, 16, 32, 2, 2, 2, 12},
};
/* clang-format on */

/* Attention: rows of a block, keys at a time, the most steps and columns; tensor cores: warps, and 16-row fragments of each. */
typedef struct AttentionTile {
    int rows, keys, depth, warps, fragments, blocks;
} AttentionTile;

/* clang-format off */
static const AttentionTile attention_narrow[] = {
    {128, 64, 64, 4, 2, 2}, {64, 64, 64, 4, 1, 3}, {128, 64, 128, 4, 2, 2}, {64, 64, 128, 4, 1, 2}, {64, 32, 256, 4, 1, 2},
};
static const AttentionTile attention_words[] = {{64, 64, 64, 4, 1, 2}, {64, 32, 128, 4, 1, 2}};
static const AttentionTile attention_f32[] = {{128, 64, 64, 0, 0, 1}, {64, 64, 64, 0, 0, 2}, {128, 32, 128, 0, 0, 1}, {64, 32, 128, 0, 0, 2}};
/* clang-format on */

/* A few rows times a matrix, on the CUDA cores: by the order of the matrix, sides of the output's piece, and how many chunks of 16 bytes of
 * the matrix each thread copies in a stage. Several rows only where tensor cores do not multiply. */
typedef struct RowTile {
    bool along_k;
    int rows, side, lines, stages, blocks;
} RowTile;

enum { ROW_THREADS = 256, ROW_CHUNKS = 4 };

/* clang-format off */
static const RowTile row_tiles[] = {
    {false, 1, 256, 0, 4, 3}, {false, 1, 64, 0, 4, 3}, {true, 1, 32, 4, 4, 3}, {true, 1, 8, 1, 4, 3}, {false, 4, 128, 0, 4, 3},
    {false, 8, 128, 0, 4, 2}, {false, 16, 64, 0, 4, 2}, {true, 4, 32, 4, 4, 3}, {true, 8, 32, 4, 4, 2}, {true, 16, 32, 4, 3, 2},
};
/* clang-format on */

/* One SM of an A100, an A10, an L40, an H200: multiply-adds per ns that kernels reach, by what multiplies; bytes per ns from L2;
 * ns from asking memory to having the data. */
typedef enum Multiplier { UNIT_F16, UNIT_F64, UNIT_F32, UNIT_I32, UNIT_F8, UNIT_COUNT } Multiplier;
static const struct {
    double macs[UNIT_COUNT], bytes, latency;
} gpus[GPU_COUNT] = {
    [GPU_SM80] = {{1230, 75, 80, 80, 900}, 45, 500}, /* as half, into which fragments are converted */
    [GPU_SM86] = {{690, 3, 180, 90, 550}, 30, 500},
    [GPU_SM89] = {{560, 4.5, 260, 130, 1120}, 40, 500},
    [GPU_SM90] = {{1700, 160, 215, 110, 1300}, 56, 600}, /* there, too, but for warpgroups */
};

/* The innermost loop of a role; -1: it has none. */
static int innermost(const Contraction *c, Role role)
{
    int found = -1;
    for (int i = 0; i < c->ndims; i++)
        found = c->dims[i].role == role ? i : found;
    return found;
}

static bool moves_by_one(const Gather *g, int dim) { return dim >= 0 && is_int(g->move[dim], 1); }

static bool decides_conditions(const Gather *g, int dim)
{
    for (int j = 0; j < g->nconditions; j++)
        if (!is_int(g->along[j][dim], 0))
            return true;
    return false;
}

Role gpu_inner(const Contraction *c, const Operand *o, Role outer)
{
    if (o->in_place)
        return is_int(o->stride[outer], 1) ? outer : R_K;
    if (!o->gather)
        return R_K;
    /* Channels are neighbours and in or out together; of pixels, long rows are better than the filter's short ones. */
    int k = innermost(c, R_K), other = innermost(c, outer);
    if (moves_by_one(o->gather, k) && !decides_conditions(o->gather, k))
        return R_K;
    return other >= 0 && !is_int(o->gather->move[other], 0) ? outer : R_K;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* `parallel`: the part of an SM's multiply-add units that the warps of one block can keep busy. */
static void set_rates(GpuKernel *k, Multiplier unit, double speed, int bytes, double parallel)
{
    for (int g = 0; g < GPU_COUNT; g++) {
        double macs = (double)k->m * k->n * k->k / k->cluster / (gpus[g].macs[unit] * speed);
        /* Blocks of a cluster read what they share once. */
        double copied = (double)(k->m + k->n) * k->k / k->cluster * bytes / gpus[g].bytes / (k->tma && !k->gathers ? 1 : THREADS_COPY);
        double step = larger(macs, copied);
        double alone = larger(larger(step, gpus[g].latency / (k->stages - 1)), macs / parallel);
        double fixed = 1500 + (double)k->m * k->n / k->cluster * bytes / gpus[g].bytes;
        k->rates[g] = (GpuRates){(int)(1e3 * fixed + 0.5), (int)(1e3 * step + 0.5), (int)(1e3 * alone + 0.5)};
    }
}

/* Lines across k, of a side of so many elements, must be whole 16-byte chunks; of bytes, pairs of fragments. */
static bool fits_lines(const Contraction *c, const Operand *o, Role outer, int side, int bytes)
{
    return gpu_inner(c, o, outer) == R_K || side * bytes % 16 == 0;
}

/* May 16 bytes of the operand's lines be neighbours in memory, wherever the lines are? */
static bool copies_lines(const Contraction *c, const Operand *o, Role outer)
{
    return o->in_place || (o->gather && gpu_inner(c, o, outer) == R_K);
}

/* Bytes of the tables that say where a gathered operand's elements are: templates/engine/cuda/gather.cuh. */
static int table_bytes(const Operand *o, int side, int k)
{
    if (!o->gather)
        return 0;
    int conditions = o->gather->nconditions > 0 ? o->gather->nconditions : 1;
    return (side + 2 * k) * ((8 + 4 * conditions + 7) / 8 * 8);
}

/* Of kernels of a table's row, what sort they are of: see gpu_sort(). */
static GpuKernel warp_sort(const WarpTile *t) { return (GpuKernel){.slices = t->slices, .align = t->align, .cluster = 1, .turns = 1}; }
static GpuKernel row_sort(void)
{
    return (GpuKernel){.slices = 1, .align = 1, .cluster = 1, .turns = 1, .row = true, .threads = ROW_THREADS};
}
static GpuKernel group_sort(const GroupTile *t, bool gathers)
{
    return (GpuKernel){.slices = 1,
                       .align = 16,
                       .tma = true,
                       .gathers = gathers,
                       .cluster = t->cluster,
                       .beside = t->along == 1,
                       .split_k = t->along == 2,
                       .turns = t->turns};
}

static const GpuKernel *warp_kernels(Arena *arena, const Contraction *c, const GpuProduct *p, int *count)
{
    const WarpTile *tiles = p->bytes == 8 ? double_tiles : narrow_tiles;
    int n = p->bytes == 8 ? (int)(sizeof double_tiles / sizeof *double_tiles) : (int)(sizeof narrow_tiles / sizeof *narrow_tiles);
    GpuKernel *out = arena_new_array(arena, GpuKernel, n);
    bool plain = copies_lines(c, &c->a, R_M) && copies_lines(c, &c->b, R_N);
    *count = 0;
    for (int i = 0; i < n; i++) {
        const WarpTile *t = &tiles[i];
        if ((t->align == 16 && !plain) || !fits_lines(c, &c->a, R_M, t->m, p->bytes) || !fits_lines(c, &c->b, R_N, t->n, p->bytes))
            continue;
        GpuKernel *k = &out[(*count)++];
        *k = warp_sort(t);
        k->m = t->m, k->n = t->n, k->k = t->k_bytes / p->bytes;
        k->inner_m = t->wm, k->inner_n = t->wn;
        k->turned = t->turned;
        k->stages = t->stages, k->blocks = t->blocks;
        /* Twice the fragments, as halves or of both parts: smaller tiles, or no room for them. */
        if ((c->tf32 == TF32_THRICE || c->family == FAM_F8) && t->wm * t->wn == 64 * 64) {
            k->inner_n = 32;
            k->blocks = 1;
        }
        k->threads = t->m / k->inner_m * (t->n / k->inner_n) * t->slices * 32;
        if (k->threads > 256) {
            (*count)--;
            continue;
        }
        k->shared = t->stages * (t->m + t->n) * t->k_bytes + table_bytes(&c->a, t->m, k->k) + table_bytes(&c->b, t->n, k->k);
        double speed = (p->bytes == 8 || c->family == FAM_F8 ? 1 : 2.0 / p->bytes) / (c->tf32 == TF32_THRICE ? 3 : 1) *
                       (t->align == 16 ? 1 : 0.7);
        set_rates(k,
                  p->bytes == 8         ? UNIT_F64
                  : c->family == FAM_F8 ? UNIT_F8
                                        : UNIT_F16,
                  speed, p->bytes, k->threads < 128 ? k->threads / 128.0 : 1);
    }
    return out;
}

bool gpu_maps_output(const Contraction *c)
{
    const int bits = type_bits(c->c.value->type);
    return c->lowered.hooks[HOOK_FINISHED].func && c->lowered.ends_apart && !c->with.group && (bits == 16 || bits == 32);
}

/* Rows of the boxes that a warp, or where sums are turned a warpgroup, has stored; 0: the tile has no whole boxes of 128 bytes, or there
 * is no map. As templates/engine/cuda/store_tma.cuh has it. */
static int group_box(const Contraction *c, const GpuKernel *k)
{
    if (!gpu_maps_output(c) || (!k->turned && k->inner_n * type_bits(c->c.value->type) % 1024 != 0))
        return 0;
    return !k->turned ? 16 : k->inner_m < 32 ? k->inner_m : 32;
}

/* Words in which the warpgroups of a kernel turn their sums, or lay down two buffers of boxes each. */
static int group_room(const Contraction *c, const GpuKernel *k)
{
    int small = k->turned ? k->inner_m : k->inner_n, columns = small < 32 ? small : 32, groups = k->threads / 128 - 1;
    int turned = k->turned ? columns * 68 : 64 * (columns + 8);
    int boxes = k->turned ? 2 * k->box * 64 * type_bits(c->c.value->type) / 32 : 2 * 4 * k->box * 32;
    int most = turned > boxes ? turned : boxes;
    return groups * (k->box > 0 ? (most + 255) / 256 * 256 : most); /* swizzled boxes start at 1024 bytes */
}

/* Words that other blocks of the cluster leave in the shared memory of one that adds up the sums of a warpgroup. */
static int group_parts(const GpuKernel *k)
{
    return k->split_k ? (k->cluster - 1) * (k->inner_m * k->inner_n / (k->threads / 128 - 1)) : 0;
}

/* Sums, of 4 bytes, that come together in a cluster, and outputs that fewer blocks store, take longer. */
static void add_exchange(GpuKernel *k, int bytes)
{
    k->exchange = (int)(1e3 * (EXCHANGE_NS + 4 * group_parts(k) * REMOTE_BYTE_NS) + 0.5);
    for (int g = 0; g < GPU_COUNT; g++) {
        const double stored = (double)k->m * k->n * bytes / gpus[g].bytes;
        k->rates[g].fixed += k->exchange + (int)(1e3 * (stored / (k->threads / 128 - 1) - stored / k->cluster));
    }
}

/* Is one operand in place, and can threads gather the other, 16 bytes of its lines at a time? Tensor copies round to tf32, they do not. */
static bool group_gathers(const Contraction *c, int bytes)
{
    const Operand *gathered = c->a.gather ? &c->a : &c->b, *other = c->a.gather ? &c->b : &c->a;
    return bytes <= 2 && gathered->gather && other->in_place && gpu_inner(c, gathered, c->a.gather ? R_M : R_N) == R_K;
}

/* Where blocks of a pair would share the gathered operand, neither has the other's half; those that split k gather nothing. */
static bool gathers_so(const GroupTile *t, bool of_b) { return t->cluster == 1 || t->along == of_b; }

/* Bytes of the tables of a gathered operand: of a tile's lines and of 128 chunks of steps. As templates/engine/cuda/gather_group.cuh. */
static int group_tables(const Contraction *c, const GroupTile *t)
{
    enum { AHEAD = 64 }; /* of which table_bytes has two times as many */
    return table_bytes(&c->a, t->m, AHEAD) + table_bytes(&c->b, t->n, AHEAD);
}

/* Rows of boxes, room for them or for lines, and shared memory: what rounding up to 1024 takes, buffers and their two barriers, room, a
 * word, barriers of turns or sums, tables. Where there is no room for boxes maps store nothing; false: nor for lines. */
static bool set_room(const Contraction *c, const GroupTile *t, GpuKernel *k)
{
    enum { MOST = 227 * 1024 };
    for (int boxes = 1; boxes >= 0; boxes--) {
        k->box = boxes ? group_box(c, k) : 0;
        k->room = group_room(c, k) + group_parts(k);
        k->shared = 1024 + t->stages * ((t->m + t->n) * 128 + 16) + k->room * 4 + 16 +
                    (t->turns > 1 ? 16
                     : k->split_k ? 8 * (1 + t->groups)
                                  : 0) +
                    group_tables(c, t);
        if (k->shared <= MOST)
            return true;
    }
    return false;
}

/* Adds the kernels of sm_90a to `out`, which has room, and returns how many they are. */
static int group_kernels(const Contraction *c, int bytes, GpuKernel *out)
{
    enum { TILES = sizeof group_tiles / sizeof *group_tiles };
    const bool gathers = !c->a.in_place || !c->b.in_place;
    int n = 0;
    for (int i = 0; i < TILES && (!gathers || group_gathers(c, bytes)); i++) {
        const GroupTile *t = &group_tiles[i];
        int small = t->turned ? t->m : t->n;
        /* Boxes across lines of k are 64 elements wide; of other elements than those of 2 bytes, all lines run along k, or copies do. */
        if (bytes == 2 && small % 64 != 0 && (t->turned ? gpu_inner(c, &c->a, R_M) : gpu_inner(c, &c->b, R_N)) != R_K)
            continue;
        if (gathers && !gathers_so(t, c->b.gather != NULL))
            continue;
        GpuKernel *k = &out[n];
        *k = group_sort(t, gathers);
        k->m = t->along != 0 ? t->m : t->m * t->cluster;
        k->n = t->along == 1 ? t->n * t->cluster : t->n;
        k->k = 128 / bytes * (t->along == 2 ? t->cluster : 1);
        k->inner_m = t->m, k->inner_n = t->n;
        k->turned = t->turned;
        k->stages = t->stages, k->blocks = t->blocks;
        k->threads = (t->groups * t->turns + 1) * 128;
        if (!set_room(c, t, k))
            continue;
        /* 64 x `small` multiply-adds by 32 bytes of k take small / 2 cycles, and as long as it takes to read their factors: 128 bytes a
           cycle. */
        double reading = (64 + small) * 32 / 128.0, reuse = larger(small / 2.0, reading) / (small / 2.0);
        set_rates(k, UNIT_F16, 2.0 / bytes * 1.75 / reuse, bytes, 1);
        if (k->split_k)
            add_exchange(k, bytes);
        n++;
    }
    return n;
}

static const GpuKernel *thread_kernels(Arena *arena, const Contraction *c, int *count)
{
    bool floats = c->family == FAM_F32, gathers = !c->a.in_place || !c->b.in_place;
    const ThreadTile *tiles = floats ? f32_tiles : i8_tiles;
    int n = floats ? (int)(sizeof f32_tiles / sizeof *f32_tiles) : (int)(sizeof i8_tiles / sizeof *i8_tiles);
    GpuKernel *out = arena_new_array(arena, GpuKernel, n);
    for (int i = 0; i < n; i++) {
        const ThreadTile *t = &tiles[i];
        out[i] = (GpuKernel){.m = t->m,
                             .n = t->n,
                             .k = t->k,
                             .inner_m = t->tm,
                             .inner_n = t->tn,
                             .slices = 1,
                             .stages = t->stages,
                             .blocks = t->blocks,
                             .align = 1,
                             .cluster = 1,
                             .turns = 1};
        out[i].threads = t->m / t->tm * (t->n / t->tn);
        out[i].shared = t->stages * t->k * (t->m + t->n + 8) * 4 + table_bytes(&c->a, t->m, t->k) + table_bytes(&c->b, t->n, t->k);
        /* A stage that computes addresses for every element needs registers for that: two blocks with 64 sums per thread
         * would leave too few. */
        if (gathers && t->blocks * out[i].threads * 128 >= 65536 && t->tm * t->tn >= 64)
            out[i].blocks = 1;
        while (gathers && 65536 / (out[i].blocks * out[i].threads) < 80)
            out[i].blocks--;
        set_rates(&out[i], floats ? UNIT_F32 : UNIT_I32, 1, floats ? 4 : 1, out[i].threads < 256 ? out[i].threads / 256.0 : 1);
        for (int g = 0; g < GPU_COUNT && c->codes; g++) {
            /* Packed codes come one by one, each by a few divisions and two loads. */
            enum { INSTRUCTIONS = 20 };
            const int more = (int)(1e3 * INSTRUCTIONS * t->n * t->k / gpus[g].macs[UNIT_F32] + 0.5);
            out[i].rates[g].step += more, out[i].rates[g].alone += more;
        }
    }
    *count = n;
    return out;
}

/* Bytes of shared memory: as templates/engine/cuda/attention_mma.cuh and attention_simt.cuh lay it out. */
static int attention_room(const AttentionTile *t, int bytes)
{
    const int tiles = (t->rows + 2 * t->keys) * t->depth * bytes, sums = t->warps * 16 * (t->depth + 8) * 4 + t->rows * 4;
    if (t->warps)
        return tiles > sums ? tiles : sums;
    return (t->depth * (t->rows + 4 + t->keys + 4) + t->keys * (t->depth + 4 + t->rows + 4)) * 4;
}

const GpuKernel *gpu_attention_kernels(Arena *arena, const Contraction *scores, int *count)
{
    const GpuProduct *p = gpu_product(scores);
    const AttentionTile *tiles = !p ? attention_f32 : p->bytes == 2 ? attention_narrow : attention_words;
    *count = (int)(!p              ? sizeof attention_f32 / sizeof *attention_f32
                   : p->bytes == 2 ? sizeof attention_narrow / sizeof *attention_narrow
                                   : sizeof attention_words / sizeof *attention_words);
    GpuKernel *out = arena_new_array(arena, GpuKernel, *count);
    for (int i = 0; i < *count; i++) {
        const AttentionTile *t = &tiles[i];
        const int bytes = p ? p->bytes : 4;
        /* Rates are those of both products, as one of twice as many steps; maxima and exponentials take a good part as long. */
        GpuKernel step = {.m = t->rows, .n = t->keys, .k = 2 * t->depth, .stages = 2, .cluster = 1, .turns = 1};
        const double speed = 0.7 * (p ? 2.0 / p->bytes / (scores->tf32 == TF32_THRICE ? 3 : 1) : 1);
        out[i] = (GpuKernel){.m = t->rows,
                             .n = t->depth,
                             .k = t->keys,
                             .inner_m = t->warps,
                             .inner_n = t->fragments,
                             .slices = 1,
                             .stages = 2,
                             .blocks = t->blocks,
                             .align = 1,
                             .cluster = 1,
                             .turns = 1,
                             .threads = p ? t->warps * 32 : 256,
                             .shared = attention_room(t, bytes)};
        set_rates(&step, p ? UNIT_F16 : UNIT_F32, speed, bytes, 1);
        memcpy(out[i].rates, step.rates, sizeof step.rates);
    }
    return out;
}

/* Steps of k in a stage of a kernel for a few rows, whose elements have so many bytes. */
static int row_steps(const RowTile *t, int bytes)
{
    return ROW_CHUNKS * (t->along_k ? 32 * 16 / bytes / t->lines : ROW_THREADS / (t->side * bytes / 16));
}

/* Likewise those for a few rows times a matrix: of types of tensor cores only one row, others have tiles of 8 and 16. */
static int row_kernels(const Contraction *c, const GpuProduct *p, GpuKernel *out)
{
    const int bytes = p ? p->bytes : 4;
    const Multiplier unit = c->family == FAM_F64 ? UNIT_F64 : c->family == FAM_U8S8 ? UNIT_I32 : UNIT_F32;
    int n = 0;
    for (int turned = 0; turned < 2; turned++)
        for (const RowTile *t = row_tiles; t < row_tiles + sizeof row_tiles / sizeof *row_tiles; t++) {
            if (t->along_k != ((turned ? gpu_inner(c, &c->a, R_M) : gpu_inner(c, &c->b, R_N)) == R_K) || (t->rows > 1 && p))
                continue;
            GpuKernel *k = &out[n++];
            *k = row_sort();
            k->m = turned ? t->side : t->rows;
            k->n = turned ? t->rows : t->side;
            k->k = row_steps(t, bytes);
            k->turned = turned;
            k->stages = t->stages, k->blocks = t->blocks;
            k->inner_m = k->m, k->inner_n = k->n;
            k->shared = t->stages * (ROW_THREADS * ROW_CHUNKS * 16 + t->rows * (k->k * bytes + 16));
            /* Of one row, what brings the matrix takes as many instructions as what multiplies. */
            set_rates(k, unit, t->rows > 4 ? 0.9 : 0.5, bytes, 1);
            for (int g = 0; g < GPU_COUNT; g++)
                k->rates[g].fixed = 1200000;
        }
    return n;
}

/* Of packed codes: rows; lanes that share a column, or, of codes across k, a step; each thread has four chunks in a stage. */
typedef struct CodeTile {
    bool across;
    int rows, lanes, stages, blocks;
} CodeTile;

static const CodeTile code_tiles[] = {{false, 1, 32, 4, 2}, {false, 4, 8, 3, 2}, {true, 1, 16, 4, 3}, {true, 4, 16, 4, 2}};

/* Adds the kernels of packed codes to `out`, which has room, and returns how many they are. */
static int code_kernels(const Contraction *c, GpuKernel *out)
{
    enum { CHUNK = 16, TILES = sizeof code_tiles / sizeof *code_tiles };
    const int bits = c->codes->bits, unit = CHUNK * 8 / bits;
    int n = 0;
    for (const CodeTile *t = code_tiles; t < code_tiles + TILES; t++) {
        if (t->across != c->codes->across)
            continue;
        const int groups = ROW_THREADS / t->lanes;
        GpuKernel *k = &out[n++];
        *k = row_sort();
        k->m = t->rows;
        k->n = t->across ? t->lanes * unit : groups * ROW_CHUNKS;
        k->k = t->across ? groups * ROW_CHUNKS : t->lanes * unit;
        k->stages = t->stages, k->blocks = t->blocks;
        k->codes = true;
        k->inner_m = k->m, k->inner_n = k->n;
        k->shared = t->stages * (ROW_THREADS * ROW_CHUNKS * CHUNK + t->rows * (k->k * 4 + (t->across ? CHUNK : 0))) +
                    (t->across ? 0 : k->n * 16); /* where columns are */
        for (int g = 0; g < GPU_COUNT; g++) {
            /* Unpacking a code takes about as long as two rows' multiplications. */
            const double macs = (t->rows + 2.0) * k->n * k->k / (0.8 * gpus[g].macs[UNIT_F32]);
            const double copied = (k->n * bits / 8.0 + t->rows * 4.0) * k->k / gpus[g].bytes;
            const double step = larger(macs, copied), alone = larger(step, gpus[g].latency / (t->stages - 1));
            k->rates[g] = (GpuRates){1200000, (int)(1e3 * step + 0.5), (int)(1e3 * alone + 0.5)};
        }
    }
    return n;
}

const GpuKernel *gpu_kernels(Arena *arena, const Contraction *c, const KernelOptions *opt, int *count)
{
    enum { MORE = sizeof group_tiles / sizeof *group_tiles + 2 * sizeof row_tiles / sizeof *row_tiles };
    const GpuProduct *p = gpu_product(c);
    int n;
    const GpuKernel *list = p ? warp_kernels(arena, c, p, &n) : thread_kernels(arena, c, &n);
    GpuKernel *all = arena_new_array(arena, GpuKernel, n + MORE);
    const bool in_place = c->a.in_place && c->b.in_place;
    /* Where memory bounds both, the first of two kernels is taken. */
    const int nrows = in_place ? row_kernels(c, p, all) : c->codes ? code_kernels(c, all) : 0;
    memcpy(all + nrows, list, sizeof *list * (size_t)n);
    n += nrows;
    if (p && p->bytes < 8 && c->tf32 != TF32_THRICE)
        n += group_kernels(c, p->bytes, all + n);
    gpu_rank(arena, all, &n, p ? p->bytes : 4, opt);
    *count = n;
    return all;
}

bool gpu_sort(int i, GpuKernel *sort)
{
    enum { WARP = sizeof narrow_tiles / sizeof *narrow_tiles, GROUP = sizeof group_tiles / sizeof *group_tiles };
    if (i <= WARP) {
        *sort = i < WARP ? warp_sort(&narrow_tiles[i]) : row_sort();
        return true;
    }
    const int group = (i - WARP - 1) / 2;
    if (group >= GROUP)
        return false;
    const GroupTile *t = &group_tiles[group];
    *sort = group_sort(t, (i - WARP - 1) % 2 == 1 && (gathers_so(t, false) || gathers_so(t, true)));
    return true;
}
