/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Covers of rows by heights for each width, then of columns by widths, each line solved and verified. */
#include "plan/kernels/cover.h"

#include <stdbool.h>
#include <string.h>

/* Sums of the same times in another order differ by less. */
static const double tolerance = 1e-9;

/* The largest side of a best cover of each length. False if some side and the rest it leaves beat best[L], or nothing
 * makes it up: then best is not what it claims to be. */
static bool largest_sides(const CoverItem *items, int n, int length, unsigned char *first, const double *best)
{
    first[0] = 0;
    for (int l = 1; l <= length; l++) {
        first[l] = 0;
        for (int i = 0; i < n && items[i].side <= l; i++) {
            const double rest = best[l - items[i].side], time = rest + items[i].time;
            if (rest == COVER_NONE)
                continue;
            if (time < best[l] * (1 - tolerance))
                return false;
            if (time <= best[l] * (1 + tolerance))
                first[l] = (unsigned char)items[i].side;
        }
        if (best[l] != COVER_NONE && !first[l])
            return false;
    }
    return true;
}

void cover_line_dp(const CoverItem *items, int n, int length, unsigned char *first, double *best)
{
    best[0] = 0;
    first[0] = 0;
    for (int l = 1; l <= length; l++) {
        double least = COVER_NONE;
        int side = 0;
        for (int i = 0; i < n && items[i].side <= l; i++) {
            const double time = best[l - items[i].side] + items[i].time;
            if (time > least * (1 + tolerance) || time >= COVER_NONE)
                continue;
            side = items[i].side;
            least = time < least ? time : least;
        }
        best[l] = least;
        first[l] = (unsigned char)side;
    }
}

/* A best cover determines those of all its parts. */
static void take_parts(const CoverItem *items, int n, const int *count, int length, double *best)
{
    double part[COVER_LENGTH] = {0};
    bool made[COVER_LENGTH] = {true};
    for (int i = 0; i < n; i++)
        for (int c = 0; c < count[i]; c++)
            for (int l = length; l >= items[i].side; l--)
                if (made[l - items[i].side] && !made[l]) {
                    made[l] = true;
                    part[l] = part[l - items[i].side] + items[i].time;
                }
    for (int l = 1; l <= length; l++)
        if (made[l])
            best[l] = part[l];
}

/* The longest lengths first: most of the others are parts of them. */
static bool solve_line(Ilp *ilp, const CoverItem *items, int n, int length, double *best)
{
    int count[ILP_MAX_ITEMS];
    ilp_items(ilp, items, n);
    for (int l = 0; l <= length; l++)
        best[l] = l ? -1 : 0; /* not known yet */
    for (int l = length; l > 0; l--) {
        if (best[l] >= 0)
            continue;
        switch (ilp_solve(ilp, l, count)) {
        case ILP_SOLVED: take_parts(items, n, count, l, best); break;
        case ILP_NO_COVER: best[l] = COVER_NONE; break;
        case ILP_FAILED: return false;
        }
    }
    return true;
}

void cover_line(Ilp *ilp, const CoverItem *items, int n, int length, unsigned char *first, double *best)
{
    if (!ilp || !solve_line(ilp, items, n, length, best) || !largest_sides(items, n, length, first, best))
        cover_line_dp(items, n, length, first, best);
}

/* ---------------------------------------------------------------- tables of a kernel set */

const int cover_steps[COVER_REGIMES] = {16, 256, 256};

double tile_time(const TileKernel *tile, int64_t k)
{
    if (k < 0)
        return g_at(tile->g, cover_steps[COVER_REGIMES - 1]);
    const int64_t blocks = k > tile->uK ? (k + tile->uK - 1) / tile->uK : 1, steps = (k + blocks - 1) / blocks;
    const int64_t last = k - (blocks - 1) * steps;
    return (blocks > 1 ? (double)(blocks - 1) * g_at(tile->g, (double)steps) : 0) + g_at(tile->g, last > 1 ? (double)last : 1);
}

