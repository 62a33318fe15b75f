/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the micro-kernels of two libraries made of measure.c: compare OLD NEW ISA [ROUNDS]. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int (*tiles)(int), (*count)(int), (*name)(int, int, char *);
    double (*time)(int, int, int);
} Library;

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    return found;
}

static Library open_library(const char *file)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    Library l;
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *(void **)&l.tiles = symbol(library, "kernels_tiles");
    *(void **)&l.count = symbol(library, "kernels_count");
    *(void **)&l.name = symbol(library, "kernels_name");
    *(void **)&l.time = symbol(library, "kernels_time");
    return l;
}

static void keep_least(double *best, double time)
{
    if (time < *best)
        *best = time;
}

/* In turn, so that both see the same machine; again as often where the new one looks slower. */
static double ratio_of(const Library *old, const Library *new, int isa, int i, int packed, int rounds)
{
    double before = 1e30, after = 1e30;
    for (int round = 0; round < rounds || (round < 4 * rounds && before < 0.97 * after); round++) {
        keep_least(&before, old->time(isa, i, packed));
        keep_least(&after, new->time(isa, i, packed));
    }
    return before / after;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: compare OLD NEW ISA [ROUNDS]\n");
        return 2;
    }
    const Library old = open_library(argv[1]), new = open_library(argv[2]);
    const int isa = atoi(argv[3]), rounds = argc > 4 ? atoi(argv[4]) : 7;
    double logs = 0, least = 1e30;
    int n = 0, below = 0;
    for (int i = 0; i < old.count(isa); i++)
        for (int packed = 0; packed < (i < old.tiles(isa) ? 2 : 1); packed++) {
            char name[64];
            if (!old.name(isa, i, name))
                continue;
            const double ratio = ratio_of(&old, &new, isa, i, packed, rounds);
            logs += log(ratio);
            least = ratio < least ? ratio : least;
            n++;
            below += ratio < 0.97;
            if (ratio < 0.97)
                printf("%6.3f  %s%s\n", ratio, name, i >= old.tiles(isa) ? "" : packed ? ", packed" : ", in place");
        }
    printf("instruction set %d: %d cases, geomean %.3f, least %.3f, below 0.97: %d\n", isa, n, exp(logs / n), least, below);
    return 0;
}
