/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a spec of random operators, the same for the same numbers:
 *
 *   random_nest FIRST COUNT [strict] [bf16]
 *
 * Operators nest<FIRST> ... go to standard output. strict: fit for --fp=strict, under which everything is the spec's bit for bit.
 * bf16: with arrays of that type, for which a reference needs clang. */
#include "random_nest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Integers and factors that change nothing but conditions and values; and extents, which may stand there too. */
static void attributes(Nest *n)
{
    Gen *g = n->g;
    add(g, (Var){.name = "d", .type = INT, .lo = 0, .hi = 6, .fixed = true});
    if (chance(g, 15))
        add(g, (Var){.name = "pad", .type = INT, .lo = 0, .hi = 6, .fixed = true});
    if (chance(g, 50))
        add(g, (Var){.name = "alpha", .type = FLOAT, .fixed = true});
    for (int i = 0; i < AXES; i++)
        if (chance(g, 15))
            add(g, (Var){.name = extent_name[i], .type = INT, .lo = 0, .hi = MOST_EXTENT, .fixed = true});
}

static const char *declarations(Nest *n)
{
    const char *text = "";
    for (int i = 0; i < n->narrays; i++)
        if (n->arrays[i].role != A_LOCAL && is_mentioned(n->g, n->arrays[i].name))
            text = format(n->g, "%s, %s", text, declaration_of(n, &n->arrays[i]));
    return text;
}

static void print_operator(Nest *n, long number)
{
    static const char *const names[] = {"N", "M", "K", "d", "pad", "alpha"};
    const char *arrays = declarations(n), *separator = "";
    printf("void nest%ld(", number);
    for (int i = 0; i < 6; i++)
        if (says(arrays, names[i]) || is_mentioned(n->g, names[i]))
            printf("%s%s %s", separator, i < 5 ? "int" : "float", names[i]), separator = ", ";
    printf("%s)\n{\n%s}\n\n", *separator ? arrays : arrays + 2, n->g->out);
}

static bool has_output(const Nest *n)
{
    for (int i = 0; i < n->narrays; i++)
        if (n->arrays[i].role == A_OUTPUT && is_mentioned(n->g, n->arrays[i].name))
            return true;
    return false;
}

static void operator_of(Nest *n, long number)
{
    Gen *g = n->g;
    g->seed = (uint64_t)number * 0x2545f4914f6cdd1du + 1;
    g->number = number;
    g->nvars = g->nfacts = 0, g->hot = -1, g->indent = 1, g->ntext = g->len = 0, g->out[0] = '\0';
    n->narrays = n->nactive = n->nsoft = n->guards = n->names = 0;
    n->usual = NULL;
    n->usual = chance(g, 70) ? random_element(n) : NULL;
    attributes(n);
    const int more = (int)draw(g, 3);
    for (int forms = chance(g, 50) ? 1 + more : 1; forms > 0 || !has_output(n); forms--)
        random_form(n);
    use_locals(n);
    print_operator(n, number);
}

int main(int argc, char **argv)
{
    Gen *g = calloc(1, sizeof *g);
    Nest *n = calloc(1, sizeof *n);
    char *out = malloc(TEXTS), *text = malloc(TEXTS);
    if (argc < 3 || !g || !n || !out || !text) {
        fprintf(stderr, "usage: random_nest FIRST COUNT [strict] [bf16]\n");
        return 2;
    }
    g->out = out, g->text = text, g->is_spec = true;
    n->g = g;
    for (int i = 3; i < argc; i++) {
        n->is_strict |= !strcmp(argv[i], "strict");
        n->has_bf16 |= !strcmp(argv[i], "bf16");
    }
    const long first = atol(argv[1]), count = atol(argv[2]);
    for (long number = first; number < first + count; number++)
        operator_of(n, number);
    free(out), free(text), free(n), free(g);
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
