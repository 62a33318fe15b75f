/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/utf8.h"

enum { LEFT = 40, RIGHT = 104, TOP = 28, BOTTOM = 40, TICK = 4, LINE = 14 };

void plot_text(Text *out, const char *text)
{
    for (size_t left = strlen(text), n; left; text += n, left -= n) {
        n = utf8_bytes(text, left);
        const bool is_noncharacter = n == 3 && memcmp(text, "\xef\xbf", 2) == 0 && (unsigned char)text[2] >= 0xbe;
        const char *entity = *text == '<'                                                                              ? "&lt;"
                             : *text == '>'                                                                            ? "&gt;"
                             : *text == '&'                                                                            ? "&amp;"
                             : *text == '"'                                                                            ? "&quot;"
                             : *text == '\''                                                                           ? "&#39;"
                             : n == 0 || is_noncharacter || (n == 1 && ((unsigned char)*text < 0x20 || *text == 0x7f)) ? "\xef\xbf\xbd"
                                                                                                                       : NULL;
        n = n ? n : 1;
        if (entity)
            text_puts(out, entity);
        else
            text_printf(out, "%.*s", (int)n, text);
    }
}

/* ---------------------------------------------------------------- axes */

/* The least of 1, 2, 5, 10, 20 ... (times a power of ten below 1) that is not below it. */
static double round_step(double step)
{
    const double power = pow(10, floor(log10(step))), part = step / power;
    return power * (part <= 1 + 1e-9 ? 1 : part <= 2 + 1e-9 ? 2 : part <= 5 + 1e-9 ? 5 : 10);
}

static double step_of(const PlotAxis *axis, int wanted)
{
    const double step = round_step((axis->to - axis->from) / wanted);
    return axis->counts && step < 1 ? 1 : step;
}

static int log_ticks(const PlotAxis *axis, double *ticks)
{
    static const int between[] = {1, 2, 5};
    const bool few = axis->to / axis->from < 2000; /* decades have room for more than one */
    int n = 0;
    for (double power = pow(10, floor(log10(axis->from))); power <= axis->to; power *= 10)
        for (int i = 0; i < (few ? 3 : 1); i++)
            if (power * between[i] >= axis->from * (1 - 1e-9) && power * between[i] <= axis->to * (1 + 1e-9) && n < PLOT_TICKS)
                ticks[n++] = power * between[i];
    return n;
}

int plot_ticks(const PlotAxis *axis, int wanted, double *ticks)
{
    if (axis->is_log)
        return log_ticks(axis, ticks);
    const double step = step_of(axis, wanted), slack = step * 1e-9;
    int n = 0;
    for (double i = ceil((axis->from - slack) / step); i * step <= axis->to + slack && n < PLOT_TICKS; i++)
        ticks[n++] = i * step + 0.0; /* no -0 */
    return n;
}

/* Digits behind the point that tell ticks apart. */
static int decimals(const PlotAxis *axis, int wanted, double tick)
{
    const double digits = -floor(log10(axis->is_log ? tick : step_of(axis, wanted)) + 1e-9);
    return digits > 0 ? (int)digits : 0;
}

static double share(const PlotAxis *axis, double value)
{
    return axis->is_log ? log(value / axis->from) / log(axis->to / axis->from) : (value - axis->from) / (axis->to - axis->from);
}

double plot_x(const Plot *plot, double x) { return LEFT + share(&plot->x, x) * (plot->width - LEFT - RIGHT); }
double plot_y(const Plot *plot, double y) { return plot->height - BOTTOM - share(&plot->y, y) * (plot->height - TOP - BOTTOM); }

static bool is_inside(const Plot *plot, double x, double y)
{
    return x >= plot->x.from && x <= plot->x.to && y >= plot->y.from && y <= plot->y.to;
}

