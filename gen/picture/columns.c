/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of both plans begin at the same height, so that they can be compared. */
#include "gen/picture/columns.h"

#include <math.h>

static void widen(Columns *c, const json_t *plan)
{
    const char *name;
    const json_t *term;
    json_object_foreach((json_t *)json_object_get(plan, "terms_ns"), name, term) c->work = fmax(c->work, json_number_value(term));
    c->work = fmax(c->work, number_in(plan, "adding_ns"));
    c->time = fmax(c->time, number_in(plan, "cost_ns"));
}

Columns columns_of(Svg *svg, const json_t *product)
{
    Columns c = {svg, product, {json_object_get(product, "plan"), json_object_get(product, "runner_up")}, 0, 0};
    widen(&c, c.plans[0]);
    widen(&c, c.plans[1]);
    return c;
}

static double draw_name(const Columns *c, int which, double x, double y)
{
    const char *name = text_in(c->plans[which], "summary");
    return svg_paragraph(c->svg, x, y + 12, COLUMN, "t", arena_printf(c->svg->arena, "%s%s", which ? "runner-up: " : "chosen: ", name)) - 6;
}

static double draw_part(const Columns *c, DrawPart *part, double y)
{
    double next = y;
    for (int i = 0; i < 2; i++)
        if (c->plans[i])
            next = fmax(next, part(c, i, SVG_MARGIN + i * (COLUMN + GAP), y));
    return next;
}

double draw_columns(const Columns *c, DrawPart *const *parts, int n, double y)
{
    y = draw_part(c, draw_name, y);
    for (int i = 0; i < n; i++)
        y = draw_part(c, parts[i], y);
    return y;
}

int term_bars(const Columns *c, int which, const char *const *names, int n, Bar *bars)
{
    const json_t *terms = json_object_get(c->plans[which], "terms_ns"), *others = json_object_get(c->plans[!which], "terms_ns");
    int nbars = 0;
    for (int i = 0; terms && i < n; i++)
        if (number_in(terms, names[i]) != 0 || number_in(others, names[i]) != 0)
            bars[nbars++] = (Bar){names[i], "bar", number_in(terms, names[i]), NULL};
    return nbars;
}
