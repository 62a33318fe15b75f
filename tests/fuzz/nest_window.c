/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows over images: of one or two dimensions, channels in front, behind or none; strides, dilation, padding; guards, or none where
 * nothing leaves the image. */
#include "random_nest.h"

typedef enum { W_SUM, W_PRODUCTS, W_GREATEST, W_LEAST, W_MEAN } Gathers;

typedef struct Window {
    int rank;                  /* 1 or 2                                            */
    int size, step, far;
    const char *pad;           /* NULL: the image is larger than the output         */
    enum { NO_CHANNELS, IN_FRONT, BEHIND } channels;
    enum { G_BRANCH, G_SELECTION, G_CLAMP } guards;
    Gathers gathers;
    Type type;                 /* of what is gathered up                            */
    Array *image, *filter, *output;
} Window;

static const char *const side[] = {"N", "M"}, *const at[] = {"i", "j"}, *const in[] = {"r", "s"}, *const place[] = {"h", "w"};

/* "[a][b]", and the channel's subscript where it belongs. */
static const char *subscripts(Nest *n, const Window *w, const char *name, const char *const *each, const char *channel)
{
    Gen *g = n->g;
    const char *text = w->channels == IN_FRONT ? format(g, "%s[%s]", name, channel) : name;
    for (int d = 0; d < w->rank; d++)
        text = format(g, "%s[%s]", text, each[d]);
    return w->channels == BEHIND ? format(g, "%s[%s]", text, channel) : text;
}

/* Without padding "2 * N + 4" of an image, and N of the output; with it N, and "(N + 2 * 1) / 2". An image that has an element for every place
 * has one more: of none there would be no nearest one, where the output still has its padding. */
static const char *extent(Nest *n, const Window *w, int d, Role role)
{
    Gen *g = n->g;
    if (!w->pad)
        return role == A_OUTPUT ? side[d]
                                : format(g, "%s + %d", w->step > 1 ? format(g, "%d * %s", w->step, side[d]) : side[d], w->size * w->far);
    if (role == A_INPUT && w->guards == G_CLAMP)
        return format(g, "%s + 1", side[d]);
    return role == A_INPUT ? side[d]
           : w->step > 1   ? format(g, "(%s + 2 * %s) / %d", side[d], w->pad, w->step)
                           : format(g, "%s + 2 * %s", side[d], w->pad);
}

/* The extents are texts of their own; nothing else uses the array, but an output that has the loops' extents. */
static Array *declare(Nest *n, const Window *w, Role role, const Element *element, bool is_filter)
{
    const char *each[2];
    Array *a = new_array(n, role, element, 0);
    for (int d = 0; d < w->rank; d++)
        each[d] = is_filter ? format(n->g, "%d", w->size) : extent(n, w, d, role);
    a->is_ready = false;
    a->declaration = subscripts(n, w, a->name, each, "K");
    return a;
}

static Window draw_window(Nest *n)
{
    static const int steps[] = {1, 1, 1, 2, 3}, fars[] = {1, 1, 1, 2};
    static const char *const pads[] = {NULL, "1", "2", "pad", "pad"};
    Gen *g = n->g;
    Window w = {.rank = 1 + (draw(g, 4) > 0)};
    w.size = 1 + (int)draw(g, 5);
    w.step = steps[draw(g, 5)];
    w.far = fars[draw(g, 4)];
    w.pad = pads[draw(g, 5)];
    w.channels = draw(g, 3);
    w.guards = chance(g, 70) ? G_BRANCH : chance(g, 50) ? G_SELECTION : G_CLAMP;
    w.gathers = (Gathers)draw(g, 5);
    const Element *element = random_element(n);
    w.type = is_float_type(element->type) ? element->type : chance(g, 80) ? INT : UINT;
    w.image = declare(n, &w, A_INPUT, element, false);
    if (w.gathers == W_PRODUCTS)
        w.filter = declare(n, &w, A_INPUT, chance(g, 60) ? element : element_of(w.type), true);
    w.output = declare(n, &w, A_OUTPUT, is_float_type(w.type) && !n->is_strict ? element_of(w.type) : random_element(n), false);
    return w;
}

static void loop(Nest *n, const char *var, const char *bound)
{
    line(n->g, format(n->g, "for (int %s = 0; %s < %s; %s++) {", var, var, bound, var));
    n->g->indent++;
}

static void close(Nest *n, int loops)
{
    while (loops-- > 0)
        close_loop(n);
}

static const char *guard(Nest *n, const Window *w)
{
    const char *text = "";
    for (int d = 0; d < w->rank; d++)
        text = format(n->g, "%s%s%s >= 0 && %s < %s", text, d ? " && " : "", place[d], place[d], side[d]);
    return text;
}

static void places(Nest *n, const Window *w)
{
    Gen *g = n->g;
    for (int d = 0; d < w->rank; d++) {
        const char *from = w->step > 1 ? format(g, "%s * %d", at[d], w->step) : at[d];
        const char *by = w->far > 1 ? format(g, "%s * %d", in[d], w->far) : in[d];
        line(g,
             w->pad ? format(g, "int %s = %s + %s - %s;", place[d], from, by, w->pad) : format(g, "int %s = %s + %s;", place[d], from, by));
        if (w->pad && w->guards == G_CLAMP)
            line(g, format(g, "%s = %s < 0 ? 0 : %s > %s ? %s : %s;", place[d], place[d], place[d], side[d], side[d], place[d]));
    }
}

