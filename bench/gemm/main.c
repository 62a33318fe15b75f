/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ours against the CPU libraries on sets of matrix products: options, and the order of things. See ../gemm.sh. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "measure.h"
#include "report.h"
#include "turns.h"

typedef struct Options {
    const char *folder, *other, *data, *csv, *lock;
    int type, threads, sample, worst;
    double seconds, max_flops;
    Shapes shapes;
} Options;

static void usage(void)
{
    fprintf(stderr, "options: --type=f32|f64 --threads=N --set=NAME,... --shape=MxNxK,... --sample=N --seconds=S\n"
                    "         --max-flops=X --worst=N --csv=FILE --lock=FILE --other=FOLDER\nsets:");
    for (const char *const *set = shape_sets; *set; set++)
        fprintf(stderr, " %s", *set);
    fprintf(stderr, "\n");
    exit(2);
}

static void add_sets(Options *options, char *names)
{
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
        if (!shapes_add_set(&options->shapes, name, options->data, options->max_flops))
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
    enum { TYPE, THREADS, SET, SHAPE, SAMPLE, SECONDS, MAX_FLOPS, WORST, CSV, LOCK, OTHER, FOLDER, DATA };
    static const struct option names[] = {{"type", 1, NULL, TYPE},
                                          {"threads", 1, NULL, THREADS},
                                          {"set", 1, NULL, SET},
                                          {"shape", 1, NULL, SHAPE},
                                          {"sample", 1, NULL, SAMPLE},
                                          {"seconds", 1, NULL, SECONDS},
                                          {"max-flops", 1, NULL, MAX_FLOPS},
                                          {"worst", 1, NULL, WORST},
                                          {"csv", 1, NULL, CSV},
                                          {"lock", 1, NULL, LOCK},
                                          {"other", 1, NULL, OTHER},
                                          {"folder", 1, NULL, FOLDER},
                                          {"data", 1, NULL, DATA},
                                          {NULL, 0, NULL, 0}};
    Options o = {.threads = 1, .worst = 20, .seconds = 0.5, .max_flops = 3e9};
    char *sets = NULL, *given = NULL;
    for (int c; (c = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        switch (c) {
        case TYPE:
            if (strcmp(optarg, "f32") != 0 && strcmp(optarg, "f64") != 0)
                usage();
            o.type = strcmp(optarg, "f64") == 0 ? F64 : F32;
            break;
        case THREADS: o.threads = atoi(optarg); break;
        case SET: sets = optarg; break;
        case SHAPE: given = optarg; break;
        case SAMPLE: o.sample = atoi(optarg); break;
        case SECONDS: o.seconds = atof(optarg); break;
        case MAX_FLOPS: o.max_flops = atof(optarg); break;
        case WORST: o.worst = atoi(optarg); break;
        case CSV: o.csv = optarg; break;
        case LOCK: o.lock = optarg; break;
        case OTHER: o.other = optarg; break;
        case FOLDER: o.folder = optarg; break;
        case DATA: o.data = optarg; break;
        default: usage();
        }
    }
    if (optind < argc || o.threads < 1 || o.threads > POOL_MOST || !o.folder || !o.data)
        usage();
    if (given)
        add_given(&o, given);
    if (sets)
        add_sets(&o, sets);
    for (const char *const *set = shape_sets; !given && !sets && *set; set++)
        if (!shapes_add_set(&o.shapes, *set, o.data, o.max_flops))
            exit(2);
    if (o.sample > 0)
        shapes_shuffle(&o.shapes, o.sample);
    return o;
}

/* Every library gets so many threads, whose spinning after a call ends within half a millisecond: a library's idle threads
   would otherwise take the processors from the next library. */
static void set_environment(int threads)
{
    char number[12];
    snprintf(number, sizeof number, "%d", threads);
    setenv("OPENBLAS_NUM_THREADS", number, 1);
    setenv("BLIS_NUM_THREADS", number, 1);
    setenv("OMP_NUM_THREADS", number, 1);
    setenv("OPENBLAS_THREAD_TIMEOUT", "20", 1); /* 2^20 cycles */
    setenv("GOMP_SPINCOUNT", "30000", 1);
}

static void heading(const Options *o, const Peers *peers, double peak, double bandwidth)
{
    printf("%s", peers->heading);
    printf("%s, %d thread%s, %d shapes; at most %.1f GFLOP/s by an FMA loop, %.1f GB/s read from memory\n\n",
           o->type == F32 ? "f32" : "f64", o->threads, o->threads > 1 ? "s" : "", o->shapes.count, peak, bandwidth);
}

/* Measures all shapes; returns the highest FMA peak seen meanwhile. */
static double measure_all(const Options *o, const Peers *peers, Pool *pool, Turns *turns, Result *results, double peak)
{
    Bench *bench = bench_open(peers, pool, o->type, o->seconds, &o->shapes);
    double last = seconds(), spent = 0;
    report_columns(peers);
    for (int i = 0; i < o->shapes.count; i++) {
        turns_take(turns);
        if (seconds() - last > 5) {
            double again = fma_peak(o->type, pool);
            peak = again > peak ? again : peak;
            last = seconds();
        }
        spent -= seconds();
        bench_measure(bench, &o->shapes.items[i], &results[i]);
        spent += seconds();
        report_row(peers, &results[i], peak);
    }
    printf("\nmeasured in %.0f s; %.1f %% of the turns had to share a core\n", spent, 100 * bench_busy(bench));
    bench_close(bench);
    return peak;
}

static int wrong_results(const Peers *peers, const Result *results, int count)
{
    int ours = 0;
    for (int i = 0; i < count; i++)
        for (int p = 0; p < peers->count; p++)
            if (results[i].wrong[p]) {
                printf("WRONG: %s %dx%dx%d\n", peers->columns[p].name, results[i].shape.M, results[i].shape.N, results[i].shape.K);
                ours += p == 0;
            }
    return ours;
}

int main(int argc, char **argv)
{
    Options options = parse(argc, argv);
    static Peers peers;
    set_environment(options.threads);
    if (!run_first())
        printf("Not permitted to run before other processes (SCHED_FIFO): what else runs shows in the results.\n");
    if (!peers_load(&peers, options.folder, options.other, options.type, options.threads))
        return 2;
    Pool *pool = pool_start(options.threads);
    Turns turns = turns_open(options.lock);
    turns_take(&turns);
    double peak = fma_peak(options.type, pool), bandwidth = read_bandwidth(pool);
    heading(&options, &peers, peak, bandwidth);
    Result *results = calloc((size_t)options.shapes.count + 1, sizeof *results);
    if (!results)
        abort();
    peak = measure_all(&options, &peers, pool, &turns, results, peak);
    turns_close(&turns);
    report_summary(&peers, results, options.shapes.count);
    FILE *csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (options.csv && !csv) {
        perror(options.csv);
        return 2;
    }
    if (csv) {
        report_csv(csv, &peers, results, options.shapes.count);
        fclose(csv);
    }
    int wrong = wrong_results(&peers, results, options.shapes.count);
    report_worst(&peers, results, options.shapes.count, options.worst, peak);
    pool_stop(pool);
    free(results);
    free(options.shapes.items);
    return wrong ? 1 : 0;
}
