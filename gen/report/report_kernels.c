/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rates are operations per nanosecond, which are 10^9 a second. */
#include "gen/report/report_kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/picture/picture.h"
#include "gen/picture/sheet.h"
#include "tune/plot.h"

enum { CURVES = 6, WIDTH = 460, HEIGHT = 280 };

static double value_of(const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);
    return json_is_string(v) ? strtod(json_string_value(v), NULL) : json_number_value(v);
}

static double knot(const json_t *kernel, size_t i)
{
    return strtod(json_string_value(json_array_get(json_object_get(kernel, "g"), i)), NULL);
}

/* What a kernel does in t steps of the accumulators it has. */
static double operations(const json_t *kernel, const json_t *isa, const json_t *family, double steps)
{
    return 2 * value_of(kernel, "mr") * value_of(kernel, "nv") * value_of(isa, "lanes") * value_of(family, "unit") * steps;
}

/* ---------------------------------------------------------------- kernels */

static const char *kernel_name(Arena *arena, const json_t *kernel, const json_t *isa)
{
    return arena_printf(arena, "%.0fx%.0f", value_of(kernel, "mr"), value_of(kernel, "nv") * value_of(isa, "lanes"));
}

static json_t *kernel_row(Arena *arena, const json_t *kernel, const json_t *isa, const json_t *family)
{
    const json_t *knots = json_object_get(family, "knots");
    const size_t last = json_array_size(knots) - 1;
    const double steps = json_number_value(json_array_get(knots, last)) / value_of(family, "unit"), ns = knot(kernel, last);
    const double sums = value_of(kernel, "mr") * value_of(kernel, "nv");
    /* Sums, a row of B, and an element of A in all lanes. */
    return json_pack("{s:s, s:f, s:f, s:f, s:f}", "name", kernel_name(arena, kernel, isa), "sums", sums, "registers",
                     sums + value_of(kernel, "nv") + 1, "ns", ns, "rate", operations(kernel, isa, family, steps) / ns);
}

static int by_rate(const void *a, const void *b)
{
    const double x = number_in(*(json_t *const *)a, "rate"), y = number_in(*(json_t *const *)b, "rate");
    return x > y ? -1 : x < y;
}

/* The rates of the best kernels, by the steps of a sum. */
static const char *curves(Arena *arena, const json_t *isa, const json_t *family, json_t *const *best, int n, double peak)
{
    const json_t *knots = json_object_get(family, "knots"), *kernel;
    const size_t points = json_array_size(knots);
    Text out;
    text_init(&out, arena);
    Plot plot = {&out,
                 WIDTH,
                 HEIGHT,
                 {"steps of k", 1, json_number_value(json_array_get(knots, points - 1)), true, true},
                 {"Gop/s", 0, peak * 1.05, false, false}};
    PlotLabel labels[CURVES];
    double *x = arena_new_array(arena, double, (int)points), *y = arena_new_array(arena, double, (int)points);
    plot_begin(&plot, "rates of kernels by steps");
    for (int i = 0; i < n; i++) {
        size_t j;
        const char *name = text_in(best[i], "name"), *class = i == 0 ? "chosen" : "series";
        json_array_foreach(json_object_get(isa, "kernels"), j, kernel)
        {
            if (strcmp(kernel_name(arena, kernel, isa), name) != 0)
                continue;
            for (size_t p = 0; p < points; p++) {
                x[p] = json_number_value(json_array_get(knots, p));
                y[p] = fmin(operations(kernel, isa, family, x[p] / value_of(family, "unit")) / knot(kernel, p), peak * 1.05);
            }
            plot_line(&plot, class, x, y, (int)points);
            labels[i] = (PlotLabel){name, class, y[points - 1]};
            break;
        }
    }
    plot_labels(&plot, labels, n);
    plot_end(&plot);
    return out.data;
}

static json_t *set_of(Arena *arena, const json_t *family, const json_t *isa)
{
    const json_t *list = json_object_get(isa, "kernels"), *kernel;
    const int n = (int)json_array_size(list);
    json_t **rows = arena_new_array(arena, json_t *, n), *kernels = json_array();
    size_t i;
    json_array_foreach(list, i, kernel) rows[i] = kernel_row(arena, kernel, isa, family);
    qsort(rows, (size_t)n, sizeof *rows, by_rate);
    for (int k = 0; k < n; k++)
        json_array_append_new(kernels, rows[k]);
    const double peak = n ? number_in(rows[0], "rate") : 0;
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:o, s:s}", "family", text_in(family, "name"), "isa", text_in(isa, "name"), "lanes",
                     value_of(isa, "lanes"), "registers", value_of(isa, "registers"), "peak", peak, "read",
                     value_of(json_object_get(isa, "move"), "read"), "kernels", kernels, "curves",
                     n ? curves(arena, isa, family, rows, n < CURVES ? n : CURVES, peak) : "");
}

json_t *report_kernels(Arena *arena, const json_t *model)
{
    json_t *sets = json_array();
    size_t i, j;
    const json_t *family, *isa;
    json_array_foreach(json_object_get(model, "families"), i, family) json_array_foreach(json_object_get(family, "isas"), j, isa)
        json_array_append_new(sets, set_of(arena, family, isa));
    return sets;
}