void cover_rows(Ilp *ilp, const TileKernel *tiles, int ntiles, int nv, int regime, CoverRows *rows)
{
    CoverItem items[COVER_HEIGHTS];
    int n = 0, reach = 0;
    for (int i = 0; i < ntiles; i++)
        if (tiles[i].nv == nv) {
            reach = 2 * tiles[i].mr;
            if (regime < COVER_RATED || tiles[i].mr <= COVER_LOW || n == 0)
                items[n++] = (CoverItem){tiles[i].mr, g_at(tiles[i].g, cover_steps[regime])};
        }
    rows->rate = COVER_NONE;
    rows->reach = reach;
    rows->main = 0;
    for (int i = 0; i < n; i++) {
        if (items[i].time <= rows->rate * items[i].side * (1 + tolerance)) {
            rows->rate = items[i].time / items[i].side;
            rows->main = items[i].side;
        }
    }
    if (n > 0)
        cover_line(ilp, items, n, rows->reach, rows->first, rows->time);
}

/* Time of m rows of a width; COVER_NONE if they have no cover. From COVER_ROWS on m stands for all numbers of rows. */
static double rows_time(const CoverRows *w, int m)
{
    if (m < COVER_ROWS) {
        const int over = m > w->reach ? (m - w->reach + w->main - 1) / w->main : 0;
        const double rest = w->time[m - over * w->main];
        return rest == COVER_NONE ? rest : rest + over * w->main * w->rate;
    }
    for (int r = w->reach - w->main + 1; r <= w->reach; r++)
        if (w->time[r] == COVER_NONE)
            return COVER_NONE;
    return w->rate;
}

/* The last strip of a cover ends in a partial vector as a rule, which only kernels of one vector have to mask: so the
 * narrowest strip of each cover goes first. What it leaves has a cover of its own that is as good. */
static void narrow_first(unsigned char *first)
{
    unsigned char narrow[COVER_COLUMNS + 1];
    for (int l = 1; l <= COVER_COLUMNS; l++) {
        narrow[l] = first[l];
        for (int rest = l; rest > 0; rest -= first[rest])
            narrow[l] = first[rest] < narrow[l] ? first[rest] : narrow[l];
    }
    memcpy(first + 1, narrow + 1, COVER_COLUMNS);
}

void cover_columns(Ilp *ilp, const CoverRows *widths, int m, unsigned char *first)
{
    CoverItem items[COVER_WIDTHS];
    double best[COVER_COLUMNS + 1];
    int n = 0;
    for (int nv = 1; nv < COVER_WIDTHS; nv++) {
        const double time = widths[nv].reach ? rows_time(&widths[nv], m) : COVER_NONE;
        if (time != COVER_NONE)
            items[n++] = (CoverItem){nv, time};
    }
    cover_line(ilp, items, n, COVER_COLUMNS, first, best);
    narrow_first(first);
}

CoverTables *cover_tables(Arena *arena, const TileKernel *tiles, int ntiles)
{
    CoverTables *t = arena_new_array(arena, CoverTables, 1);
    CoverRows *widths = arena_new_array(arena, CoverRows, COVER_WIDTHS);
    Ilp *ilp = ilp_new(arena, ILP_TIME_LIMIT);
    for (int regime = 0; regime < COVER_REGIMES; regime++) {
        for (int nv = 1; nv < COVER_WIDTHS; nv++) {
            CoverRows *rows = &widths[nv];
            cover_rows(ilp, tiles, ntiles, nv, regime, rows);
            if (rows->reach)
                memcpy(t->heights[regime][nv], rows->first, (size_t)rows->reach + 1);
            t->reach[nv] = (unsigned char)rows->reach;
            t->main[regime][nv] = (unsigned char)rows->main;
        }
        for (int m = 1; m <= COVER_ROWS; m++)
            cover_columns(ilp, widths, m, t->columns[regime][m]);
    }
    ilp_free(ilp);
    return t;
}
