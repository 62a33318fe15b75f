/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates a set of tiles on the synthetic problems, and finds the tile whose absence costs least; then the
 * blocks. */
#include "plan/kernels/rank.h"

#include <stdbool.h>
#include <string.h>

#include "plan/kernels/cover.h"

/* Steps of k of the synthetic problems, by slot: 2^0 .. 2^5 in the slots of short sums, 2^6 .. in those of long ones. The
 * inner loops run over all slots, so that compilers make vector code of them. */
enum { SHORT_SIDES = 6, SLOTS = 16, HALF = SLOTS / 2 };
_Static_assert(1 << SHORT_SIDES == COVER_STEPS, "sums are short below COVER_STEPS");
_Static_assert(RANK_MAX_SYN == SHORT_SIDES + HALF - 1, "a slot for each side");

static float slot_steps(int slot) { return (float)(1 << (slot < HALF ? slot : slot - HALF + SHORT_SIDES)); }

/* The regimes of long sums have the same steps. */
static int first_slot(int regime) { return regime ? HALF : 0; }

static bool slot_used(int slot, int n_syn)
{
    return slot < HALF ? slot < SHORT_SIDES && slot <= n_syn : slot - HALF + SHORT_SIDES <= n_syn;
}

static int ceil_div(int a, int b) { return (a + b - 1) / b; }
static float least(float a, float b) { return a < b ? a : b; }

/* What a pass over B in place takes on an average, of what the first one does. */
static const double pass = 0.44;

/* Nanoseconds that the loops around a tile take. */
static const double around = 5;

/* Nanoseconds of a tile over k steps in blocks of uk. */
static float blocked_time(const TileKernel *tile, int k, int uk)
{
    const int blocks = ceil_div(k, uk), steps = ceil_div(k, blocks);
    const double last = g_at(tile->g, k - (blocks - 1) * steps) + around;
    return (float)(last + (blocks > 1 ? (blocks - 1) * (g_at(tile->g, steps) + around) : 0));
}

/* ---------------------------------------------------------------- kernels */

/* A number of rows, or of vectors of columns, and how much it counts. */
typedef struct Length {
    int length;
    float weight;
} Length;

enum { MAX_LENGTHS = 64 };

/* The synthetic problems. pack, keep: nanoseconds to pack an operand, and of a pass over it in place. */
typedef struct Rating {
    const KernelSet *set;
    Length rows[MAX_LENGTHS], columns[MAX_LENGTHS];
    int nrows, ncolumns;
    float used[SLOTS];                                            /* 1 if this side of k is among the problems, else 0 */
    float (*g)[SLOTS];                                            /* of each tile over all k */
    float pack_a[MAX_LENGTHS][SLOTS], keep_a[MAX_LENGTHS][SLOTS]; /* by rows */
    float pack_b[MAX_LENGTHS][SLOTS], keep_b[MAX_LENGTHS][SLOTS]; /* by columns */
    float (*per_goal)[COVER_REGIMES][HALF];                       /* [row * ncolumns + column]: 1 / time with all tiles */
} Rating;

/* Operands whose rows share cache sets are the fewer ones. */
static const float regime_weight[COVER_REGIMES] = {1, 1, 0.5f};

/* The covers of rows of one width. */
typedef struct Width {
    CoverRows cover[COVER_REGIMES];
    float time[MAX_LENGTHS][COVER_REGIMES][HALF]; /* of each row length */
    float tiles[MAX_LENGTHS][COVER_REGIMES];      /* their number */
} Width;

/* The columns of one class of rows: the widths by number of vectors, and which occur, as bits. */
typedef struct Columns {
    unsigned char first[COVER_COLUMNS + 1];
    unsigned widths;
} Columns;

/* A choice of tiles, its covers, and its rating, lower being better. */
typedef struct Selection {
    bool *kept;
    Width width[COVER_WIDTHS];
    Columns columns[COVER_REGIMES][COVER_ROWS + 1];
    int rate[MAX_LENGTHS][COVER_REGIMES]; /* the width of the best rate for a row length */
    double cost[MAX_LENGTHS][COVER_REGIMES], total;
} Selection;

