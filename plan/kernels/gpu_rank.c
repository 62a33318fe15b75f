/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times of all synthetic problems for each kernel; the one that the others miss least is dropped, again and
 * again. */
#include "plan/kernels/gpu_rank.h"

#include <string.h>

typedef enum Sort { SORT_ALIGNED, SORT_ANY, SORT_SM90A, SORT_ROW, SORT_COLUMN, SORT_ROWS, SORT_COLUMNS, SORT_COUNT } Sort;

/* Multiprocessors of the GPUs that the rates of plan/kernels/gpu.c are about. */
static const int processors[GPU_COUNT] = {[GPU_SM80] = 108, [GPU_SM86] = 72, [GPU_SM89] = 142, [GPU_SM90] = 132};

static Sort sort_of(const GpuKernel *k)
{
    if (k->row)
        return k->turned ? k->n > 1 ? SORT_COLUMNS : SORT_COLUMN : k->m > 1 ? SORT_ROWS : SORT_ROW;
    return k->tma ? SORT_SM90A : k->align == 1 ? SORT_ANY : SORT_ALIGNED;
}

/* The logarithm of the most rows or columns that kernels of the sort are ranked for, of n_syn: a few are for no more. */
static int most_of(Sort sort, Sort one, Sort few, int n_syn)
{
    enum { FEW = 4 };
    return sort == one ? 0 : sort == few && n_syn > FEW ? FEW : n_syn;
}

static int longer_side(const GpuKernel *k)
{
    const int m = k->beside || k->split_k ? k->m : k->m / k->cluster, n = k->beside ? k->n / k->cluster : k->n;
    return m > n ? m : n;
}

static int least_int(int a, int b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }
static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Leaves out what is too large; a file without a kernel for any operands would not run everything. */
static void drop_large(GpuKernel *list, int *count, int limit)
{
    int n = 0, smallest = -1;
    bool any = false;
    for (int i = 0; i < *count; i++)
        if (sort_of(&list[i]) == SORT_ANY && (smallest < 0 || longer_side(&list[i]) < longer_side(&list[smallest])))
            smallest = i;
    for (int i = 0; i < *count; i++)
        any |= sort_of(&list[i]) == SORT_ANY && longer_side(&list[i]) <= limit;
    for (int i = 0; i < *count; i++)
        if (longer_side(&list[i]) <= limit || (i == smallest && !any))
            list[n++] = list[i];
    *count = n;
}

/* Picoseconds of a product on a kind of GPU: full waves of blocks and what is left, but not less than memory allows. As
 * templates/cuda/cost.cu.j2 has it. */
static double time_of(const GpuKernel *k, int gpu, int bytes, int m, int n, int depth)
{
    const GpuRates *g = &k->rates[gpu];
    const int64_t blocks = ceil_div(m, k->m) * ceil_div(n, k->n), steps = ceil_div(depth, k->k);
    const int64_t units = processors[gpu] / k->cluster, places = (int64_t)k->blocks * k->turns, slots = units * places,
                  waves = blocks / slots, rest = ceil_div(blocks % slots, units);
    const double all = (double)steps * larger((double)places * g->step, g->alone);
    const double full = k->turns == 1 ? g->fixed + all : larger(all, g->fixed + all / 2);
    const double last = rest ? g->fixed + (double)steps * larger((double)rest * g->step, g->alone) : g->fixed + all - full;
    const double moved = ((double)m * depth + (double)n * depth + (double)m * n) * bytes / gpu_costs[gpu].bandwidth;
    return 1e3 * gpu_costs[gpu].launch + larger((double)waves * full + last, 1e3 * moved);
}

/* The kernels of one sort, and how long each problem takes with each of them. */
typedef struct Ranking {
    const GpuKernel **kernels;
    float **times;
    bool *kept;
    int nkernels, nproblems;
} Ranking;

