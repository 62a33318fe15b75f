/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * Convolutions of 3 x 3 filters by Winograd's algorithm, where it is allowed: blocks of tiles of pixels are transformed, a product over
 * the channels for each of a tile's n x n points makes some columns of outputs, and these are transformed back while they are in cache.
 * Which products are such convolutions their gathered operand tells.
 */
#pragma once
#include "append.h"
#include "call.h"
#include "winograd_form.h"

enum {
    MIK_F32_WINOGRAD_LEAST = 16,  /* channels and columns */
    MIK_F32_WINOGRAD_TILES = 28,  /* of a block; with many channels */
    MIK_F32_WINOGRAD_MORE = 112,
    MIK_F32_WINOGRAD_DEEP = 192,
    MIK_F32_WINOGRAD_TWO = 0x1000000, /* of options.plan: tiles of 2 x 2 outputs, of 4 x 4; both bits: none */
    MIK_F32_WINOGRAD_FOUR = 0x2000000,
    MIK_F32_WINOGRAD_WISH = 0x3000000,
    MIK_F32_WINOGRAD_RUN = 8      /* tiles whose outputs an epilogue gets at once */
};

/* A product as a convolution. */
typedef struct {
    int64_t extent[2];            /* outputs of an image, down and right */
    int64_t move[2];              /* elements between its pixels */
    int64_t begin[2], end[2];     /* pixels that count, from the first output's first one on */
    int64_t line[2];              /* rows of the product between outputs */
    int64_t start, origin;        /* elements before that pixel's; steps before the filter's first element, */
    int turned;                   /* which some loop over it meets last; */
    int64_t tap[2];               /* steps between rows and columns of a filter, */
    int64_t channel, channels;    /* and between channels */
    int images;                   /* loops around, and their iterations */
    int64_t count, each[MIK_LOOPS], image_move[MIK_LOOPS], image_line[MIK_LOOPS];
} mik_f32_image_form;

typedef struct {
    const mik_f32_operation *op;
    const void *s;
    const mik_problem *p;
    const mik_f32_winograd_stage *stage;
    const mik_f32_isa *isa;
    const mik_f32_winograd_kernels *kernels;
    mik_f32_image_form form;
    int m, workers; /* rows and columns of outputs of a tile */
    int64_t down, right, tiles, most, blocks; /* tiles of an image, all, of a block */
    int64_t batch, width; /* elements of a tile's channels in a plane */
    const mik_f32_panel *image, *filters; /* transformed filters of the batch; NULL: each worker makes them as it goes */
    mik_f32_panel *made; /* room for all of them, */
    char *room; /* and for each worker's block */
    size_t slice;
    float cost;
} mik_f32_winograd_job;

/* Does a condition always hold? */
static int mik_f32_always(const mik_gather *g, int c)
{
    int64_t low = g->least[c];
    for (int i = 0; i < g->lines + g->steps; i++)
        low += mik_min(g->along[c][i] * (g->extent[i] - 1), 0);
    return low >= 0;
}

/* Do a line's loop and a tap's walk alike over the elements and all conditions: 1; the one against the other: -1. */
static int mik_f32_alike(const mik_gather *g, int line, int tap)
{
    const int sign = g->move[line] == g->move[tap] ? 1 : -1;
    for (int c = 0; c < g->conditions; c++)
        if (g->along[c][line] != sign * g->along[c][tap] && !mik_f32_always(g, c))
            return 0;
    return g->move[line] == sign * g->move[tap] ? sign : 0;
}