static void gather_element(Nest *n, const Window *w, const char *sum, const char *x)
{
    Gen *g = n->g;
    const char *type = element_of(w->type)->name, *op = w->gathers == W_GREATEST ? ">" : "<";
    switch (w->gathers) {
    case W_SUM: line(g, format(g, chance(g, 80) ? "%s += %s;" : "%s -= %s;", sum, x)); break;
    case W_PRODUCTS: line(g, format(g, "%s += (%s)%s * %s;", sum, type, x, subscripts(n, w, w->filter->name, in, "k"))); break;
    case W_MEAN:
        line(g, format(g, "%s += %s;", sum, x));
        line(g, "count++;");
        break;
    default:
        if (is_float_type(w->type) && chance(g, 50))
            line(g, format(g, "%s = fm%s%s(%s, %s);", sum, *op == '>' ? "ax" : "in", w->type == FLOAT ? "f" : "", sum, x));
        else
            line(g, format(g, "%s = %s %s %s ? %s : %s;", sum, x, op, sum, x, sum));
    }
}

static void gather_guarded(Nest *n, const Window *w, const char *sum)
{
    Gen *g = n->g;
    const char *x = subscripts(n, w, w->image->name, place, "k");
    if (w->pad && w->guards == G_SELECTION) {
        line(g, format(g, "const %s e = %s ? %s : 0;", w->image->element->name, guard(n, w), x));
        gather_element(n, w, sum, "e");
        return;
    }
    if (w->pad && w->guards == G_BRANCH)
        open_if(n, guard(n, w));
    gather_element(n, w, sum, x);
    if (w->pad && w->guards == G_BRANCH)
        close_if(n);
}

static const char *start_of(Nest *n, const Window *w)
{
    const bool is_float = is_float_type(w->type);
    if (w->gathers == W_GREATEST || w->gathers == W_LEAST)
        return is_float ? w->gathers == W_GREATEST ? "-INFINITY" : "INFINITY" : is_unsigned(w->type) || chance(n->g, 40) ? "5" : "-100";
    return chance(n->g, 70) ? "0" : "1";
}

/* What becomes of it; of extremes nothing that takes an infinity for a number. */
static const char *result_of(Nest *n, const Window *w)
{
    Gen *g = n->g;
    if (w->gathers == W_MEAN)
        return chance(g, 50) ? "sum / (count > 0 ? count : 1)" : "count > 1 ? sum / count : sum";
    if (is_float_type(w->type) && !is_float_type(w->output->element->type))
        return "sum > 1 ? 1 : 0";
    switch (draw(g, 4)) {
    case 0: return "sum > 0 ? sum : 0";
    case 1: return is_unsigned(w->type) ? "sum * 3" : "-sum";
    default: return "sum";
    }
}

static int open_outside(Nest *n, const Window *w)
{
    int loops = 0;
    if (w->channels == IN_FRONT)
        loop(n, "k", "K"), loops++;
    for (int d = 0; d < w->rank; d++, loops++)
        loop(n, at[d], extent(n, w, d, A_OUTPUT));
    return loops;
}

static int open_inside(Nest *n, const Window *w)
{
    for (int d = 0; d < w->rank; d++)
        loop(n, in[d], format(n->g, "%d", w->size));
    places(n, w);
    return w->rank;
}

static void gather_in_scalar(Nest *n, const Window *w)
{
    Gen *g = n->g;
    int loops = open_outside(n, w);
    if (w->channels == BEHIND)
        loop(n, "k", "K"), loops++;
    line(g, format(g, "%s sum = %s;", element_of(w->type)->name, start_of(n, w)));
    if (w->gathers == W_MEAN)
        line(g, "int count = 0;");
    const int inside = open_inside(n, w);
    gather_guarded(n, w, "sum");
    close(n, inside);
    const char *y = subscripts(n, w, w->output->name, at, "k");
    line(g, format(g, "%s = %s;", y, result_of(n, w)));
    close(n, loops);
}

/* Channels inside of the window, each into its element. */
static void gather_in_output(Nest *n, const Window *w)
{
    Gen *g = n->g;
    const char *y = subscripts(n, w, w->output->name, at, "k");
    const int loops = open_outside(n, w);
    loop(n, "k", "K");
    line(g, format(g, "%s = %s;", y, start_of(n, w)));
    close(n, 1);
    const int inside = open_inside(n, w);
    loop(n, "k", "K");
    gather_guarded(n, w, y);
    close(n, 1 + inside + loops);
}

void window(Nest *n)
{
    const Window w = draw_window(n);
    if (w.channels == BEHIND && w.gathers != W_MEAN && w.output->element->type == w.type && !w.output->element->is_narrow &&
        chance(n->g, 40))
        gather_in_output(n, &w);
    else
        gather_in_scalar(n, &w);
}
