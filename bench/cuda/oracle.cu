/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is the choice good? Every plan that the dispatcher could choose is run on the GPU, the most promising ones first; the
   fastest and the chosen one are then measured anew, in turns. See ../cuda_oracle.sh. */
#include <algorithm>
#include <exception>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "plan_text.h"
#include "plans.h"
#include "report.h"
#include "watch.h"

struct Options {
    std::string type = operators_all(), sets = "1433", data = ".", csv;
    size_t sample = 200, from = 0;
    double limit = INFINITY;
    unsigned patience = 0;
    int worst = 10;
    std::vector<Shape> given;
    bool hot = false, gate = true, check_only = false;
};

enum { FINALISTS = 8, ROUNDS = 9 };

struct Trial {
    Candidate candidate;
    double time; /* microseconds; infinite: not run, or refused */
};

struct Outcome {
    Shape shape;
    Trial chosen, best; /* without a time where that was not asked for */
    size_t run, left, wrong;
};

/* One plan of the shape at hand, as a contender. */
struct Entry {
    Bench *bench;
    const mikgen_cuda_options *plan;
};

static bool call(void *self, int copy)
{
    const Entry *const entry = (const Entry *)self;
    return bench_call(entry->bench, entry->plan, copy);
}

static void usage(void)
{
    fprintf(stderr, "options: --class=NAME,... --shape=MxNxK,... --sample=N --limit-seconds=S --worst=N --csv=FILE --check-only --hot\n"
                    "         --launch=gate|plain --data=FOLDER --patience=S --from=N\n");
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
        else if ((v = option_value(a, "sample")))
            o.sample = strtoul(v, NULL, 0);
        else if ((v = option_value(a, "limit-seconds")))
            o.limit = atof(v);
        else if ((v = option_value(a, "patience")))
            o.patience = (unsigned)strtoul(v, NULL, 0);
        else if ((v = option_value(a, "from")))
            o.from = strtoul(v, NULL, 0);
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
        else
            usage();
    }
    return o;
}

/* Checked, then timed shortly. */
static void try_plan(Bench *bench, bool check_only, Trial *trial, Outcome *outcome)
{
    Entry entry = {bench, &trial->candidate.plan};
    const Contender contender = {call, &entry};
    watch_part(plan_text(trial->candidate.plan, bench->op->kernel));
    const State state = bench_check(bench, &trial->candidate.plan);
    trial->time = INFINITY;
    if (state == REFUSED)
        return;
    outcome->run++;
    if (state == WRONG) {
        const Shape &s = outcome->shape;
        printf("WRONG: %s, %s\n", times_text(s.m, s.n, s.k).c_str(), plan_text(trial->candidate.plan, bench->op->kernel).c_str());
        outcome->wrong++;
        return;
    }
    if (check_only)
        return;
    const double expected = trial->candidate.expected;
    trial->time = race_batch(bench->race, contender, std::max(2, race_calls(expected > 5 ? expected : 5) / 4), bench->layout.copies);
}

/* The fastest trials, and the chosen one before them, in turns. */
static void hold_final(Bench *bench, const std::vector<Trial> &trials, Outcome *outcome)
{
    std::vector<Trial> final = {outcome->chosen};
    std::vector<Entry> entries;
    std::vector<Contender> contenders;
    std::vector<double> times;
    for (size_t i = 0; i < trials.size() && i < FINALISTS; i++)
        final.push_back(trials[i]);
    for (const Trial &t : final)
        entries.push_back({bench, &t.candidate.plan});
    for (size_t i = 0; i < final.size(); i++) {
        contenders.push_back({call, &entries[i]});
        times.push_back(final[i].time);
    }
    watch_part("the fastest ones in turns");
    race_run(bench->race, contenders, ROUNDS, bench->layout.copies, &times);
    outcome->chosen.time = times[0];
    outcome->best = outcome->chosen;
    for (size_t i = 1; i < final.size(); i++)
        if (times[i] < outcome->best.time)
            outcome->best = {final[i].candidate, times[i]};
}

static Outcome contest(Bench *bench, bool check_only, const Shape &shape, double until)
{
    Outcome outcome = {shape, {plans_chosen(shape), INFINITY}, {{}, INFINITY}, 0, 0, 0};
    std::vector<Trial> trials;
    bench_take(bench, shape);
    if (!bench_expect(bench)) {
        printf("cannot be checked: %s\n", times_text(shape.m, shape.n, shape.k).c_str());
        return outcome;
    }
    try_plan(bench, check_only, &outcome.chosen, &outcome);
    std::vector<Candidate> candidates = plans_all(shape);
    if (check_only) /* each kernel once, before what is made of them */
        std::stable_partition(candidates.begin(), candidates.end(),
                              [](const Candidate &p) { return p.plan.pattern == 1 && p.plan.blocks[0] == 0; });
    for (const Candidate &candidate : candidates) {
        Trial trial = {candidate, INFINITY};
        if (seconds_now() > until) {
            outcome.left++;
            continue;
        }
        try_plan(bench, check_only, &trial, &outcome);
        if (isfinite(trial.time))
            trials.push_back(trial);
    }
    std::stable_sort(trials.begin(), trials.end(), [](const Trial &x, const Trial &y) { return x.time < y.time; });
    if (!check_only)
        hold_final(bench, trials, &outcome);
    return outcome;
}

