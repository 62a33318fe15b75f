/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report.h"

#include <math.h>
#include <stdlib.h>

static double ratio(const Outcome *o, int choice) { return o->best / o->seconds[choice]; }

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* To be freed. */
static double *sorted(const Outcome *outcomes, int count, int choice)
{
    double *ratios = malloc(((size_t)count + 1) * sizeof *ratios);
    if (!ratios)
        abort();
    for (int i = 0; i < count; i++)
        ratios[i] = ratio(&outcomes[i], choice);
    qsort(ratios, (size_t)count, sizeof *ratios, ascending);
    return ratios;
}

void report_summary(const Outcome *outcomes, int count)
{
    long plans = 0, skipped = 0;
    for (int i = 0; i < count; i++) {
        plans += outcomes[i].plans;
        skipped += outcomes[i].skipped;
    }
    printf("%d shapes, %ld plans run, %ld left out for want of time\n\n", count, plans, skipped);
    printf("best plan's time over that of   geomean      5 %%   median  minimum  within 3 %%\n");
    for (int c = 0; c < CHOICES; c++) {
        double *ratios = sorted(outcomes, count, c), logs = 0;
        int near = 0;
        for (int i = 0; i < count; i++) {
            logs += log(ratios[i]);
            near += ratios[i] >= 0.97;
        }
        printf("%-32s %9.3f %8.3f %8.3f %8.3f %10.1f%%\n", choice_names[c], exp(logs / count), ratios[count / 20], ratios[count / 2],
               ratios[0], 100.0 * near / count);
        free(ratios);
    }
}

static const Outcome *table;
static int lowest_first(const void *a, const void *b)
{
    const double x = ratio(&table[*(const int *)a], CHOSEN), y = ratio(&table[*(const int *)b], CHOSEN);
    return (x > y) - (x < y);
}

void report_worst(const Outcome *outcomes, int count, int worst)
{
    int *order = malloc(((size_t)count + 1) * sizeof *order);
    if (!order)
        abort();
    for (int i = 0; i < count; i++)
        order[i] = i;
    table = outcomes;
    qsort(order, (size_t)count, sizeof *order, lowest_first);
    printf("\nfurthest from the best, microseconds measured (expected by the cost model)\n");
    for (int i = 0; i < worst && i < count; i++) {
        const Outcome *o = &outcomes[order[i]];
        char shape[40];
        snprintf(shape, sizeof shape, "%dx%dx%d", o->shape.M, o->shape.N, o->shape.K);
        printf("%-18s %.3f  chosen %9.2f (%9.2f)  %s\n", shape, ratio(o, CHOSEN), 1e6 * o->seconds[CHOSEN], 1e6 * o->cost[CHOSEN],
               o->text[CHOSEN]);
        printf("%-18s        best   %9.2f (%9.2f)  %s\n", "", 1e6 * o->best, 1e6 * o->best_cost, o->best_text);
    }
    free(order);
}

void report_csv(FILE *file, const Outcome *outcomes, int count)
{
    fprintf(file, "M,N,K,plans,best_us,best_expected_us,best");
    for (int c = 0; c < CHOICES; c++)
        fprintf(file, ",%s_us,%s_expected_us,%s", choice_names[c], choice_names[c], choice_names[c]);
    fprintf(file, "\n");
    for (int i = 0; i < count; i++) {
        const Outcome *o = &outcomes[i];
        fprintf(file, "%d,%d,%d,%d,%.3f,%.3f,%s", o->shape.M, o->shape.N, o->shape.K, o->plans, 1e6 * o->best, 1e6 * o->best_cost,
                o->best_text);
        for (int c = 0; c < CHOICES; c++)
            fprintf(file, ",%.3f,%.3f,%s", 1e6 * o->seconds[c], 1e6 * o->cost[c], o->text[c]);
        fprintf(file, "\n");
    }
}

void report_sorted(FILE *file, const Outcome *outcomes, int count)
{
    double *ratios[CHOICES];
    fprintf(file, "shapes_percent");
    for (int c = 0; c < CHOICES; c++) {
        ratios[c] = sorted(outcomes, count, c);
        fprintf(file, ",%s", choice_names[c]);
    }
    fprintf(file, "\n");
    for (int i = 0; i < count; i++) {
        fprintf(file, "%.2f", 100.0 * (i + 1) / count);
        for (int c = 0; c < CHOICES; c++)
            fprintf(file, ",%.4f", ratios[c][i]);
        fprintf(file, "\n");
    }
    for (int c = 0; c < CHOICES; c++)
        free(ratios[c]);
}
