/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tiles are numbered as kernels number them (templates/engine/cuda/piece.cuh): down columns of 8, then to the right, then in the next 8 rows of
 * tiles. As many blocks as there are slots run at a time; a block that comes later has a later wave's colour. */
#include "gen/picture/draw_waves.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "gen/picture/columns.h"

enum {
    BAND = 8, /* rows of tiles */
    MOST_TILES = 4096, /* that are drawn one by one */
    MOST_WAVES = 16 /* that have a box each */
};

static const double wide = SVG_WIDTH - 2 * SVG_MARGIN;

static double small(Svg *svg, double x, double y, const char *text) { return svg_paragraph(svg, x, y + 11, COLUMN, "s", text) - 11; }

/* ---------------------------------------------------------------- the output by waves */

typedef struct Tiles {
    Svg *svg;
    const Sheet *sheet;
    double m0, m1, n0, n1, um, un; /* the region and its tiles */
    double rows, columns; /* tiles of a batch */
    double blocks_of_tile, slots; /* blocks for a tile, perhaps less than 1 */
    double before; /* blocks of the launch that come first */
    int waves_before; /* of launches that come first */
} Tiles;

static int wave_of(const Tiles *t, double tile)
{
    return t->waves_before + (int)floor((floor(tile * t->blocks_of_tile) + t->before) / fmax(t->slots, 1));
}

/* Rows r0 to r1 and columns c0 to c1 of tiles. */
static void draw_run(const Tiles *t, double r0, double r1, double c0, double c1, int wave)
{
    const Rect r = rect_of(t->sheet, fmin(t->m0 + r0 * t->um, t->m1), fmin(t->m0 + r1 * t->um, t->m1), fmin(t->n0 + c0 * t->un, t->n1),
                           fmin(t->n0 + c1 * t->un, t->n1));
    svg_box(t->svg, r.x, r.y, r.width, r.height, svg_worker(t->svg->arena, wave), arena_printf(t->svg->arena, "wave %d", wave + 1));
}

/* A band of `height` rows from row `top` on: columns of one wave together. */
static void draw_band(const Tiles *t, double top, double height)
{
    const double first = top * t->columns;
    int open = -1; /* the wave of whole columns from `from` on that are not drawn yet */
    double from = 0;
    for (double c = 0; c < t->columns; c++) {
        const int begin = wave_of(t, first + c * height), end = wave_of(t, first + (c + 1) * height - 1);
        if (open >= 0 && (begin != open || end != open)) {
            draw_run(t, top, top + height, from, c, open);
            open = -1;
        }
        if (begin == end && open < 0)
            open = begin, from = c;
        for (double r = 0, r0 = 0; begin != end && r < height; r++)
            if (r + 1 == height || wave_of(t, first + c * height + r + 1) != wave_of(t, first + c * height + r)) {
                draw_run(t, top + r0, top + r + 1, c, c + 1, wave_of(t, first + c * height + r));
                r0 = r + 1;
            }
    }
    if (open >= 0)
        draw_run(t, top, top + height, from, t->columns, open);
}

/* The first batch's tiles, and the lines between them. */
static void draw_region(const Tiles *t, const json_t *region)
{
    const Rect r = rect_in(t->sheet, region);
    if (t->rows * t->columns <= MOST_TILES)
        for (double top = 0; top < t->rows; top += BAND)
            draw_band(t, top, fmin(BAND, t->rows - top));
    else
        svg_box(t->svg, r.x, r.y, r.width, r.height, "plain", NULL);
    draw_grid(t->svg, t->sheet, region, &r);
    svg_box(t->svg, r.x, r.y, r.width, r.height, "region", NULL);
}

static double waves_of(const json_t *plan, size_t i) { return number_in(json_array_get(json_object_get(plan, "regions"), i), "waves"); }

