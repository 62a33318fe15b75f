/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plans for processors and for GPUs have in common on paper. */
#include "gen/picture/sheet.h"

#include <math.h>

enum {
    LEFT = 52,  /* for the numbers of rows */
    SIDE = 396, /* the most that the output's drawing takes across, */
    HIGH = 250, /* and down */
    LEAST = 18  /* less is enlarged, and said to be */
};

double number_in(const json_t *object, const char *name) { return json_number_value(json_object_get(object, name)); }

const char *text_in(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

/* ---------------------------------------------------------------- bars */

double draw_bars(Svg *svg, const Bar *bars, int n, double x, double y, double scale)
{
    for (int i = 0; i < n; i++) {
        const double length = scale > 0 ? bars[i].value / scale * BAR : 0;
        svg_text(svg, x, y + 11, "s", bars[i].label);
        svg_box(svg, x + LABEL, y + 2, length, 11, bars[i].class, NULL);
        svg_text(svg, x + LABEL + length + 6, y + 11, "s", bars[i].says ? bars[i].says : svg_number(svg->arena, bars[i].value));
        y += SVG_LINE;
    }
    return y;
}

/* ---------------------------------------------------------------- the output */

Sheet sheet_of(const json_t *product, double x, double y)
{
    Sheet s = {.x = x + LEFT, .y = y, .m = number_in(product, "m"), .n = number_in(product, "n")};
    s.transposed = json_is_true(json_object_get(product, "transposed"));
    const double scale = fmin(SIDE / s.n, HIGH / s.m);
    s.width = fmax(s.n * scale, LEAST);
    s.height = fmax(s.m * scale, LEAST);
    s.enlarged = s.n * scale < LEAST || s.m * scale < LEAST;
    return s;
}

Rect rect_of(const Sheet *s, double m0, double m1, double n0, double n1)
{
    if (s->transposed) {
        double t = m0;
        m0 = n0, n0 = t;
        t = m1, m1 = n1, n1 = t;
    }
    return (Rect){s->x + n0 / s->n * s->width, s->y + m0 / s->m * s->height, (n1 - n0) / s->n * s->width, (m1 - m0) / s->m * s->height};
}

Rect rect_in(const Sheet *s, const json_t *part)
{
    return rect_of(s, number_in(part, "m0"), number_in(part, "m1"), number_in(part, "n0"), number_in(part, "n1"));
}

void draw_grid(Svg *svg, const Sheet *s, const json_t *region, const Rect *r)
{
    enum { CLOSE = 4, LARGE = 64 };
    const json_t *tile = json_object_get(region, "tile");
    if (!tile)
        return;
    const double rows = json_number_value(json_array_get(tile, s->transposed)),
                 columns = json_number_value(json_array_get(tile, !s->transposed));
    const double across = columns / s->n * s->width, down = rows / s->m * s->height;
    for (double x = across; across >= CLOSE && x < r->width - .5; x += across)
        svg_line(svg, r->x + x, r->y, r->x + x, r->y + r->height, "grid");
    for (double y = down; down >= CLOSE && y < r->height - .5; y += down)
        svg_line(svg, r->x, r->y + y, r->x + r->width, r->y + y, "grid");
    svg_box(svg, r->x, r->y, fmax(1.5, fmin(across, r->width)), fmax(1.5, fmin(down, r->height)),
            across * down < LARGE ? "tile" : "tile large", NULL);
}

void draw_label(Svg *svg, const Rect *r, const char *const *texts, int n)
{
    for (int i = 0; i < n; i++)
        if (*texts[i] && svg_text_width(texts[i], 11) + 8 <= r->width && r->height >= 15) {
            svg_text(svg, r->x + r->width / 2, r->y + r->height / 2 + 4, "m", texts[i]);
            return;
        }
}

void draw_numbers(Svg *svg, const Sheet *s, const json_t *plan)
{
    const json_t *parts = json_object_get(plan, json_array_size(json_object_get(plan, "tasks")) ? "tasks" : "regions"), *part;
    const char *last_m = svg_number(svg->arena, s->m), *last_n = svg_number(svg->arena, s->n);
    double right = s->x, below = s->y + 8;
    size_t i;
    svg_text(svg, s->x, s->y - 5, "s", "0");
    svg_text(svg, s->x + fmax(s->width - svg_text_width(last_n, 11), 14), s->y - 5, "s", last_n);
    svg_text(svg, s->x - 6 - svg_text_width(last_m, 11), s->y + s->height + 3, "s", last_m);
    right += 14;
    json_array_foreach(parts, i, part)
    {
        const Rect r = rect_in(s, part);
        const char *n = svg_number(svg->arena, number_in(part, s->transposed ? "m0" : "n0")),
                   *m = svg_number(svg->arena, number_in(part, s->transposed ? "n0" : "m0"));
        if (r.x > right && r.x + svg_text_width(n, 11) + 8 < s->x + s->width - svg_text_width(last_n, 11)) {
            svg_text(svg, r.x, s->y - 5, "s", n);
            right = r.x + svg_text_width(n, 11) + 8;
        }
        if (r.y > below + 5 && r.y + 12 < s->y + s->height) {
            svg_text(svg, s->x - 6 - svg_text_width(m, 11), r.y + 4, "s", m);
            below = r.y + 8;
        }
    }
}
