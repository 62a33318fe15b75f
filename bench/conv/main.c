/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated convolutions against oneDNN's on the layers of networks: options, tables. See ../conv.sh. */
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dnnl.h>

#include "library.h"
#include "machine.h"
#include "measure.h"
#include "turns.h"

enum { MOST_BATCHES = 8 };

typedef struct Options {
    const char *layers, *network, *csv, *lock;
    int batches[MOST_BATCHES], nbatches, threads, worst;
    double seconds;
} Options;

static void usage(void)
{
    fprintf(stderr, "options: --network=NAME --batch=N,... --threads=N --seconds=S --worst=N --csv=FILE --lock=FILE\n");
    exit(2);
}

static Options parse(int argc, char **argv)
{
    enum { LAYERS, NETWORK, BATCH, THREADS, SECONDS, WORST, CSV, LOCK };
    static const struct option names[] = {{"layers", 1, NULL, LAYERS},   {"network", 1, NULL, NETWORK}, {"batch", 1, NULL, BATCH},
                                          {"threads", 1, NULL, THREADS}, {"seconds", 1, NULL, SECONDS}, {"worst", 1, NULL, WORST},
                                          {"csv", 1, NULL, CSV},         {"lock", 1, NULL, LOCK},       {NULL, 0, NULL, 0}};
    Options o = {.batches = {1, 4}, .nbatches = 2, .threads = 1, .worst = 20, .seconds = 0.5};
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (c) {
        case LAYERS: o.layers = optarg; break;
        case NETWORK: o.network = optarg; break;
        case BATCH:
            o.nbatches = 0;
            for (char *item = strtok(optarg, ","); item && o.nbatches < MOST_BATCHES; item = strtok(NULL, ","))
                o.batches[o.nbatches++] = atoi(item);
            break;
        case THREADS: o.threads = atoi(optarg); break;
        case SECONDS: o.seconds = atof(optarg); break;
        case WORST: o.worst = atoi(optarg); break;
        case CSV: o.csv = optarg; break;
        case LOCK: o.lock = optarg; break;
        default: usage();
        }
    }
    for (int b = 0; b < o.nbatches; b++)
        if (o.batches[b] < 1)
            usage();
    if (optind < argc || !o.layers || o.nbatches == 0 || o.threads < 1 || o.threads > POOL_MOST)
        usage();
    return o;
}

static const char *const layout_names[] = {"nhwc", "nchw"};

static void print_columns(void)
{
    printf("%-10s %-24s %2s %4s %7s %4s %5s %2s |", "network", "layer", "N", "C", "H x W", "K", "R x S", "st");
    for (int layout = NHWC; layout <= NCHW; layout++)
        printf(" %7s | %7s %7s %7s | %6s || %7s | %7s | %6s ||%s", layout_names[layout], "direct", "auto", "plain", "ratio", "packed",
               "blocked", "ratio", layout == NHWC ? "    wino |  ratio ||" : "");
    printf("\n");
}

static double gflops(const Result *r, int layout, int column)
{
    return r->seconds[layout][column] > 0 ? 1e-9 * layer_flops(r->layer, r->batch) / r->seconds[layout][column] : 0;
}

