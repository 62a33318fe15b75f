/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of reports: well-formed, all numbers that were given and no others, whatever names hold. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/utf8.h"
#include "tune/plot.h"
#include "tune/report.h"

static Arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* ---------------------------------------------------------------- a reader of pages */

/* One entity at *at, which then points behind it. */
static void read_entity(const char **at)
{
    static const char *const entities[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strncmp(*at, entities[i], strlen(entities[i])) == 0) {
            *at += strlen(entities[i]);
            return;
        }
    fail_msg("no entity: %.20s", *at);
}

/* Text up to one of the ends. */
static void read_text(const char **at, const char *ends)
{
    while (**at && !strchr(ends, **at)) {
        const size_t n = utf8_bytes(*at, strlen(*at));
        assert_true(n > 0 && ((unsigned char)**at >= 0x20 || **at == '\n'));
        assert_true(**at != '<' && **at != '>');
        if (**at == '&')
            read_entity(at);
        else
            *at += n;
    }
}

/* Attributes up to > or />. */
static void read_attributes(const char **at)
{
    while (**at == ' ') {
        ++*at;
        *at += strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
        assert_memory_equal(*at, "=\"", 2);
        *at += 2;
        read_text(at, "\"");
        assert_int_equal(*(*at)++, '"');
    }
}

/* Every tag is closed, in the order of nesting; nothing in the page points outside of it. */
static void check_page(const char *page)
{
    enum { DEPTH = 32 };
    const char *open[DEPTH], *at = page + strlen("<!DOCTYPE html>");
    int depth = 0;
    assert_memory_equal(page, "<!DOCTYPE html>", strlen("<!DOCTYPE html>"));
    for (read_text(&at, "<"); *at; read_text(&at, "<")) {
        const bool closes = at[1] == '/';
        const char *name = at + 1 + closes;
        const size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
        assert_true(len > 0);
        at = name + len;
        if (closes) {
            assert_true(depth > 0 && strncmp(open[depth - 1], name, len + 1) == 0);
            depth--;
        } else {
            read_attributes(&at);
            assert_true(depth < DEPTH);
            if (*at == '/')
                at++;
            else
                open[depth++] = arena_printf(arena, "%.*s>", (int)len, name);
        }
        assert_int_equal(*at++, '>');
    }
    assert_int_equal(depth, 0);
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "url("));
    assert_null(strstr(page, "src="));
    for (const char *link = page; (link = strstr(link, "href=\"")); link++)
        assert_int_equal(link[strlen("href=\"")], '#');
}

static void has(const char *page, const char *text)
{
    if (!strstr(page, text))
        fail_msg("the page lacks: %s", text);
}

static void has_not(const char *page, const char *text)
{
    if (strstr(page, text))
        fail_msg("the page has: %s", text);
}

static int count(const char *page, const char *text)
{
    int n = 0;
    for (; (page = strstr(page, text)); page += strlen(text))
        n++;
    return n;
}

/* ---------------------------------------------------------------- reports */

static const char *const knob_names[] = {"unroll", "prefetch_distance", "non_temporal"};
static const char *const feature_names[] = {"bytes", "lanes"};
static const char *const shapes[] = {"64x1000", "7"};
static const double planned_ns[] = {1234567, 42.5};
static const char *const maps[] = {"1", "2", "4", "8"}, *const aheads[] = {NULL, "4", "8", "16"};

/* Without trials. */
static ReportNest *nest(Report *report)
{
    ReportNest *n = arena_alloc(arena, sizeof *n);
    *n = (ReportNest){.name = "softmax_nest1, avx2",
                      .record = "nest avx2 8c5b3e6a1f20d497",
                      .size = 1944,
                      .shapes = shapes,
                      .planned_ns = planned_ns,
                      .nshapes = 2,
                      .knob_names = knob_names,
                      .nknobs = 3,
                      .feature_names = feature_names,
                      .nfeatures = 2};
    vec_push(arena, &report->nests, n);
    return n;
}

static const char *const *knobs(const char *map, const char *ahead)
{
    const char **values = arena_new_array(arena, const char *, 3);
    values[0] = map;
    values[1] = ahead;
    return values;
}

