#include "plan/cover.h"

#include "plan/kernel.h"

/* A side of length `side` that takes `time`. */
typedef struct Item {
    int side;
    double time;
} Item;

/* first[L] for L = 1 .. length: one item of the fastest exact cover of L; best[L] its time. Some item has side 1. */
static void cover_line(const Item *items, int n, int length, unsigned char *first, double *best)
{
    best[0] = 0;
    for (int l = 1; l <= length; l++) {
        best[l] = 1e300;
        for (int i = 0; i < n; i++)
            if (items[i].side <= l && best[l - items[i].side] + items[i].time < best[l]) {
                best[l] = best[l - items[i].side] + items[i].time;
                first[l] = (unsigned char)items[i].side;
            }
    }
}

/* Steps of k at which the regimes' scores are taken. */
static const double regime_steps[COVER_REGIMES] = {16, 256};

CoverTables *cover_tables(Arena *arena, const TileKernel *tiles, int ntiles)
{
    CoverTables *t = arena_new_array(arena, CoverTables, 1);
    for (int regime = 0; regime < COVER_REGIMES; regime++) {
        double rows[COVER_WIDTHS][2 * COVER_HEIGHTS + 1], rate[COVER_WIDTHS];
        for (int nv = 1; nv < COVER_WIDTHS; nv++) {
            Item items[COVER_HEIGHTS];
            int n = 0;
            for (int i = 0; i < ntiles; i++)
                if (tiles[i].nv == nv)
                    items[n++] = (Item){tiles[i].mr, g_at(tiles[i].g, regime_steps[regime])};
            rate[nv] = 1e300;
            for (int i = 0; i < n; i++) {
                if (items[i].time / items[i].side <= rate[nv]) {
                    rate[nv] = items[i].time / items[i].side;
                    t->main[regime][nv] = (unsigned char)items[i].side;
                }
                t->reach[nv] = (unsigned char)(2 * items[i].side);
            }
            cover_line(items, n, t->reach[nv], t->heights[regime][nv], rows[nv]);
        }
        for (int m = 1; m <= COVER_ROWS; m++) {
            Item items[COVER_WIDTHS];
            double best[COVER_COLUMNS + 1];
            int n = 0;
            for (int nv = 1; nv < COVER_WIDTHS; nv++)
                if (t->reach[nv]) {
                    double time = 0;
                    int left = m;
                    for (; left > t->reach[nv]; left -= t->main[regime][nv])
                        time += rate[nv] * t->main[regime][nv];
                    items[n++] = (Item){nv, m == COVER_ROWS ? rate[nv] : time + rows[nv][left]};
                }
            cover_line(items, n, COVER_COLUMNS, t->columns[regime][m], best);
        }
    }
    return t;
}
