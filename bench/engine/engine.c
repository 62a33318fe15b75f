/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Races two libraries of the same product, which differ by the engine's blocking parameters: turns alternate, shape by shape. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int Product(int m, int n, int k, const REAL *a, const REAL *b, REAL *c);

enum { LIBRARIES = 2 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Product *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    Product *product = library ? (Product *)(size_t)dlsym(library, SYMBOL) : NULL;
    if (!product) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return product;
}

static REAL *numbers(size_t n, unsigned seed)
{
    REAL *x = aligned_alloc(64, (n * sizeof *x + 63) / 64 * 64);
    for (size_t i = 0; x && i < n; i++)
        x[i] = (REAL)((int)((seed = seed * 1664525u + 1013904223u) >> 24) - 128) / 64;
    return x;
}

typedef struct Shape {
    int m, n, k;
    REAL *a, *b, *c[LIBRARIES];
} Shape;

static double turn(Product *product, const Shape *s, int which, int calls)
{
    const double from = now();
    for (int i = 0; i < calls; i++)
        product(s->m, s->n, s->k, s->a, s->b, s->c[which]);
    return (now() - from) / calls;
}

/* Rounding apart: sums may be in another order. */
static void compare(const Shape *s)
{
    for (size_t i = 0; i < (size_t)s->m * (size_t)s->n; i++)
        if (!(fabs((double)(s->c[0][i] - s->c[1][i])) <= 1e-4 * s->k)) {
            fprintf(stderr, "%dx%dx%d: results differ\n", s->m, s->n, s->k);
            exit(1);
        }
}

/* The least time of a call of each. */
static void race(Product *const *products, Shape *s, double seconds, double *least)
{
    int calls = 1;
    for (double t = 0; t < 2e-3; calls *= 2)
        t = turn(products[0], s, 0, calls) * calls;
    turn(products[1], s, 1, 1);
    compare(s);
    least[0] = least[1] = INFINITY;
    const double begin = now();
    for (int round = 0; round < 5 || now() - begin < seconds; round++)
        for (int i = 0; i < LIBRARIES; i++) {
            const int which = (i + round) % LIBRARIES;
            const double t = turn(products[which], s, which, calls);
            least[which] = t < least[which] ? t : least[which];
        }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    Product *const products[LIBRARIES] = {load(argv[1]), load(argv[2])};
    double sum = 0, worst = INFINITY, best = 0;
    int count = 0;
    char line[80];
    printf("     M     N     K |   usual  fitted |  gain\n");
    while (fgets(line, sizeof line, stdin)) {
        Shape s;
        double least[LIBRARIES];
        if (sscanf(line, "%dx%dx%d", &s.m, &s.n, &s.k) != 3)
            continue;
        const size_t m = (size_t)s.m, n = (size_t)s.n, k = (size_t)s.k;
        s.a = numbers(m * k, 1), s.b = numbers(k * n, 2), s.c[0] = numbers(m * n, 3), s.c[1] = numbers(m * n, 4);
        race(products, &s, strtod(argv[3], NULL), least);
        const double work = 2e-9 * s.m * s.n * s.k, gain = least[0] / least[1];
        printf("%6d%6d%6d |%8.2f%8.2f |%6.3f\n", s.m, s.n, s.k, work / least[0], work / least[1], gain);
        fflush(stdout);
        sum += log(gain), count++;
        worst = gain < worst ? gain : worst, best = gain > best ? gain : best;
        free(s.a), free(s.b), free(s.c[0]), free(s.c[1]);
    }
    if (count)
        printf("%d shapes: geometric mean %.3f, least %.3f, most %.3f\n", count, exp(sum / count), worst, best);
    return 0;
}