static void print_row(const Result *r)
{
    const Layer *l = r->layer;
    printf("%-10s %-24s %2d %4d %3dx%-3d %4d %2dx%-2d %2d |", l->network, l->name, r->batch, l->C, l->H, l->W, l->K, l->R, l->S, l->stride);
    for (int layout = NHWC; layout <= NCHW; layout++) {
        printf(" %7.2f |", gflops(r, layout, OURS));
        for (int column = DIRECT; column <= PLAIN_FILTER; column++)
            if (gflops(r, layout, column) > 0)
                printf(" %7.2f", gflops(r, layout, column));
            else
                printf(" %7s", "-");
        printf(" | %6.3f || %7.2f | %7.2f | %6.3f ||", ratio(r, (Layout)layout, OURS), gflops(r, layout, PACKED),
               gflops(r, layout, best_peer(r, (Layout)layout, PACKED)), ratio(r, (Layout)layout, PACKED));
        if (layout == NHWC)
            printf(" %7.2f | %6.3f ||", gflops(r, layout, WINOGRAD), ratio(r, NHWC, WINOGRAD));
    }
    printf("%s\n", r->wrong ? " OURS IS WRONG" : "");
    fflush(stdout);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One line of the summary, of a column of ours; network NULL and batch 0 stand for all. */
static void summary_line(const Result *results, int count, Layout layout, int column, const char *network, int batch)
{
    double *ratios = calloc((size_t)count + 1, sizeof *ratios), logs = 0, ours = 0, best = 0;
    int n = 0, covered = 0;
    if (!ratios)
        abort();
    for (int i = 0; i < count; i++) {
        const Result *r = &results[i];
        double x = ratio(r, layout, column);
        if (x == 0 || (network && strcmp(network, r->layer->network) != 0) || (batch && batch != r->batch))
            continue;
        ratios[n++] = x;
        logs += log(x);
        covered += x >= 1;
        ours += r->layer->count * r->seconds[layout][column];
        best += r->layer->count * r->seconds[layout][best_peer(r, layout, column)];
    }
    if (n > 0) {
        char batches[12] = "all";
        qsort(ratios, (size_t)n, sizeof *ratios, compare_doubles);
        if (batch)
            snprintf(batches, sizeof batches, "%d", batch);
        printf("%-10s %5s %-6s %6d %8.3f %8.3f %8.3f %8.1f%% %10.2f %10.2f\n", network ? network : "all", batches, layout_names[layout], n,
               exp(logs / n), ratios[(int)ceil(0.05 * n) - 1], ratios[0], 100.0 * covered / n, 1e3 * ours, 1e3 * best);
    }
    free(ratios);
}

static void print_summary(const Options *o, const Result *results, int count, int column)
{
    printf("\n%s; ms: the convolutions of the whole network\n"
           "%-10s %5s %-6s %6s %8s %8s %8s %9s %10s %10s\n",
           column == WINOGRAD ? "ours with Winograd's algorithm allowed and the filter prepacked against the best of oneDNN's likewise"
           : column == PACKED ? "ours with the filter prepacked against the best of oneDNN's with all arrays as it likes them"
                              : "ours against the best of oneDNN's in the same layout",
           "network", "batch", "layout", "layers", "geomean", "5th pct", "minimum", "coverage", "ours ms", "oneDNN ms");
    for (int layout = NHWC; layout <= NCHW; layout++) {
        for (int i = 0; i < count; i++)
            for (int b = 0; (i == 0 || strcmp(results[i].layer->network, results[i - 1].layer->network) != 0) && b < o->nbatches; b++)
                summary_line(results, count, (Layout)layout, column, results[i].layer->network, o->batches[b]);
        summary_line(results, count, (Layout)layout, column, NULL, 0);
    }
}

static void write_csv(FILE *file, const Result *results, int count)
{
    fprintf(file, "network,layer,N,C,H,W,K,R,S,stride,pad");
    for (int layout = NHWC; layout <= NCHW; layout++) {
        const char *name = layout_names[layout];
        fprintf(file, ",%s ours,%s direct,%s auto,%s plain filter,%s best is,%s ratio", name, name, name, name, name, name);
        if (layout == NHWC)
            fprintf(file, ",%s winograd,%s winograd ratio", name, name);
        fprintf(file, ",%s packed,%s blocked direct,%s blocked auto,%s packed ratio", name, name, name, name);
    }
    fprintf(file, "\n");
    for (int i = 0; i < count; i++) {
        const Result *r = &results[i];
        const Layer *l = r->layer;
        fprintf(file, "%s,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d", l->network, l->name, r->batch, l->C, l->H, l->W, l->K, l->R, l->S, l->stride,
                l->pad);
        for (int layout = NHWC; layout <= NCHW; layout++) {
            for (int column = OURS; column <= PLAIN_FILTER; column += column == OURS ? DIRECT : 1)
                fprintf(file, ",%.3f", gflops(r, layout, column));
            fprintf(file, ",%s,%.3f", r->implementation[layout][best_peer(r, (Layout)layout, OURS)], ratio(r, (Layout)layout, OURS));
            if (layout == NHWC)
                fprintf(file, ",%.3f,%.3f", gflops(r, layout, WINOGRAD), ratio(r, NHWC, WINOGRAD));
            fprintf(file, ",%.3f,%.3f,%.3f,%.3f", gflops(r, layout, PACKED), gflops(r, layout, BLOCKED_DIRECT),
                    gflops(r, layout, BLOCKED_AUTOMATIC), ratio(r, (Layout)layout, PACKED));
        }
        fprintf(file, "\n");
    }
}

static double least_ratio(const Result *r) { return fmin(ratio(r, NHWC, OURS), ratio(r, NCHW, OURS)); }

static int compare_results(const void *a, const void *b)
{
    double x = least_ratio(a), y = least_ratio(b);
    return (x > y) - (x < y);
}

/* Reorders the results. */
static void print_worst(Result *results, int count, int rows)
{
    printf("\nthe lowest ratios\n");
    print_columns();
    qsort(results, (size_t)count, sizeof *results, compare_results);
    for (int i = 0; i < rows && i < count; i++)
        print_row(&results[i]);
}

static int measure_all(const Options *o, const Layers *layers, Pool *pool, Turns *turns, Result *results)
{
    int count = 0;
    print_columns();
    for (int i = 0; i < layers->count; i++)
        for (int b = 0; b < o->nbatches; b++) {
            if (o->network && strcmp(o->network, layers->items[i].network) != 0)
                continue;
            turns_take(turns);
            measure(&layers->items[i], o->batches[b], pool, o->seconds, &results[count]);
            print_row(&results[count++]);
        }
    return count;
}

int main(int argc, char **argv)
{
    Options o = parse(argc, argv);
    Layers layers = layers_read(o.layers);
    if (!run_first())
        printf("Not permitted to run before other processes (SCHED_FIFO): what else runs shows in the results.\n");
    Pool *pool = pool_start(o.threads);
    Result *results = calloc((size_t)(layers.count * o.nbatches) + 1, sizeof *results);
    FILE *csv = o.csv ? fopen(o.csv, "w") : NULL;
    if (!results || (o.csv && !csv)) {
        perror(o.csv);
        return 2;
    }
    Turns turns = turns_open(o.lock);
    turns_take(&turns);
    printf("f32, %d thread%s; oneDNN %d.%d.%d; at most %.1f GFLOP/s by an FMA loop\n\n", o.threads, o.threads > 1 ? "s" : "",
           dnnl_version()->major, dnnl_version()->minor, dnnl_version()->patch, fma_peak(F32, pool));
    int count = measure_all(&o, &layers, pool, &turns, results), wrong = 0;
    turns_close(&turns);
    print_summary(&o, results, count, OURS);
    print_summary(&o, results, count, PACKED);
    print_summary(&o, results, count, WINOGRAD);
    if (csv) {
        write_csv(csv, results, count);
        fclose(csv);
    }
    for (int i = 0; i < count; i++)
        wrong += results[i].wrong;
    print_worst(results, count, o.worst);
    pool_stop(pool);
    free(results);
    free(layers.items);
    return wrong ? 1 : 0;
}
