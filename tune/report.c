/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that tell nothing apart are not repeated: what all of the best have in common is a line, not a column. */
#include "tune/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/plot.h"
#include "tune/report_plots.h"

enum { LISTED = 10 };

static const char style[] =
    ":root { color-scheme: light dark; --paper: #fffdf8; --ink: #1c1b19; --quiet: #6f6b64; --rule: #c9c4ba; --series: #2f5d8c;\n"
    "  --chosen: #b3401f; --dots: #8aa3bd; }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --ink: #e6e3dc; --quiet: #9a968d; --rule: #474a4f;\n"
    "  --series: #8fbbe8; --chosen: #f08a63; --dots: #5d7893; } }\n"
    "body { background: var(--paper); color: var(--ink); margin: 2.5rem auto; max-width: 72rem; padding: 0 1.25rem;\n"
    "  font: 1rem/1.5 Charter, 'Bitstream Charter', 'Source Serif 4', Georgia, serif; font-variant-numeric: lining-nums tabular-nums; }\n"
    "h1, h2 { font-weight: normal; line-height: 1.2; margin: 0; } h1 { font-size: 1.9rem; } h2 { font-size: 1.4rem; }\n"
    "section { margin-top: 3rem; border-top: 1px solid var(--rule); padding-top: 1.25rem; }\n"
    "p { margin: .4rem 0; max-width: 48rem; } .quiet, figcaption, .all { color: var(--quiet); }\n"
    "figcaption, .all, table, .machine { font-size: .875rem; } .gain { color: var(--chosen); font-size: 1.25rem; }\n"
    "code { font: .875em 'DejaVu Sans Mono', Menlo, Consolas, monospace; } a { color: inherit; }\n"
    ".plots { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0; } figure { margin: 0; max-width: 100%; }\n"
    "figcaption { max-width: 27rem; padding-left: 40px; }\n"
    ".best { min-width: 0; max-width: 100%; } .best .all { max-width: 30rem; } .best table { margin-top: 0; }\n"
    ".scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .75rem 0; }\n"
    "th { font-weight: normal; color: var(--quiet); border-bottom: 1px solid var(--rule); vertical-align: bottom; }\n"
    "th, td { padding: .15rem 1.1rem .15rem 0; text-align: right; white-space: nowrap; } .text { text-align: left; }\n"
    "tr.chosen td { color: var(--chosen); }\n"
    "svg { max-width: 100%; height: auto; display: block; } svg text { font-size: 12px; fill: var(--ink); }\n"
    "svg text.tick, svg text.name, svg text.quiet { fill: var(--quiet); } svg text.series { fill: var(--series); }\n"
    "svg text.chosen { fill: var(--chosen); } svg path { fill: none; }\n"
    ".axis { stroke: var(--rule); } path.planned { stroke: var(--quiet); stroke-width: .8; stroke-dasharray: 2 3; }\n"
    "path.series { stroke: var(--series); stroke-width: 1.5; }\n"
    "path.dots { stroke: var(--dots); stroke-width: 3; stroke-linecap: round; }\n"
    "circle.best { fill: var(--series); } circle.chosen { fill: var(--chosen); stroke: var(--paper); }\n";

/* ---------------------------------------------------------------- what trials say */

bool report_same_knobs(const ReportNest *nest, const char *const *a, const char *const *b)
{
    for (int i = 0; i < nest->nknobs; i++)
        if (!a[i] != !b[i] || (a[i] && strcmp(a[i], b[i]) != 0))
            return false;
    return true;
}

/* The nest's trial again of the same configuration; NULL: it was measured once. */
static const ReportTrial *report_again(const ReportNest *nest, const char *const *knobs)
{
    for (int i = nest->trials.count - 1; i >= 0; i--) {
        const ReportTrial *t = nest->trials.items[i];
        if (t->again && report_same_knobs(nest, t->knobs, knobs))
            return t;
    }
    return NULL;
}

const char *report_knobs(Arena *arena, const ReportNest *nest, const char *const *knobs)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < nest->nknobs; i++)
        if (knobs[i])
            text_printf(&t, "%s%s %s", t.size ? ", " : "", nest->knob_names[i], knobs[i]);
    return t.size ? t.data : "all as planned";
}

