/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops as boxes inside of boxes, what became of each beside it; iterations cut for threads as a bar. */
#include "gen/picture/draw_loops.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "gen/picture/sheet.h"
#include "plan/targets.h"

enum {
    INDENT = 22,
    NOTES = 470,  /* where what is said of loops begins, */
    TASK_BAR = 380,  /* a bar of iterations */
    LABELLED = 16 /* pieces with numbers */
};

static const double wide = SVG_WIDTH - 2 * SVG_MARGIN;

static double quiet(Svg *svg, double y, const char *text) { return svg_paragraph(svg, SVG_MARGIN, y + 11, wide, "q", text) - 11; }

double draw_head(Svg *svg, const json_t *part, double y, const char *what)
{
    svg_line(svg, SVG_MARGIN, y, SVG_WIDTH - SVG_MARGIN, y, "rule");
    return svg_paragraph(svg, SVG_MARGIN, y + 22, wide, "t", arena_printf(svg->arena, "line %.0f: %s", number_in(part, "line"), what)) - 8;
}

/* "a, b and c" */
static const char *listed(Arena *arena, const json_t *names)
{
    const char *text = "";
    const size_t n = json_array_size(names);
    for (size_t i = 0; i < n; i++)
        text = arena_printf(arena, "%s%s%s", text, i == 0 ? "" : i + 1 < n ? ", " : " and ", json_string_value(json_array_get(names, i)));
    return text;
}

/* ---------------------------------------------------------------- nests */

static const json_t *part_named(const json_t *call, const char *list, const char *stem)
{
    size_t i;
    const json_t *part;
    json_array_foreach(json_object_get(call, list), i, part) if (strcmp(text_in(part, "stem"), stem) == 0) return part;
    return NULL;
}

/* Does a product run in the nest's place? */
static bool runs_instead(const json_t *call, const json_t *nest)
{
    size_t i;
    const json_t *name;
    json_array_foreach(json_object_get(nest, "instead_of"), i, name)
    {
        const json_t *product = part_named(call, "products", json_string_value(name));
        if (product && !json_is_false(json_object_get(product, "runs")))
            return true;
    }
    return false;
}

/* A loop, and the loops in it: those that follow and are deeper. Boxes stand for bodies. */
static double draw_loop(Svg *svg, const json_t *loops, size_t *at, double y)
{
    const json_t *loop = json_array_get(loops, *at), *note;
    const double depth = number_in(loop, "depth"), x = SVG_MARGIN + depth * INDENT, top = y;
    size_t i;
    svg_text(svg, x + 8, y + 15, "t", text_in(loop, "text"));
    double notes = y + 15;
    json_array_foreach(json_object_get(loop, "notes"), i, note)
        notes = svg_paragraph(svg, SVG_MARGIN + NOTES, notes, wide - NOTES - 8, "q", json_string_value(note));
    y = fmax(y + 24, notes - 5);
    for (++*at; *at < json_array_size(loops) && number_in(json_array_get(loops, *at), "depth") > depth;)
        y = draw_loop(svg, loops, at, y) + 4;
    svg_box(svg, x, top, SVG_WIDTH - SVG_MARGIN - depth * 4 - x, y - top, "loop", NULL);
    return y;
}

double draw_loop_boxes(Svg *svg, const json_t *loops, double y)
{
    size_t at = 0;
    while (at < json_array_size(loops))
        y = draw_loop(svg, loops, &at, y) + 8;
    return y;
}

static double draw_pieces(Svg *svg, const json_t *nest, double y)
{
    const json_t *pieces = json_object_get(nest, "pieces"), *counts = json_object_get(nest, "counts"), *piece;
    const double outer = json_number_value(json_array_get(counts, 0)), inner = fmax(1, json_number_value(json_array_get(counts, 1)));
    const size_t n = json_array_size(pieces);
    size_t i;
    Arena *a = svg->arena;
    if (!n || outer <= 0)
        return y;
    const bool by_inner = json_number_value(json_array_get(json_array_get(pieces, 0), 3)) < inner && n > 1;
    const double high = by_inner ? 48 : 18;
    svg_text(svg, SVG_MARGIN, y + 13, "s", n == 1 ? "one task" : arena_printf(a, "%d tasks", (int)n));
    json_array_foreach(pieces, i, piece)
    {
        const double begin = json_number_value(json_array_get(piece, 0)), end = json_number_value(json_array_get(piece, 1));
        const double first = by_inner ? json_number_value(json_array_get(piece, 2)) : 0,
                     last = by_inner ? json_number_value(json_array_get(piece, 3)) : inner;
        const double x = SVG_MARGIN + 92 + begin / outer * TASK_BAR, width = (end - begin) / outer * TASK_BAR;
        const double top = y + first / inner * high, tall = (last - first) / inner * high;
        const char *number = arena_printf(a, "%d", (int)i);
        svg_box(svg, x, top, width, tall, n == 1 ? "plain" : arena_printf(a, "%s edge", svg_worker(a, (int)i)),
                arena_printf(a, "task %d: iterations %.0f to %.0f", (int)i, begin, end));
        if (n > 1 && n <= LABELLED && width > svg_text_width(number, 11) + 4 && tall >= 14)
            svg_text(svg, x + width / 2, top + tall / 2 + 4, "m", number);
    }
    const char *across = arena_printf(a, "%s iterations of %s%s", svg_number(a, outer),
                                      json_string_value(json_array_get(json_object_get(nest, "threads"), 0)),
                                      by_inner ? arena_printf(a, " across, %s of %s down", svg_number(a, inner),
                                                              json_string_value(json_array_get(json_object_get(nest, "threads"), 1)))
                                               : "");
    svg_text(svg, SVG_MARGIN + 92 + TASK_BAR + 12, y + 13, "s", across);
    svg_text(svg, SVG_MARGIN + 92 + TASK_BAR + 12, y + 13 + SVG_LINE, "s",
             arena_printf(a, "%s ns of one thread are expected", svg_number(a, number_in(nest, "work_ns"))));
    return y + fmax(high, 18 + SVG_LINE) + 8;
}

