/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A product's output on paper, to scale, in one of two columns; bars beneath it. */
#ifndef MIKGEN_GEN_PICTURE_SHEET_H
#define MIKGEN_GEN_PICTURE_SHEET_H

#include <jansson.h>
#include <stdbool.h>

#include "gen/picture/svg.h"

enum {
    COLUMN = 456, /* of a plan */
    GAP = 40,     /* to the next */
    LABEL = 92,   /* of a bar, */
    BAR = 236     /* the longest */
};

/* Where the output is on paper: of the spec's rows and columns. */
typedef struct Sheet {
    double x, y, width, height, m, n;
    bool transposed; /* rows that are computed are columns of the spec */
    bool enlarged;
} Sheet;

typedef struct Rect {
    double x, y, width, height;
} Rect;

/* Of a product, below y and to the right of x. */
Sheet sheet_of(const json_t *product, double x, double y);

/* The paper of rows m0 to m1 and columns n0 to n1, as they are computed; those of a region or task. */
Rect rect_of(const Sheet *s, double m0, double m1, double n0, double n1);
Rect rect_in(const Sheet *s, const json_t *part);

/* Lines between the tiles of a region, where they are not too close. */
void draw_grid(Svg *svg, const Sheet *s, const json_t *region, const Rect *r);

/* The longest of several texts that fits. */
void draw_label(Svg *svg, const Rect *r, const char *const *texts, int n);

/* Numbers of rows and columns at the sides: the ends, and between them what is not too close to one that is there. */
void draw_numbers(Svg *svg, const Sheet *s, const json_t *plan);

/* Rows of bars; returns where the next thing may begin. */
typedef struct Bar {
    const char *label, *class;
    double value; /* at most the scale's */
    const char *says;
} Bar;
double draw_bars(Svg *svg, const Bar *bars, int n, double x, double y, double scale);

/* JSON members; 0 and "" for those that are not there. */
double number_in(const json_t *object, const char *name);
const char *text_in(const json_t *object, const char *name);

#endif