static void draw_x_axis(const Plot *plot)
{
    const int wanted = (plot->width - LEFT - RIGHT) / 55, floor_y = plot->height - BOTTOM;
    double ticks[PLOT_TICKS];
    const int n = plot_ticks(&plot->x, wanted, ticks);
    text_printf(plot->out, "<path class=\"axis\" d=\"M%d %dH%d", LEFT, floor_y, plot->width - RIGHT);
    for (int i = 0; i < n; i++)
        text_printf(plot->out, "M%.1f %dv%d", plot_x(plot, ticks[i]), floor_y, TICK);
    text_puts(plot->out, "\"/>\n");
    for (int i = 0; i < n; i++)
        text_printf(plot->out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.*f</text>\n", plot_x(plot, ticks[i]),
                    floor_y + TICK + LINE - 2, decimals(&plot->x, wanted, ticks[i]), ticks[i]);
    text_printf(plot->out, "<text class=\"name\" x=\"%d\" y=\"%d\" text-anchor=\"end\">", plot->width - RIGHT, plot->height - 6);
    plot_text(plot->out, plot->x.label);
    text_puts(plot->out, "</text>\n");
}

static void draw_y_axis(const Plot *plot)
{
    const int wanted = (plot->height - TOP - BOTTOM) / 38;
    double ticks[PLOT_TICKS];
    const int n = plot_ticks(&plot->y, wanted, ticks);
    text_printf(plot->out, "<path class=\"axis\" d=\"M%d %dV%d", LEFT, plot->height - BOTTOM, TOP);
    for (int i = 0; i < n; i++)
        text_printf(plot->out, "M%d %.1fh-%d", LEFT, plot_y(plot, ticks[i]), TICK);
    text_puts(plot->out, "\"/>\n");
    for (int i = 0; i < n; i++)
        text_printf(plot->out, "<text class=\"tick\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n", LEFT - TICK - 3,
                    plot_y(plot, ticks[i]) + 4, decimals(&plot->y, wanted, ticks[i]), ticks[i]);
    text_printf(plot->out, "<text class=\"name\" x=\"0\" y=\"%d\">", LINE - 2);
    plot_text(plot->out, plot->y.label);
    text_puts(plot->out, "</text>\n");
}

void plot_begin(const Plot *plot, const char *title)
{
    text_printf(plot->out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"",
                plot->width, plot->height, plot->width, plot->height);
    plot_text(plot->out, title);
    text_puts(plot->out, "\">\n");
    draw_x_axis(plot);
    draw_y_axis(plot);
}

void plot_end(const Plot *plot) { text_puts(plot->out, "</svg>\n"); }

/* ---------------------------------------------------------------- what is in it */

void plot_line(const Plot *plot, const char *class, const double *x, const double *y, int n)
{
    text_printf(plot->out, "<path class=\"%s\" d=\"", class);
    for (int i = 0; i < n; i++)
        text_printf(plot->out, "%c%.1f %.1f", i ? 'L' : 'M', plot_x(plot, x[i]), plot_y(plot, y[i]));
    text_puts(plot->out, "\"/>\n");
}

/* Dots are the ends of lines without a length: thousands are a small text. */
int plot_dots(const Plot *plot, const char *class, const double *x, const double *y, int n)
{
    int drawn = 0;
    text_printf(plot->out, "<path class=\"%s\" d=\"", class);
    for (int i = 0; i < n; i++)
        if (is_inside(plot, x[i], y[i])) {
            text_printf(plot->out, "M%.1f %.1fh0", plot_x(plot, x[i]), plot_y(plot, y[i]));
            drawn++;
        }
    text_puts(plot->out, "\"/>\n");
    return drawn;
}

void plot_mark(const Plot *plot, const char *class, double x, double y, const char *says)
{
    text_printf(plot->out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>", class, plot_x(plot, x), plot_y(plot, y));
    plot_text(plot->out, says);
    text_puts(plot->out, "</title></circle>\n");
}

/* Highest first. */
static int by_height(const void *a, const void *b)
{
    const double x = ((const PlotLabel *)a)->y, y = ((const PlotLabel *)b)->y;
    return x > y ? -1 : x < y;
}

void plot_labels(const Plot *plot, PlotLabel *labels, int n)
{
    double above = -LINE;
    qsort(labels, (size_t)n, sizeof *labels, by_height);
    for (int i = 0; i < n; i++) {
        const double wanted = plot_y(plot, labels[i].y), at = wanted < above + LINE ? above + LINE : wanted;
        text_printf(plot->out, "<text class=\"%s\" x=\"%d\" y=\"%.1f\">", labels[i].class, plot->width - RIGHT + 8, at + 4);
        plot_text(plot->out, labels[i].text);
        text_puts(plot->out, "</text>\n");
        above = at;
    }
}
