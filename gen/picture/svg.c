/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coordinates have a tenth of a pixel, so that the bytes are the same everywhere. */
#include "gen/picture/svg.h"

#include <math.h>
#include <string.h>

#include "tune/plot.h"

/* A character of the fonts named below is 0.602 of its size wide, or less. */
static const double character = 0.605;

static const struct {
    const char *class;
    double size;
} sizes[] = {{"h", 16}, {"t", 12}, {"q", 12}, {"s", 11}, {"m", 11}};

/* Colours stand in each rule: not all that shows SVG files knows variables, or what is there for dark paper alone. */
static const char style[] =
    "svg.mikgen text { font-family: 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace; font-size: 12px; fill: #1c1b19; }\n"
    "svg.mikgen .h { font-size: 16px; font-weight: bold; } svg.mikgen .q { fill: #68645d; } svg.mikgen .s { font-size: 11px; fill: "
    "#68645d; }\n"
    "svg.mikgen .m { font-size: 11px; text-anchor: middle; } svg.mikgen .paper { fill: #fffdf8; }\n"
    "svg.mikgen .region { fill: none; stroke: #1c1b19; stroke-width: 1.6; } svg.mikgen .grid { stroke: #1c1b19; stroke-width: .5; "
    "stroke-opacity: .28; }\n"
    "svg.mikgen .plain { fill: #b9b4aa; fill-opacity: .35; } svg.mikgen .tile { fill: #1c1b19; } svg.mikgen .large { fill-opacity: .22; "
    "stroke: #1c1b19; }\n"
    "svg.mikgen .rule { stroke: #b9b4aa; } svg.mikgen .edge { stroke: #fffdf8; stroke-width: 1; } svg.mikgen .bar { fill: #4c78a8; }\n"
    "svg.mikgen .total { fill: #68645d; } svg.mikgen .loop { fill: none; stroke: #b9b4aa; } svg.mikgen .w { fill-opacity: .42; }\n"
    "svg.mikgen .w0 { fill: #4c78a8; } svg.mikgen .w1 { fill: #f58518; } svg.mikgen .w2 { fill: #54a24b; } svg.mikgen .w3 { fill: #e45756; "
    "}\n"
    "svg.mikgen .w4 { fill: #72b7b2; } svg.mikgen .w5 { fill: #b279a2; } svg.mikgen .w6 { fill: #eeca3b; } svg.mikgen .w7 { fill: #9d755d; "
    "}\n"
    "svg.mikgen .w8 { fill: #d67195; } svg.mikgen .w9 { fill: #79706e; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "svg.mikgen text, svg.mikgen .tile { fill: #e8e5de; } svg.mikgen .q, svg.mikgen .s, svg.mikgen .total { fill: #a29e95; }\n"
    "svg.mikgen .paper { fill: #16181b; } svg.mikgen .region, svg.mikgen .grid, svg.mikgen .large { stroke: #e8e5de; }\n"
    "svg.mikgen .plain { fill: #55595f; } svg.mikgen .rule, svg.mikgen .loop { stroke: #55595f; } svg.mikgen .edge { stroke: #16181b; }\n"
    "svg.mikgen .w { fill-opacity: .5; }\n"
    "}\n";

void svg_begin(Svg *svg, Arena *arena)
{
    svg->arena = arena;
    svg->bottom = 0;
    text_init(&svg->out, arena);
}

const char *svg_end(Svg *svg, const char *title)
{
    const int height = (int)ceil(svg->bottom) + SVG_MARGIN;
    Text t;
    text_init(&t, svg->arena);
    text_printf(&t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mikgen\" role=\"img\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\">\n<title>",
                SVG_WIDTH, height, SVG_WIDTH, height);
    plot_text(&t, title);
    text_printf(&t, "</title>\n<style>\n%s</style>\n<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", style, SVG_WIDTH, height);
    text_puts(&t, svg->out.data);
    text_puts(&t, "</svg>\n");
    return t.data;
}

static void reach(Svg *svg, double y)
{
    if (y > svg->bottom)
        svg->bottom = y;
}

static double size_of(const char *class)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(sizes[i].class, class) == 0)
            return sizes[i].size;
    return 12;
}

/* Characters, not bytes. */
static size_t length_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

double svg_text_width(const char *text, double size) { return (double)length_of(text) * size * character; }

void svg_text(Svg *svg, double x, double y, const char *class, const char *text)
{
    text_printf(&svg->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    plot_text(&svg->out, text);
    text_puts(&svg->out, "</text>\n");
    reach(svg, y + 4);
}

/* How many bytes of the text are a line of so many characters: whole words, if there is a blank among them. */
static size_t line_length(const char *text, size_t characters)
{
    size_t bytes = 0, words = 0, n = 0;
    for (; text[bytes] && n <= characters; bytes++) {
        if (((unsigned char)text[bytes] & 0xc0) != 0x80)
            n++;
        if (n <= characters && (text[bytes + 1] == ' ' || !text[bytes + 1]))
            words = bytes + 1;
    }
    if (n <= characters)
        return bytes;
    return words ? words : bytes - 1;
}

double svg_paragraph(Svg *svg, double x, double y, double width, const char *class, const char *text)
{
    const size_t characters = (size_t)(width / (size_of(class) * character));
    while (*text) {
        const size_t bytes = line_length(text, characters < 8 ? 8 : characters);
        svg_text(svg, x, y, class, arena_strndup(svg->arena, text, bytes));
        text += bytes + strspn(text + bytes, " ");
        y += SVG_LINE;
    }
    return y;
}

void svg_box(Svg *svg, double x, double y, double width, double height, const char *class, const char *says)
{
    text_printf(&svg->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", class, x, y, width > .1 ? width : .1,
                height > .1 ? height : .1);
    if (says) {
        text_puts(&svg->out, "><title>");
        plot_text(&svg->out, says);
        text_puts(&svg->out, "</title></rect>\n");
    } else {
        text_puts(&svg->out, "/>\n");
    }
    reach(svg, y + height);
}

void svg_line(Svg *svg, double x1, double y1, double x2, double y2, const char *class)
{
    text_printf(&svg->out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2);
    reach(svg, y1 > y2 ? y1 : y2);
}

const char *svg_number(Arena *arena, double value)
{
    const char *digits = arena_printf(arena, "%.0f", fabs(value) < .5 ? 0 : value);
    Text t;
    text_init(&t, arena);
    for (size_t left = strlen(digits); left; left--, digits++) {
        text_putc(&t, *digits);
        if (left > 1 && left % 3 == 1 && *digits != '-')
            text_puts(&t, "\xc2\xa0"); /* where no line ends */
    }
    return t.data;
}

const char *svg_worker(Arena *arena, int worker) { return arena_printf(arena, "w w%d", worker % SVG_COLOURS); }