typedef struct Ranked {
    const ReportTrial *trial;
    int place;
} Ranked;

/* Best first, of equal ones the earlier. */
static int by_speed(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    return x->trial->measured > y->trial->measured ? -1 : x->trial->measured < y->trial->measured ? 1 : x->place - y->place;
}

static ReportBest best_of(Arena *arena, const ReportNest *nest)
{
    ReportBest best = {.trials = arena_new_array(arena, const ReportTrial *, nest->trials.count)};
    Ranked *ranked = arena_new_array(arena, Ranked, nest->trials.count);
    for (int i = 0; i < nest->trials.count; i++) {
        const ReportTrial *t = nest->trials.items[i];
        best.measured += !t->again;
        if (!t->again && t->measured > 0)
            ranked[best.count++] = (Ranked){t, i};
    }
    qsort(ranked, (size_t)best.count, sizeof *ranked, by_speed);
    for (int i = 0; i < best.count; i++)
        best.trials[i] = ranked[i].trial;
    return best;
}

/* "12.3 µs" */
static const char *duration(Arena *arena, double ns)
{
    return ns < 999.5     ? arena_printf(arena, "%.3g ns", ns)
           : ns < 999.5e3 ? arena_printf(arena, "%.3g \xc2\xb5s", ns / 1e3)
           : ns < 999.5e6 ? arena_printf(arena, "%.3g ms", ns / 1e6)
                          : arena_printf(arena, "%.4g s", ns / 1e9);
}

/* ---------------------------------------------------------------- the ten best */

static const char as_planned[] = "planned";

typedef struct Column {
    const char *name;
    bool is_feature; /* names of knobs and of features may be the same */
    const char *cells[LISTED]; /* NULL: nothing is known */
} Column;

typedef struct Table {
    Column *columns;
    int ncolumns, nrows;
    bool chosen[LISTED]; /* the row is what was chosen */
} Table;

static Column *add_column(Table *table, const char *name)
{
    Column *c = &table->columns[table->ncolumns++];
    c->name = name;
    return c;
}

static bool says_anything(const Table *table, const Column *c)
{
    for (int i = 0; i < table->nrows; i++)
        if (c->cells[i])
            return true;
    return false;
}

static bool is_same(const Table *table, const Column *c)
{
    for (int i = 1; i < table->nrows; i++)
        if (!c->cells[i] != !c->cells[0] || (c->cells[0] && strcmp(c->cells[i], c->cells[0]) != 0))
            return false;
    return true;
}

/* Speeds: a column that says nothing is left out. */
static void add_speeds(Arena *arena, Table *table, const ReportNest *nest, const ReportBest *best)
{
    Column *measured = add_column(table, "measured"), *again = add_column(table, "again"), *predicted = add_column(table, "predicted");
    for (int i = 0; i < table->nrows; i++) {
        const ReportTrial *t = best->trials[i], *once_more = report_again(nest, t->knobs);
        measured->cells[i] = arena_printf(arena, "%.3f", t->measured);
        again->cells[i] = once_more ? arena_printf(arena, "%.3f", once_more->measured) : NULL;
        predicted->cells[i] = isnan(t->predicted) ? NULL : arena_printf(arena, "%.3f", t->predicted);
        table->chosen[i] = nest->chosen && report_same_knobs(nest, nest->chosen, t->knobs);
    }
}

static void add_knobs(Table *table, const ReportNest *nest, const ReportBest *best)
{
    for (int knob = 0; knob < nest->nknobs; knob++) {
        Column *c = add_column(table, nest->knob_names[knob]);
        for (int i = 0; i < table->nrows; i++)
            c->cells[i] = best->trials[i]->knobs[knob] ? best->trials[i]->knobs[knob] : as_planned;
    }
}

/* Bytes are whole numbers, and large. */
static const char *feature_text(Arena *arena, double value)
{
    return arena_printf(arena, value == floor(value) && fabs(value) < 1e12 ? "%.0f" : "%.4g", value);
}

static void add_features(Arena *arena, Table *table, const ReportNest *nest, const ReportBest *best)
{
    for (int feature = 0; feature < nest->nfeatures; feature++) {
        Column *c = add_column(table, nest->feature_names[feature]);
        c->is_feature = true;
        for (int i = 0; i < table->nrows; i++)
            c->cells[i] = best->trials[i]->features ? feature_text(arena, best->trials[i]->features[feature]) : NULL;
    }
}

