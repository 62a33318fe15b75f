/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A generated convolution against cuDNN on one GPU. See ../cuda_conv.sh.
   CONV_HEADER, CONV: the generated header and its operator, as in -DCONV_HEADER='"conv2d_dyn.cuh"' -DCONV=conv2d: image
   [N][H][W][C], filter [R][S][C][K], as examples/conv2d/conv2d.spec has it; CONV_T, CONV_ELEMENT: float and F32, or another type.
 */
#include CONV_HEADER

#include <algorithm>
#include <exception>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conv_problem.h"
#include "cudnn.h"
#include "plan_text.h"
#include "race.h"
#include "report.h"
#include "watch.h"

#define PASTE(a, b)           a##b
#define NAMED(operator, what) PASTE(operator, what)
#define OF(what)              NAMED(CONV, what)

struct Options {
    std::string layers = "cnn_layers.csv", network, csv;
    std::vector<Conv> given;
    size_t sample = 0, from = 0;
    double limit = INFINITY;
    unsigned patience = 0;
    int rounds = 5, worst = 10;
    bool hot = false, gate = true, tf32 = false, check_only = false;
};

enum State { RIGHT, WRONG, TOO_LARGE };
static const char *const state_names[] = {"right", "wrong", "too large"};

/* Microseconds, infinite where there are none; the programs of cuDNN that were fastest, -1: none. */
struct Row {
    Conv conv;
    State state;
    std::string plan;
    double ours, implicit, nhwc, nchw;
    int best_nhwc, best_nchw;
    bool peer_wrong, peer_refuses;
    double best() const { return std::min(nhwc, nchw); }
};

struct Layout {
    size_t image, filter, output; /* bytes from one copy to the next */
    int copies;
};

struct Bench {
    const Options *o;
    Device device;
    Race *race;
    Cudnn *cudnn;
    char *random, *exact, *turned, *out; /* images and filters for timing, for checking; the filter as cuDNN has it; outputs */
    size_t room;                         /* bytes of random; of the others as many as a copy of anything takes */
    mikgen_cuda_options options;
    Conv conv;
    Layout layout;
};

static void usage(void)
{
    fprintf(stderr,
            "options: --network=NAME --shape=N,H,W,C,K,R,S,stride,pad --sample=N --limit-seconds=S --rounds=N --worst=N --csv=FILE\n"
            "         --check-only --hot --launch=gate|plain --tf32 --layers=FILE\n"
            "         --patience=S --from=N\n");
    exit(2);
}

static Options parse(int argc, char **argv)
{
    Options o;
    for (int i = 1; i < argc; i++) {
        const char *const a = argv[i], *v;
        Conv c = {"given", 0, 0, 0, 0, 0, 0, 0, 0, 0};
        if ((v = option_value(a, "network")))
            o.network = v;
        else if ((v = option_value(a, "shape")) &&
                 sscanf(v, "%d,%d,%d,%d,%d,%d,%d,%d,%d", &c.N, &c.H, &c.W, &c.C, &c.K, &c.R, &c.S, &c.stride, &c.pad) == 9)
            o.given.push_back(c);
        else if ((v = option_value(a, "sample")))
            o.sample = strtoul(v, NULL, 0);
        else if ((v = option_value(a, "limit-seconds")))
            o.limit = atof(v);
        else if ((v = option_value(a, "patience")))
            o.patience = (unsigned)strtoul(v, NULL, 0);
        else if ((v = option_value(a, "from")))
            o.from = strtoul(v, NULL, 0);
        else if ((v = option_value(a, "rounds")))
            o.rounds = atoi(v);
        else if ((v = option_value(a, "worst")))
            o.worst = atoi(v);
        else if ((v = option_value(a, "csv")))
            o.csv = v;
        else if ((v = option_value(a, "layers")))
            o.layers = v;
        else if ((v = option_value(a, "launch")) && (strcmp(v, "gate") == 0 || strcmp(v, "plain") == 0))
            o.gate = strcmp(v, "gate") == 0;
        else if (strcmp(a, "--check-only") == 0)
            o.check_only = true;
        else if (strcmp(a, "--hot") == 0)
            o.hot = true;
        else if (strcmp(a, "--tf32") == 0)
            o.tf32 = true;
        else
            usage();
    }
    return o;
}

static size_t round_up(size_t bytes) { return (bytes + 255) / 256 * 256 + 256; }

static Layout lay_out(const Conv &c, size_t l2, bool hot)
{
    const size_t bytes = (size_t)element_bytes(CONV_ELEMENT);
    Layout l = {round_up(c.image() * bytes), round_up(c.filter() * bytes), round_up((c.output() + GUARD) * bytes), 1};
    const size_t all = l.image + l.filter + l.output;
    if (!hot && all < 2 * l2)
        l.copies = (int)std::min<size_t>(32, 2 * l2 / all + 2);
    return l;
}