static ReportTrial *trial(ReportNest *n, const char *map, const char *ahead, double measured)
{
    ReportTrial *t = arena_alloc(arena, sizeof *t);
    *t = (ReportTrial){.knobs = knobs(map, ahead), .predicted = NAN, .measured = measured};
    vec_push(arena, &n->trials, t);
    return t;
}

static const char *page_of(const Report *report)
{
    const char *page = report_page(arena, report);
    check_page(page);
    assert_string_equal(page, report_page(arena, report));
    return page;
}

static void nothing_measured(void **state)
{
    (void)state;
    Report report = {.spec = "softmax.spec"};
    const char *page = page_of(&report);
    has(page, "<h1>softmax.spec</h1>");
    has(page, "No loops have been searched");
    has_not(page, "<svg");
    nest(&report);
    page = page_of(&report);
    has(page, "<h2>softmax_nest1, avx2</h2>");
    has(page, "0 of 1944 configurations measured");
    has(page, "1.23 ms at 64x1000, 42.5 ns at 7");
    has(page, "nothing is chosen yet");
    has_not(page, "<svg");
    has_not(page, "<td>");
    has_not(page, "nan");
    has_not(page, "inf");
}

static void one_measurement(void **state)
{
    (void)state;
    Report report = {.spec = "a.spec", .machine = "measured on an abacus"};
    ReportNest *n = nest(&report);
    n->size = 1;
    ReportTrial *t = trial(n, "8", NULL, 1.3125);
    n->chosen = t->knobs;
    n->speed = 1.28;
    const char *page = page_of(&report);
    has(page, "measured on an abacus");
    has(page, "1 of 1 configuration measured");
    has(page, "1.28 times as fast as planned: <code>unroll 8</code>");
    has(page, ">best 1.31</text>");
    has(page, ">chosen 1.28</text>");
    has(page, "<td>1.312</td>");
    has(page, "Its knobs: unroll 8; as planned: prefetch_distance, non_temporal.");
    assert_int_equal(count(page, "<svg"), 1);
    has_not(page, "nan");
    has_not(page, "inf");
    t->predicted = 1.2;
    page = page_of(&report); /* one prediction tells nothing about predictions */
    assert_int_equal(count(page, "<svg"), 1);
    has(page, "<td>1.312</td><td>1.200</td>");
    t->measured = 0;
    page = page_of(&report); /* it does not run */
    has(page, "1 of 1 configuration measured");
    has_not(page, "<svg");
    has_not(page, "nan");
}

/* 16 configurations, of which unroll 8, prefetch_distance 8 is the best; in the order in which loops over both have them. */
static double speed_of(int map, int ahead) { return 0.8 + 0.1 * map + 0.04 * (ahead < 3 ? ahead : 1.5); }

static ReportNest *many(Report *report)
{
    ReportNest *n = nest(report);
    for (int map = 0; map < 4; map++)
        for (int ahead = 0; ahead < 4; ahead++) {
            ReportTrial *t = trial(n, maps[map], aheads[ahead], speed_of(map, ahead));
            double *features = arena_new_array(arena, double, 2);
            features[0] = 1000 * map + ahead;
            features[1] = 0.875;
            t->features = features;
            t->predicted = t->measured;
        }
    ReportTrial *again = trial(n, "8", "8", 1.125);
    again->again = true;
    n->chosen = again->knobs;
    n->speed = again->measured;
    return n;
}

/* The number of the table's row that begins with such cells; -1: none does. */
static int row_of(const char *page, const char *cells)
{
    int row = 0;
    const char *at = strstr(page, "again</th>");
    while (at && (at = strstr(at, "<tr")) && (at = strchr(at, '>'))) {
        if (strncmp(at + 1, cells, strlen(cells)) == 0)
            return row;
        row++;
    }
    return -1;
}

