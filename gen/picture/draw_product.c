/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two columns, one for each plan, drawn to the same scales. Where m and n have changed roles the output is drawn as the spec has it. */
#include "gen/picture/draw_product.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "gen/picture/columns.h"

enum {
    LISTED = 16     /* workers with a bar of their own */
};

/* ---------------------------------------------------------------- the output */

static const json_t *region_at(const json_t *plan, const json_t *task)
{
    size_t i;
    const json_t *region;
    json_array_foreach(json_object_get(plan, "regions"), i, region) if (number_in(task, "m0") >= number_in(region, "m0") &&
                                                                        number_in(task, "m0") < number_in(region, "m1") &&
                                                                        number_in(task, "n0") >= number_in(region, "n0") &&
                                                                        number_in(task, "n0") < number_in(region, "n1")) return region;
    return NULL;
}

/* The first batch's tasks, and what is no task's. */
static void draw_parts(Svg *svg, const Sheet *s, const json_t *plan)
{
    const json_t *tasks = json_object_get(plan, "tasks"), *task, *region;
    size_t i;
    json_array_foreach(tasks, i, task)
    {
        const Rect r = rect_in(s, task);
        const int worker = (int)number_in(task, "worker");
        if (number_in(task, "batch") > 0)
            continue;
        region = region_at(plan, task);
        const char *own = text_in(task, "kernel"),
                   *kernel = *own     ? own
                             : region ? text_in(region, "kernel")
                                      : "",
                   *number = arena_printf(svg->arena, "%d", worker);
        const char *texts[] = {*kernel ? arena_printf(svg->arena, "worker %d: %s", worker, kernel) : "",
                               arena_printf(svg->arena, "worker %d", worker), number};
        svg_box(svg, r.x, r.y, r.width, r.height, arena_printf(svg->arena, "%s edge", svg_worker(svg->arena, worker)),
                *kernel ? texts[0] : texts[1]);
        if (region)
            draw_grid(svg, s, region, &r);
        draw_label(svg, &r, texts, 3);
    }
    json_array_foreach(json_object_get(plan, "regions"), i, region)
    {
        const Rect r = rect_in(s, region);
        const char *texts[] = {text_in(region, "kernel")};
        if (!json_array_size(tasks)) {
            svg_box(svg, r.x, r.y, r.width, r.height, "plain", NULL);
            draw_grid(svg, s, region, &r);
            draw_label(svg, &r, texts, 1);
        }
        svg_box(svg, r.x, r.y, r.width, r.height, "region", NULL);
    }
}

/* A bar of `count` things that workers share out one after the other. */
static double draw_bar(Svg *svg, double x, double y, const char *what, double count, int workers)
{
    svg_text(svg, x, y + 11, "s", what);
    for (int w = 0; w < workers; w++) {
        const double from = floor(count / workers) * w + fmin(w, fmod(count, workers)),
                     to = floor(count / workers) * (w + 1) + fmin(w + 1, fmod(count, workers));
        const Rect r = {x + LABEL + from / count * BAR, y, (to - from) / count * BAR, 15};
        const char *texts[] = {arena_printf(svg->arena, "worker %d", w), arena_printf(svg->arena, "%d", w)};
        svg_box(svg, r.x, r.y, r.width, r.height, arena_printf(svg->arena, "%s edge", svg_worker(svg->arena, w)), texts[0]);
        draw_label(svg, &r, texts, 2);
    }
    return y + 15 + 8;
}

/* ---------------------------------------------------------------- a plan */

static const char *counts_text(Arena *arena, const json_t *pairs)
{
    const char *text = "";
    size_t i;
    const json_t *pair;
    json_array_foreach(pairs, i, pair)
        text = arena_printf(arena, "%s%s%s of %s", text, i ? ", " : "", svg_number(arena, json_number_value(json_array_get(pair, 0))),
                            svg_number(arena, json_number_value(json_array_get(pair, 1))));
    return text;
}