/* Takes a condition, if it is one on rows of pixels alone, or on columns. lines, taps: their loops, which walk alike or not. */
static int mik_f32_take_condition(const mik_gather *g, int c, const int *lines, const int *taps, const int *signs, mik_f32_image_form *f)
{
    int axis = -1;
    for (int i = 0; i < g->lines + g->steps; i++)
        if (g->along[c][i] != 0) {
            const int own = i == lines[0] || i == taps[0] ? 0 : i == lines[1] || i == taps[1] ? 1 : 2;
            if (own == 2 || (axis >= 0 && axis != own))
                return 0;
            axis = own;
        }
    if (axis < 0)
        return 0;
    const int64_t along = g->along[c][lines[axis]], least = g->least[c] - (signs[axis] < 0 ? 2 * along : 0);
    if (along > 0)
        f->begin[axis] = mik_max(f->begin[axis], least < 0 ? mik_ceil_div(-least, along) : 0);
    else
        f->end[axis] = mik_min(f->end[axis], least < 0 ? 0 : least / -along + 1);
    return 1;
}

/* Finds the two loops of three taps, and that of channels, by their extents alone: 0, or which one has the channels. */
static int mik_f32_find_taps(const mik_gather *g, int *taps, mik_f32_image_form *f)
{
    int found = 0, channel = 0;
    int64_t step = 1;
    for (int i = g->lines + g->steps - 1; i >= g->lines; step *= g->extent[i--]) {
        if (g->extent[i] == 3 && found < 2) {
            taps[found] = i;
            f->tap[found++] = step;
        } else if (g->extent[i] >= MIK_F32_WINOGRAD_LEAST && !channel) {
            channel = i;
            f->channels = g->extent[i];
            f->channel = step;
        } else if (g->extent[i] != 1) {
            return 0;
        }
    }
    return found == 2 ? channel : 0;
}

/* Finds the lines' loops that walk as the taps do, and puts that of an image's row last. line: rows of the product between iterations. */
static int mik_f32_find_lines(const mik_gather *g, int64_t *line, int *lines, int *taps, int *signs, mik_f32_image_form *f)
{
    for (int i = g->lines - 1; i >= 0; i--) {
        line[i] = i == g->lines - 1 ? 1 : line[i + 1] * g->extent[i + 1];
        for (int t = 0; t < 2; t++)
            if (lines[t] < 0 && (signs[t] = mik_f32_alike(g, i, taps[t])) != 0) {
                lines[t] = i;
                break;
            }
    }
    if (lines[0] < 0 || lines[1] < 0)
        return 0;
    if (line[lines[0]] < line[lines[1]]) {
        const int tap = taps[0], l = lines[0], sign = signs[0];
        const int64_t step = f->tap[0];
        taps[0] = taps[1], lines[0] = lines[1], signs[0] = signs[1], f->tap[0] = f->tap[1];
        taps[1] = tap, lines[1] = l, signs[1] = sign, f->tap[1] = step;
    }
    return line[lines[1]] == 1;
}

/* Is the product a convolution by filters of 3 x 3, without strides or dilation? Then how. */
static int mik_f32_find_image(const mik_gather *g, mik_f32_image_form *f)
{
    int taps[2], lines[2] = {-1, -1}, signs[2] = {0, 0};
    int64_t line[MIK_LOOPS];
    for (int i = 0; i < g->lines + g->steps; i++)
        if (g->extent[i] <= 0)
            return 0;
    const int channel = mik_f32_find_taps(g, taps, f);
    if (!channel || g->move[channel] != 1 || !mik_f32_find_lines(g, line, lines, taps, signs, f))
        return 0;
    f->start = f->origin = 0;
    f->turned = signs[0] < 0 || signs[1] < 0;
    for (int t = 0; t < 2; t++) {
        f->extent[t] = g->extent[lines[t]];
        f->move[t] = g->move[lines[t]];
        f->line[t] = line[lines[t]];
        f->begin[t] = 0;
        f->end[t] = f->extent[t] + 2;
        if (signs[t] < 0) {
            f->start -= 2 * f->move[t];
            f->origin += 2 * f->tap[t];
            f->tap[t] = -f->tap[t];
        }
    }
    f->images = 0;
    f->count = 1;
    for (int i = 0; i < g->lines; i++)
        if (i != lines[0] && i != lines[1]) {
            f->each[f->images] = g->extent[i];
            f->image_move[f->images] = g->move[i];
            f->image_line[f->images++] = line[i];
            f->count *= g->extent[i];
        }
    for (int c = 0; c < g->conditions; c++)
        if (!mik_f32_always(g, c) && !mik_f32_take_condition(g, c, lines, taps, signs, f))
            return 0;
    return 1;
}