double draw_symbolic(Svg *svg, const json_t *nest, double y)
{
    const json_t *texts = json_object_get(nest, "counts_text"), *names = json_object_get(nest, "threads");
    static const char *const axes[] = {"x", "y", "z"};
    size_t i;
    const json_t *text;
    Arena *a = svg->arena;
    json_array_foreach(texts, i, text)
    {
        const char *name = json_string_value(json_array_get(names, i)), *words = json_string_value(text);
        svg_text(svg, SVG_MARGIN, y + 13, "s", arena_printf(a, "%s", name ? name : i < 3 ? axes[i] : ""));
        svg_box(svg, SVG_MARGIN + 92, y, TASK_BAR, 18, "plain", words);
        svg_text(svg, SVG_MARGIN + 98, y + 13, "s", "0");
        svg_paragraph(svg, SVG_MARGIN + 92 + TASK_BAR + 12, y + 13, wide - 92 - TASK_BAR - 12, "s", words);
        y = fmax(y + 24, svg->bottom + 4);
    }
    return y;
}

static const char *set_word(Arena *arena, const json_t *nest)
{
    const int number = (int)number_in(nest, "set");
    for (int i = 0; i < ISA_COUNT; i++)
        if (isa_info[i].number == number)
            return *isa_info[i].guard ? isa_info[i].name
                                      : arena_printf(arena, "vectors of %d bytes (%s)", isa_info[i].bytes, isa_info[i].name);
    return number == 0 ? "the processor lacks the instruction set asked for" : "loops as they are";
}

double draw_nest(Svg *svg, const json_t *call, const json_t *nest, double y)
{
    Arena *a = svg->arena;
    const json_t *loops = json_object_get(nest, "loops"), *threads = json_object_get(nest, "threads");
    if (runs_instead(call, nest))
        return y;
    y = draw_head(svg, nest, y, *text_in(nest, "what") ? text_in(nest, "what") : "loops");
    const char *cut = json_array_size(threads) ? arena_printf(a, "; cut for threads: %s", listed(a, threads)) : "; not cut for threads";
    if (json_is_true(json_object_get(nest, "in_wave")))
        y = quiet(svg, y, "a stage of a wave");
    else if (json_object_get(nest, "set"))
        y = quiet(svg, y,
                  arena_printf(a, "%s%s%s", set_word(a, nest), cut,
                               json_is_true(json_object_get(nest, "non_temporal")) ? "; non-temporal stores of outputs" : ""));
    else
        y = quiet(svg, y, arena_printf(a, "what calls do depends on what memory holds, or on scalars of the body%s", cut));
    if (*text_in(nest, "chosen"))
        y = quiet(svg, y, arena_printf(a, "chosen otherwise than planned: %s", text_in(nest, "chosen")));
    y += 8;
    y = draw_loop_boxes(svg, loops, y);
    return draw_pieces(svg, nest, draw_symbolic(svg, nest, y)) + 4;
}

/* ---------------------------------------------------------------- waves, chains, batches */

double draw_boxes(Svg *svg, const json_t *call, const json_t *stages, double y)
{
    double x = SVG_MARGIN;
    size_t i;
    const json_t *stage;
    json_array_foreach(stages, i, stage)
    {
        const char *stem = json_string_value(stage);
        const json_t *part = part_named(call, "products", stem);
        part = part ? part : part_named(call, "nests", stem);
        const char *text = part ? arena_printf(svg->arena, "%s, line %.0f", stem, number_in(part, "line")) : stem;
        const double width = svg_text_width(text, 11) + 16;
        if (x > SVG_MARGIN && x + width > SVG_WIDTH - SVG_MARGIN)
            x = SVG_MARGIN, y += 30;
        svg_box(svg, x, y, width, 22, "loop", NULL);
        svg_text(svg, x + 8, y + 15, "s", text);
        x += width + 10;
    }
    return y + 34;
}

