/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that convert every type to every other, as emitted for each instruction set of this machine, against what type_pairs.py says comes
 * of them: bit by bit, but that all NaNs are one. Built and run by type_pairs.sh. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "type_pairs_dyn.h"

/* Of one pair of types: elements, what they become, that as floats and as doubles (NULL: no loops for these). */
typedef struct Case {
    const char *old_type, *new_type;
    int count, old_bytes, new_bytes;
    int digits;        /* of a new element, the bytes that count; 0: all */
    unsigned infinity; /* of floats of up to 32 bits: what is above is NaN; of longer ones 1; of integers 0 */
    const unsigned char *x, *y, *one, *f, *d;
} Case;

typedef struct Arrays {
    void *x, *y, *z, *f, *d, *where, *some;
    const void *one;
} Arrays;

#include "cases.h"

enum { LONGEST = 421, ISAS = 5 };
static const unsigned char untouched = 0x5a;

/* `n` elements, those of the table over and over. */
static void *filled(const unsigned char *table, int count, int bytes, int n)
{
    unsigned char *array = malloc((size_t)n * (size_t)bytes + 1);
    for (int i = 0; i < n; i++)
        memcpy(array + (size_t)i * (size_t)bytes, table + (size_t)(i % count) * (size_t)bytes, (size_t)bytes);
    return array;
}

static void *blank(int bytes, int n)
{
    void *array = malloc((size_t)n * (size_t)bytes + 1);
    memset(array, untouched, (size_t)n * (size_t)bytes);
    return array;
}

/* The same bits, or both NaNs. */
static int same(const unsigned char *got, const unsigned char *want, int bytes, int digits, unsigned infinity)
{
    uint32_t x = 0, y = 0;
    double p, q;
    long double r = 0, s = 0;
    if (memcmp(got, want, (size_t)(digits ? digits : bytes)) == 0)
        return 1;
    if (bytes == 8 && infinity) {
        memcpy(&p, got, sizeof p);
        memcpy(&q, want, sizeof q);
        return p != p && q != q;
    }
    if (bytes == 16) {
        memcpy(&r, got, sizeof r);
        memcpy(&s, want, sizeof s);
        return r != r && s != s;
    }
    if (bytes > 4 || !infinity)
        return 0;
    memcpy(&x, got, (size_t)bytes);
    memcpy(&y, want, (size_t)bytes);
    const uint32_t magnitude = 0xffffffffu >> (33 - 8 * bytes);
    return (x & magnitude) > infinity && (y & magnitude) > infinity;
}

static long compare(const Case *c, const char *what, int isa, int n, const void *got, const unsigned char *want, int bytes, int digits,
                    unsigned infinity, const unsigned char *where)
{
    long wrong = 0;
    for (int i = 0; i < n; i++) {
        const unsigned char *g = (const unsigned char *)got + (size_t)i * (size_t)bytes, *w = want + (size_t)(i % c->count) * (size_t)bytes;
        unsigned char kept[16];
        memset(kept, untouched, sizeof kept);
        if (where && !where[i] ? memcmp(g, kept, (size_t)bytes) == 0 : same(g, w, bytes, digits, infinity))
            continue;
        if (wrong++ == 0) {
            printf("FAILED: %s to %s, %s, instruction set %d: element %d of %d: ", c->old_type, c->new_type, what, isa, i, n);
            for (int b = c->old_bytes - 1; b >= 0; b--)
                printf("%02x", c->x[(size_t)(i % c->count) * (size_t)c->old_bytes + (size_t)b]);
            printf(" becomes ");
            for (int b = bytes - 1; b >= 0; b--)
                printf("%02x", g[b]);
            printf(", not ");
            for (int b = bytes - 1; b >= 0; b--)
                printf("%02x", w[b]);
            printf("\n");
        }
    }
    return wrong;
}

static void set_up(const Case *c, Arrays *a, const int *n)
{
    a->x = filled(c->x, c->count, c->old_bytes, LONGEST);
    a->y = blank(c->new_bytes, n[0]);
    a->z = blank(c->new_bytes, n[0]);
    a->one = c->one;
    a->f = blank(4, n[1]);
    a->d = blank(8, n[2]);
    a->where = malloc((size_t)n[3] + 1);
    for (int i = 0; i < n[3]; i++)
        ((unsigned char *)a->where)[i] = (unsigned char)(i * 7 % 11 < 6);
    a->some = blank(c->new_bytes, n[3]);
}

static long look(const Case *c, const Arrays *a, const int *n, int isa)
{
    long wrong = compare(c, "stored", isa, n[0], a->y, c->y, c->new_bytes, c->digits, c->infinity, NULL);
    wrong += compare(c, "times 1", isa, n[0], a->z, c->y, c->new_bytes, c->digits, c->infinity, NULL);
    if (c->f) {
        wrong += compare(c, "as a float", isa, n[1], a->f, c->f, 4, 0, 0x7f800000, NULL);
        wrong += compare(c, "as a double", isa, n[2], a->d, c->d, 8, 0, 1, NULL);
        wrong += compare(c, "under a condition", isa, n[3], a->some, c->y, c->new_bytes, c->digits, c->infinity, a->where);
    }
    return wrong;
}

static void free_all(Arrays *a) { free(a->x), free(a->y), free(a->z), free(a->f), free(a->d), free(a->where), free(a->some); }

/* Every loop of a length of its own: none may be merged with another. */
static long check(int type, int longest, int isa, long *checked)
{
    static Arrays at[TYPES];
    static int n[TYPES][4];
    mikgen_options opt = {0};
    long wrong = 0;
    opt.isa = isa;
    for (int k = 0; k < TYPES; k++) {
        for (int i = 0; i < 4; i++)
            n[k][i] = longest - 4 * k % longest + i > longest ? longest : longest - 4 * k % longest + i;
        set_up(&cases[type][k], &at[k], n[k]);
    }
    const int status = calls[type](&opt, n, at);
    if (status != MIKGEN_OK && status != MIKGEN_UNSUPPORTED)
        printf("FAILED: from %s comes back with error %d\n", cases[type][0].old_type, status), wrong++;
    for (int k = 0; k < TYPES; k++) {
        if (status == MIKGEN_OK) {
            wrong += look(&cases[type][k], &at[k], n[k], isa);
            *checked += n[k][0];
        }
        free_all(&at[k]);
    }
    return wrong;
}

int main(void)
{
    static const int lengths[] = {LONGEST, 90};
    long wrong = 0, checked = 0;
    for (int type = 0; type < OLD_TYPES; type++)
        for (int isa = 1; isa <= ISAS; isa++)
            for (int i = 0; i < 2; i++)
                wrong += check(type, lengths[i], isa, &checked);
    printf("%ld elements, %ld wrong\n", checked, wrong);
    return wrong != 0 || checked == 0;
}