/* Some lengths of each octave, alternately odd and even; each octave has weight 1. */
static int add_octaves(Length *lengths, int n, int first, int last, int most)
{
    for (int j = first; j <= last; j++) {
        const int span = j ? 1 << (j - 1) : 1, count = span < most ? span : most;
        for (int i = 0; i < count; i++)
            lengths[n++] = (Length){(1 << j) - i * (span / count) - (span > most && i % 2), 1 / (float)count};
    }
    return n;
}

static int log2_floor(int x)
{
    int j = 0;
    while (x >>= 1)
        j++;
    return j;
}

static int least_int(int a, int b) { return a < b ? a : b; }

/* Rows: all up to 16, where a tile more or less is much; columns in whole vectors. */
static void choose_lengths(Rating *r, int n_syn)
{
    const int vectors = n_syn > log2_floor(r->set->lanes) ? n_syn - log2_floor(r->set->lanes) : 0;
    r->nrows = add_octaves(r->rows, 0, 0, least_int(n_syn, 5), 8);
    r->nrows = add_octaves(r->rows, r->nrows, 6, n_syn, 2);
    /* Half of the sides within one vector count: inner products take the narrow ones. */
    r->columns[0] = (Length){1, (float)(log2_floor(r->set->lanes) + 1) / 2};
    r->ncolumns = add_octaves(r->columns, 1, 1, least_int(vectors, log2_floor(COVER_COLUMNS)), 4);
    r->ncolumns = add_octaves(r->columns, r->ncolumns, log2_floor(COVER_COLUMNS) + 1, vectors, 1);
}

static void rate_begin(Rating *r, Arena *arena, const KernelSet *set, int bytes, int n_syn)
{
    const MoveCosts *c = &set->move;
    r->set = set;
    choose_lengths(r, n_syn);
    r->g = arena_alloc(arena, sizeof *r->g * (size_t)set->ntiles);
    r->per_goal = arena_alloc(arena, sizeof *r->per_goal * (size_t)(r->nrows * r->ncolumns));
    for (int s = 0; s < SLOTS; s++) {
        const float k = slot_steps(s);
        r->used[s] = slot_used(s, n_syn);
        for (int i = 0; i < set->ntiles; i++)
            r->g[i][s] = blocked_time(&set->tiles[i], (int)k, c->kc);
        for (int i = 0; i < r->nrows; i++) {
            const float a = (float)r->rows[i].length * k;
            r->pack_a[i][s] = a * (float)c->gather;
            r->keep_a[i][s] = a * (float)bytes > (float)c->near_bytes ? a * (float)c->far_a : 0;
        }
        for (int i = 0; i < r->ncolumns; i++) {
            const float vectors = (float)r->columns[i].length * k, b = vectors * (float)set->lanes;
            r->pack_b[i][s] = b * (float)c->pack;
            r->keep_b[i][s] = b * (float)bytes > (float)c->near_bytes ? vectors * (float)(pass * c->far) : 0;
        }
    }
}

/* Solves the covers of rows of one width. */
static void solve_width(const Rating *r, const Selection *s, int nv, Width *w)
{
    TileKernel tiles[COVER_HEIGHTS];
    const float *g[COVER_HEIGHTS + 1];
    int n = 0;
    for (int i = 0; i < r->set->ntiles; i++)
        if (r->set->tiles[i].nv == nv && s->kept[i]) {
            g[r->set->tiles[i].mr] = r->g[i];
            tiles[n++] = r->set->tiles[i];
        }
    for (int regime = 0; regime < COVER_REGIMES; regime++) {
        const int at = first_slot(regime);
        float time[2 * COVER_HEIGHTS + 1][HALF] = {{0}};
        int count[2 * COVER_HEIGHTS + 1] = {0};
        CoverRows *rows = &w->cover[regime];
        cover_rows(NULL, tiles, n, nv, regime, rows);
        for (int h = 1; h <= rows->reach; h++) {
            const int first = rows->first[h];
            for (int k = 0; k < HALF; k++)
                time[h][k] = time[h - first][k] + g[first][at + k];
            count[h] = count[h - first] + 1;
        }
        for (int i = 0; i < r->nrows && n > 0; i++) {
            const int m = r->rows[i].length, over = m > rows->reach ? ceil_div(m - rows->reach, rows->main) : 0;
            const int rest = m - over * rows->main;
            for (int k = 0; k < HALF; k++)
                w->time[i][regime][k] = time[rest][k] + (float)over * g[rows->main][at + k];
            w->tiles[i][regime] = (float)(count[rest] + over);
        }
    }
}

