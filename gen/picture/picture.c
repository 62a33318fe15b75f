/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a call stand in the order of their lines. */
#include "gen/picture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "gen/picture/draw_loops.h"
#include "gen/picture/draw_product.h"
#include "gen/picture/draw_launches.h"
#include "gen/picture/draw_waves.h"
#include "gen/picture/sheet.h"

typedef struct Part {
    const json_t *part;
    StageKind kind;
    int place;
} Part;

static int by_line(const void *a, const void *b)
{
    const Part *x = a, *y = b;
    const double dx = number_in(x->part, "line"), dy = number_in(y->part, "line");
    return dx < dy ? -1 : dx > dy ? 1 : x->place - y->place;
}

const char *call_title(Arena *arena, const json_t *call)
{
    const double threads = number_in(call, "threads");
    const char *text = text_in(call, "operator"), *name;
    const json_t *value;
    json_object_foreach((json_t *)json_object_get(call, "extents"), name, value)
        text = arena_printf(arena, "%s, %s %s", text, name, svg_number(arena, json_number_value(value)));
    if (strcmp(text_in(call, "target"), "cuda") == 0)
        return json_is_true(json_object_get(json_object_get(call, "device"), "assumed"))
                   ? arena_printf(arena, "%s, on an H200, as none is at hand", text)
                   : text;
    return arena_printf(arena, "%s, %.0f thread%s", text, threads, threads > 1 ? "s" : "");
}

static double draw_part(Svg *svg, const json_t *call, const Part *p, double y)
{
    const bool cuda = strcmp(text_in(call, "target"), "cuda") == 0;
    switch (p->kind) {
    case STAGE_CONTRACTION: return cuda ? draw_waves(svg, call, p->part, y) : draw_product(svg, p->part, y);
    case STAGE_DEVICE_NEST:
    case STAGE_HOST_NEST: return cuda ? draw_launched(svg, p->part, y) : draw_nest(svg, call, p->part, y);
    case STAGE_GROUP:
    case STAGE_ATTENTION: return draw_together(svg, p->kind, call, p->part, y);
    default: return draw_stages(svg, p->kind, call, p->part, y);
    }
}

/* The kind's list; "" where a kind before has it: nests of both targets have one. */
static const char *list_of(int kind)
{
    for (int other = 0; other < kind; other++)
        if (strcmp(stage_info[other].drawn, stage_info[kind].drawn) == 0)
            return "";
    return stage_info[kind].drawn;
}

static double draw_call(Svg *svg, const json_t *call, double y)
{
    Arena *arena = svg->arena;
    int n = 0;
    for (int kind = 0; kind < STAGE_KINDS; kind++)
        n += (int)json_array_size(json_object_get(call, list_of(kind)));
    Part *parts = arena_new_array(arena, Part, n);
    n = 0;
    for (int kind = 0; kind < STAGE_KINDS; kind++) {
        size_t i;
        const json_t *part;
        json_array_foreach(json_object_get(call, list_of(kind)), i, part)
        {
            parts[n] = (Part){part, (StageKind)kind, n};
            n++;
        }
    }
    qsort(parts, (size_t)n, sizeof *parts, by_line);
    y = svg_paragraph(svg, SVG_MARGIN, y + 18, SVG_WIDTH - 2 * SVG_MARGIN, "h", call_title(arena, call));
    if (number_in(call, "status") != 0)
        return svg_paragraph(svg, SVG_MARGIN, y, SVG_WIDTH - 2 * SVG_MARGIN, "t",
                             arena_printf(arena, "refused with status %.0f", number_in(call, "status")));
    for (int i = 0; i < n; i++)
        y = draw_part(svg, call, parts + i, y);
    return y;
}

const char *picture_svg(Arena *arena, const json_t *calls)
{
    Svg svg;
    double y = SVG_MARGIN - 8;
    size_t i;
    const json_t *call;
    svg_begin(&svg, arena);
    json_array_foreach(calls, i, call) y = draw_call(&svg, call, y) + 20;
    return svg_end(&svg, json_array_size(calls) == 1 ? call_title(arena, json_array_get(calls, 0)) : "calls");
}
