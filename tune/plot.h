/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plots as SVG inside of a page: thin axes with ticks at round numbers (P. Heckbert, Nice Numbers for Graph Labels, Graphics Gems, 1990),
 * lines, dots, and words beside what they are about. Colours and widths are the page's, by class. */
#ifndef MIKGEN_TUNE_PLOT_H
#define MIKGEN_TUNE_PLOT_H

#include <stdbool.h>

#include "ir/arena.h"

typedef struct PlotAxis {
    const char *label;
    double from, to; /* from < to; of a logarithmic one both above 0 */
    bool is_log;
    bool counts;     /* ticks are whole numbers */
} PlotAxis;

typedef struct Plot {
    Text *out;
    int width, height; /* pixels, all in all */
    PlotAxis x, y;
} Plot;

/* Something that is said beside the plot, to the right of its end. */
typedef struct PlotLabel {
    const char *text, *class;
    double y; /* of what it is about */
} PlotLabel;

enum { PLOT_TICKS = 24 };

/* Where the axis has ticks, ascending, at most PLOT_TICKS; no more than about `wanted` on a linear axis. How many. */
int plot_ticks(const PlotAxis *axis, int wanted, double *ticks);

/* Pixels of values, from the left and from the top. */
double plot_x(const Plot *plot, double x);
double plot_y(const Plot *plot, double y);

/* Opens the picture, which is called `title`, and draws its axes. */
void plot_begin(const Plot *plot, const char *title);

/* A line through n points. */
void plot_line(const Plot *plot, const char *class, const double *x, const double *y, int n);

/* n dots; those outside of the axes are left out. How many are there. */
int plot_dots(const Plot *plot, const char *class, const double *x, const double *y, int n);

/* A larger dot; `says` shows under a pointer. */
void plot_mark(const Plot *plot, const char *class, double x, double y, const char *says);

/* Labels to the right, moved apart where they are close. Their order changes. */
void plot_labels(const Plot *plot, PlotLabel *labels, int n);

void plot_end(const Plot *plot);

/* Text between or in tags: <, >, & and quotes as entities; what is no UTF-8, and characters that no page may hold, as U+FFFD. */
void plot_text(Text *out, const char *text);

#endif