static void solve_columns(const Selection *s, int regime, int m, Columns *c)
{
    CoverRows rows[COVER_WIDTHS];
    for (int nv = 1; nv < COVER_WIDTHS; nv++)
        rows[nv] = s->width[nv].cover[regime];
    cover_columns(NULL, rows, m, c->first);
    c->widths = 0;
    for (int l = 1; l <= COVER_COLUMNS; l++)
        c->widths |= 1u << c->first[l];
}

/* The width for more columns than the tables have. */
static int best_rate(const Selection *s, int row, int regime)
{
    const int slot = regime ? 2 : 4; /* 256 and 16 steps, as in the tables */
    int best = 1;
    for (int nv = 2; nv < COVER_WIDTHS; nv++)
        if (s->width[nv].cover[regime].reach &&
            s->width[nv].time[row][regime][slot] * (float)best <= s->width[best].time[row][regime][slot] * (float)nv)
            best = nv;
    return best;
}

/* Nanoseconds of a call beside what the model knows: a decision looked up, arguments checked. */
static const float call = 50;

/* The cost of the problems with one number of rows, in one regime. With set_goal these times become the goals. */
static double rate_rows(const Rating *r, const Selection *s, int row, int regime, const Columns *c, int rate, bool set_goal)
{
    const int at = first_slot(regime);
    float tiles[COVER_COLUMNS + 1][HALF] = {{0}}, sum[HALF] = {0};
    for (int l = 1; l <= COVER_COLUMNS; l++)
        for (int k = 0; k < HALF; k++)
            tiles[l][k] = tiles[l - c->first[l]][k] + s->width[c->first[l]].time[row][regime][k];
    for (int i = 0; i < r->ncolumns; i++) {
        const int l = r->columns[i].length, full = least_int(l, COVER_COLUMNS), nv = l == full ? c->first[l] : rate;
        const float strips = (float)l / (float)nv, passes = s->width[nv].tiles[row][regime];
        const float beyond = l == full ? 0 : strips, within = l == full ? 1 : 0,
                    weight = r->rows[row].weight * r->columns[i].weight * regime_weight[regime];
        float *goal = r->per_goal[row * r->ncolumns + i][regime], time[HALF];
        for (int k = 0; k < HALF; k++)
            time[k] = call + within * tiles[full][k] + beyond * s->width[nv].time[row][regime][k] +
                      least(r->pack_a[row][at + k], r->keep_a[row][at + k] * strips) +
                      least(r->pack_b[i][at + k], r->keep_b[i][at + k] * passes);
        for (int k = 0; k < HALF && set_goal; k++)
            goal[k] = r->used[at + k] / time[k];
        for (int k = 0; k < HALF; k++) {
            const float ratio = time[k] * goal[k], square = ratio * ratio, fourth = square * square;
            sum[k] += weight * fourth * fourth;
        }
    }
    double all = 0;
    for (int k = 0; k < HALF; k++)
        all += sum[k];
    return all;
}

/* The rating after tiles of one width and of at least `mr` rows have changed; nv 0: all. With `keep` the selection is
 * brought up to date, with `set_goal` its times become the goals. */
