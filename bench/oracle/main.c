/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every plan that the dispatcher could choose, against what it does choose: options, and the order of things. See
   ../oracle.sh. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "machine.h"
#include "plans.h"
#include "report.h"
#include "turns.h"

typedef struct Options {
    const char *csv, *sorted, *lock, *plans;
    int sample, worst;
    double seconds, max_flops;
    Shapes shapes;
} Options;

static void usage(void)
{
    fprintf(
        stderr,
        "options: --sample=N --shape=MxNxK,... --seconds=S --max-flops=X --worst=N --csv=FILE --sorted=FILE --lock=FILE --plans=FILE\n");
    exit(2);
}

static void add_given(Options *options, char *list)
{
    for (char *item = strtok(list, ","); item; item = strtok(NULL, ",")) {
        int M, N, K, end = 0;
        if (sscanf(item, "%dx%dx%d%n", &M, &N, &K, &end) != 3 || item[end] || M < 1 || N < 1 || K < 1)
            usage();
        shapes_add(&options->shapes, "given", M, N, K);
    }
}

static Options parse(int argc, char **argv)
{
    enum { SAMPLE, SHAPE, SECONDS, MAX_FLOPS, WORST, CSV, SORTED, LOCK, PLANS };
    static const struct option names[] = {
        {"sample", 1, NULL, SAMPLE}, {"shape", 1, NULL, SHAPE}, {"seconds", 1, NULL, SECONDS}, {"max-flops", 1, NULL, MAX_FLOPS},
        {"worst", 1, NULL, WORST},   {"csv", 1, NULL, CSV},     {"sorted", 1, NULL, SORTED},   {"lock", 1, NULL, LOCK},
        {"plans", 1, NULL, PLANS},   {NULL, 0, NULL, 0}};
    Options o = {.worst = 15, .seconds = 2, .max_flops = 2e8};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (c) {
        case SAMPLE: o.sample = atoi(optarg); break;
        case SHAPE: add_given(&o, optarg); break;
        case SECONDS: o.seconds = atof(optarg); break;
        case MAX_FLOPS: o.max_flops = atof(optarg); break;
        case WORST: o.worst = atoi(optarg); break;
        case CSV: o.csv = optarg; break;
        case SORTED: o.sorted = optarg; break;
        case PLANS: o.plans = optarg; break;
        case LOCK: o.lock = optarg; break;
        default: usage();
        }
    }
    if (optind < argc)
        usage();
    if (o.shapes.count == 0) {
        shapes_add_set(&o.shapes, "boxes", ".", o.max_flops);
        if (o.sample > 0)
            shapes_shuffle(&o.shapes, o.sample);
    }
    return o;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Nanoseconds that two looks at the clock take. */
static double clock_cost(void)
{
    double least = INFINITY;
    for (int i = 0; i < 1000; i++) {
        const double begin = seconds();
        least = fmin(least, seconds() - begin);
    }
    return 1e9 * least;
}

/* Each shape is decided once, as if never seen before. */
static void report_decisions(void)
{
    enum { SHAPES = 2000, LOOKUPS = 100000 };
    static double cold[SHAPES];
    Shapes shapes = {0};
    const double clock = clock_cost();
    double cached = INFINITY;
    shapes_add_different(&shapes, 8192, SHAPES);
    for (int i = 0; i < SHAPES; i++) {
        Problem *problem = problem_open(shapes.items[i].M, shapes.items[i].N, shapes.items[i].K, NULL);
        const double begin = seconds();
        problem_decide(problem);
        cold[i] = 1e9 * (seconds() - begin) - clock;
        problem_close(problem);
    }
    Problem *problem = problem_open(333, 444, 555, NULL);
    for (int round = 0; round < 5; round++) {
        const double begin = seconds();
        for (int i = 0; i < LOOKUPS; i++)
            problem_lookup(problem);
        cached = fmin(cached, 1e9 * (seconds() - begin) / LOOKUPS);
    }
    problem_close(problem);
    free(shapes.items);
    qsort(cold, SHAPES, sizeof *cold, ascending);
    printf("\na decision, nanoseconds: cold, over %d shapes, median %.0f, 99 %% %.0f, most %.0f; cached %.1f\n", SHAPES, cold[SHAPES / 2],
           cold[SHAPES * 99 / 100], cold[SHAPES - 1], cached);
}

/* Opened before anything is measured; NULL: not wanted. */
static FILE *open_file(const char *path)
{
    FILE *file = path ? fopen(path, "w") : NULL;
    if (path && !file) {
        perror(path);
        exit(2);
    }
    return file;
}

int main(int argc, char **argv)
{
    Options options = parse(argc, argv);
    const int count = options.shapes.count, fixed = kernel_fastest(4096);
    int rows, columns, wrong = 0;
    FILE *csv = open_file(options.csv), *ratios = open_file(options.sorted), *list = open_file(options.plans);
    Outcome *outcomes = calloc((size_t)count + 1, sizeof *outcomes);
    if (!outcomes)
        abort();
    if (!run_first())
        printf("Not permitted to run before other processes (SCHED_FIFO): what else runs shows in the results.\n");
    kernel_size(fixed, &rows, &columns);
    printf("f32, 1 thread, %d kernels; \"one kernel\" is %dx%d wherever its tile fits\n", kernels_count(), rows, columns);
    Contest *contest = contest_open(NULL, &options.shapes, options.seconds, fixed, list);
    if (list)
        fprintf(list, "M,N,K,plan,chosen,us,expected_us,kernels_expected_us\n");
    Turns turns = turns_open(options.lock);
    for (int i = 0; i < count; i++) {
        turns_take(&turns);
        contest_hold(contest, &options.shapes.items[i], &outcomes[i]);
        if (outcomes[i].wrong) {
            printf("WRONG: %dx%dx%d, %d plans\n", outcomes[i].shape.M, outcomes[i].shape.N, outcomes[i].shape.K, outcomes[i].wrong);
            wrong++;
        }
        fflush(stdout);
    }
    contest_close(contest);
    report_summary(outcomes, count);
    report_decisions();
    turns_close(&turns);
    report_worst(outcomes, count, options.worst);
    if (csv) {
        report_csv(csv, outcomes, count);
        fclose(csv);
    }
    if (list)
        fclose(list);
    if (ratios) {
        report_sorted(ratios, outcomes, count);
        fclose(ratios);
    }
    free(outcomes);
    free(options.shapes.items);
    return wrong ? 1 : 0;
}