static void print_name(Text *out, const Column *column)
{
    text_puts(out, column->is_feature ? "<i>" : "");
    plot_text(out, column->name);
    text_puts(out, column->is_feature ? "</i>" : "");
}

static void print_rows(Text *out, const Table *table, const bool *shown)
{
    text_puts(out, "<div class=\"scroll\"><table>\n<tr>");
    for (int c = 0; c < table->ncolumns; c++)
        if (shown[c]) {
            text_puts(out, "<th>");
            print_name(out, &table->columns[c]);
            text_puts(out, "</th>");
        }
    text_puts(out, "</tr>\n");
    for (int row = 0; row < table->nrows; row++) {
        text_puts(out, table->chosen[row] ? "<tr class=\"chosen\">" : "<tr>");
        for (int c = 0; c < table->ncolumns; c++)
            if (shown[c]) {
                text_puts(out, "<td>");
                plot_text(out, table->columns[c].cells[row] ? table->columns[c].cells[row] : "");
                text_puts(out, "</td>");
            }
        text_puts(out, "</tr>\n");
    }
    text_puts(out, "</table></div>\n");
}

/* Names of the columns from one on that are the same in all rows and as planned, or names and values of those that are not. */
static bool list_same(Text *out, const Table *table, int from, bool planned, const char *before)
{
    bool any = false;
    for (int c = from; c < table->ncolumns; c++) {
        const Column *column = &table->columns[c];
        if (!is_same(table, column) || !column->cells[0] || (column->cells[0] == as_planned) != planned)
            continue;
        text_puts(out, any ? ", " : before);
        print_name(out, column);
        text_puts(out, planned ? "" : " ");
        plot_text(out, planned ? "" : column->cells[0]);
        any = true;
    }
    return any;
}

static void print_same(Text *out, const Table *table, int from)
{
    const char *all = table->nrows == 1 ? "<p class=\"all\">Its knobs: " : "<p class=\"all\">The same in all of these: ",
               *all_planned = table->nrows == 1 ? "<p class=\"all\">As planned: " : "<p class=\"all\">As planned in all of these: ";
    const bool values = list_same(out, table, from, false, all),
               planned = list_same(out, table, from, true, values ? "; as planned: " : all_planned);
    text_puts(out, values || planned ? ".</p>\n" : "");
}

static void print_best(Arena *arena, Text *out, const ReportNest *nest, const ReportBest *best)
{
    enum { SPEEDS = 3 };
    const int most = SPEEDS + nest->nknobs + nest->nfeatures;
    Table table = {.columns = arena_new_array(arena, Column, most), .nrows = best->count < LISTED ? best->count : LISTED};
    bool *shown = arena_new_array(arena, bool, most);
    if (!table.nrows)
        return;
    add_speeds(arena, &table, nest, best);
    add_knobs(&table, nest, best);
    add_features(arena, &table, nest, best);
    for (int c = 0; c < table.ncolumns; c++)
        shown[c] = c < SPEEDS ? says_anything(&table, &table.columns[c]) : !is_same(&table, &table.columns[c]);
    text_puts(out, "<div class=\"best\">\n");
    print_rows(out, &table, shown);
    print_same(out, &table, SPEEDS);
    if (says_anything(&table, &table.columns[table.ncolumns - 1]) && nest->nfeatures)
        text_puts(out, "<p class=\"all\">In italics: features, of which predictions are made.</p>\n");
    text_puts(out, "</div>\n");
}

/* ---------------------------------------------------------------- the page */

static const char *counted(Arena *arena, int64_t n, const char *one, const char *many)
{
    return arena_printf(arena, "%" PRId64 " %s", n, n == 1 ? one : many);
}

/* What came of it, in a sentence. */
static void print_outcome(Arena *arena, Text *out, const ReportNest *nest)
{
    if (!nest->chosen)
        text_puts(out, "<p class=\"gain\">The search was not finished: nothing is chosen yet.</p>\n");
    else if (nest->speed <= 1)
        text_puts(out, "<p class=\"gain\">It stays as planned.</p>\n");
    else {
        text_printf(out, "<p class=\"gain\">%.2f times as fast as planned: <code>", nest->speed);
        plot_text(out, report_knobs(arena, nest, nest->chosen));
        text_puts(out, "</code></p>\n");
    }
}