/* What a region is, in words. */
static double draw_region_text(Svg *svg, const json_t *region, double x, double y)
{
    Arena *a = svg->arena;
    const json_t *tile = json_object_get(region, "tile");
    const char *text = arena_printf(a, "rows %s-%s, columns %s-%s: A %s, B %s, blocks of %s x %s", svg_number(a, number_in(region, "m0")),
                                    svg_number(a, number_in(region, "m1")), svg_number(a, number_in(region, "n0")),
                                    svg_number(a, number_in(region, "n1")), text_in(region, "a"), text_in(region, "b"),
                                    svg_number(a, number_in(region, "mc")), svg_number(a, number_in(region, "nc")));
    if (tile)
        text = arena_printf(a, "%s; row tiles %s; column panels %s; a tile of %dx%d, drawn darker, takes %s ns", text,
                            counts_text(a, json_object_get(region, "row_tiles")), counts_text(a, json_object_get(region, "column_panels")),
                            (int)json_number_value(json_array_get(tile, 0)), (int)json_number_value(json_array_get(tile, 1)),
                            svg_number(a, number_in(region, "tile_ns")));
    return svg_paragraph(svg, x, y + 11, COLUMN, "s", text) - 11;
}

static double draw_terms(const Columns *c, int which, double x, double y)
{
    static const char *const names[] = {"tiles", "operands", "stores", "waits"};
    Svg *svg = c->svg;
    Bar bars[5];
    int n = term_bars(c, which, names, 4, bars);
    if (number_in(c->plans[which], "adding_ns") > 0)
        bars[n++] = (Bar){"adding parts", "bar", number_in(c->plans[which], "adding_ns"), NULL};
    if (!n)
        return svg_paragraph(svg, x, y + 11, COLUMN, "s", "this plan's cost has no terms of its own") - 5;
    svg_text(svg, x, y + 11, "q", "work of all workers, ns");
    return draw_bars(svg, bars, n, x, y + SVG_LINE, c->work) + 6;
}

/* Of many workers, only how long the first and the last one work. */
static double draw_loads(const Columns *c, int which, double x, double y)
{
    Svg *svg = c->svg;
    const json_t *plan = c->plans[which], *loads = json_object_get(plan, "loads_ns");
    const size_t workers = json_array_size(loads);
    Arena *a = svg->arena;
    Bar bars[LISTED + 2];
    int n = 0;
    double least = INFINITY, most = 0;
    for (size_t w = 0; w < workers; w++) {
        const double load = json_number_value(json_array_get(loads, w));
        least = fmin(least, load), most = fmax(most, load);
        if (workers > 1 && workers <= LISTED)
            bars[n++] = (Bar){arena_printf(a, "worker %d", (int)w), svg_worker(a, (int)w), load, NULL};
    }
    if (workers > LISTED) {
        bars[n++] = (Bar){"least loaded", "w w0", least, NULL};
        bars[n++] = (Bar){"most loaded", "w w1", most, NULL};
    }
    if (number_in(plan, "start_ns") > 0)
        bars[n++] = (Bar){"start", "bar", number_in(plan, "start_ns"), NULL};
    bars[n++] = (Bar){"cost", "total", number_in(plan, "cost_ns"), NULL};
    svg_text(svg, x, y + 11, "q", workers > 1 ? arena_printf(a, "time of %d workers, ns", (int)workers) : "time, ns");
    return draw_bars(svg, bars, n, x, y + SVG_LINE, c->time);
}

/* The output and, below it, what else workers share out. */
static double draw_sheet(const Columns *c, int which, double x, double y)
{
    Svg *svg = c->svg;
    const json_t *product = c->product, *plan = c->plans[which];
    const Sheet s = sheet_of(product, x, y + 14);
    const double batches = number_in(product, "batch");
    const int workers = (int)number_in(plan, "workers"), splits = (int)number_in(plan, "splits");
    Arena *a = svg->arena;
    draw_parts(svg, &s, plan);
    draw_numbers(svg, &s, plan);
    y = s.y + s.height + 16;
    if (s.enlarged)
        y = svg_paragraph(svg, x, y + 11, COLUMN, "s", "(one side is enlarged)") - 11;
    if (splits > 1)
        y = draw_bar(svg, x, y, "steps of k", number_in(product, "k"), splits);
    else if (batches > 1 && workers > 1 && !json_array_size(json_object_get(plan, "tasks")))
        y = draw_bar(svg, x, y, "batches", batches, workers);
    else if (batches > 1)
        y = svg_paragraph(svg, x, y + 11, COLUMN, "s", arena_printf(a, "the first of %s batches", svg_number(a, batches))) - 11;
    return y;
}

static double draw_words(const Columns *c, int which, double x, double y)
{
    Svg *svg = c->svg;
    const json_t *plan = c->plans[which];
    size_t i;
    const json_t *region;
    json_array_foreach(json_object_get(plan, "regions"), i, region) y = draw_region_text(svg, region, x, y);
    return svg_paragraph(svg, x, y + 11, COLUMN, "s",
                         arena_printf(svg->arena, "%s steps of k per block", svg_number(svg->arena, number_in(plan, "kc")))) -
           7;
}

