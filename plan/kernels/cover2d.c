/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bands of one side by integer programs, then bands side by side by another; the better order of the two. */
#include "plan/kernels/cover2d.h"

/* ---------------------------------------------------------------- one line */

/* Of the best rate; the largest among equals. */
static int best_item(const CoverItem *items, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (items[i].time * items[best].side <= items[best].time * items[i].side)
            best = i;
    return best;
}

static double counts_by_dp(Arena *arena, const CoverItem *items, int n, int length, int *count)
{
    unsigned char *first = arena_new_array(arena, unsigned char, length + 1);
    double *best = arena_new_array(arena, double, length + 1);
    cover_line_dp(items, n, length, first, best);
    for (int i = 0; i < n; i++)
        count[i] = 0;
    for (int l = length; l > 0 && best[length] != COVER_NONE; l -= first[l])
        for (int i = 0; i < n; i++)
            count[i] += items[i].side == first[l];
    return best[length];
}

double cover_length(Arena *arena, Ilp *ilp, const CoverItem *items, int n, int64_t length, bool dp, int64_t *count)
{
    if (n == 0)
        return COVER_NONE;
    const int best = best_item(items, n), side = items[best].side, limit = side * items[n - 1].side;
    const int64_t over = length > limit ? (length - limit + side - 1) / side : 0;
    const int rest = (int)(length - over * side);
    int counts[ILP_MAX_ITEMS];
    if (!dp) {
        ilp_items(ilp, items, n);
        const IlpStatus status = ilp_solve(ilp, rest, counts);
        if (status == ILP_NO_COVER)
            return COVER_NONE;
        dp = status == ILP_FAILED;
    }
    if (dp && counts_by_dp(arena, items, n, rest, counts) == COVER_NONE)
        return COVER_NONE;
    double time = 0;
    for (int i = 0; i < n; i++) {
        count[i] = counts[i] + (i == best ? over : 0);
        time += (double)count[i] * items[i].time;
    }
    return time;
}

/* ---------------------------------------------------------------- the output */

typedef struct Output {
    Arena *arena;
    Ilp *ilp;
    const KernelSet *set;
    int64_t k;
    bool rows_first, dp;
} Output;

/* The tiles that fit into bands of one side, by their other side. */
static int tiles_of_band(const Output *p, int side, CoverItem *items)
{
    int n = 0;
    for (int i = 0; i < p->set->ntiles; i++) {
        const TileKernel *t = &p->set->tiles[i];
        if ((p->rows_first ? t->mr : t->nv) == side)
            items[n++] = (CoverItem){p->rows_first ? t->nv : t->mr, tile_time(t, p->k)};
    }
    return n;
}

/* The sides that the cover uses, largest first. */
static int used_parts(Arena *arena, const CoverItem *items, int n, const int64_t *count, CoverPart **parts)
{
    int used = 0;
    *parts = arena_new_array(arena, CoverPart, n);
    for (int i = n - 1; i >= 0; i--)
        if (count[i] > 0)
            (*parts)[used++] = (CoverPart){items[i].side, count[i]};
    return used;
}

/* `along`: the length that bands add up to; `across`: the length of each band. */
static Cover2d *solve_order(const Output *p, int64_t along, int64_t across)
{
    enum { SIDES = COVER_HEIGHTS + 1 };
    CoverItem bands[SIDES], items[SIDES];
    CoverBand band[SIDES];
    int64_t count[SIDES];
    int n = 0;
    for (int side = 1; side < SIDES; side++) {
        const int ntiles = tiles_of_band(p, side, items);
        const double time = cover_length(p->arena, p->ilp, items, ntiles, across, p->dp, count);
        if (time == COVER_NONE)
            continue;
        band[n].band.side = side;
        band[n].nparts = used_parts(p->arena, items, ntiles, count, &band[n].parts);
        bands[n++] = (CoverItem){side, time};
    }
    Cover2d *cover = arena_new_array(p->arena, Cover2d, 1);
    cover->rows_first = p->rows_first;
    cover->time = cover_length(p->arena, p->ilp, bands, n, along, p->dp, count);
    if (cover->time == COVER_NONE)
        return NULL;
    cover->bands = arena_new_array(p->arena, CoverBand, n);
    for (int i = n - 1; i >= 0; i--)
        if (count[i] > 0) {
            band[i].band.count = count[i];
            cover->bands[cover->nbands++] = band[i];
        }
    return cover;
}

Cover2d *cover_2d(Arena *arena, const KernelSet *set, int64_t m, int64_t n, int64_t k, bool dp)
{
    const int64_t vectors = n / set->lanes + (n % set->lanes > 0);
    Output whole = {arena, ilp_new(arena, ILP_TIME_LIMIT), set, k, false, dp};
    Cover2d *columns = solve_order(&whole, vectors, m);
    whole.rows_first = true;
    Cover2d *rows = solve_order(&whole, m, vectors);
    ilp_free(whole.ilp);
    if (!columns || (rows && rows->time < columns->time * (1 - 1e-9)))
        return rows;
    return columns;
}