static double rate_change(const Rating *r, Selection *s, int nv, int mr, bool keep, bool set_goal)
{
    double total = s->total;
    for (int regime = 0; regime < COVER_REGIMES; regime++)
        for (int m = 1; m <= COVER_ROWS; m++) {
            Columns *stored = &s->columns[regime][m], c = *stored;
            const bool in_columns = nv == 0 || (c.widths >> nv & 1 && (m >= mr || m == COVER_ROWS));
            if (in_columns)
                solve_columns(s, regime, m, &c);
            for (int i = 0; i < r->nrows; i++) {
                const int length = r->rows[i].length;
                if (least_int(length, COVER_ROWS) != m || (!in_columns && (s->rate[i][regime] != nv || length < mr)))
                    continue;
                const int rate = best_rate(s, i, regime);
                const double cost = rate_rows(r, s, i, regime, &c, rate, set_goal);
                total += cost - s->cost[i][regime];
                if (keep) {
                    s->rate[i][regime] = rate;
                    s->cost[i][regime] = cost;
                }
            }
            if (keep)
                *stored = c;
        }
    if (keep)
        s->total = total;
    return total;
}

/* The rating without a tile; with `keep` it is gone. */
static double rate_without(const Rating *r, Selection *s, int tile, bool keep)
{
    const int nv = r->set->tiles[tile].nv;
    const Width before = s->width[nv];
    s->kept[tile] = false;
    solve_width(r, s, nv, &s->width[nv]);
    const double total = rate_change(r, s, nv, r->set->tiles[tile].mr, keep, false);
    if (!keep) {
        s->width[nv] = before;
        s->kept[tile] = true;
    }
    return total;
}

/* 1 x 1 stays, and a width's kernel of one row as long as others of this width do. */
static bool may_go(const Rating *r, const Selection *s, int tile)
{
    const TileKernel *t = &r->set->tiles[tile];
    if (!s->kept[tile] || (t->mr == 1 && t->nv == 1))
        return false;
    for (int i = 0; i < r->set->ntiles && t->mr == 1; i++)
        if (i != tile && s->kept[i] && r->set->tiles[i].nv == t->nv)
            return false;
    return true;
}

/* The tile whose absence costs least, or -1. loss[i] is what that of tile i cost when it was last tried: with fewer tiles
 * left it costs more, so a tile whose loss is up to date and least of all is the one. */
static int least_loss(const Rating *r, Selection *s, double *loss, bool *fresh)
{
    memset(fresh, 0, sizeof *fresh * (size_t)r->set->ntiles);
    for (;;) {
        int best = -1;
        for (int i = 0; i < r->set->ntiles; i++)
            if (may_go(r, s, i) && (best < 0 || loss[i] < loss[best]))
                best = i;
        if (best < 0 || fresh[best])
            return best;
        loss[best] = rate_without(r, s, best, false) - s->total;
        fresh[best] = true;
    }
}

/* A loss of this part of the rating is not worth a kernel's text: at the eighth power, 1/3500 of the average time. With it
 * a file with four instruction sets has about a hundred kernels. */
static const double negligible = 2.3e-3;

static void choose_tiles(Arena *arena, KernelSet *set, int bytes, const KernelOptions *opt)
{
    Rating *r = arena_new_array(arena, Rating, 1);
    Selection *s = arena_new_array(arena, Selection, 1);
    double *loss = arena_new_array(arena, double, set->ntiles);
    bool *fresh = arena_new_array(arena, bool, set->ntiles);
    s->kept = arena_new_array(arena, bool, set->ntiles);
    for (int i = 0; i < set->ntiles; i++)
        s->kept[i] = true;
    rate_begin(r, arena, set, bytes, opt->n_syn);
    for (int nv = 1; nv < COVER_WIDTHS; nv++)
        solve_width(r, s, nv, &s->width[nv]);
    const double whole = rate_change(r, s, 0, 0, true, true);
    for (int left = set->ntiles; left > 1; left--) {
        const int tile = least_loss(r, s, loss, fresh);
        if (left <= opt->n_mik && loss[tile] > negligible * whole)
            break;
        rate_without(r, s, tile, true);
    }
    int n = 0;
    for (int i = 0; i < set->ntiles; i++)
        if (s->kept[i])
            set->tiles[n++] = set->tiles[i];
    set->ntiles = n;
}

/* ---------------------------------------------------------------- blocks */