static void print_classes(Arena *arena, Text *out, const ReportNest *nest)
{
    for (int i = 0; i < nest->classes.count; i++) {
        const ReportClass *c = nest->classes.items[i];
        text_printf(out, "<p class=\"gain\">Where what loops touch %s (<code>%s</code>), %.2f times as fast as that: <code>", c->what,
                    c->name, c->gain);
        plot_text(out, report_knobs(arena, nest, c->knobs));
        text_puts(out, "</code></p>\n");
    }
}

static void print_shapes(Arena *arena, Text *out, const ReportNest *nest)
{
    for (int i = 0; i < nest->nshapes; i++) {
        text_puts(out, i ? ", " : "As planned, a call takes ");
        text_printf(out, "%s at ", nest->planned_ns[i] > 0 ? duration(arena, nest->planned_ns[i]) : "an unknown time");
        plot_text(out, nest->shapes[i]);
    }
    if (nest->nshapes)
        text_puts(out, ". ");
}

static void print_nest(Arena *arena, Text *out, const ReportNest *nest, int number)
{
    const ReportBest best = best_of(arena, nest);
    text_printf(out, "<section id=\"n%d\">\n<h2>", number);
    plot_text(out, nest->name);
    text_puts(out, "</h2>\n");
    print_outcome(arena, out, nest);
    print_classes(arena, out, nest);
    text_printf(out, "<p>%d of %s measured. ", best.measured, counted(arena, nest->size, "configuration", "configurations"));
    print_shapes(arena, out, nest);
    text_puts(out, "In profiles: <code>");
    plot_text(out, nest->record);
    text_puts(out, "</code>.</p>\n<div class=\"plots\">\n");
    report_convergence(arena, out, nest);
    report_predictions(arena, out, nest, &best);
    print_best(arena, out, nest, &best);
    text_puts(out, "</div>\n</section>\n");
}

static void print_overview(Arena *arena, Text *out, const Report *report)
{
    text_puts(out, "<div class=\"scroll\"><table>\n<tr><th class=\"text\">nest</th><th>times as fast</th><th>measured</th><th>of</th>"
                   "<th class=\"text\">chosen</th></tr>\n");
    for (int i = 0; i < report->nests.count; i++) {
        const ReportNest *nest = report->nests.items[i];
        text_printf(out, "<tr><td class=\"text\"><a href=\"#n%d\">", i + 1);
        plot_text(out, nest->name);
        text_printf(out, "</a></td><td>%s</td><td>%d</td><td>%" PRId64 "</td><td class=\"text\">",
                    nest->chosen ? arena_printf(arena, "%.2f", nest->speed) : "", best_of(arena, nest).measured, nest->size);
        plot_text(out, !nest->chosen ? "not finished" : nest->speed > 1 ? report_knobs(arena, nest, nest->chosen) : "as planned");
        text_puts(out, "</td></tr>\n");
    }
    text_puts(out, "</table></div>\n");
}

const char *report_page(Arena *arena, const Report *report)
{
    Text out;
    text_init(&out, arena);
    text_puts(&out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                    "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
    plot_text(&out, report->spec);
    text_printf(&out, ": loops tuned</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    plot_text(&out, report->spec);
    text_puts(&out, "</h1>\n");
    if (report->machine) {
        text_puts(&out, "<p class=\"quiet machine\">");
        plot_text(&out, report->machine);
        text_puts(&out, "</p>\n");
    }
    text_puts(&out, "<p class=\"gain\">");
    char *headline = arena_strndup(arena, report_headline(arena, report), strlen(report_headline(arena, report)));
    *headline = (char)toupper((unsigned char)*headline);
    plot_text(&out, headline);
    text_puts(&out, "</p>\n");
    if (report->nests.count > 1)
        print_overview(arena, &out, report);
    for (int i = 0; i < report->nests.count; i++)
        print_nest(arena, &out, report->nests.items[i], i + 1);
    text_puts(&out, "</body>\n</html>\n");
    return out.data;
}
