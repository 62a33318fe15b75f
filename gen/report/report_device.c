/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model's rates are picoseconds; here all are operations per picosecond, 10^12 a second, of all multiprocessors together. */
#include "gen/report/report_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/picture/picture.h"
#include "gen/picture/sheet.h"
#include "ir/diag.h"
#include "tune/plot.h"

enum { CURVES = 6, WIDTH = 460, HEIGHT = 280, POINTS = 24, REGISTERS = 65536 /* of a multiprocessor */ };

/* The device of the first call that says one, or NULL. */
static const json_t *device_of(const json_t *calls)
{
    size_t i;
    const json_t *call;
    json_array_foreach(calls, i, call) if (json_object_get(call, "device")) return json_object_get(call, "device");
    return NULL;
}

/* ---------------------------------------------------------------- kernels */

static const json_t *rates_of(const json_t *kernel, const json_t *device)
{
    return json_array_get(json_object_get(kernel, "rates"), (size_t)number_in(device, "kind"));
}

/* In tiles of `steps` steps, by as many blocks as registers let a multiprocessor hold; INFINITY: of endless ones. */
static double rate_of(const json_t *kernel, const json_t *device, double steps)
{
    const json_t *rates = rates_of(kernel, device);
    const double blocks = fmax(number_in(kernel, "blocks"), 1), cluster = fmax(number_in(kernel, "cluster"), 1);
    const double step = fmax(blocks * number_in(rates, "step"), number_in(rates, "alone"));
    const double operations = 2 * number_in(kernel, "m") * number_in(kernel, "n") * number_in(kernel, "k") * blocks;
    return operations / (step + (isinf(steps) ? 0 : number_in(rates, "fixed") / steps)) * number_in(device, "multiprocessors") / cluster;
}

static json_t *kernel_row(Arena *arena, const json_t *kernel, const json_t *device)
{
    const double threads = number_in(kernel, "threads"), blocks = fmax(number_in(kernel, "blocks"), 1);
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", text_in(kernel, "symbol"), "tile",
                     arena_printf(arena, "%.0fx%.0f", number_in(kernel, "m"), number_in(kernel, "n")), "step", number_in(kernel, "k"),
                     "threads", threads, "blocks", blocks, "registers", fmin(floor(REGISTERS / (threads * blocks) / 8) * 8, 255), "shared",
                     number_in(kernel, "shared"), "fixed_ns", number_in(rates_of(kernel, device), "fixed") * 1e-3, "rate",
                     rate_of(kernel, device, INFINITY));
}

typedef struct Rated {
    const json_t *kernel;
    double rate;
} Rated;

static int by_rate(const void *a, const void *b)
{
    const Rated *x = a, *y = b;
    return x->rate > y->rate ? -1 : x->rate < y->rate;
}

/* The rates of the best kernels, by the length of sums. */
static const char *curves(Arena *arena, const Rated *best, int n, const json_t *device)
{
    const double least = 16, most = 8192;
    Text out;
    text_init(&out, arena);
    Plot plot = {&out, WIDTH, HEIGHT, {"k", least, most, true, true}, {"Top/s", 0, best[0].rate * 1.05, false, false}};
    PlotLabel labels[CURVES];
    plot_begin(&plot, "rates of kernels by the length of sums");
    for (int i = 0; i < n; i++) {
        const char *class = i == 0 ? "chosen" : "series";
        double x[POINTS], y[POINTS];
        for (int p = 0; p < POINTS; p++) {
            x[p] = least * pow(most / least, (double)p / (POINTS - 1));
            y[p] = rate_of(best[i].kernel, device, ceil(x[p] / number_in(best[i].kernel, "k"))) *
                   (x[p] / (ceil(x[p] / number_in(best[i].kernel, "k")) * number_in(best[i].kernel, "k")));
        }
        plot_line(&plot, class, x, y, POINTS);
        labels[i] = (PlotLabel){arena_printf(arena, "%.0fx%.0f", number_in(best[i].kernel, "m"), number_in(best[i].kernel, "n")), class,
                                y[POINTS - 1]};
    }
    plot_labels(&plot, labels, n);
    plot_end(&plot);
    return out.data;
}

static json_t *stage_kernels(Arena *arena, const json_t *stage, const json_t *device)
{
    const json_t *list = json_object_get(stage, "kernels"), *kernel;
    const int n = (int)json_array_size(list);
    Rated *rated = arena_new_array(arena, Rated, n + 1);
    json_t *kernels = json_array();
    size_t i;
    json_array_foreach(list, i, kernel) rated[i] = (Rated){kernel, rate_of(kernel, device, INFINITY)};
    qsort(rated, (size_t)n, sizeof *rated, by_rate);
    for (int k = 0; k < n; k++)
        json_array_append_new(kernels, kernel_row(arena, rated[k].kernel, device));
    return json_pack("{s:s, s:s, s:f, s:f, s:o, s:s}", "stem", text_in(stage, "stem"), "family", text_in(stage, "family"), "peak",
                     rated[0].rate, "multiprocessors", number_in(device, "multiprocessors"), "kernels", kernels, "curves",
                     curves(arena, rated, n < CURVES ? n : CURVES, device));
}

json_t *report_device_kernels(Arena *arena, const json_t *model, const json_t *calls)
{
    const json_t *device = device_of(calls), *op, *stage;
    json_t *all = json_array();
    size_t i, j;
    if (device)
        json_array_foreach(json_object_get(model, "ops"), i, op)
            json_array_foreach(json_object_get(op, "stages"), j, stage) if (strcmp(text_in(stage, "kind"), "contraction") == 0 &&
                                                                            json_array_size(json_object_get(stage, "kernels")))
                json_array_append_new(all, stage_kernels(arena, stage, device));
    return all;
}

