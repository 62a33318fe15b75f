/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/report_plots.h"

#include <math.h>
#include <string.h>

#include "tune/plot.h"

enum { LOG_FROM = 100, MARKED = 10, WIDE = 620, SQUARE = 440, HIGH = 320 };

/* A growing span of values. */
typedef struct Span {
    double least, most;
} Span;

static Span span_with(Span s, double value) { return (Span){fmin(s.least, value), fmax(s.most, value)}; }

static PlotAxis speed_axis(const char *label, Span s)
{
    const double room = s.most > s.least ? 0.04 * (s.most - s.least) : 0.05 * s.most;
    return (PlotAxis){.label = label, .from = fmax(s.least - room, 0), .to = s.most + room};
}

/* ---------------------------------------------------------------- convergence */

/* The curve: a corner before and one after each step. */
typedef struct Curve {
    double *x, *y; /* its corners */
    int n;
    double *number, *speed; /* of every configuration */
    int measured, dead; /* how many; how many of them do not run */
    double best;
} Curve;

static void add_corner(Curve *c, double x, double y)
{
    c->x[c->n] = x;
    c->y[c->n++] = y;
}

static Curve curve_of(Arena *arena, const ReportNest *nest)
{
    const int most = nest->trials.count;
    Curve c = {.x = arena_new_array(arena, double, 2 * most + 1), .y = arena_new_array(arena, double, 2 * most + 1)};
    c.number = arena_new_array(arena, double, most);
    c.speed = arena_new_array(arena, double, most);
    for (int i = 0; i < most; i++) {
        const ReportTrial *t = nest->trials.items[i];
        if (t->again)
            continue;
        c.number[c.measured] = c.measured + 1;
        c.speed[c.measured++] = t->measured;
        c.dead += t->measured <= 0;
        if (t->measured <= c.best)
            continue;
        if (c.n)
            add_corner(&c, c.measured, c.best);
        c.best = t->measured;
        add_corner(&c, c.measured, c.best);
    }
    if (c.n)
        add_corner(&c, c.measured, c.best);
    return c;
}

/* From half of where the curve begins: far slower ones would press everything else together. */
static Span interesting(const Curve *c, const ReportNest *nest)
{
    Span s = {fmin(1, c->y[0]), fmax(1, c->best)};
    const double least = s.least / 2;
    for (int i = 0; i < c->measured; i++)
        if (c->speed[i] >= least)
            s = span_with(s, c->speed[i]);
    return nest->chosen ? span_with(s, nest->speed) : s;
}

static void label_ends(Arena *arena, const Plot *plot, const Curve *c, const ReportNest *nest)
{
    PlotLabel labels[3] = {{"as planned", "quiet", 1}, {arena_printf(arena, "best %.2f", c->best), "series", c->best}};
    int n = 2;
    if (nest->chosen && nest->speed > 1) {
        labels[n++] = (PlotLabel){arena_printf(arena, "chosen %.2f", nest->speed), "chosen", nest->speed};
        plot_mark(plot, "chosen", c->measured, nest->speed,
                  arena_printf(arena, "%s: %.3f", report_knobs(arena, nest, nest->chosen), nest->speed));
    }
    plot_labels(plot, labels, n);
}

static void say_left_out(Arena *arena, Text *out, const Curve *c, int left_out)
{
    const char *slow = left_out ? arena_printf(arena, "%d that %s far slower %s not drawn. ", left_out, left_out == 1 ? "is" : "are",
                                               left_out == 1 ? "is" : "are")
                                : "";
    const char *dead = c->dead ? arena_printf(arena, "%d %s not run. ", c->dead, c->dead == 1 ? "does" : "do") : "";
    text_printf(out, "<figcaption>The best so far; dots are single configurations. %s%s</figcaption>\n", slow, dead);
}