/* Every problem on every kind of GPU; products of one or a few rows or columns only, where kernels are for those. */
static int measure(const GpuKernel *k, int bytes, int n_syn, float *times)
{
    const Sort sort = sort_of(k);
    int n = 0;
    for (int gpu = sort == SORT_SM90A ? GPU_SM90 : 0; gpu < GPU_COUNT; gpu++)
        for (int i = 0; i <= most_of(sort, SORT_ROW, SORT_ROWS, n_syn); i++)
            for (int j = 0; j <= most_of(sort, SORT_COLUMN, SORT_COLUMNS, n_syn); j++)
                for (int depth = 0; depth <= n_syn; depth++)
                    times[n++] = (float)time_of(k, gpu, bytes, 1 << i, 1 << j, 1 << depth);
    return n;
}

static double eighth(double x)
{
    const double square = x * x, fourth = square * square;
    return fourth * fourth;
}

/* Pairs of blocks need two multiprocessors, which a part of a GPU may lack: one kernel that does without stays. */
static bool may_go(const Ranking *r, int kernel)
{
    int singles = 0;
    for (int i = 0; i < r->nkernels; i++)
        singles += r->kept[i] && r->kernels[i]->cluster == 1;
    return r->kept[kernel] && (r->kernels[kernel]->cluster > 1 || singles > 1);
}

/* The kernel whose absence costs least; of equal ones the last, as tables are ordered by usefulness. */
static int least_loss(Arena *arena, const Ranking *r, const float *goal)
{
    double *loss = arena_new_array(arena, double, r->nkernels);
    for (int p = 0; p < r->nproblems; p++) {
        int best = -1;
        float first = 0, second = 0;
        for (int i = 0; i < r->nkernels; i++) {
            const float time = r->times[i][p];
            if (!r->kept[i])
                continue;
            if (best < 0 || time < first)
                second = first, first = time, best = i;
            else if (second == 0 || time < second)
                second = time;
        }
        loss[best] += eighth(second / goal[p]) - eighth(first / goal[p]);
    }
    int least = -1;
    for (int i = 0; i < r->nkernels; i++)
        if (may_go(r, i) && (least < 0 || loss[i] <= loss[least]))
            least = i;
    return least;
}

static void rank_sort(Arena *arena, Ranking *r, int bytes, const KernelOptions *opt)
{
    const int sides = opt->n_syn + 1;
    for (int i = 0; i < r->nkernels; i++) {
        r->times[i] = arena_alloc(arena, sizeof(float) * (size_t)(GPU_COUNT * sides * sides * sides));
        r->nproblems = measure(r->kernels[i], bytes, opt->n_syn, r->times[i]);
        r->kept[i] = true;
    }
    float *goal = arena_alloc(arena, sizeof *goal * (size_t)r->nproblems);
    memcpy(goal, r->times[0], sizeof *goal * (size_t)r->nproblems);
    for (int i = 1; i < r->nkernels; i++)
        for (int p = 0; p < r->nproblems; p++)
            goal[p] = r->times[i][p] < goal[p] ? r->times[i][p] : goal[p];
    for (int left = r->nkernels; left > opt->n_mik; left--)
        r->kept[least_loss(arena, r, goal)] = false;
}

void gpu_rank(Arena *arena, GpuKernel *list, int *count, int bytes, const KernelOptions *opt)
{
    drop_large(list, count, least_int(16 * opt->n_gen, 1 << opt->n_syn));
    bool *kept = arena_new_array(arena, bool, *count + 1);
    for (int sort = 0; sort < SORT_COUNT; sort++) {
        Ranking r = {.kernels = arena_new_array(arena, const GpuKernel *, *count + 1),
                     .times = arena_new_array(arena, float *, *count + 1),
                     .kept = arena_new_array(arena, bool, *count + 1)};
        int *index = arena_new_array(arena, int, *count + 1);
        for (int i = 0; i < *count; i++)
            if (sort_of(&list[i]) == (Sort)sort) {
                index[r.nkernels] = i;
                r.kernels[r.nkernels++] = &list[i];
            }
        const bool choose = opt->n_mik > 0 && r.nkernels > opt->n_mik;
        if (choose)
            rank_sort(arena, &r, bytes, opt);
        for (int i = 0; i < r.nkernels; i++)
            kept[index[i]] = !choose || r.kept[i];
    }
    int n = 0;
    for (int i = 0; i < *count; i++)
        if (kept[i])
            list[n++] = list[i];
    *count = n;
}
