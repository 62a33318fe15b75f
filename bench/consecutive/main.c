/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every number of rows in a row: see bench/consecutive.sh. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gemm_f32_dyn.h"
#include "product.h"

typedef struct Settings {
    int from, to, n, k;
    const char *csv;
} Settings;

static bool number(const char *arg, const char *name, int *value)
{
    const size_t length = strlen(name);
    if (strncmp(arg, name, length) != 0)
        return false;
    *value = atoi(arg + length);
    return true;
}

static bool read_settings(int argc, char **argv, Settings *s)
{
    for (int i = 1; i < argc; i++) {
        if (number(argv[i], "--from=", &s->from) || number(argv[i], "--to=", &s->to) || number(argv[i], "--n=", &s->n) ||
            number(argv[i], "--k=", &s->k))
            continue;
        if (strncmp(argv[i], "--csv=", 6) != 0)
            return false;
        s->csv = argv[i] + 6;
    }
    return s->from >= 1 && s->to >= s->from && s->n >= 1 && s->k >= 1 && s->k <= 65536;
}

static void explain(const Settings *s, int m, double time)
{
    char text[4096];
    gemm_f32_explain(m, s->n, s->k, text, sizeof text);
    printf("M = %d: %.0f ns\n%s", m, time, text);
}

/* The greatest factor between the times of neighbours. Above 2 the two are measured again, then explained. */
static double steps(const Settings *s, Product *p, double *time, int *above)
{
    double greatest = 1;
    for (int m = s->from + 1; m <= s->to; m++) {
        double *t = time + (m - s->from - 1), step = fmax(t[1] / t[0], t[0] / t[1]);
        if (step > 2) {
            t[0] = fmin(t[0], product_time(p, m - 1, 9));
            t[1] = fmin(t[1], product_time(p, m, 9));
            step = fmax(t[1] / t[0], t[0] / t[1]);
        }
        if (step > 2) {
            ++*above;
            explain(s, m - 1, t[0]);
            explain(s, m, t[1]);
        }
        greatest = fmax(greatest, step);
    }
    return greatest;
}

static void summary(const Settings *s, const double *time, int right, double greatest, int above)
{
    const int count = s->to - s->from + 1;
    double sum = 0, least = 1e30;
    int slowest = s->from;
    for (int i = 0; i < count; i++) {
        const double rate = 2.0 * (s->from + i) * s->n * s->k / time[i];
        sum += log(rate);
        if (rate < least) {
            least = rate;
            slowest = s->from + i;
        }
    }
    printf("M = %d to %d, N = %d, K = %d, one thread: %d of %d right; GFLOP/s: geomean %.1f, minimum %.1f (M = %d); greatest step "
           "between neighbours %.2f, above 2: %d\n",
           s->from, s->to, s->n, s->k, right, count, exp(sum / count), least, slowest, greatest, above);
}

static bool write_csv(const Settings *s, const double *time)
{
    FILE *f = fopen(s->csv, "w");
    if (!f)
        return false;
    fprintf(f, "M,GFLOP/s\n");
    for (int m = s->from; m <= s->to; m++)
        fprintf(f, "%d,%.2f\n", m, 2.0 * m * s->n * s->k / time[m - s->from]);
    return fclose(f) == 0;
}

int main(int argc, char **argv)
{
    Settings s = {1, 8192, 3072, 768, NULL};
    if (!read_settings(argc, argv, &s)) {
        fprintf(stderr, "usage: consecutive [--from=M] [--to=M] [--n=N] [--k=K] [--csv=FILE]\n");
        return 2;
    }
    const int count = s.to - s.from + 1;
    double *time = malloc((size_t)count * sizeof *time);
    Product *p = product_new(s.to, s.n, s.k);
    if (!time || !p) {
        fprintf(stderr, "consecutive: out of memory\n");
        return 2;
    }
    int right = 0, above = 0;
    for (int m = s.from; m <= s.to; m++) {
        double *t = time + (m - s.from);
        if (product_right(p, m, t))
            right++;
        else
            printf("WRONG: M = %d\n", m);
        if (*t < 2e7)
            *t = fmin(*t, product_time(p, m, *t > 1e6 ? 2 : 9));
    }
    const double greatest = steps(&s, p, time, &above);
    summary(&s, time, right, greatest, above);
    const bool written = !s.csv || write_csv(&s, time);
    if (!written)
        fprintf(stderr, "consecutive: cannot write %s\n", s.csv);
    product_free(p);
    free(time);
    return right == count && written ? 0 : 1;
}
