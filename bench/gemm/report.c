/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int best_peer(const Peers *peers, const Result *result)
{
    int best = 0;
    for (int p = 1; p < peers->count; p++)
        if (p != peers->other && result->seconds[p] > 0 && (best == 0 || result->seconds[p] < result->seconds[best]))
            best = p;
    return best;
}

double ratio(const Peers *peers, const Result *result)
{
    int best = best_peer(peers, result);
    return best && result->seconds[0] > 0 ? result->seconds[best] / result->seconds[0] : 0;
}

static int width(const Peers *peers, int column)
{
    int letters = (int)strlen(peers->columns[column].name);
    return letters > 7 ? letters : 7;
}

void report_columns(const Peers *peers)
{
    printf("%-9s %6s %6s %6s |", "set", "M", "N", "K");
    for (int p = 0; p < peers->count; p++)
        printf(" %*s%s", width(peers, p), peers->columns[p].name, p == 0 ? " |" : "");
    printf(" | %6s %-13s | %5s %6s %6s\n", "ratio", "best peer", "peak", "GB/s", "read");
}

void report_row(const Peers *peers, const Result *r, double peak)
{
    int best = best_peer(peers, r);
    double gflop = 1e-9 * shape_flops(&r->shape);
    printf("%-9s %6d %6d %6d |", r->shape.set, r->shape.M, r->shape.N, r->shape.K);
    for (int p = 0; p < peers->count; p++) {
        if (r->seconds[p] > 0)
            printf(" %*.2f", width(peers, p), gflop / r->seconds[p]);
        else
            printf(" %*s", width(peers, p), r->wrong[p] ? "WRONG" : "-");
        printf("%s", p == 0 ? " |" : "");
    }
    double fraction = r->seconds[0] > 0 ? gflop / r->seconds[0] / peak : 0;
    double rate = r->seconds[0] > 0 ? 1e-9 * r->bytes / r->seconds[0] : 0;
    printf(" | %6.3f %-13s | %4.0f%% %6.1f", ratio(peers, r), best ? peers->columns[best].name : "-", 100 * fraction, rate);
    if (r->read_seconds > 0)
        printf(" %6.1f", 1e-9 * r->bytes / r->read_seconds);
    printf("\n");
    fflush(stdout);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One line of the summary: of one set, or of all with set == NULL. */
static void summary_line(const Peers *peers, const Result *results, int count, const char *set)
{
    double *ratios = calloc((size_t)count + 1, sizeof *ratios), logs = 0;
    const Result *worst = NULL;
    int n = 0, covered = 0;
    if (!ratios)
        abort();
    for (int i = 0; i < count; i++) {
        double x = ratio(peers, &results[i]);
        if (x == 0 || (set && strcmp(set, results[i].shape.set) != 0))
            continue;
        if (!worst || x < ratio(peers, worst))
            worst = &results[i];
        ratios[n++] = x;
        logs += log(x);
        covered += x >= 1;
    }
    if (n > 0) {
        qsort(ratios, (size_t)n, sizeof *ratios, compare_doubles);
        printf("%-9s %6d %8.3f %8.3f %8.3f %8.1f%%   %dx%dx%d\n", set ? set : "all", n, exp(logs / n), ratios[(int)ceil(0.05 * n) - 1],
               ratios[0], 100.0 * covered / n, worst->shape.M, worst->shape.N, worst->shape.K);
    }
    free(ratios);
}

/* The same against each peer alone, over all shapes that it takes. */
static void peer_line(const Peers *peers, const Result *results, int count, int peer)
{
    double logs = 0, least = 1e30;
    int n = 0, best = 0;
    for (int i = 0; i < count; i++) {
        const Result *r = &results[i];
        if (r->seconds[0] == 0 || r->seconds[peer] == 0)
            continue;
        double x = r->seconds[peer] / r->seconds[0];
        logs += log(x);
        least = fmin(least, x);
        best += best_peer(peers, r) == peer;
        n++;
    }
    if (n > 0)
        printf("%-13s %6d %8.3f %8.3f %8d\n", peers->columns[peer].name, n, exp(logs / n), least, best);
}

/* Products of matrix and vector beyond the caches against the read bandwidth. */
static void read_line(const Result *results, int count)
{
    double logs = 0, least = 1e30;
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (results[i].read_seconds == 0 || results[i].seconds[0] == 0)
            continue;
        double x = results[i].read_seconds / results[i].seconds[0];
        logs += log(x);
        least = fmin(least, x);
        n++;
    }
    if (n > 0)
        printf("\nours against reading A and B from memory: %d shapes, geomean %.3f, minimum %.3f\n", n, exp(logs / n), least);
}

void report_summary(const Peers *peers, const Result *results, int count)
{
    printf("\nours against the best peer of each shape\n%-9s %6s %8s %8s %8s %9s   %s\n", "set", "shapes", "geomean", "5th pct", "minimum",
           "coverage", "at");
    for (const char *const *set = shape_sets; *set; set++)
        summary_line(peers, results, count, *set);
    summary_line(peers, results, count, "given");
    summary_line(peers, results, count, NULL);
    printf("\nours against one peer\n%-13s %6s %8s %8s %8s\n", "peer", "shapes", "geomean", "minimum", "is best");
    for (int p = 1; p < peers->count; p++)
        peer_line(peers, results, count, p);
    read_line(results, count);
}

static const Peers *sorting;

static int compare_ratios(const void *a, const void *b)
{
    double x = ratio(sorting, a), y = ratio(sorting, b);
    return (x > y) - (x < y);
}

void report_worst(const Peers *peers, Result *results, int count, int rows, double peak)
{
    sorting = peers;
    qsort(results, (size_t)count, sizeof *results, compare_ratios);
    printf("\nthe lowest ratios\n");
    report_columns(peers);
    for (int i = 0; i < rows && i < count; i++)
        report_row(peers, &results[i], peak);
}

void report_csv(FILE *file, const Peers *peers, const Result *results, int count)
{
    fprintf(file, "set,M,N,K,bytes");
    for (int p = 0; p < peers->count; p++)
        fprintf(file, ",%s", peers->columns[p].name);
    fprintf(file, ",best peer,ratio\n");
    for (int i = 0; i < count; i++) {
        const Result *r = &results[i];
        int best = best_peer(peers, r);
        fprintf(file, "%s,%d,%d,%d,%.0f", r->shape.set, r->shape.M, r->shape.N, r->shape.K, r->bytes);
        for (int p = 0; p < peers->count; p++)
            fprintf(file, r->seconds[p] > 0 ? ",%.3f" : ",", 1e-9 * shape_flops(&r->shape) / r->seconds[p]);
        fprintf(file, ",%s,%.3f\n", best ? peers->columns[best].name : "", ratio(peers, r));
    }
}