/* Factors of a channel: of a panel of filters, and of so many columns in panels. */
static int64_t mik_f32_winograd_panel(int m, int64_t channels) { return (m + 2) * (m + 2) * channels * MIK_F32_WINOGRAD_COLUMNS; }

MIK_SHARED int64_t mik_f32_winograd_factors(int64_t columns, int m)
{
    return (m + 2) * (m + 2) * mik_round_up(columns, MIK_F32_WINOGRAD_COLUMNS);
}

/* Elements between planes, an odd number of cache lines: they do not compete for the sets of a cache. */
static int64_t mik_f32_winograd_plane(int64_t elements) { return (mik_ceil_div(elements, MIK_F32_LINE) | 1) * MIK_F32_LINE; }

/* What a worker has room for: a line of zeros, a block's planes, its products, a panel of filters as they are and transformed, outputs. */
typedef struct {
    int64_t zeros, planes, sums, plain, panel, outputs, end;
} mik_f32_winograd_room;

static mik_f32_winograd_room mik_f32_winograd_room_of(const mik_f32_winograd_job *j)
{
    const int64_t points = (j->m + 2) * (j->m + 2), line = MIK_F32_LINE;
    mik_f32_winograd_room r = {.zeros = 0};
    r.planes = r.zeros + mik_round_up(j->width, line);
    r.sums = r.planes + points * mik_f32_winograd_plane(j->most * j->width);
    r.plain = r.sums + points * mik_f32_winograd_plane(j->most * MIK_F32_WINOGRAD_COLUMNS);
    r.panel = r.plain + (j->stage->filters ? 0 : 9 * j->form.channels * MIK_F32_WINOGRAD_COLUMNS);
    r.outputs = r.panel + (j->stage->filters || j->blocks > 1 ? 0 : mik_f32_winograd_panel(j->m, j->form.channels));
    r.end = r.outputs + (j->op->kind == MIK_GENERAL ? j->m * j->m * MIK_F32_WINOGRAD_RUN * MIK_F32_WINOGRAD_COLUMNS : 0);
    return r;
}

/* Where the columns from n on of B are: in a panel of the operation's, in place, or packed into `plain`. */
static mik_f32_winograd_source mik_f32_winograd_filters_at(const mik_f32_winograd_job *j, int64_t n, mik_f32_panel *plain)
{
    const mik_problem *const p = j->p;
    const mik_f32_image_form *const f = &j->form;
    const int64_t columns = mik_min(p->n - n, MIK_F32_WINOGRAD_COLUMNS);
    int64_t step = MIK_F32_WINOGRAD_COLUMNS;
    mik_f32_winograd_source from = {.b = plain, .channels = f->channels, .columns = (int)columns};
    if (0) {
#if MIK_F32_AHEAD
    } else if (p->ahead_n) {
        from.b = mik_f32_ahead_at(j->op->b(j->s, j->batch), p->ahead_k, p->ahead_n, 0, n, &step);
#endif
    } else if (j->op->b && p->b_in_place && p->b_n == 1) {
        from.b = j->op->b(j->s, j->batch) + n;
        step = p->b_k;
    } else if (j->op->b && p->b_in_place) {
        mik_f32_pack_b(j->op->b(j->s, j->batch) + n * p->b_n, p->b_k, p->b_n, p->k, columns, step, MIK_F32_ALONG, plain);
    } else {
        j->op->pack_b(j->s, j->isa->level, j->batch, 0, p->k, n, columns, step, plain);
    }
    from.b += f->origin * step;
    from.row = f->tap[0] * step;
    from.column = f->tap[1] * step;
    from.channel = f->channel * step;
    return from;
}