static size_t inputs_of(const Layout &l) { return l.image + l.filter; }

static char *take_memory(size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMalloc(&memory, bytes));
    return (char *)memory;
}

static size_t plan_bytes(const Conv &c) { return OF(_workspace)(c.N, c.H, c.W, c.C, c.K, c.R, c.S, c.stride, c.pad); }

/* A third of the memory for each of the numbers for timing, those for checking and the outputs, at most what is needed. */
static Bench *bench_open(const Options *o, const std::vector<Conv> &shapes)
{
    Bench *b = new Bench();
    size_t most = 1 << 20, workspace = 16 << 10;
    b->o = o;
    b->device = device_open();
    b->race = race_open(o->gate, o->hot ? 0 : 2 * b->device.l2);
    b->cudnn = cudnn_open(CONV_ELEMENT, o->tf32, b->race->stream);
    for (const Conv &c : shapes) {
        const Layout l = lay_out(c, b->device.l2, o->hot);
        most = std::max(most, (size_t)l.copies * std::max(inputs_of(l), l.output));
        workspace = std::max(workspace, plan_bytes(c));
    }
    size_t free_now = 0, total = 0;
    CHECK(cudaMemGetInfo(&free_now, &total));
    b->room = std::min(most, free_now / 4 / 256 * 256);
    b->random = take_memory(b->room);
    b->exact = take_memory(b->room);
    b->out = take_memory(b->room);
    b->turned = take_memory(std::min<size_t>(b->room, 256 << 20));
    b->options.workspace = take_memory(workspace);
    b->options.workspace_bytes = workspace;
    b->options.workspace_clean = 1;
    CHECK(cudaMemsetAsync(b->options.workspace, 0, workspace, b->race->stream));
    device_fill(CONV_ELEMENT, RANDOM, b->random, b->room, 1, b->race->stream);
    device_fill(CONV_ELEMENT, EXACT, b->exact, b->room, 2, b->race->stream);
    CHECK(OF(_prepare)());
    CHECK(cudaStreamSynchronize(b->race->stream));
    return b;
}

static cudaError_t run_ours(Bench *b, const char *image, char *output)
{
    const Conv &c = b->conv;
    return OF(_with)(&b->options, c.N, c.H, c.W, c.C, c.K, c.R, c.S, c.stride, c.pad, (const CONV_T *)(const void *)image,
                     (const CONV_T *)(const void *)(image + b->layout.image), (CONV_T *)(void *)output, b->race->stream);
}

static bool call_ours(void *self, int copy)
{
    Bench *const b = (Bench *)self;
    return run_ours(b, b->random + (size_t)copy * inputs_of(b->layout), b->out + (size_t)copy * b->layout.output) == cudaSuccess;
}

struct Peer {
    Bench *bench;
    int program;
};

static bool call_peer(void *self, int copy)
{
    const Peer *const peer = (const Peer *)self;
    Bench *const b = peer->bench;
    const char *const image = b->random + (size_t)copy * inputs_of(b->layout);
    return cudnn_run(b->cudnn, peer->program, image, image + b->layout.image, b->out + (size_t)copy * b->layout.output);
}

static double estimate(Bench *b, const Contender &contender)
{
    return race_warm(b->race, contender) ? race_batch(b->race, contender, 2, b->layout.copies) : INFINITY;
}

/* The fastest of cuDNN's programs from `first` to `last`; -1: it has none. */
static int fastest(Bench *b, int first, int last, double *time)
{
    int best = -1;
    *time = INFINITY;
    for (int p = first; p < last; p++) {
        Peer peer = {b, p};
        const Contender contender = {call_peer, &peer};
        double t = estimate(b, contender);
        if (t < 2000)
            t = race_batch(b->race, contender, race_calls(t), b->layout.copies);
        if (t < *time) {
            *time = t;
            best = p;
        }
    }
    return best;
}

static bool is_right(Verdict v) { return v.wrong == 0 && v.beyond == 0; }

static State check_ours(Bench *b)
{
    device_spoil(CONV_ELEMENT, b->out, b->conv.output(), b->race->stream);
    CHECK(run_ours(b, b->exact, b->out));
    if (is_right(conv_check(CONV_ELEMENT, b->conv, b->exact, b->exact + b->layout.image, b->out, 0, 0, b->race->stream)))
        return RIGHT;
    CHECK(cudaMemsetAsync(b->options.workspace, 0, std::min<size_t>(b->options.workspace_bytes, 16 << 10), b->race->stream));
    return WRONG;
}

