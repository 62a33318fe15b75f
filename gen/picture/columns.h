/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A product's plan and its runner-up in two columns, to the same scales. */
#ifndef MIKGEN_GEN_PICTURE_COLUMNS_H
#define MIKGEN_GEN_PICTURE_COLUMNS_H

#include <jansson.h>

#include "gen/picture/sheet.h"

typedef struct Columns {
    Svg *svg;
    const json_t *product, *plans[2]; /* the chosen one; NULL: there is no runner-up */
    double work, time;                   /* the longest bars' ns: of terms of costs, of costs */
} Columns;

/* Of a product of gen/picture/calls.h that has a plan. */
Columns columns_of(Svg *svg, const json_t *product);

/* Draws some part of plans[which] below y and to the right of x; returns where the next thing may begin. */
typedef double DrawPart(const Columns *c, int which, double x, double y);

/* The plans' names, then parts one below the other, each as low as the lower of the two columns lets it. The same. */
double draw_columns(const Columns *c, DrawPart *const *parts, int n, double y);

/* Bars for the n terms of a cost by these names, without those that are 0 in both plans; how many there are. */
int term_bars(const Columns *c, int which, const char *const *names, int n, Bar *bars);

#endif
