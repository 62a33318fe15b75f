/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SVG pictures that grow downwards: boxes, lines of text, bars. A picture is a file of its own, with its colours, for light and dark paper.
 * Lengths are pixels. Text is set in a font whose characters are all as wide, so that what fits is known. */
#ifndef MIKGEN_GEN_PICTURE_SVG_H
#define MIKGEN_GEN_PICTURE_SVG_H

#include "ir/arena.h"

enum {
    SVG_WIDTH = 1000, /* of pictures */
    SVG_MARGIN = 24,
    SVG_LINE = 16, /* from a line of text to the next */
    SVG_COLOURS = 10 /* of workers: "w0" to "w9" */
};

typedef struct Svg {
    Arena *arena;
    Text out;
    double bottom; /* what is drawn ends there */
} Svg;

void svg_begin(Svg *svg, Arena *arena);

/* The whole picture, called `title`. Arena-owned. */
const char *svg_end(Svg *svg, const char *title);

/* How wide so much text of a size is. */
double svg_text_width(const char *text, double size);

/* Text from x on, its baseline at y. class: "t" ordinary, "h" heading, "q" quiet, "s" small, "m" in the middle of x and small. */
void svg_text(Svg *svg, double x, double y, const char *class, const char *text);

/* The same in several lines of at most `width`; returns the baseline of the line that would come next. */
double svg_paragraph(Svg *svg, double x, double y, double width, const char *class, const char *text);

/* What shows under a pointer is `says`, or nothing. */
void svg_box(Svg *svg, double x, double y, double width, double height, const char *class, const char *says);

void svg_line(Svg *svg, double x1, double y1, double x2, double y2, const char *class);

/* "1 234 567", arena-owned. */
const char *svg_number(Arena *arena, double value);

/* "w3": the colour of worker 3, 13, ... */
const char *svg_worker(Arena *arena, int worker);

#endif