/* Worker w's share of all panels of transformed filters. */
static void mik_f32_winograd_transform(void *arg, int w)
{
    const mik_f32_winograd_job *const j = arg;
    const mik_f32_winograd_room at = mik_f32_winograd_room_of(j);
    mik_f32_panel *const room = (mik_f32_panel *)(void *)(j->room + (size_t)w * j->slice);
    const int64_t panel = mik_f32_winograd_panel(j->m, j->form.channels), panels = mik_ceil_div(j->p->n, MIK_F32_WINOGRAD_COLUMNS);
    for (int64_t i = w * panels / j->workers; i < (w + 1) * panels / j->workers; i++) {
        const mik_f32_winograd_source from = mik_f32_winograd_filters_at(j, i * MIK_F32_WINOGRAD_COLUMNS, room + at.plain);
        j->kernels->filter(&from, j->made + i * panel);
    }
}

/* Where tile i is: its first pixel's and first output's place, its rows and columns of outputs. */
typedef struct {
    int64_t pixel, line, y, x;
    int rows, cols;
} mik_f32_winograd_place;

static mik_f32_winograd_place mik_f32_winograd_place_of(const mik_f32_winograd_job *j, int64_t i)
{
    const mik_f32_image_form *const f = &j->form;
    int64_t image = i / (j->down * j->right);
    mik_f32_winograd_place t = {.y = i / j->right % j->down * j->m, .x = i % j->right * j->m};
    t.pixel = t.y * f->move[0] + t.x * f->move[1];
    t.line = t.y * f->line[0] + t.x;
    for (int l = f->images - 1; l >= 0; image /= f->each[l--]) {
        t.pixel += image % f->each[l] * f->image_move[l];
        t.line += image % f->each[l] * f->image_line[l];
    }
    t.rows = (int)mik_min(j->m, f->extent[0] - t.y);
    t.cols = (int)mik_min(j->m, f->extent[1] - t.x);
    return t;
}

/* The planes of `count` tiles from `first` on. */
static void mik_f32_winograd_planes(const mik_f32_winograd_job *j, int64_t first, int64_t count, const mik_f32_panel *zeros,
                                    mik_f32_panel *planes, int64_t plane)
{
    const mik_f32_image_form *const f = &j->form;
    const int n = j->m + 2;
    for (int64_t i = 0; i < count; i++) {
        const mik_f32_winograd_place t = mik_f32_winograd_place_of(j, first + i);
        const mik_f32_panel *pixels[36];
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                const int inside = t.y + y >= f->begin[0] && t.y + y < f->end[0] && t.x + x >= f->begin[1] && t.x + x < f->end[1];
                pixels[y * n + x] = inside ? j->image + t.pixel + y * f->move[0] + x * f->move[1] : zeros;
            }
        j->kernels->image(pixels, f->channels, j->m * f->move[1], planes + i * j->width, plane);
    }
}

/* Some columns of outputs, from n on, of those tiles: into the output, or row by row to the epilogue. */
static void mik_f32_winograd_finish(const mik_f32_winograd_job *j, int64_t first, int64_t count, int64_t n, int columns,
                                    const mik_f32_acc *sums, int64_t plane, mik_f32_acc *outputs)
{
    const int general = j->op->kind == MIK_GENERAL;
    const int64_t apart = MIK_F32_WINOGRAD_COLUMNS, down = MIK_F32_WINOGRAD_RUN * j->m * apart;
    mik_f32_acc *const c = general ? outputs : j->op->c(j->s, j->batch) + n;
    mik_f32_winograd_tile t = {.plane = plane, .columns = columns, .add = j->op->kind == MIK_ACCUMULATE};
    t.down = general ? down : j->form.line[0] * j->p->c_m;
    t.right = general ? apart : j->p->c_m;
    for (int64_t i = 0, run; i < count; i += run) {
        const mik_f32_winograd_place at = mik_f32_winograd_place_of(j, first + i);
        const int64_t row_ends = j->right - at.x / j->m;
        run = mik_min(mik_min(row_ends, count - i), MIK_F32_WINOGRAD_RUN);
        int64_t width = 0;
        for (int64_t k = 0; k < run; k++, width += t.cols) {
            t.sums = sums + (i + k) * apart;
            t.rows = at.rows;
            t.cols = (int)mik_min(j->m, j->form.extent[1] - at.x - k * j->m);
            t.c = general ? c + width * apart : c + (at.line + width) * j->p->c_m;
            j->kernels->outputs(&t);
        }
        for (int y = 0; general && y < at.rows; y++)
            j->op->epilogue(j->s, j->isa->level, j->batch, at.line + y * j->form.line[0], width, n, columns, outputs + y * down, apart);
    }
}

