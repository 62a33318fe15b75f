/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the emitted dispatcher's model says of its own choices, without a GPU: times that it expects against the roofline and
   against one fixed kernel, as Markdown; with --decisions, how long decisions take on this machine. See ../cuda_model.sh. */
#include <algorithm>
#include <map>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operators.h"
#include "plans.h"
#include "race.h"
#include "report.h"

struct Options {
    std::string type = "f16", data = ".";
    double peak = 790, bandwidth = 4.3; /* TFLOP/s, TB/s: what an H200 was seen to reach */
    int bytes = 2;
    bool decisions = false, details = false;
};

/* Microseconds. */
struct Expected {
    Shape shape;
    Candidate chosen;
    double roofline, whole, fixed;
};

static void usage(void)
{
    fprintf(stderr, "options: --type=NAME --bytes=N --peak=TFLOPS --bandwidth=TBS --data=FOLDER --details --decisions\n");
    exit(2);
}

static Options parse(int argc, char **argv)
{
    Options o;
    for (int i = 1; i < argc; i++) {
        const char *const a = argv[i], *v;
        if ((v = option_value(a, "type")))
            o.type = v;
        else if ((v = option_value(a, "bytes")))
            o.bytes = atoi(v);
        else if ((v = option_value(a, "peak")))
            o.peak = atof(v);
        else if ((v = option_value(a, "bandwidth")))
            o.bandwidth = atof(v);
        else if ((v = option_value(a, "data")))
            o.data = v;
        else if (strcmp(a, "--details") == 0)
            o.details = true;
        else if (strcmp(a, "--decisions") == 0)
            o.decisions = true;
        else
            usage();
    }
    return o;
}

static double roofline(const Options &o, const Shape &s)
{
    const double bytes = ((double)s.m * s.k + (double)s.n * s.k + (double)s.m * s.n) * o.bytes;
    return std::max(bytes / o.bandwidth, shape_flops(s) / o.peak) * 1e-6;
}

/* The kernel, of those for any operands or of the others, with the best geometric mean over the shapes that take it. */
static int best_fixed(const std::vector<Expected> &all, const Options &o, bool any)
{
    int best = -1;
    double most = -INFINITY;
    for (int i = 0; i < plans_kernels(); i++) {
        double logs = 0;
        if (plans_kernel_any(i) != any)
            continue;
        for (const Expected &e : all)
            if (shape_aligned(e.shape, o.bytes) != any)
                logs += log(e.chosen.expected / plans_whole(e.shape, i));
        if (logs > most) {
            most = logs;
            best = i;
        }
    }
    return best;
}

static double least_whole(const Shape &shape)
{
    double least = INFINITY;
    for (int i = 0; i < plans_kernels(); i++)
        least = std::min(least, plans_whole(shape, i));
    return least;
}

/* Chooses the fixed kernels if there are none yet. */
static std::vector<Expected> expect(const Options &o, const std::vector<Shape> &shapes, int fixed[2])
{
    std::vector<Expected> all;
    for (const Shape &s : shapes)
        all.push_back({s, plans_chosen(s), roofline(o, s), least_whole(s), 0});
    if (fixed[1] < 0) {
        fixed[0] = best_fixed(all, o, false);
        fixed[1] = best_fixed(all, o, true);
    }
    for (Expected &e : all) {
        const int kernel = fixed[0] >= 0 && shape_aligned(e.shape, o.bytes) ? fixed[0] : fixed[1];
        e.fixed = plans_whole(e.shape, kernel);
    }
    return all;
}

typedef double (*Measure)(const Expected &);

static Summary summary_of(const std::vector<Expected> &all, const char *set, Measure measure)
{
    std::vector<Ratio> ratios;
    for (const Expected &e : all)
        if (!set || strcmp(set, e.shape.set) == 0)
            ratios.push_back({measure(e), times_text(e.shape.m, e.shape.n, e.shape.k)});
    return summarise(ratios);
}

static void table_line(const std::vector<Expected> &all, const char *name, const char *set)
{
    static const Measure measures[] = {
        [](const Expected &e) { return e.roofline / e.chosen.expected; },
        [](const Expected &e) { return (e.roofline + plans_launch()) / e.chosen.expected; },
        [](const Expected &e) { return e.fixed / e.chosen.expected; },
        [](const Expected &e) { return e.whole / e.chosen.expected; },
    };
    printf("| %s | %zu |", name, summary_of(all, set, measures[0]).count);
    for (Measure measure : measures) {
        const Summary s = summary_of(all, set, measure);
        printf(" %.3g | %.3g | %.3g |", s.geomean, s.percentile, s.least);
    }
    printf("\n");
}

static void table(const std::vector<Expected> &all, const std::vector<Expected> &rounded)
{
    std::vector<std::string> sets;
    printf("| | shapes | A: geomean | 5 %% | least | B: geomean | 5 %% | least | C: geomean | 5 %% | least | D: geomean | 5 %% | "
           "least |\n");
    printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Expected &e : all)
        if (std::find(sets.begin(), sets.end(), e.shape.set) == sets.end())
            sets.push_back(e.shape.set);
    for (const std::string &set : sets)
        table_line(all, set.c_str(), set.c_str());
    table_line(all, "the 1433", NULL);
    table_line(rounded, "rounded", NULL);
}