static void best_ten(void **state)
{
    (void)state;
    Report report = {.spec = "a.spec"};
    many(&report);
    const char *page = page_of(&report);
    has(page, "16 of 1944 configurations measured");
    has(page, "<th>measured</th><th>again</th><th>predicted</th><th>unroll</th><th>prefetch_distance</th><th><i>bytes</i></th></tr>");
    assert_int_equal(row_of(page, "<td>1.180</td><td>1.125</td><td>1.180</td><td>8</td><td>8</td><td>3002</td></tr>"), 0);
    assert_int_equal(row_of(page, "<td>1.160</td><td></td><td>1.160</td><td>8</td><td>16</td><td>3003</td></tr>"), 1);
    assert_int_equal(row_of(page, "<td>1.100</td><td></td><td>1.100</td><td>8</td><td>planned</td><td>3000</td></tr>"), 3);
    assert_int_equal(row_of(page, "<td>0.960</td>"), 8 + 1);
    assert_int_equal(count(page, "<tr"), 1 + 10);
    assert_int_equal(count(page, "<tr class=\"chosen\">"), 1);
    has(page, "The same in all of these: <i>lanes</i> 0.875; as planned: non_temporal.");
    has(page, ">best 1.18</text>");
    has(page, ">chosen 1.12</text>");
    assert_int_equal(count(page, "h0"), 2 * 16); /* dots: what was measured again is in neither picture */
}

/* Corners of the curve: one before and one after each step, and its end. */
static void convergence(void **state)
{
    (void)state;
    static const double speeds[] = {0.5, 0.75, 0.7, 0, 1.25, 1.25, 1};
    Report report = {.spec = "a.spec"};
    ReportNest *n = nest(&report);
    for (int i = 0; i < 7; i++)
        trial(n, maps[i % 4], aheads[i / 4], speeds[i]);
    const char *page = page_of(&report), *curve = strstr(page, "<path class=\"series\" d=\"");
    assert_non_null(curve);
    curve += strlen("<path class=\"series\" d=\"");
    double x[6], y[6];
    int corners = 0;
    for (char *end; *curve != '"'; corners++) {
        assert_true(corners < 6);
        x[corners] = strtod(curve + 1, &end);
        y[corners] = strtod(end, &end);
        curve = end;
    }
    assert_int_equal(corners, 6);
    const double of[] = {1, 2, 2, 5, 5, 7}, speed[] = {0.5, 0.5, 0.75, 0.75, 1.25, 1.25};
    for (int i = 0; i < 6; i++) { /* pixels are linear in both, to the tenth that is printed */
        assert_true(fabs((x[i] - x[0]) - (of[i] - of[0]) * (x[5] - x[0]) / 6) < 0.2);
        assert_true(fabs((y[i] - y[0]) - (speed[i] - 0.5) * (y[5] - y[0]) / 0.75) < 0.2);
    }
    assert_true(y[5] < y[0]);
    has(page, "1 does not run");
    has_not(page, "far slower");
    trial(n, "8", "16", 0.2);
    has(page_of(&report), "1 that is far slower is not drawn");
}

static void predictions(void **state)
{
    (void)state;
    Report report = {.spec = "a.spec"};
    ReportNest *n = many(&report);
    const char *page = page_of(&report);
    assert_int_equal(count(page, "<svg"), 2);
    has(page, "predicted to be 100 times in 100");
    has(page, "<title>unroll 8, prefetch_distance 8: 1.180, predicted 1.180</title>");
    for (int i = 0; i < n->trials.count; i++)
        ((ReportTrial *)n->trials.items[i])->predicted *= -1;
    has(page_of(&report), "predicted to be 0 times in 100");
    for (int i = 0; i < n->trials.count; i++)
        ((ReportTrial *)n->trials.items[i])->predicted = 1;
    has(page_of(&report), "predicted to be 50 times in 100");
    for (int i = 0; i < n->trials.count; i++)
        ((ReportTrial *)n->trials.items[i])->predicted = NAN;
    page = page_of(&report);
    assert_int_equal(count(page, "<svg"), 1);
    has_not(page, "<th>predicted</th>");
    has_not(page, "nan");
}

static void names_are_escaped(void **state)
{
    (void)state;
    Report report = {.spec = "</h1><script>\"'&\x01\xff\xc3\xa9\xef\xbf\xbf", .machine = "<b>"};
    static const char *const odd[] = {"<map>", "a&b", "\"q\""};
    ReportNest *n = nest(&report);
    n->name = "<nest>";
    n->knob_names = odd;
    ReportTrial *t = trial(n, "<8>", NULL, 1.5);
    t->predicted = 1;
    trial(n, "2", "&", 1.25)->predicted = 2;
    n->chosen = t->knobs;
    n->speed = 1.5;
    const char *page = page_of(&report);
    has(page, "<h1>&lt;/h1&gt;&lt;script&gt;&quot;&#39;&amp;\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd</h1>");
    has(page, "<code>&lt;map&gt; &lt;8&gt;</code>");
    has(page, "<title>&lt;map&gt; 2, a&amp;b &amp;: 1.250, predicted 2.000</title>");
}