static void report(const Outcome &o, const Bench *bench, FILE *csv)
{
    const Shape &s = o.shape;
    if (csv) {
        fprintf(csv, "%s,%s,%d,%d,%d,%s,%s,%s,%s,%s,%s,%s,%zu,%zu,%zu\n", s.set, bench->op->type, s.m, s.n, s.k,
                plan_text(o.chosen.candidate.plan, bench->op->kernel).c_str(), csv_number(o.chosen.time).c_str(),
                csv_number(o.chosen.candidate.expected).c_str(), plan_text(o.best.candidate.plan, bench->op->kernel).c_str(),
                csv_number(o.best.time).c_str(), csv_number(o.best.candidate.expected).c_str(),
                csv_number(o.best.time / o.chosen.time).c_str(), o.run, o.left, o.wrong);
        fflush(csv);
    }
    fflush(stdout);
}

static void summary(const std::vector<Outcome> &outcomes, const Bench *bench, int worst)
{
    std::vector<Ratio> ratios;
    std::vector<Outcome> sorted;
    size_t run = 0, left = 0, wrong = 0, near = 0, patterns[4] = {};
    for (const Outcome &o : outcomes) {
        run += o.run;
        left += o.left;
        wrong += o.wrong;
        if (!isfinite(o.chosen.time) || !isfinite(o.best.time))
            continue;
        ratios.push_back({o.best.time / o.chosen.time, times_text(o.shape.m, o.shape.n, o.shape.k)});
        near += o.best.time > 0.97 * o.chosen.time;
        patterns[o.best.candidate.plan.pattern == 1 && o.best.candidate.plan.blocks[0] > 0 ? 0 : o.best.candidate.plan.pattern]++;
        sorted.push_back(o);
    }
    printf("\n%s: %zu shapes, %zu plans run, %zu left out for want of time, %zu wrong\n", bench->op->type, outcomes.size(), run, left,
           wrong);
    if (ratios.empty())
        return;
    printf("best plan's time over that of the chosen one: geomean, 5th percentile, minimum %s; within 3 %%: %.1f%%\n",
           summary_text(summarise(ratios)).c_str(), 100.0 * (double)near / (double)ratios.size());
    printf("the best one has pattern I with a block for each tile %zu times, with shared steps %zu; II %zu, III %zu\n", patterns[1],
           patterns[0], patterns[2], patterns[3]);
    std::sort(sorted.begin(), sorted.end(),
              [](const Outcome &x, const Outcome &y) { return x.best.time / x.chosen.time < y.best.time / y.chosen.time; });
    printf("\nfurthest from the best, microseconds measured (expected)\n");
    for (size_t i = 0; i < sorted.size() && i < (size_t)worst; i++) {
        const Outcome &o = sorted[i];
        printf("%-20s%6.3f  chosen%10.2f (%10.2f)  %s\n", times_text(o.shape.m, o.shape.n, o.shape.k).c_str(), o.best.time / o.chosen.time,
               o.chosen.time, o.chosen.candidate.expected, plan_text(o.chosen.candidate.plan, bench->op->kernel).c_str());
        printf("%26s  best  %10.2f (%10.2f)  %s\n", "", o.best.time, o.best.candidate.expected,
               plan_text(o.best.candidate.plan, bench->op->kernel).c_str());
    }
}

/* Returns how many shapes had wrong candidates. */
static size_t run(const Options &o, const std::vector<Shape> &shapes, FILE *csv)
{
    const double end = seconds_now() + o.limit;
    const Device device = device_open();
    std::vector<Outcome> outcomes;
    std::vector<bool> fits;
    plans_assume(true);
    Race *race = race_open(o.gate, o.hot ? 0 : 2 * device.l2);
    Bench *bench = bench_open(operator_of(o.type), &device, race, o.hot, ROUNDS, shapes, &fits);
    printf("%s, %s, %d kernels, %zu shapes\n", device.name, o.type.c_str(), plans_kernels(), shapes.size());
    try {
        for (size_t i = o.from; i < shapes.size() && seconds_now() < end; i++) {
            if (!fits[i])
                continue;
            watch(times_text(shapes[i].m, shapes[i].n, shapes[i].k), i + 1);
            const double now = seconds_now();
            outcomes.push_back(contest(bench, o.check_only, shapes[i], now + (end - now) / (double)(shapes.size() - i)));
            report(outcomes.back(), bench, csv);
        }
    } catch (const std::exception &error) {
        watch_failed(error.what());
        summary(outcomes, bench, o.worst);
        return 1;
    }
    watch_close();
    summary(outcomes, bench, o.worst);
    bench_close(bench);
    race_close(race);
    return (size_t)std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome &x) { return x.wrong > 0; });
}

int main(int argc, char **argv)
{
    const Options o = parse(argc, argv);
    watch_open(o.patience);
    std::vector<Shape> all = o.given, shapes;
    const std::string error = all.empty() ? shapes_add(&all, o.sets, o.data, SHAPES_SEED) : "";
    if (!error.empty()) {
        fprintf(stderr, "%s\n", error.c_str());
        return 2;
    }
    for (size_t i : spread_order(all.size()))
        if (shapes.size() < o.sample)
            shapes.push_back(all[i]);
    FILE *const csv = o.csv.empty() ? NULL : fopen(o.csv.c_str(), o.from > 0 ? "a" : "w");
    if (!o.csv.empty() && !csv) {
        perror(o.csv.c_str());
        return 2;
    }
    if (csv && o.from == 0) {
        fprintf(csv, "class,type,M,N,K,chosen,chosen_us,chosen_expected_us,best,best_us,best_expected_us,ratio,run,left_out,wrong\n");
        fflush(csv); /* before anything can go wrong */
    }
    try {
        return run(o, shapes, csv) > 0 ? 1 : 0;
    } catch (const std::exception &failure) {
        fprintf(stderr, "%s\n", failure.what());
        return 3;
    }
}