/* The products of a point: `rows` tiles by some columns, strips as wide as they go best. Tiles prefetch the next point's filters, a part each:
   these come from far. */
static void mik_f32_winograd_product(const mik_f32_winograd_job *j, const mik_f32_tiling *tiling, const mik_f32_panel *a,
                                     const mik_f32_panel *b, int64_t rows, int columns, mik_f32_acc *c)
{
    const int lanes = j->isa->lanes, width = mik_f32_strip_width(tiling, mik_ceil_div(columns, lanes));
    const int64_t tiles = mik_f32_strip_tiles(tiling, width, rows) * mik_ceil_div(columns, width * lanes);
    mik_f32_tile t = {.k = j->form.channels, .a_m = j->width, .a_k = 1, .b_k = MIK_F32_WINOGRAD_COLUMNS, .b_n = 1, .c_n = 1};
    t.c_m = MIK_F32_WINOGRAD_COLUMNS;
    t.prefetch = b + j->form.channels * MIK_F32_WINOGRAD_COLUMNS;
    t.prefetch_k = mik_ceil_div(MIK_F32_WINOGRAD_COLUMNS, tiles);
    for (int n = 0, nv; n < columns; n += nv * lanes) {
        nv = mik_f32_strip_width(tiling, mik_ceil_div(columns - n, lanes));
        t.cols = mik_min(nv * lanes, columns - n);
        t.b = b + n;
        t.a = a;
        t.c = c + n;
        for (int64_t left = rows; left > 0;) {
            const mik_f32_variant *const v = mik_f32_tile_kernel(tiling, nv, left);
            v->run(&t);
            t.a += v->mr * t.a_m;
            t.c += v->mr * t.c_m;
            t.prefetch += t.k * t.prefetch_k;
            left -= v->mr;
        }
    }
}

/* Worker w's blocks. */
static void mik_f32_winograd_work(void *arg, int w)
{
    const mik_f32_winograd_job *const j = arg;
    const mik_f32_winograd_room at = mik_f32_winograd_room_of(j);
    mik_f32_panel *const room = (mik_f32_panel *)(void *)(j->room + (size_t)w * j->slice);
    const int64_t points = (j->m + 2) * (j->m + 2), panel = mik_f32_winograd_panel(j->m, j->form.channels);
    const int64_t plane = mik_f32_winograd_plane(j->most * j->width),
                  sums_plane = mik_f32_winograd_plane(j->most * MIK_F32_WINOGRAD_COLUMNS);
    mik_f32_acc *const sums = room + at.sums;
    memset(room + at.zeros, 0, (size_t)j->width * sizeof *room);
    for (int64_t block = w * j->blocks / j->workers; block < (w + 1) * j->blocks / j->workers; block++) {
        const int64_t first = block * j->tiles / j->blocks, count = (block + 1) * j->tiles / j->blocks - first;
        const mik_f32_tiling tiling = mik_f32_tiling_of(j->isa, j->form.channels >= MIK_F32_COVER_STEPS, MIK_F32_TABLE, 0, count);
        mik_f32_winograd_planes(j, first, count, room + at.zeros, room + at.planes, plane);
        for (int64_t n = 0; n < j->p->n; n += MIK_F32_WINOGRAD_COLUMNS) {
            const int columns = (int)mik_min(j->p->n - n, MIK_F32_WINOGRAD_COLUMNS);
            const mik_f32_panel *u = room + at.panel;
            if (j->filters) {
                u = j->filters + n / MIK_F32_WINOGRAD_COLUMNS * panel;
            } else {
                const mik_f32_winograd_source from = mik_f32_winograd_filters_at(j, n, room + at.plain);
                j->kernels->filter(&from, room + at.panel);
            }
            for (int64_t i = 0; i < points; i++)
                mik_f32_winograd_product(j, &tiling, room + at.planes + i * plane, u + i * j->form.channels * MIK_F32_WINOGRAD_COLUMNS,
                                         count, columns, sums + i * sums_plane);
            mik_f32_winograd_finish(j, first, count, n, columns, sums, sums_plane, room + at.outputs);
        }
    }
}