static const char *kind_of(const Candidate &p)
{
    return p.plan.pattern == 2     ? "II: rows cut"
           : p.plan.pattern == 3   ? "III: columns cut"
           : p.plan.blocks[0] == 0 ? "I: a block for each tile"
                                   : "I: blocks share the steps";
}

static void counts(const char *head, const std::map<std::string, int> &count, size_t of, size_t lines)
{
    std::vector<std::pair<int, std::string>> sorted;
    for (const auto &c : count)
        sorted.push_back({-c.second, c.first});
    std::sort(sorted.begin(), sorted.end());
    printf("\n| %s | shapes | |\n|---|---|---|\n", head);
    for (size_t i = 0; i < sorted.size() && i < lines; i++)
        printf("| %s | %d | %.1f %% |\n", sorted[i].second.c_str(), -sorted[i].first, -100.0 * sorted[i].first / (double)of);
    if (sorted.size() > lines)
        printf("| %zu others | | |\n", sorted.size() - lines);
}

static void distribution(const std::vector<Expected> &all)
{
    std::map<std::string, int> kinds, kernels;
    for (const Expected &e : all) {
        kinds[kind_of(e.chosen)]++;
        for (int i = 0; i < (e.chosen.plan.pattern > 1 ? 2 : 1); i++)
            kernels["`" + kernel_short(plans_kernel(e.chosen.plan.kernel[i])) + "`"]++;
    }
    counts("chosen", kinds, all.size(), 9);
    counts("kernel", kernels, all.size(), 64);
}

static double clock_cost(void)
{
    double least = INFINITY;
    for (int i = 0; i < 1000; i++) {
        const double begin = seconds_now();
        least = std::min(least, seconds_now() - begin);
    }
    return least;
}

/* Nanoseconds of finding a plan that is in the cache; `asking`: what is asked about the operands included. */
static double lookup(bool asking)
{
    enum { LOOKUPS = 200000 };
    const Shape shape = {"", 333, 444, 555};
    double least = INFINITY;
    plans_decide(shape);
    for (int round = 0; round < 9; round++) {
        int found = 0;
        const double begin = seconds_now();
        for (int i = 0; i < LOOKUPS && asking; i++)
            found += plans_recall(shape);
        if (!asking)
            found = plans_recall_only(shape, LOOKUPS);
        if (found != LOOKUPS)
            return INFINITY;
        least = std::min(least, 1e9 * (seconds_now() - begin) / LOOKUPS);
    }
    return least;
}

/* All shapes one after another, several times over; of each the least, as other processes disturb. By the time a shape comes
   again, neither the cache of plans nor the processor's predictors know it. */
static void decisions(const std::vector<Shape> &shapes)
{
    const double clock = clock_cost();
    std::vector<double> cold(shapes.size(), INFINITY);
    for (int round = 0; round < 15; round++)
        for (size_t i = 0; i < shapes.size(); i++) {
            const double begin = seconds_now();
            plans_decide(shapes[i]);
            cold[i] = std::min(cold[i], 1e9 * (seconds_now() - begin - clock));
        }
    std::vector<double> sorted = cold;
    std::sort(sorted.begin(), sorted.end());
    const Shape &slowest = shapes[(size_t)(std::max_element(cold.begin(), cold.end()) - cold.begin())];
    printf("a decision, nanoseconds: cold, over %zu shapes, median %.0f, 95 %% %.0f, 99 %% %.0f, most %.0f (%s); cached %.1f, "
           "%.1f of it the cache\n",
           cold.size(), sorted[sorted.size() / 2], sorted[sorted.size() * 95 / 100], sorted[sorted.size() * 99 / 100], sorted.back(),
           times_text(slowest.m, slowest.n, slowest.k).c_str(), lookup(true), lookup(false));
}

int main(int argc, char **argv)
{
    const Options o = parse(argc, argv);
    std::vector<Shape> shapes, more;
    const std::string error = shapes_add(&shapes, "1433", o.data, SHAPES_SEED) + shapes_add(&more, "rounded", o.data, SHAPES_SEED);
    if (!error.empty()) {
        fprintf(stderr, "%s\n", error.c_str());
        return 2;
    }
    plans_assume(false);
    if (o.decisions) {
        printf("%s, %d kernels: ", o.type.c_str(), plans_kernels());
        decisions(shapes);
        return 0;
    }
    int fixed[2] = {-1, -1};
    const std::vector<Expected> all = expect(o, shapes, fixed), rounded = expect(o, more, fixed);
    printf("\n## %s\n\n%d kernels; roofline: %g TB/s, %g TFLOP/s; a launch: %g us. ", o.type.c_str(), plans_kernels(), o.bandwidth, o.peak,
           plans_launch());
    if (fixed[0] >= 0)
        printf("The fixed kernel is `%s`, where the operands are not aligned `%s`.\n\n", kernel_short(plans_kernel(fixed[0])).c_str(),
               kernel_short(plans_kernel(fixed[1])).c_str());
    else
        printf("The fixed kernel is `%s`.\n\n", kernel_short(plans_kernel(fixed[1])).c_str());
    table(all, rounded);
    if (o.details)
        distribution(all);
    return 0;
}