/* Sums along n, whose sides are the slots of the inner loops; what depends on conditions is tabled first, so that these
 * loops have none. */
double average_speed(const KernelSet *set, const TileKernel *tile, int bytes, int n_syn)
{
    const MoveCosts *c = &set->move;
    const int nr = tile->nv * set->lanes;
    float columns[SLOTS], strips[SLOTS], vectors[SLOTS], blocks[SLOTS], far[SLOTS], again[SLOTS], sum[SLOTS] = {0};
    for (int i = 0; i < SLOTS; i++) {
        const int n = i <= n_syn ? 1 << i : 1;
        columns[i] = (float)n;
        strips[i] = (float)ceil_div(n, nr);
        vectors[i] = (float)ceil_div(n, set->lanes);
        blocks[i] = (float)ceil_div(n, tile->uN);
    }
    for (int ik = 0; ik <= n_syn; ik++) {
        const int steps = 1 << ik;
        const float k = (float)steps, time = blocked_time(tile, steps, tile->uK);
        for (int i = 0; i < SLOTS; i++)
            far[i] = columns[i] * k * (float)bytes > (float)c->near_bytes ? vectors[i] * k * (float)(pass * c->far) : 0;
        for (int im = 0; im <= n_syn; im++) {
            const int rows = 1 << im;
            const float m = (float)rows, tiles = (float)ceil_div(rows, tile->mr);
            const float pack_a = m * k * (float)c->gather, pack_b = k * (float)c->pack;
            const float keep_a = m * k * (float)bytes > (float)c->near_bytes ? m * k * (float)c->far_a : 0;
            const float passes = (float)(ceil_div(rows, tile->uM) - 1) * k * (float)(pass * c->far);
            for (int i = 0; i < SLOTS; i++)
                again[i] = m * columns[i] * (float)bytes > (float)c->l3_bytes
                               ? (float)(ceil_div(steps, tile->uK) - 1) * m * columns[i] * (float)(2 * bytes) * (float)c->read
                               : 0;
            for (int i = 0; i < SLOTS; i++)
                sum[i] += m * k * columns[i] /
                          (tiles * strips[i] * time + least(pack_a * blocks[i], keep_a * strips[i]) +
                           least(pack_b * columns[i] + passes * vectors[i], tiles * far[i]) + again[i]);
        }
    }
    double all = 0;
    for (int i = 0; i <= n_syn; i++)
        all += sum[i];
    return all / ((n_syn + 1) * (n_syn + 1) * (n_syn + 1));
}

/* The greatest side 16 * i, i <= n_gen, rounded down to whole tiles, within `capacity`; at least one tile, or else 0. */
static int whole_side(int capacity, int n_gen, int tile)
{
    for (int i = n_gen; 16 * i >= tile; i--) {
        const int side = 16 * i / tile * tile;
        if (side <= capacity)
            return side;
    }
    return tile <= capacity ? tile : 0;
}

static void choose_block(const KernelSet *set, TileKernel *tile, int bytes, const KernelOptions *opt)
{
    TileKernel best = *tile;
    double best_speed = 0;
    for (int i = 1; i <= opt->n_gen; i++) {
        const int uk = 16 * i, um = whole_side(set->move.l2_bytes / (uk * bytes), opt->n_gen, tile->mr);
        const int un = whole_side(set->move.l3_bytes / (uk * bytes), opt->n_gen, tile->nv * set->lanes);
        if (um == 0 || un == 0)
            break;
        tile->uM = um, tile->uN = un, tile->uK = uk;
        const double speed = average_speed(set, tile, bytes, opt->n_syn);
        if (speed > best_speed) {
            best_speed = speed;
            best = *tile;
        }
    }
    *tile = best;
}

void rank_tiles(Arena *arena, KernelSet *set, int bytes, const KernelOptions *opt)
{
    if (opt->n_mik > 0)
        choose_tiles(arena, set, bytes, opt);
    for (int i = 0; i < set->ntiles; i++)
        choose_block(set, &set->tiles[i], bytes, opt);
}