/* Nanoseconds, and how the call is cut, for tiles of m x m outputs. */
static void mik_f32_winograd_cut(mik_f32_winograd_job *j, int m, int threads)
{
    const mik_f32_image_form *const f = &j->form;
    const int64_t points = (m + 2) * (m + 2);
    j->m = m;
    j->kernels = j->isa->winograd + (m > 2);
    j->down = mik_ceil_div(f->extent[0], m);
    j->right = mik_ceil_div(f->extent[1], m);
    j->tiles = f->count * j->down * j->right;
    j->width = mik_round_up(f->channels, j->isa->lanes);
    const int64_t most = f->channels < MIK_F32_WINOGRAD_DEEP && j->tiles > 2 * MIK_F32_WINOGRAD_TILES ? MIK_F32_WINOGRAD_TILES
                                                                                                      : MIK_F32_WINOGRAD_MORE;
    j->blocks = mik_max(mik_ceil_div(j->tiles, most), threads > 1 ? mik_min(2 * threads, mik_ceil_div(j->tiles, 4)) : 1);
    j->most = mik_ceil_div(j->tiles, j->blocks);
    j->workers = (int)mik_min(threads, j->blocks);
    float strip[17];
    for (int i = 0; i < 17; i++)
        strip[i] = -1;
    const mik_f32_steps steps = mik_f32_steps_of(f->channels, f->channels);
    const mik_f32_tiling tiling = mik_f32_tiling_of(j->isa, f->channels >= MIK_F32_COVER_STEPS, MIK_F32_TABLE, 0, j->most);
    const float products = (float)(j->blocks * points) *
                           mik_f32_cover_cost(&tiling, &steps, j->most, mik_ceil_div(j->p->n, j->isa->lanes), strip);
    const float elements = (float)(j->tiles * points) * (float)(f->channels + j->p->n);
    const float filters = (float)points * (float)f->channels * (float)j->p->n;
    /* Factors that a call makes; those from far, which products hide in part. */
    const mik_f32_move *const move = &j->isa->move;
    const float bytes = filters * (float)sizeof(mik_f32_panel),
                far = bytes > (float)move->l2_bytes ? MIK_WINOGRAD_FAR * move->read * bytes : 0;
    j->cost = (products > far ? products + MIK_WINOGRAD_OTHER * far : far + MIK_WINOGRAD_OTHER * products) +
              MIK_WINOGRAD_MOVE * move->pack * elements;
    const float each = MIK_WINOGRAD_FILTERS * move->pack;
    if (!j->stage->filters)
        j->cost += (each > MIK_WINOGRAD_LEAST ? each : MIK_WINOGRAD_LEAST) * filters;
    j->cost /= (float)j->workers;
}