void report_convergence(Arena *arena, Text *out, const ReportNest *nest)
{
    const Curve c = curve_of(arena, nest);
    if (!c.n)
        return;
    const bool is_log = c.measured > LOG_FROM;
    Plot plot = {.out = out, .width = WIDE, .height = HIGH};
    plot.x = (PlotAxis){.label = "configurations measured", .from = is_log ? 1 : 0, .to = c.measured, .is_log = is_log, .counts = true};
    plot.y = speed_axis("times as fast as planned", interesting(&c, nest));
    text_puts(out, "<figure>\n");
    plot_begin(&plot, "Convergence: the best speed so far by the number of configurations measured");
    plot_line(&plot, "planned", (const double[]){plot.x.from, plot.x.to}, (const double[]){1, 1}, 2);
    const int drawn = plot_dots(&plot, "dots", c.number, c.speed, c.measured);
    plot_line(&plot, "series", c.x, c.y, c.n);
    label_ends(arena, &plot, &c, nest);
    plot_end(&plot);
    say_left_out(arena, out, &c, c.measured - drawn - c.dead);
    text_puts(out, "</figure>\n");
}

/* ---------------------------------------------------------------- predictions */

typedef struct Pairs {
    double *predicted, *measured;
    int n;
} Pairs;

static Pairs pairs_of(Arena *arena, const ReportBest *best)
{
    Pairs p = {arena_new_array(arena, double, best->count), arena_new_array(arena, double, best->count), 0};
    for (int i = 0; i < best->count; i++)
        if (!isnan(best->trials[i]->predicted)) {
            p.predicted[p.n] = best->trials[i]->predicted;
            p.measured[p.n++] = best->trials[i]->measured;
        }
    return p;
}

/* Of two that differ, how often the faster one was predicted to be; equal predictions are half right. -1: none differ. */
static double pairs_in_order(const Pairs *p)
{
    double right = 0, all = 0;
    for (int i = 0; i < p->n; i++)
        for (int j = i + 1; j < p->n; j++) {
            const double measured = p->measured[i] - p->measured[j], predicted = p->predicted[i] - p->predicted[j];
            all += measured != 0;
            right += measured == 0 ? 0 : predicted == 0 ? 0.5 : (measured > 0) == (predicted > 0);
        }
    return all > 0 ? right / all : -1;
}

/* The identity, its name along it. */
static void draw_identity(const Plot *plot)
{
    const double ends[] = {plot->x.from, plot->x.to}, x = plot_x(plot, plot->x.to), y = plot_y(plot, plot->y.to);
    plot_line(plot, "planned", ends, ends, 2);
    text_printf(plot->out, "<text class=\"quiet\" x=\"%.1f\" y=\"%.1f\">as predicted</text>\n", x + 8, y + 4);
}

static void mark_best(Arena *arena, const Plot *plot, const ReportNest *nest, const ReportBest *best)
{
    for (int i = best->count < MARKED ? best->count - 1 : MARKED - 1; i >= 0; i--) {
        const ReportTrial *t = best->trials[i];
        const bool chosen = nest->chosen && report_same_knobs(nest, nest->chosen, t->knobs);
        if (!isnan(t->predicted))
            plot_mark(plot, chosen ? "chosen" : "best", t->predicted, t->measured,
                      arena_printf(arena, "%s: %.3f, predicted %.3f", report_knobs(arena, nest, t->knobs), t->measured, t->predicted));
    }
}

void report_predictions(Arena *arena, Text *out, const ReportNest *nest, const ReportBest *best)
{
    const Pairs p = pairs_of(arena, best);
    Span span = {INFINITY, 0};
    for (int i = 0; i < p.n; i++)
        span = span_with(span_with(span, p.predicted[i]), p.measured[i]);
    if (p.n < 2)
        return;
    Plot plot = {.out = out, .width = SQUARE, .height = HIGH, .x = speed_axis("predicted", span), .y = speed_axis("measured", span)};
    text_puts(out, "<figure>\n");
    plot_begin(&plot, "Predicted against measured speed");
    draw_identity(&plot);
    plot_dots(&plot, "dots", p.predicted, p.measured, p.n);
    mark_best(arena, &plot, nest, best);
    plot_end(&plot);
    text_puts(out, "<figcaption>");
    const double right = pairs_in_order(&p);
    if (right >= 0)
        text_printf(out, "Of two configurations, the faster one was predicted to be %.0f times in 100. ", 100 * right);
    text_puts(out, "Larger dots are the best ten.</figcaption>\n</figure>\n");
}