/* Does cuDNN's implicit GEMM compute the same, up to its own rounding? */
static bool check_peer(Bench *b, int program)
{
    const float slack = CONV_ELEMENT == BF16 ? 0x1p-7f : CONV_ELEMENT == F16 ? 0x1p-9f : 0x1p-12f;
    if (program < 0)
        return true;
    device_spoil(CONV_ELEMENT, b->out, b->conv.output(), b->race->stream);
    conv_turn_filter(CONV_ELEMENT, b->conv, b->exact + b->layout.image, b->turned, b->race->stream);
    return !cudnn_run(b->cudnn, program, b->exact, b->turned, b->out) ||
           is_right(conv_check(CONV_ELEMENT, b->conv, b->exact, b->exact + b->layout.image, b->out, slack,
                               sqrtf((float)(b->conv.R * b->conv.S * b->conv.C)), b->race->stream));
}

static void time_conv(Bench *b, Row *row)
{
    Peer peers[3] = {{b, -1}, {b, -1}, {b, -1}};
    std::vector<double> times(4, INFINITY);
    std::vector<Contender> contenders = {{call_ours, b}};
    times[0] = estimate(b, contenders[0]);
    if (b->cudnn) {
        row->peer_refuses = !cudnn_take(b->cudnn, b->conv);
    }
    if (b->cudnn && !row->peer_refuses) {
        peers[0].program = fastest(b, 0, CUDNN_IMPLICIT, &times[1]);
        peers[1].program = fastest(b, 0, CUDNN_ALGORITHMS, &times[2]);
        peers[2].program = fastest(b, CUDNN_ALGORITHMS, CUDNN_PROGRAMS, &times[3]);
        row->peer_wrong = !check_peer(b, peers[0].program);
    }
    for (Peer &peer : peers)
        contenders.push_back({call_peer, &peer});
    race_run(b->race, contenders, times[0] > 2000 ? (b->o->rounds + 1) / 2 : b->o->rounds, b->layout.copies, &times);
    row->ours = times[0];
    row->implicit = times[1];
    row->nhwc = times[2];
    row->nchw = times[3];
    row->best_nhwc = peers[1].program;
    row->best_nchw = peers[2].program;
}

static std::string plan_of(const Conv &c)
{
    mikgen_cuda_options plan = {};
    return OF(_plan)(c.N, c.H, c.W, c.C, c.K, c.R, c.S, c.stride, c.pad, &plan) == cudaSuccess ? plan_text(plan, OF(_kernel)) : "";
}

static Row measure(Bench *b, const Conv &conv)
{
    Row row = {conv, TOO_LARGE, plan_of(conv), INFINITY, INFINITY, INFINITY, INFINITY, -1, -1, false, false};
    b->conv = conv;
    b->layout = lay_out(conv, b->device.l2, b->o->hot);
    if ((size_t)b->layout.copies * std::max(inputs_of(b->layout), b->layout.output) > b->room)
        return row;
    row.state = check_ours(b);
    if (!b->o->check_only)
        time_conv(b, &row);
    return row;
}

static void report(const Row &r, FILE *csv)
{
    const Conv &c = r.conv;
    if (r.state == WRONG)
        printf("WRONG: %s, %s\n", c.text().c_str(), r.plan.c_str());
    if (r.peer_wrong)
        printf("cuDNN's result is another one: %s\n", c.text().c_str());
    if (r.peer_refuses)
        printf("not compared, cuDNN has no tensors of that size: %s\n", c.text().c_str());
    if (csv) {
        fprintf(csv, "%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s\n", c.set.c_str(), c.N, c.H, c.W, c.C, c.K, c.R, c.S,
                c.stride, c.pad, r.plan.c_str(), csv_number(r.ours).c_str(), csv_number(r.implicit).c_str(), csv_number(r.nhwc).c_str(),
                cudnn_name(r.best_nhwc), csv_number(r.nchw).c_str(), cudnn_name(r.best_nchw),
                csv_number(isfinite(r.ours) ? c.flops() / r.ours * 1e-6 : INFINITY).c_str(),
                csv_number(isfinite(r.ours) ? r.implicit / r.ours : INFINITY).c_str(),
                csv_number(isfinite(r.ours) ? r.best() / r.ours : INFINITY).c_str(), state_names[r.state]);
        fflush(csv);
    }
    fflush(stdout);
}

static std::vector<Ratio> ratios(const std::vector<Row> &rows, const std::string &set, double (*peer)(const Row &))
{
    std::vector<Ratio> all;
    for (const Row &r : rows)
        if ((set == "all" || set == r.conv.set) && r.state == RIGHT && isfinite(r.ours) && isfinite(peer(r)))
            all.push_back({peer(r) / r.ours, r.conv.text()});
    return all;
}