/* Finds out whether a call is a convolution that is faster so: 1, and how. */
static int mik_f32_winograd_decide(mik_f32_winograd_job *j, const mik_f32_operation *op, const void *s, const mik_problem *p,
                                   const mik_f32_winograd_stage *stage, const mikgen_options *opt)
{
    const int wish = opt ? opt->plan & MIK_F32_WINOGRAD_WISH : 0, isa = mik_isa(opt ? opt->isa : 0, MIK_F32_NEEDS);
    memset(j, 0, sizeof *j);
    if (!isa || p->batch == 0 || p->n < MIK_F32_WINOGRAD_LEAST || (opt && opt->plan & ~MIK_F32_WINOGRAD_WISH) ||
        wish == MIK_F32_WINOGRAD_WISH)
        return 0;
    if (op->kind != MIK_GENERAL && (!op->c || !p->c_direct || p->c_n != 1))
        return 0;
    if (!mik_f32_find_image(stage->gather, &j->form))
        return 0;
    if (stage->filters && (j->form.turned || j->form.tap[0] < j->form.tap[1]))
        return 0; /* prepacked the other way round */
    j->op = op;
    j->s = s;
    j->p = p;
    j->stage = stage;
    j->isa = mik_f32_choose(isa);
    mik_f32_job direct;
    if (!mik_f32_prepare(&direct, op, s, p, opt))
        return 0;
    const float other = wish ? 1e30f : direct.plan.cost * (float)p->batch / (float)direct.shape.batch;
    const int threads = wish ? mik_threads(opt) : mik_min(mik_threads(opt), direct.plan.workers),
              both = stage->most > 2 && wish != MIK_F32_WINOGRAD_TWO && wish != MIK_F32_WINOGRAD_FOUR;
    mik_f32_winograd_cut(j, stage->most > 2 && wish != MIK_F32_WINOGRAD_TWO ? 4 : 2, threads);
    mik_f32_winograd_job two = *j;
    if (both && !stage->filters) {
        mik_f32_winograd_cut(&two, 2, threads);
        if (two.cost < j->cost)
            *j = two;
    }
    return j->cost * (float)p->batch < other;
}

/* Bytes of all workers, and of transformed filters. */
static size_t mik_f32_winograd_bytes(mik_f32_winograd_job *j)
{
    const size_t made = j->stage->filters || j->blocks == 1
                            ? 0
                            : (size_t)(j->form.channels * mik_f32_winograd_factors(j->p->n, j->m)) * sizeof(mik_f32_panel);
    j->slice = (size_t)mik_round_up(mik_f32_winograd_room_of(j).end * (int64_t)sizeof(mik_f32_panel), 64);
    return (size_t)j->workers * j->slice + made + 64;
}

/* Runs a call so if that is faster; 0: nothing has been done. */
MIK_SHARED int mik_f32_winograd(const mik_f32_operation *op, const void *s, const mik_problem *p, const mik_f32_winograd_stage *stage,
                                const mikgen_options *opt)
{
    mik_f32_winograd_job j;
#if MIK_TRACE
    const uint64_t begin = mik_trace_begin(opt);
#endif
    if (!mik_f32_winograd_decide(&j, op, s, p, stage, opt))
        return 0;
    const size_t bytes = mik_f32_winograd_bytes(&j);
    const int given = opt && opt->workspace && opt->workspace_bytes >= bytes;
    char *const own = given ? NULL : malloc(bytes), *room = given ? opt->workspace : own;
    if (!room)
        return 0;
    room += (64 - (uintptr_t)room % 64) % 64;
    j.room = room;
    if (!stage->filters && j.blocks > 1)
        j.made = (mik_f32_panel *)(void *)(room + (size_t)j.workers * j.slice);
    for (j.batch = 0; j.batch < p->batch; j.batch++) {
        j.image = (const mik_f32_panel *)stage->gather->array + stage->base(s, j.batch) + j.form.start;
        j.filters = stage->filters ? stage->filters(s, j.batch) : j.made;
        if (j.made)
            mik_parallel(opt, j.workers, mik_f32_winograd_transform, &j);
        mik_parallel(opt, j.workers, mik_f32_winograd_work, &j);
    }
    free(own);
#if MIK_TRACE
    char kernel[48];
    if (begin) {
        snprintf(kernel, sizeof kernel, "f32 %s Winograd %d x %d", j.isa->name, j.m, j.m);
        mik_f32_tell_all(op, opt, p, "product", kernel, begin);
    }
#endif
    return 1;
}