/* ---------------------------------------------------------------- rooflines */

/* Bytes of an operand's element as kernels read it, and of a sum. */
static void element_bytes(const char *family, double *factor, double *sum)
{
    *factor = strcmp(family, "f64") == 0                                 ? 8
              : strcmp(family, "u8s8") == 0                              ? 1
              : strcmp(family, "bf16") == 0 || strcmp(family, "i8") == 0 ? 2
                                                                         : 4;
    *sum = strcmp(family, "f64") == 0 ? 8 : 4;
}

/* Operations per byte that has to be moved once, and per nanosecond of the plan's cost. False: nothing is known. */
static bool point_of(const json_t *product, double *intensity, double *rate)
{
    const double m = number_in(product, "m"), n = number_in(product, "n"), k = number_in(product, "k"), batch = number_in(product, "batch");
    const double cost = number_in(json_object_get(product, "plan"), "cost_ns");
    double factor, sum;
    element_bytes(text_in(product, "family"), &factor, &sum);
    *intensity = 2 * m * n * k / (factor * (m * k + k * n) + sum * m * n);
    *rate = cost > 0 ? 2 * batch * m * n * k / cost : 0;
    return *intensity > 0 && *rate > 0;
}

static bool is_of(const json_t *product, const json_t *set)
{
    return strcmp(text_in(product, "family"), text_in(set, "family")) == 0 && strcmp(text_in(product, "isa"), text_in(set, "isa")) == 0;
}

static void draw_points(const Plot *plot, Arena *arena, const json_t *set, const json_t *calls)
{
    size_t i, j;
    const json_t *call, *product;
    json_array_foreach(calls, i, call) json_array_foreach(json_object_get(call, "products"), j, product)
    {
        double x, y;
        if (is_of(product, set) && point_of(product, &x, &y))
            plot_mark(plot, "best", fmin(fmax(x, plot->x.from), plot->x.to), fmin(fmax(y, plot->y.from), plot->y.to),
                      arena_printf(arena, "%s, line %.0f: %.3g Gop/s, %.3g operations a byte", call_title(arena, call),
                                   number_in(product, "line"), y, x));
    }
}

/* The calls' threads have as many times the arithmetic of one, and no more of memory: the model has no other number. */
static json_t *roofline(Arena *arena, const json_t *set, const json_t *calls)
{
    const double threads = number_in(json_array_get(calls, 0), "threads"), peak = number_in(set, "peak") * threads;
    const double bandwidth = 1 / number_in(set, "read"), ridge = peak / bandwidth;
    Text out;
    text_init(&out, arena);
    const double left = .1, right = fmax(4096, ridge * 16), bottom = left * bandwidth / 10;
    Plot plot = {&out, WIDTH, HEIGHT, {"operations a byte", left, right, true, false}, {"Gop/s", bottom, peak * 2, true, false}};
    const double x[] = {left, ridge, right}, y[] = {left * bandwidth, peak, peak};
    PlotLabel labels[] = {{arena_printf(arena, "%.4g Gop/s", peak), "series", peak}};
    plot_begin(&plot, "roofline");
    plot_line(&plot, "series", x, y, 3);
    draw_points(&plot, arena, set, calls);
    plot_labels(&plot, labels, 1);
    plot_end(&plot);
    return json_pack("{s:s, s:f, s:f, s:f, s:s}", "title", arena_printf(arena, "%s on %s", text_in(set, "family"), text_in(set, "isa")),
                     "peak", peak, "bandwidth", bandwidth, "threads", threads, "picture", out.data);
}

static bool is_used(const json_t *set, const json_t *calls)
{
    size_t i, j;
    const json_t *call, *product;
    double x, y;
    json_array_foreach(calls, i, call)
        json_array_foreach(json_object_get(call, "products"), j, product) if (is_of(product, set) && point_of(product, &x, &y)) return true;
    return false;
}

json_t *report_rooflines(Arena *arena, const json_t *kernels, const json_t *calls)
{
    json_t *all = json_array();
    size_t i;
    const json_t *set;
    json_array_foreach(kernels, i, set) if (is_used(set, calls)) json_array_append_new(all, roofline(arena, set, calls));
    return all;
}

const char *report_origin(Arena *arena, const PlannerOptions *planner, bool cuda)
{
    const char *names = "";
    for (int i = 0; i < planner->profiles.count; i++)
        names = arena_printf(arena, "%s%s%s", names, i ? ", " : "", (const char *)planner->profiles.items[i]);
    if (!*names && cuda)
        return "the built-in profile, measured on an H200; analytical terms for what it lacks and for other GPUs";
    if (!*names)
        return "the built-in profiles, measured on machines of the project for f32 and f64; analytical terms for the rest";
    if (strcmp(names, "none") == 0)
        return "analytical terms alone (--profile=none)";
    return arena_printf(arena, "what was measured, as these profiles have it: %s; analytical terms for the rest", names);
}
