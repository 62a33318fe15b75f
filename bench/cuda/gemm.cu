/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated products against cuBLAS and cuBLASLt on one GPU: options, and the order of things. See ../cuda.sh. */
#include <algorithm>
#include <exception>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "host.h"
#include "report.h"
#include "watch.h"

struct Options {
    std::string sets = "1433,rounded,llama,decode,unaligned,cubes", types = operators_all(), data = ".", csv;
    std::vector<Shape> given;
    double limit = INFINITY; /* seconds */
    unsigned patience = 0;
    size_t from = 0; /* of the shapes of all types, in the order in which they are run */
    uint64_t seed = SHAPES_SEED;
    int rounds = 7, worst = 10;
    bool check_only = false, hot = false, gate = true, host = true, brief = false;
};

/* Everything of one type. */
struct Outcome {
    const Operator *op;
    size_t asked; /* shapes; what is not among the rows was not reached */
    std::vector<Row> rows;
    bool broken; /* the device failed: nothing more runs in this process */
};

static void usage(void)
{
    fprintf(stderr, "options: --class=NAME,... --shape=MxNxK,... --type=f16,bf16,f32,tf32,s8,e4m3 --limit-seconds=S --seed=N --rounds=N\n"
                    "         --worst=N --csv=FILE --check-only --hot --launch=gate|plain --no-host --brief --data=FOLDER\n"
                    "         --patience=S --from=N\n");
    exit(2);
}

static Options parse(int argc, char **argv)
{
    Options o;
    for (int i = 1; i < argc; i++) {
        const char *const a = argv[i], *v;
        if ((v = option_value(a, "class")))
            o.sets = v;
        else if ((v = option_value(a, "shape")) && shapes_given(&o.given, v))
            continue;
        else if ((v = option_value(a, "type")))
            o.types = v;
        else if ((v = option_value(a, "limit-seconds")))
            o.limit = atof(v);
        else if ((v = option_value(a, "patience")))
            o.patience = (unsigned)strtoul(v, NULL, 0);
        else if ((v = option_value(a, "from")))
            o.from = strtoul(v, NULL, 0);
        else if ((v = option_value(a, "seed")))
            o.seed = strtoull(v, NULL, 0);
        else if ((v = option_value(a, "rounds")))
            o.rounds = atoi(v);
        else if ((v = option_value(a, "worst")))
            o.worst = atoi(v);
        else if ((v = option_value(a, "csv")))
            o.csv = v;
        else if ((v = option_value(a, "data")))
            o.data = v;
        else if ((v = option_value(a, "launch")) && (strcmp(v, "gate") == 0 || strcmp(v, "plain") == 0))
            o.gate = strcmp(v, "gate") == 0;
        else if (strcmp(a, "--check-only") == 0)
            o.check_only = true;
        else if (strcmp(a, "--hot") == 0)
            o.hot = true;
        else if (strcmp(a, "--no-host") == 0)
            o.host = false;
        else if (strcmp(a, "--brief") == 0)
            o.brief = true;
        else
            usage();
    }
    if (o.rounds < 1)
        usage();
    return o;
}

static std::vector<std::string> words(const std::string &list)
{
    std::vector<std::string> all(1);
    for (char c : list) {
        if (c == ',')
            all.emplace_back();
        else
            all.back() += c;
    }
    return all;
}

static void heading(const Options &o, const Device &d)
{
    printf("%s, sm_%d, %d multiprocessors, %.0f MB of L2, %.1f GB free, clocks up to %d and %d MHz\n", d.name, d.cc, d.sms,
           (double)d.l2 / 1e6, (double)d.memory / 1e9, d.sm_clock, d.memory_clock);
    printf("driver for CUDA %d.%d, runtime %d.%d", d.driver / 1000, d.driver / 10 % 100, d.runtime / 1000, d.runtime / 10 % 100);
    if (cublas_version() > 0)
        printf(", cuBLAS %d", cublas_version());
    printf("\nseed %llu; ", (unsigned long long)o.seed);
    if (o.check_only) {
        printf("results are checked, nothing is timed\n");
        return;
    }
    printf("medians of %d rounds, in turns; %s;\n%s\n", o.rounds,
           o.gate ? "calls queue up behind a kernel that waits for the last of them, so that the host's time does not show"
                  : "calls as the host enqueues them",
           o.hot ? "operands stay in the caches where they fit"
                 : "operands come from memory: copies in turn, twice the L2 or 32 of them, and the caches are emptied before "
                   "each batch");
}