static const char *wave_words(Arena *a, const json_t *wave)
{
    if (!json_object_get(wave, "rows"))
        return "what calls do depends on what memory holds, or on scalars of the body";
    if (!json_is_true(json_object_get(wave, "together")))
        return arena_printf(a, "one nest after the other: %s rows, %s steps", svg_number(a, number_in(wave, "rows")),
                            svg_number(a, number_in(wave, "steps")));
    return arena_printf(a, "together: %s rows and %s steps in %.0f blocks; rows at a time %s, steps %s",
                        svg_number(a, number_in(wave, "rows")), svg_number(a, number_in(wave, "steps")), number_in(wave, "blocks"),
                        svg_number(a, number_in(wave, "height")), svg_number(a, number_in(wave, "at_once")));
}

static const char *chain_words(Arena *a, const json_t *chain)
{
    const double block = number_in(chain, "block");
    return block > 0 ? arena_printf(a, "by blocks of %s of %s rows, %.0f tasks", svg_number(a, block),
                                    svg_number(a, number_in(chain, "rows")), number_in(chain, "tasks"))
                     : arena_printf(a, "one stage after the other: %s rows", svg_number(a, number_in(chain, "rows")));
}

/* Iterations one below the other, or side by side where their columns vary, as if all were alike. */
static double draw_iterations(Svg *svg, const json_t *average, bool across, double y)
{
    enum { MOST = 64 };
    const double count = number_in(average, "count"), m = number_in(average, "m"), n = number_in(average, "n");
    json_t *whole = json_pack("{s:f, s:f}", "m", across ? m : m * count, "n", across ? n * count : n);
    const Sheet s = sheet_of(whole, SVG_MARGIN, y + 14);
    const double shown = count > MOST ? 1 : count, each = (across ? s.n : s.m) / shown;
    json_decref(whole);
    for (int i = 0; i < (int)shown; i++) {
        const Rect r = across ? rect_of(&s, 0, s.m, i * each, (i + 1) * each) : rect_of(&s, i * each, (i + 1) * each, 0, s.n);
        const char *texts[] = {arena_printf(svg->arena, "%d", i)};
        svg_box(svg, r.x, r.y, r.width, r.height, count > MOST ? "plain" : arena_printf(svg->arena, "%s edge", svg_worker(svg->arena, i)),
                count > MOST ? NULL : arena_printf(svg->arena, "iteration %d, if all were alike", i));
        if (count <= MOST)
            draw_label(svg, &r, texts, 1);
    }
    draw_numbers(svg, &s, NULL);
    return s.y + s.height + 16;
}

/* Drawn to scale for what is known, the average, and said to be no more than that. */
static double draw_averages(Svg *svg, const json_t *call, const json_t *part, double y)
{
    Arena *a = svg->arena;
    const json_t *list = json_object_get(part, "averages"), *average;
    size_t i;
    if (!json_array_size(list))
        return quiet(svg, y, "extents are what memory holds");
    json_array_foreach(list, i, average)
    {
        const json_t *varies = json_object_get(average, "varies"), *product = part_named(call, "products", text_in(average, "stem"));
        const bool across = json_array_size(varies) == 1 && strcmp(json_string_value(json_array_get(varies, 0)), "n") == 0;
        y = quiet(svg, y,
                  arena_printf(a, "%s: %s iterations, drawn as if all were alike: m %s, n %s, k %s; memory holds what %s of each is",
                               text_in(average, "stem"), svg_number(a, number_in(average, "count")), svg_number(a, number_in(average, "m")),
                               svg_number(a, number_in(average, "n")), svg_number(a, number_in(average, "k")),
                               json_array_size(varies) ? listed(a, varies) : "the first"));
        if (*text_in(product, "kernel"))
            y = quiet(svg, y,
                      arena_printf(a, "%s: %s blocks share the tiles of all; %s ns are expected of these", text_in(product, "kernel"),
                                   svg_number(a, number_in(product, "blocks")), svg_number(a, number_in(product, "cost_ns"))));
        if (number_in(average, "count") > 0 && number_in(average, "m") > 0 && number_in(average, "n") > 0)
            y = draw_iterations(svg, average, across, y + 8);
    }
    return y;
}

double draw_stages(Svg *svg, StageKind kind, const json_t *call, const json_t *part, double y)
{
    Arena *a = svg->arena;
    y = draw_head(svg, part, y,
                  kind == STAGE_WAVE     ? "pipelined nests"
                  : kind == STAGE_CHAIN  ? "row-tiled stages"
                  : kind == STAGE_RAGGED ? "a ragged batch: GEMMs for each iteration of the loop"
                                         : stage_info[kind].says);
    if (kind == STAGE_RAGGED)
        y = draw_averages(svg, call, part, y);
    else if (kind == STAGE_WAVE || kind == STAGE_CHAIN)
        y = quiet(svg, y, kind == STAGE_WAVE ? wave_words(a, part) : chain_words(a, part));
    return draw_boxes(svg, call, json_object_get(part, "stages"), y + 6);
}