static void characters(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t left, bytes;
    } cases[] = {{"a", 1, 1},
                 {"\xc3\xa9", 2, 2},
                 {"\xe2\x82\xac", 3, 3},
                 {"\xf0\x9f\x98\x80", 4, 4},
                 {"\xe2\x82\xac", 2, 0},     /* cut off */
                 {"\xc3"
                  "a",
                  2, 0},
                 {"\xc0\xaf", 2, 0},         /* longer than it need be */
                 {"\xe0\x80\xaf", 3, 0},
                 {"\xed\xa0\x80", 3, 0},     /* half of a pair of UTF-16 */
                 {"\xf4\x90\x80\x80", 4, 0}, /* beyond the last */
                 {"\xff", 1, 0},
                 {"", 1, 0},
                 {"a", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(utf8_bytes(cases[i].text, cases[i].left), cases[i].bytes);
}

/* A page that lists several. */
static void overview(void **state)
{
    (void)state;
    Report report = {.spec = "a.spec"};
    many(&report)->name = "first";
    has_not(page_of(&report), "href");
    nest(&report)->name = "second";
    ReportNest *third = nest(&report);
    third->name = "third";
    third->chosen = knobs(NULL, NULL);
    third->speed = 1;
    const char *page = page_of(&report);
    has(page, "<a href=\"#n1\">first</a></td><td>1.12</td><td>16</td><td>1944</td><td class=\"text\">unroll 8, prefetch_distance 8</td>");
    has(page, "<a href=\"#n2\">second</a></td><td></td><td>0</td><td>1944</td><td class=\"text\">not finished</td>");
    has(page, "<a href=\"#n3\">third</a></td><td>1.00</td><td>0</td><td>1944</td><td class=\"text\">as planned</td>");
    has(page, "<section id=\"n3\">");
    has(page, "It stays as planned.");
}

/* ---------------------------------------------------------------- ticks */

static void check_ticks(PlotAxis axis, int wanted, int n, const double *expected)
{
    double ticks[PLOT_TICKS];
    assert_int_equal(plot_ticks(&axis, wanted, ticks), n);
    for (int i = 0; i < n; i++)
        assert_true(fabs(ticks[i] - expected[i]) < 1e-9);
}

static void round_ticks(void **state)
{
    (void)state;
    check_ticks((PlotAxis){.from = 0, .to = 80}, 8, 9, (const double[]){0, 10, 20, 30, 40, 50, 60, 70, 80});
    check_ticks((PlotAxis){.from = 0, .to = 1, .counts = true}, 8, 2, (const double[]){0, 1});
    check_ticks((PlotAxis){.from = 0.995, .to = 1.011}, 4, 4, (const double[]){0.995, 1, 1.005, 1.01});
    check_ticks((PlotAxis){.from = 1, .to = 144, .is_log = true}, 8, 7, (const double[]){1, 2, 5, 10, 20, 50, 100});
    check_ticks((PlotAxis){.from = 1, .to = 16920, .is_log = true}, 8, 5, (const double[]){1, 10, 100, 1000, 10000});
    for (double to = 1e-6; to < 1e7; to *= 1.37) { /* never too many, never none */
        double ticks[PLOT_TICKS];
        const PlotAxis axis = {.from = to / 3, .to = to};
        const int n = plot_ticks(&axis, 6, ticks);
        assert_true(n >= 2 && n <= 7 && ticks[0] >= axis.from * 0.999999 && ticks[n - 1] <= axis.to * 1.000001);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_measured, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_measurement, set_up, tear_down),
        cmocka_unit_test_setup_teardown(best_ten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(convergence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(predictions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_are_escaped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(overview, set_up, tear_down),
        cmocka_unit_test(round_ticks),
        cmocka_unit_test(characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