/* The regions one after the other: in one launch, or in two. */
static void draw_regions(Svg *svg, const Sheet *s, const json_t *plan)
{
    const bool apart = number_in(plan, "launches") > 1;
    double before = 0;
    int waves = 0;
    size_t i;
    const json_t *region;
    json_array_foreach(json_object_get(plan, "regions"), i, region)
    {
        const json_t *tile = json_object_get(region, "tile");
        const double um = json_number_value(json_array_get(tile, 0)), un = json_number_value(json_array_get(tile, 1));
        const double m0 = number_in(region, "m0"), m1 = number_in(region, "m1"), n0 = number_in(region, "n0"), n1 = number_in(region, "n1");
        const double parts = number_in(region, "parts");
        const Tiles t = {svg,
                         s,
                         m0,
                         m1,
                         n0,
                         n1,
                         um,
                         un,
                         ceil((m1 - m0) / um),
                         ceil((n1 - n0) / un),
                         parts > 0 ? parts : number_in(region, "steps") / fmax(number_in(region, "share"), 1),
                         number_in(region, "slots"),
                         apart ? 0 : before,
                         waves};
        draw_region(&t, region);
        before += number_in(region, "blocks");
        waves += apart ? (int)waves_of(plan, i) : 0;
    }
}

/* How full the waves are: blocks of launches, so many at a time. */
static double draw_fill(Svg *svg, const json_t *plan, double x, double y)
{
    const json_t *regions = json_object_get(plan, "regions");
    const bool apart = number_in(plan, "launches") > 1;
    double blocks[2] = {0}, slots[2] = {1, 1}, waves = 0;
    size_t i;
    const json_t *region;
    Arena *a = svg->arena;
    json_array_foreach(regions, i, region)
    {
        blocks[apart ? i : 0] += number_in(region, "blocks");
        slots[apart ? i : 0] = fmax(number_in(region, "slots"), 1);
    }
    for (i = 0; i < 2; i++)
        waves += ceil(blocks[i] / slots[i]);
    svg_text(svg, x, y + 11, "s", arena_printf(a, "%s wave%s", svg_number(a, waves), waves > 1 ? "s" : ""));
    if (waves > MOST_WAVES) {
        const double last = fmod(blocks[0], slots[0]);
        svg_text(svg, x + LABEL, y + 11, "s", arena_printf(a, "the last %.0f %% full", 100 * (last > 0 ? last / slots[0] : 1)));
        return y + SVG_LINE + 8;
    }
    const double each = fmin((BAR + 100) / waves, 120);
    int wave = 0;
    for (i = 0; i < 2; i++)
        for (double left = blocks[i]; left > 0; left -= slots[i], wave++) {
            const double full = fmin(left / slots[i], 1);
            const Rect r = {x + LABEL + wave * each, y, each - 3, 15};
            const char *texts[] = {arena_printf(a, "%d: %.0f %%", wave + 1, 100 * full), arena_printf(a, "%d", wave + 1)};
            svg_box(svg, r.x, r.y, r.width, r.height, "loop", NULL);
            svg_box(svg, r.x, r.y, r.width * full, r.height, svg_worker(a, wave),
                    arena_printf(a, "wave %d: %.0f %% of %.0f slots", wave + 1, 100 * full, slots[i]));
            draw_label(svg, &r, texts, 2);
        }
    return y + 15 + 8;
}

static double draw_sheet(const Columns *c, int which, double x, double y)
{
    Svg *svg = c->svg;
    const json_t *product = c->product, *plan = c->plans[which];
    const Sheet s = sheet_of(product, x, y + 14);
    const double batches = number_in(product, "batch");
    draw_regions(svg, &s, plan);
    draw_numbers(svg, &s, plan);
    y = s.y + s.height + 16;
    if (s.enlarged)
        y = small(svg, x, y, "(one side is enlarged)");
    if (batches > 1)
        y = small(svg, x, y, arena_printf(svg->arena, "the first of %s batches", svg_number(svg->arena, batches)));
    return draw_fill(svg, plan, x, y);
}

/* ---------------------------------------------------------------- words and bars */

/* How blocks share tiles out. */
static const char *shares_words(Arena *a, const json_t *region)
{
    const double share = number_in(region, "share"), steps = number_in(region, "steps"), parts = number_in(region, "parts");
    const char *blocks = arena_printf(a, "%s %s of %s threads", svg_number(a, number_in(region, "blocks")),
                                      number_in(region, "cluster") > 1 ? "clusters" : "blocks",
                                      svg_number(a, number_in(region, "threads")));
    if (share == steps)
        return arena_printf(a, "%s, a tile each", blocks);
    if (parts > 1)
        return arena_printf(a, "%s, %s for each tile: a split-K reduction", blocks, svg_number(a, parts));
    return arena_printf(a, "%s with %s steps each, wherever these begin and end", blocks, svg_number(a, share));
}