/* Says so of a call that is allowed to run so; the length, as snprintf. */
MIK_SHARED int mik_f32_winograd_explain(const mik_f32_operation *op, const mik_problem *p, const mik_f32_winograd_stage *stage,
                                        const mikgen_options *opt, char *buf, size_t size)
{
    mik_f32_winograd_job j;
    size_t used = 0;
    const int runs = mik_f32_winograd_decide(&j, op, NULL, p, stage, opt);
    mik_f32_say(buf, size, &used, "Winograd's algorithm: ");
    if (runs) {
        const size_t bytes = mik_f32_winograd_bytes(&j);
        mik_f32_say(
            buf, size, &used,
            "%lld tiles of %d x %d outputs, blocks of %lld, filters %s; workers: %d; workspace: %lu bytes; cost: %.0f ns; instead of:\n",
            (long long)j.tiles, j.m, j.m, (long long)j.most, stage->filters ? "prepacked" : "transformed by the call", j.workers,
            (unsigned long)bytes, (double)j.cost * (double)p->batch);
    } else if (j.kernels) {
        mik_f32_say(buf, size, &used, "slower, cost: %.0f ns\n", (double)j.cost * (double)p->batch);
    } else {
        mik_f32_say(buf, size, &used, "allowed, but for 3 x 3 filters of %d channels and outputs or more, without stride and dilation\n",
                    MIK_F32_WINOGRAD_LEAST);
    }
    return (int)used;
}

/* Bytes of workspace with which such a call allocates nothing; 0: it is another one. */
MIK_SHARED size_t mik_f32_winograd_workspace(const mik_f32_operation *op, const mik_problem *p, const mik_f32_winograd_stage *stage,
                                             const mikgen_options *opt)
{
    mik_f32_winograd_job j;
    return mik_f32_winograd_decide(&j, op, NULL, p, stage, opt) ? mik_f32_winograd_bytes(&j) : 0;
}
#if MIK_F32_AHEAD

/* Channels of a product whose transformed filters are prepacked behind a batch's B; 0: it is no convolution by 3 x 3 filters of many channels.
   What filters' extents alone decide. */
MIK_SHARED int64_t mik_f32_winograd_channels(const mik_gather *g, const mik_problem *p)
{
    mik_f32_image_form f;
    int taps[2];
    return p->n >= MIK_F32_WINOGRAD_LEAST && mik_f32_find_taps(g, taps, &f) ? f.channels : 0;
}

/* Transforms the filters of a B prepacked. */
MIK_SHARED void mik_f32_winograd_pack(const mik_gather *g, const mik_problem *p, int most, const mik_f32_panel *b, mik_f32_panel *u)
{
    const mik_f32_winograd_kernels *const kernels = mik_f32_choose(mik_isa(0, MIK_F32_NEEDS))->winograd + (most > 2);
    mik_f32_image_form f;
    int taps[2];
    if (!mik_f32_winograd_channels(g, p) || !mik_f32_find_taps(g, taps, &f))
        return;
    for (int64_t n = 0, step; n < p->n; n += MIK_F32_WINOGRAD_COLUMNS, u += mik_f32_winograd_panel(most, f.channels)) {
        mik_f32_winograd_source from = {.channels = f.channels, .columns = (int)mik_min(p->n - n, MIK_F32_WINOGRAD_COLUMNS)};
        from.b = mik_f32_ahead_at(b, p->k, p->n, 0, n, &step);
        from.row = f.tap[1] * step; /* the outer loop's */
        from.column = f.tap[0] * step;
        from.channel = f.channel * step;
        kernels->filter(&from, u);
    }
}
#endif