static void summary(const std::vector<Row> &rows, size_t asked, int worst)
{
    std::vector<std::string> sets;
    const size_t refused = (size_t)std::count_if(rows.begin(), rows.end(), [](const Row &r) { return r.peer_refuses; });
    printf("\n%zu of %zu convolutions%s", rows.size(), asked, rows.size() < asked ? ", a sample spread evenly" : "");
    if (refused > 0)
        printf("; %zu not compared, of a size that cuDNN has no tensors of", refused);
    printf("\n");
    printf("            shapes right    |cuDNN's implicit GEMM over ours                      |cuDNN's best, any layout, over "
           "ours\n");
    printf("                            | geomean 5th pct minimum  at                         | geomean 5th pct minimum  at\n");
    for (const Row &r : rows)
        if (std::find(sets.begin(), sets.end(), r.conv.set) == sets.end())
            sets.push_back(r.conv.set);
    sets.push_back("all");
    for (const std::string &set : sets) {
        size_t count = 0, right = 0;
        for (const Row &r : rows)
            if (set == "all" || set == r.conv.set) {
                count++;
                right += r.state == RIGHT;
            }
        printf("%-12s%6zu %6.2f%% |%-52s |%s\n", set.c_str(), count, count > 0 ? 100.0 * (double)right / (double)count : 0.0,
               summary_text(summarise(ratios(rows, set, [](const Row &r) { return r.implicit; }))).c_str(),
               summary_text(summarise(ratios(rows, set, [](const Row &r) { return r.best(); }))).c_str());
    }
    std::vector<Row> sorted;
    for (const Row &r : rows)
        if (isfinite(r.implicit))
            sorted.push_back(r);
    std::sort(sorted.begin(), sorted.end(), [](const Row &x, const Row &y) { return x.implicit / x.ours < y.implicit / y.ours; });
    if (!sorted.empty())
        printf("\nthe lowest ratios: microseconds of ours, cuDNN's implicit GEMM, its best\n");
    for (size_t i = 0; i < sorted.size() && i < (size_t)worst; i++)
        printf("%-34s%6.3f %10.2f%10.2f%10.2f  %s\n", sorted[i].conv.text().c_str(), sorted[i].implicit / sorted[i].ours, sorted[i].ours,
               sorted[i].implicit, sorted[i].best(), sorted[i].plan.c_str());
}

/* Returns how many shapes failed. */
static size_t run(const Options &o, const std::vector<Conv> &shapes, size_t asked, FILE *csv)
{
    const double end = seconds_now() + o.limit;
    std::vector<Row> rows;
    bool broken = false;
    try {
        Bench *b = bench_open(&o, shapes);
        printf("%s, cuDNN %zu; image and output NHWC, filter RSCK, cuDNN's KRSC; cuDNN's best also in NCHW; medians of %d "
               "rounds, %s\n",
               b->device.name, cudnn_number(), o.rounds, o.hot ? "operands in the caches where they fit" : "operands from memory");
        for (size_t i = o.from; i < shapes.size() && seconds_now() <= end; i++) {
            watch(shapes[i].text(), i + 1);
            rows.push_back(measure(b, shapes[i]));
            report(rows.back(), csv);
        }
        if (b->cudnn)
            cudnn_close(b->cudnn);
    } catch (const std::exception &error) {
        watch_failed(error.what());
        broken = true;
    }
    watch_close();
    summary(rows, asked, o.worst);
    return (size_t)std::count_if(rows.begin(), rows.end(), [](const Row &r) { return r.state != RIGHT; }) + broken;
}

int main(int argc, char **argv)
{
    const Options o = parse(argc, argv);
    watch_open(o.patience);
    std::vector<Conv> all = o.given, shapes;
    if (all.empty())
        for (const Conv &conv : conv_shapes(o.layers.c_str()))
            if (o.network.empty() || o.network == conv.set)
                all.push_back(conv);
    for (size_t i : spread_order(all.size()))
        if (o.sample == 0 || shapes.size() < o.sample)
            shapes.push_back(all[i]);
    FILE *const csv = o.csv.empty() ? NULL : fopen(o.csv.c_str(), o.from > 0 ? "a" : "w");
    if (!o.csv.empty() && !csv) {
        perror(o.csv.c_str());
        return 2;
    }
    if (csv && o.from == 0) {
        fprintf(csv, "network,N,H,W,C,K,R,S,stride,pad,plan,ours_us,implicit_us,cudnn_nhwc_us,cudnn_nhwc,cudnn_nchw_us,cudnn_nchw,tflops,"
                     "ratio,ratio_best,ok\n");
        fflush(csv); /* before anything can go wrong */
    }
    return run(o, shapes, all.size(), csv) > 0 ? 1 : 0;
}