static double draw_words(const Columns *c, int which, double x, double y)
{
    Svg *svg = c->svg;
    const json_t *plan = c->plans[which];
    Arena *a = svg->arena;
    size_t i;
    const json_t *region;
    json_array_foreach(json_object_get(plan, "regions"), i, region)
    {
        const json_t *tile = json_object_get(region, "tile");
        y = small(svg, x, y,
                  arena_printf(a,
                               "rows %s-%s, columns %s-%s: %s tiles of %.0fx%.0f, %s steps of %.0f; %s; %s at a time, %.0f on a "
                               "multiprocessor, with %s bytes of shared memory%s",
                               svg_number(a, number_in(region, "m0")), svg_number(a, number_in(region, "m1")),
                               svg_number(a, number_in(region, "n0")), svg_number(a, number_in(region, "n1")),
                               svg_number(a, number_in(region, "tiles")), json_number_value(json_array_get(tile, 0)),
                               json_number_value(json_array_get(tile, 1)), svg_number(a, number_in(region, "steps")),
                               number_in(region, "step"), shares_words(a, region), svg_number(a, number_in(region, "slots")),
                               number_in(region, "resident"), svg_number(a, number_in(region, "shared")),
                               json_is_true(json_object_get(region, "tensor_maps")) ? "; operands by tensor maps" : ""));
    }
    return y + 4;
}

static double draw_terms(const Columns *c, int which, double x, double y)
{
    static const char *const names[] = {"launch", "work", "memory", "reading", "reduction", "copies"};
    Bar bars[7];
    int n = term_bars(c, which, names, 6, bars);
    bars[n++] = (Bar){"cost", "total", number_in(c->plans[which], "cost_ns"), NULL};
    svg_text(c->svg, x, y + 11, "q", "ns; work and memory at the same time");
    return draw_bars(c->svg, bars, n, x, y + SVG_LINE, fmax(c->work, c->time));
}

static double draw_plans(Svg *svg, const json_t *product, double y)
{
    static DrawPart *const parts[] = {draw_sheet, draw_words, draw_terms};
    const Columns c = columns_of(svg, product);
    return draw_columns(&c, parts, 3, y);
}

/* ---------------------------------------------------------------- a product */

/* What stands in the place of a picture, or NULL. */
static const char *instead(Arena *a, const json_t *product)
{
    if (json_is_false(json_object_get(product, "runs")))
        return "not for these extents: the loops run";
    if (*text_in(product, "in"))
        return arena_printf(a, "runs in one launch with others: %s", text_in(product, "in"));
    return *text_in(product, "way") ? text_in(product, "way") : NULL;
}

double draw_waves(Svg *svg, const json_t *call, const json_t *product, double y)
{
    Arena *a = svg->arena;
    const json_t *device = json_object_get(call, "device");
    const char *way = instead(a, product);
    svg_line(svg, SVG_MARGIN, y, SVG_WIDTH - SVG_MARGIN, y, "rule");
    y = svg_paragraph(svg, SVG_MARGIN, y + 22, wide, "t",
                      arena_printf(a, "line %.0f: %s", number_in(product, "line"), text_in(product, "what"))) -
        11;
    if (json_object_get(product, "m"))
        y = svg_paragraph(svg, SVG_MARGIN, y + 11, wide, "q",
                          arena_printf(a, "%s on %.0f multiprocessors of sm_%.0f: batch %s, m %s, n %s, k %s", text_in(product, "family"),
                                       number_in(device, "multiprocessors"), number_in(device, "compute_capability"),
                                       svg_number(a, number_in(product, "batch")), svg_number(a, number_in(product, "m")),
                                       svg_number(a, number_in(product, "n")), svg_number(a, number_in(product, "k")))) -
            8;
    return way ? svg_paragraph(svg, SVG_MARGIN, y + 11, wide, "q", way) + 4 : draw_plans(svg, product, y) + 12;
}