/* ---------------------------------------------------------------- rooflines */

/* Operations per byte that has to be moved once, and per picosecond of the plan's cost. False: nothing is known. */
static bool point_of(const json_t *product, const json_t *device, double *intensity, double *rate)
{
    const json_t *plan = json_object_get(product, "plan");
    const double operations = 2 * number_in(product, "batch") * number_in(product, "m") * number_in(product, "n") * number_in(product, "k");
    const double bytes = number_in(json_object_get(plan, "terms_ns"), "memory") * number_in(device, "bytes_per_ns");
    *intensity = bytes > 0 ? operations / bytes : 0;
    *rate = plan ? operations / number_in(plan, "cost_ns") * 1e-3 : 0;
    return *intensity > 0 && *rate > 0;
}

static void draw_points(const Plot *plot, Arena *arena, const char *family, const json_t *device, const json_t *calls)
{
    size_t i, j;
    const json_t *call, *product;
    json_array_foreach(calls, i, call) json_array_foreach(json_object_get(call, "products"), j, product)
    {
        double x, y;
        if (strcmp(text_in(product, "family"), family) == 0 && point_of(product, device, &x, &y))
            plot_mark(plot, "best", fmin(fmax(x, plot->x.from), plot->x.to), fmin(fmax(y, plot->y.from), plot->y.to),
                      arena_printf(arena, "%s, line %.0f: %.3g Top/s, %.3g operations a byte", call_title(arena, call),
                                   number_in(product, "line"), y, x));
    }
}

static json_t *roofline(Arena *arena, const char *family, double peak, const json_t *device, const json_t *calls)
{
    const double bandwidth = number_in(device, "bytes_per_ns") * 1e-3, ridge = peak / bandwidth;
    const double left = .1, right = fmax(4096, ridge * 16), bottom = left * bandwidth / 100;
    Text out;
    text_init(&out, arena);
    Plot plot = {&out, WIDTH, HEIGHT, {"operations a byte", left, right, true, false}, {"Top/s", bottom, peak * 2, true, false}};
    const double x[] = {left, ridge, right}, y[] = {left * bandwidth, peak, peak};
    PlotLabel labels[] = {{arena_printf(arena, "%.3g Top/s", peak), "series", peak}};
    plot_begin(&plot, "roofline");
    plot_line(&plot, "series", x, y, 3);
    draw_points(&plot, arena, family, device, calls);
    plot_labels(&plot, labels, 1);
    plot_end(&plot);
    return json_pack("{s:s, s:f, s:f, s:s}", "title",
                     arena_printf(arena, "%s on %.0f multiprocessors of sm_%.0f", family, number_in(device, "multiprocessors"),
                                  number_in(device, "compute_capability")),
                     "peak", peak, "bandwidth", bandwidth, "picture", out.data);
}

json_t *report_device_rooflines(Arena *arena, const json_t *kernels, const json_t *calls)
{
    json_t *all = json_array();
    size_t i, j;
    const json_t *set, *other;
    json_array_foreach(kernels, i, set)
    {
        const char *family = text_in(set, "family");
        double peak = 0;
        bool seen = false;
        json_array_foreach(kernels, j, other) if (strcmp(text_in(other, "family"), family) == 0)
        {
            seen = seen || j < i;
            peak = fmax(peak, number_in(other, "peak"));
        }
        if (!seen)
            json_array_append_new(all, roofline(arena, family, peak, device_of(calls), calls));
    }
    return all;
}

/* ---------------------------------------------------------------- loops */

static json_t *along_of(const DeviceNest *nest)
{
    static const char *const axes[] = {"x", "y", "z"};
    json_t *list = json_array();
    for (int i = 0; nest->along[i]; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "axis", nest->form[FORM_VECTOR] ? "x" : axes[i < AXIS_Z ? i : AXIS_Z], "loop",
                                              nest->along[i]->name));
    return list;
}

json_t *report_device_nests(Ir *ir, const Plan *plan)
{
    static const char *const words[FORM_COUNT] = {
        [FORM_POINT] = "a thread for each index",       [FORM_WARP] = "a warp for each row",
        [FORM_BLOCK] = "a block for each row",          [FORM_COLUMNS] = "several threads for each index",
        [FORM_VECTOR] = "several indices for a thread", [FORM_TILE] = "tiles in shared memory",
        [FORM_PARTS] = "blocks for parts of each row"};
    json_t *nests = json_array();
    for (int i = 0; i < device_nest_count(plan); i++) {
        const DeviceNest *nest = device_nest_at(plan, i);
        json_t *forms = json_array(), *ordered = json_array();
        int line, column;
        for (int f = 0; f < FORM_COUNT; f++)
            if (nest->form[f] && words[f])
                json_array_append_new(forms, json_string(words[f]));
        for (int o = 0; nest->ordered[o]; o++)
            json_array_append_new(ordered, json_string(nest->ordered[o]));
        diag_line_column(ir->diag, nest->loc, &line, &column);
        json_array_append_new(nests, json_pack("{s:s, s:i, s:o, s:o, s:o}", "stem", nest->stem, "line", line, "forms", forms, "along",
                                               along_of(nest), "ordered", ordered));
    }
    return nests;
}