static double draw_plans(Svg *svg, const json_t *product, double y)
{
    static DrawPart *const parts[] = {draw_sheet, draw_words, draw_terms, draw_loads};
    const Columns c = columns_of(svg, product);
    return draw_columns(&c, parts, 4, y);
}

/* The bands of an exact cover, one below the other or side by side. */
static double draw_cover(Svg *svg, const json_t *product, double y)
{
    const json_t *cover = json_object_get(product, "cover"), *band, *tiles;
    const bool rows_first = json_is_true(json_object_get(cover, "rows_first"));
    Sheet s = sheet_of(product, SVG_MARGIN, y + 14);
    double at = 0;
    size_t i, j;
    s.transposed = false;
    json_array_foreach(json_object_get(cover, "bands"), i, band) for (int b = 0; b < (int)number_in(band, "count"); b++)
    {
        double along = 0, size = 0;
        json_array_foreach(json_object_get(band, "tiles"), j, tiles) for (int t = 0; t < json_integer_value(json_array_get(tiles, 0)); t++)
        {
            const double mr = json_number_value(json_array_get(tiles, 1)), nr = json_number_value(json_array_get(tiles, 2));
            const double m0 = rows_first ? at : along, n0 = rows_first ? along : at;
            const Rect r = rect_of(&s, m0, fmin(m0 + mr, s.m), n0, fmin(n0 + nr, s.n));
            const char *texts[] = {arena_printf(svg->arena, "%.0fx%.0f", mr, nr)};
            svg_box(svg, r.x, r.y, r.width, r.height, arena_printf(svg->arena, "%s edge", svg_worker(svg->arena, (int)j)), texts[0]);
            draw_label(svg, &r, texts, 1);
            along += rows_first ? nr : mr;
            size = rows_first ? mr : nr;
        }
        at += size;
    }
    draw_numbers(svg, &s, NULL);
    return s.y + s.height + 16;
}

/* How often a call computes it, and what that takes. */
static const char *repeats_text(Arena *a, const json_t *product)
{
    const double times = number_in(product, "times"), cost = number_in(json_object_get(product, "plan"), "cost_ns");
    const char *text = times < 0 ? "repeated as often as loops around it run, which its extents alone do not tell"
                                 : arena_printf(a, "repeated %s times, by loops around it", svg_number(a, times));
    if (json_is_true(json_object_get(product, "varies")))
        return arena_printf(a, "%s; its extents change on the way", text);
    return times < 0 || cost <= 0 ? text : arena_printf(a, "%s; cost of all: %s ns", text, svg_number(a, times * cost));
}

double draw_product(Svg *svg, const json_t *product, double y)
{
    Arena *a = svg->arena;
    const double wide = SVG_WIDTH - 2 * SVG_MARGIN;
    const char *way = text_in(product, "way");
    svg_line(svg, SVG_MARGIN, y, SVG_WIDTH - SVG_MARGIN, y, "rule");
    y = svg_paragraph(svg, SVG_MARGIN, y + 22, wide, "t",
                      arena_printf(a, "line %.0f: %s", number_in(product, "line"), text_in(product, "what"))) -
        11;
    if (json_is_false(json_object_get(product, "runs")))
        return svg_paragraph(svg, SVG_MARGIN, y + 11, wide, "q", "not for these extents: the loops run") + 4;
    if (json_object_get(product, "m"))
        y = svg_paragraph(svg, SVG_MARGIN, y + 11, wide, "q",
                          arena_printf(a, "%s%s%s: batch %s, m %s, n %s, k %s%s", text_in(product, "family"),
                                       *text_in(product, "isa") ? " on " : "", text_in(product, "isa"),
                                       svg_number(a, number_in(product, "batch")), svg_number(a, number_in(product, "m")),
                                       svg_number(a, number_in(product, "n")), svg_number(a, number_in(product, "k")),
                                       json_is_true(json_object_get(product, "transposed"))
                                           ? "; computed transposed: m and n change roles, and so do A and B in what follows"
                                           : "")) -
            8;
    if (json_object_get(product, "times"))
        y = svg_paragraph(svg, SVG_MARGIN, y + 11, wide, "q", repeats_text(a, product)) - 8;
    if (*way)
        y = svg_paragraph(svg, SVG_MARGIN, y + 11, wide, "t", way);
    if (json_object_get(product, "cover"))
        return draw_cover(svg, product, y) + 8;
    return *way ? y : draw_plans(svg, product, y) + 12;
}