static void write_row(FILE *csv, const Operator *op, const Row &row)
{
    const Shape &s = row.shape;
    const bool timed = isfinite(row.ours);
    fprintf(csv, "%s,%s,%d,%d,%d,%s,%s,%s,%s,%s,%s,%s,%s,%s\n", s.set, op->type, s.m, s.n, s.k, row.plan.c_str(),
            csv_number(row.ours).c_str(), csv_number(row.cublas).c_str(), csv_number(row.lt).c_str(),
            csv_number(timed ? shape_flops(s) / row.ours * 1e-6 : INFINITY).c_str(),
            csv_number(timed ? shape_bytes(s, op->element) / row.ours * 1e-3 : INFINITY).c_str(),
            csv_number(timed ? row.cublas / row.ours : INFINITY).c_str(), csv_number(timed ? row.lt / row.ours : INFINITY).c_str(),
            state_names[row.state]);
    fflush(csv);
}

static void report_row(FILE *csv, const Operator *op, const Row &row)
{
    const std::string shape = times_text(row.shape.m, row.shape.n, row.shape.k);
    if (row.state == WRONG || row.state == REFUSED)
        printf("%s: %s %s, %s\n", row.state == WRONG ? "WRONG" : "REFUSED", op->type, shape.c_str(), row.plan.c_str());
    if (row.peer_wrong)
        printf("cuBLAS's result is another one: %s %s\n", op->type, shape.c_str());
    fflush(stdout);
    if (csv)
        write_row(csv, op, row);
}

/* Runs the shapes in an evenly spread order until the time is over, or the device fails; rows come back in the order of the
   shapes. first: the number of the type's first one. */
static Outcome run_type(const Options &o, const Device &device, Race *race, const Operator *op, const std::vector<Shape> &shapes,
                        size_t first, double until, FILE *csv)
{
    Outcome outcome = {op, shapes.size(), {}, false};
    std::vector<bool> fits;
    std::vector<std::pair<size_t, Row>> rows;
    size_t number = first;
    watch(std::string(op->type) + " preparing", 0);
    try {
        Bench *bench = bench_open(op, &device, race, o.hot, o.rounds, shapes, &fits);
        for (size_t i : spread_order(shapes.size())) {
            if (number++ < o.from)
                continue;
            if (seconds_now() > until)
                break;
            Row row = {shapes[i], TOO_LARGE, "", INFINITY, INFINITY, INFINITY, false};
            watch(std::string(op->type) + " " + times_text(row.shape.m, row.shape.n, row.shape.k), number);
            if (fits[i])
                row = bench_measure(bench, shapes[i], o.check_only);
            report_row(csv, op, row);
            rows.push_back({i, row});
        }
        watch(std::string(op->type) + " the host's part", first + shapes.size());
        if (o.host && !o.check_only) {
            std::vector<Shape> set;
            shapes_add(&set, "1433", o.data, o.seed);
            host_report(bench, set);
        }
        bench_close(bench);
    } catch (const std::exception &error) {
        watch_failed(error.what());
        outcome.broken = true;
    }
    watch_close();
    std::sort(rows.begin(), rows.end(), [](const auto &x, const auto &y) { return x.first < y.first; });
    for (const auto &row : rows)
        outcome.rows.push_back(row.second);
    return outcome;
}

static bool is_failure(const Row &row) { return row.state == WRONG || row.state == REFUSED || row.state == TOO_LARGE; }

static std::vector<Ratio> ratios_of(const std::vector<Row> &rows, double Row::*peer)
{
    std::vector<Ratio> ratios;
    for (const Row &row : rows)
        if (!is_failure(row) && isfinite(row.ours) && isfinite(row.*peer))
            ratios.push_back({row.*peer / row.ours, times_text(row.shape.m, row.shape.n, row.shape.k)});
    return ratios;
}

static void summary_line(const char *name, const std::vector<Row> &rows)
{
    size_t right = 0, unchecked = 0;
    for (const Row &row : rows) {
        right += row.state == RIGHT;
        unchecked += row.state == UNCHECKED;
    }
    printf("%-12s%6zu %6.2f%%", name, rows.size(), rows.empty() ? 0.0 : 100.0 * (double)right / (double)rows.size());
    printf(" |%-38s |%-38s", summary_text(summarise(ratios_of(rows, &Row::cublas))).c_str(),
           summary_text(summarise(ratios_of(rows, &Row::lt))).c_str());
    printf(unchecked > 0 ? " %zu unchecked\n" : "\n", unchecked);
}

static bool in_1433(const Shape &s) { return strcmp(s.set, "deepbench") == 0 || strncmp(s.set, "box", 3) == 0; }

