/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One box for each launch would say little: a launch is its grid and its block, in numbers. */
#include "gen/picture/draw_launches.h"

#include <string.h>

#include "gen/picture/draw_loops.h"
#include "gen/picture/sheet.h"

static const double wide = SVG_WIDTH - 2 * SVG_MARGIN;

static double quiet(Svg *svg, double y, const char *text) { return svg_paragraph(svg, SVG_MARGIN, y + 11, wide, "q", text) - 11; }

/* "642 x 1 x 1" */
static const char *three(Arena *a, const json_t *list)
{
    return arena_printf(a, "%s x %s x %s", svg_number(a, json_number_value(json_array_get(list, 0))),
                        svg_number(a, json_number_value(json_array_get(list, 1))),
                        svg_number(a, json_number_value(json_array_get(list, 2))));
}

static double draw_grids(Svg *svg, const json_t *nest, double y)
{
    Arena *a = svg->arena;
    const double launches = number_in(nest, "launches"), steps = number_in(nest, "steps");
    size_t i;
    const json_t *launch;
    y = quiet(svg, y,
              arena_printf(a, "%s; %s indices%s", text_in(nest, "form"), three(a, json_object_get(nest, "extents")),
                           steps > 0
                               ? arena_printf(a, ", each of which shares out %s steps where it has several threads", svg_number(a, steps))
                               : ""));
    json_array_foreach(json_object_get(nest, "launched"), i, launch)
        y = quiet(svg, y,
                  arena_printf(a, "launch %d: a grid of %s blocks of %s threads", (int)i + 1, three(a, json_object_get(launch, "grid")),
                               three(a, json_object_get(launch, "block"))));
    if (launches > (double)i)
        y = quiet(svg, y, arena_printf(a, "and %s launches more", svg_number(a, launches - (double)i)));
    return launches > 0 ? y : quiet(svg, y, "nothing to do: no launch");
}

double draw_launched(Svg *svg, const json_t *nest, double y)
{
    Arena *a = svg->arena;
    const char *what = text_in(nest, "what");
    y = draw_head(svg, nest, y, *what ? what : "loops on the device");
    if (*text_in(nest, "in"))
        y = quiet(svg, y, arena_printf(a, "runs in one launch with others: %s", text_in(nest, "in")));
    else if (json_object_get(nest, "form"))
        y = draw_grids(svg, nest, y);
    else
        y = quiet(svg, y, "its grid depends on what the host computes on the way");
    return draw_symbolic(svg, nest, draw_loop_boxes(svg, json_object_get(nest, "loops"), y + 8)) + 4;
}

double draw_together(Svg *svg, StageKind kind, const json_t *call, const json_t *part, double y)
{
    Arena *a = svg->arena;
    const bool attention = kind == STAGE_ATTENTION, together = json_is_true(json_object_get(part, "together"));
    const double apart = number_in(part, "apart_ns"), one = number_in(part, "together_ns");
    Bar bars[2];
    int n = 0;
    y = draw_head(svg, part, y,
                  arena_printf(a, "%s: %s", text_in(part, "stem"),
                               attention                                        ? "attention: scores, their softmax and the GEMM with it"
                               : json_is_true(json_object_get(part, "in_turn")) ? "GEMMs that may share a launch, tile by tile in turn"
                                                                                : "GEMMs that may share a launch, side by side"));
    if (!json_object_get(part, "apart_ns"))
        return draw_boxes(svg, call, json_object_get(part, "stages"), quiet(svg, y, "not for these extents: launches of their own") + 6);
    if (one > 0)
        y = quiet(svg, y,
                  arena_printf(a, "%s, by %s", together ? "one launch" : "launches of their own; one would be", text_in(part, "kernel")));
    else
        y = quiet(svg, y, "no kernel for one launch of these extents: launches of their own");
    if (one > 0)
        bars[n++] = (Bar){"one launch", together ? "total" : "bar", one, NULL};
    bars[n++] = (Bar){attention ? "three" : "apart", together ? "bar" : "total", apart, NULL};
    if (json_object_get(part, "blocks"))
        y = quiet(svg, y,
                  arena_printf(a, "batch %s, %s rows, %s keys: %s blocks of %.0f rows, %.0f keys at a time; %s blocks run at a time",
                               svg_number(a, number_in(part, "batch")), svg_number(a, number_in(part, "rows")),
                               svg_number(a, number_in(part, "keys")), svg_number(a, number_in(part, "blocks")),
                               json_number_value(json_array_get(json_object_get(part, "tile"), 0)),
                               json_number_value(json_array_get(json_object_get(part, "tile"), 1)),
                               svg_number(a, number_in(part, "slots"))));
    svg_text(svg, SVG_MARGIN, y + 18, "q", "ns");
    y = draw_bars(svg, bars, n, SVG_MARGIN, y + 22, apart > one ? apart : one);
    return draw_boxes(svg, call, json_object_get(part, "stages"), y + 8);
}