static void summary(const Outcome &outcome)
{
    printf("\n%s: %zu of %zu shapes%s\n", outcome.op->type, outcome.rows.size(), outcome.asked,
           outcome.rows.size() < outcome.asked ? ", a sample spread evenly" : "");
    printf("            shapes right    |time of cuBLAS over ours               |time of cuBLASLt's best over ours\n");
    printf("                            | geomean 5th pct minimum  at           | geomean 5th pct minimum  at\n");
    std::vector<std::string> sets;
    std::vector<Row> of_1433;
    for (const Row &row : outcome.rows) {
        if (std::find(sets.begin(), sets.end(), row.shape.set) == sets.end())
            sets.push_back(row.shape.set);
        if (in_1433(row.shape))
            of_1433.push_back(row);
    }
    for (const std::string &set : sets) {
        std::vector<Row> rows;
        for (const Row &row : outcome.rows)
            if (set == row.shape.set)
                rows.push_back(row);
        summary_line(set.c_str(), rows);
    }
    if (!of_1433.empty())
        summary_line("the 1433", of_1433);
    summary_line("all", outcome.rows);
}

static void show_worst(const Outcome &outcome, int count)
{
    std::vector<Row> rows;
    for (const Row &row : outcome.rows)
        if (isfinite(row.cublas))
            rows.push_back(row);
    std::sort(rows.begin(), rows.end(), [](const Row &x, const Row &y) { return x.cublas / x.ours < y.cublas / y.ours; });
    if (rows.empty() || count < 1)
        return;
    printf("\n%s, the lowest ratios: microseconds of ours, cuBLAS, cuBLASLt\n", outcome.op->type);
    for (size_t i = 0; i < rows.size() && i < (size_t)count; i++)
        printf("%-11s%-20s%6.3f %10.2f%10.2f%10.2f  %s\n", rows[i].shape.set,
               times_text(rows[i].shape.m, rows[i].shape.n, rows[i].shape.k).c_str(), rows[i].cublas / rows[i].ours, rows[i].ours,
               rows[i].cublas, rows[i].lt, rows[i].plan.c_str());
}

/* All types; returns how many shapes failed. */
static size_t run(const Options &o, const std::vector<Shape> &shapes, FILE *csv)
{
    const double end = seconds_now() + o.limit;
    const Device device = device_open();
    const std::vector<std::string> types = words(o.types);
    size_t failures = 0;
    if (!o.brief)
        heading(o, device);
    Race *race = race_open(o.gate, o.hot ? 0 : 2 * device.l2);
    for (size_t t = 0; t < types.size(); t++) {
        const Operator *const op = operator_of(types[t]);
        if (!op) {
            fprintf(stderr, "this program has been built without %s\n", types[t].c_str());
            return 1;
        }
        if (o.from > 0 && o.from >= (t + 1) * shapes.size())
            continue;
        const double now = seconds_now();
        const Outcome outcome = run_type(o, device, race, op, shapes, t * shapes.size(), now + (end - now) / (double)(types.size() - t),
                                         csv);
        summary(outcome);
        show_worst(outcome, o.check_only ? 0 : o.worst);
        fflush(stdout);
        failures += (size_t)std::count_if(outcome.rows.begin(), outcome.rows.end(), is_failure) + outcome.broken;
        if (outcome.broken)
            return failures;
    }
    race_close(race);
    return failures;
}

int main(int argc, char **argv)
{
    const Options o = parse(argc, argv);
    watch_open(o.patience);
    std::vector<Shape> shapes = o.given;
    const double start = seconds_now();
    if (shapes.empty()) {
        const std::string error = shapes_add(&shapes, o.sets, o.data, o.seed);
        if (!error.empty()) {
            fprintf(stderr, "%s\n", error.c_str());
            return 2;
        }
    }
    FILE *const csv = o.csv.empty() ? NULL : fopen(o.csv.c_str(), o.from > 0 ? "a" : "w");
    if (!o.csv.empty() && !csv) {
        perror(o.csv.c_str());
        return 2;
    }
    if (csv && o.from == 0) {
        fprintf(csv, "class,type,M,N,K,plan,ours_us,cublas_us,cublaslt_us,tflops,gb_s,ratio,ratio_lt,ok\n");
        fflush(csv); /* before anything can go wrong */
    }
    try {
        const size_t failures = run(o, shapes, csv);
        printf("\n%.0f seconds\n", seconds_now() - start);
        return failures > 0 ? 1 : 0;
    } catch (const std::exception &error) {
        fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
