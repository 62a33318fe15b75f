/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints random C functions, the same for the same seed:
 *
 *   random_program FIRST COUNT PROGRAMS CALLS [NUMBER...]
 *
 * writes functions p<FIRST> ... to the file PROGRAMS, and to CALLS one `case` for each that calls it with what
 * tests/fuzz/programs.h declares. The programs of the given numbers are left out. */
#include "random_statement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void globals(Gen *g)
{
    static const Var vars[] = {
        {.name = "g0", .type = INT, .lo = -100, .hi = 100, .writable = true},
        {.name = "g1", .type = INT, .lo = -100, .hi = 100, .writable = true},
        {.name = "gu", .type = UINT, .lo = 0, .hi = UINT32_MAX, .writable = true},
        {.name = "gl", .type = LONG, .lo = INT64_MIN, .hi = INT64_MAX, .writable = true},
        {.name = "gf", .type = FLOAT, .writable = true},
        {.name = "gv", .type = INT, .lo = -100, .hi = 100, .is_volatile = true},
        {.name = "ga", .type = INT, .lo = -100, .hi = 100, .rank = 1, .extent = {64, 0}, .writable = true, .is_call_safe = true},
    };
    for (size_t i = 0; i < sizeof vars / sizeof *vars; i++)
        add(g, vars[i])->used = true;
    if (has(g, MEMBERS)) {
        Var pointer = vars[6];
        pointer.name = "gp";
        add(g, pointer)->used = true;
        add_members(g, (Var){.name = "gs", .carries = PACK, .writable = true});
    }
}

static const char *array_parameter(Gen *g, const char *type, const char *name, bool restricted, bool is_const)
{
    return format(g, chance(g, 80) || restricted ? "%s%s *%s%s" : "%s%s %s%s[]", is_const ? "const " : "", type,
                  restricted ? "restrict " : "", name);
}

/* Every parameter that the driver can give; what a function does not use is not printed. */
static void parameters(Gen *g)
{
    bool fixed_d = chance(g, 85);
    add(g, (Var){.name = "n", .type = INT, .lo = 0, .hi = 12, .fixed = true, .declaration = "int n"});
    add(g, (Var){.name = "d", .type = INT, .lo = -3, .hi = 3, .fixed = fixed_d, .writable = !fixed_d, .declaration = "int d"});
    if (g->in_helper) {
        add(g, (Var){.name = "A",
                     .type = INT,
                     .lo = -100,
                     .hi = 100,
                     .rank = 1,
                     .extent = {g->in_helper ? 8 : 64, 0},
                     .writable = true,
                     .is_call_safe = true,
                     .declaration = "int *A"});
        return;
    }
    add(g, (Var){.name = "m", .type = INT, .lo = 0, .hi = 12, .fixed = true, .declaration = chance(g, 20) ? "const int m" : "int m"});
    add(g, (Var){.name = "z", .type = INT, .lo = 0, .hi = 0, .fixed = true, .declaration = "int z"});
    add(g, (Var){.name = "w", .type = INT, .lo = INT32_MIN, .hi = INT32_MAX, .fixed = true, .declaration = "int w"});
    add(g, (Var){.name = "w2", .type = INT, .lo = INT32_MIN, .hi = INT32_MAX, .fixed = true, .declaration = "int w2"});
    add(g, (Var){.name = "u", .type = UINT, .lo = 0, .hi = UINT32_MAX, .fixed = chance(g, 70), .declaration = "unsigned u"});
    add(g, (Var){.name = "q", .type = LONG, .lo = INT64_MIN, .hi = INT64_MAX, .fixed = true, .declaration = "long q"});
    add(g, (Var){.name = "uq", .type = ULONG, .lo = 0, .hi = INT64_MAX, .fixed = true, .declaration = "unsigned long uq"});
    add(g, (Var){.name = "us", .type = USHORT, .lo = 0, .hi = 65535, .fixed = true, .declaration = "unsigned short us"});
    add(g, (Var){.name = "sc", .type = SCHAR, .lo = -128, .hi = 127, .fixed = true, .declaration = "signed char sc"});
    add(g, (Var){.name = "bo", .type = BOOL, .lo = 0, .hi = 1, .fixed = true, .declaration = "bool bo"});
    add(g, (Var){.name = "x", .type = FLOAT, .declaration = "float x"});
    add(g, (Var){.name = "y", .type = DOUBLE, .declaration = "double y"});
    Var ints = {.type = INT, .lo = -100, .hi = 100, .rank = 1, .extent = {64, 0}, .writable = true, .is_call_safe = true};
    bool r = chance(g, 80);
    ints.name = "A", ints.declaration = array_parameter(g, "int", "A", r, false), add(g, ints);
    ints.name = "P", ints.declaration = array_parameter(g, "int", "P", false, false), add(g, ints);
    ints.name = "R", ints.extent[0] = 1, ints.declaration = array_parameter(g, "int", "R", false, false), ints.is_call_safe = false,
    add(g, ints);
    ints.extent[0] = 64, ints.writable = false;
    ints.name = "B", ints.declaration = array_parameter(g, "int", "B", r, true), add(g, ints);
    ints.name = "Q", ints.declaration = array_parameter(g, "int", "Q", false, true), add(g, ints);
    Var grid = {.name = "M",
                .type = INT,
                .lo = -100,
                .hi = 100,
                .rank = 2,
                .extent = {8, 8},
                .writable = true,
                .declaration = chance(g, 50) ? "int M[restrict 8][8]" : "int M[8][8]"};
    add(g, grid);
    grid.name = "W", grid.declaration = chance(g, 50) ? "int (*W)[8]" : "int W[][8]", add(g, grid);
    Var floats = {.name = "F",
                  .type = FLOAT,
                  .rank = 1,
                  .extent = {64, 0},
                  .writable = true,
                  .declaration = array_parameter(g, "float", "F", chance(g, 75), false)};
    add(g, floats);
    floats.name = "G", floats.writable = false, floats.declaration = array_parameter(g, "float", "G", chance(g, 75), true), add(g, floats);
    add(g, (Var){.name = "X",
                 .type = DOUBLE,
                 .rank = 1,
                 .extent = {64, 0},
                 .writable = true,
                 .declaration = array_parameter(g, "double", "X", true, false)});
    add(g, (Var){.name = "H",
                 .type = USHORT,
                 .lo = 0,
                 .hi = 65535,
                 .rank = 1,
                 .extent = {64, 0},
                 .writable = true,
                 .declaration = array_parameter(g, "unsigned short", "H", chance(g, 50), false)});
    add(g, (Var){.name = "U",
                 .type = UINT,
                 .lo = 0,
                 .hi = UINT32_MAX,
                 .rank = 1,
                 .extent = {64, 0},
                 .writable = true,
                 .declaration = array_parameter(g, "unsigned", "U", chance(g, 50), false)});
    add(g, (Var){.name = "C",
                 .type = SCHAR,
                 .lo = -128,
                 .hi = 127,
                 .rank = 1,
                 .extent = {64, 0},
                 .writable = true,
                 .declaration = array_parameter(g, "signed char", "C", chance(g, 50), false)});
    if (has(g, PLACES))
        add(g, (Var){.name = "extent", .type = INT, .lo = 8, .hi = 8, .fixed = true, .declaration = "int extent"});
    if (has(g, PLACES) && chance(g, 50)) {
        grid.name = "V", grid.declaration = chance(g, 50) ? "int V[][extent]" : "int (*V)[extent]", add(g, grid);
    }
    if (has(g, MEMBERS)) {
        add_members(g, (Var){.name = "sp", .carries = PACK_POINTER, .writable = true, .declaration = "Pack *sp"});
        add_members(g, (Var){.name = "sq", .carries = PACK_POINTER, .writable = chance(g, 70), .declaration = "Pack *sq"});
        add_members(g, (Var){.name = "sk", .carries = PACK_POINTER, .declaration = "const Pack *sk"});
    }
}

static void function(Gen *g, FILE *programs, FILE *calls)
{
    g->nvars = g->nfacts = g->dead = g->loops = g->calls = 0;
    g->hot = -1, g->trips = 1, g->may_continue = false, g->hidden = NULL;
    g->names = 0, g->escape = NULL;
    g->len = 0, g->indent = 1;
    g->out[0] = '\0';
    g->size = g->in_helper ? 4 : 6 + (int)draw(g, 14);
    parameters(g);
    int nparams = g->nvars;
    /* Globals stand in front of the parameters in no sense: order matters only to choosing. */
    globals(g);
    int first = g->nvars;
    g->scope = 0;
    while (g->size > 0)
        statement(g);
    close_scope(g, first);
    if (g->has_helper && !g->in_helper)
        line(g, format(g, "gl = h%ld(n, d, ga);", g->number));
    if (g->in_helper || g->vars[0].shadowed || g->vars[1].shadowed || !g->vars[1].fixed)
        line(g, g->in_helper ? "note(n + d + A[1]);" : "note(n + d);");
    else if (!is_mentioned(g, "n"))
        line(g, "note(n);");
    line(g, g->in_helper ? format(g, "return %s;", fit(g, integer(g, 2), -100, 100).text)
                         : format(g, "return %s;", fit(g, integer(g, 2), -100000, 100000).text));
    fprintf(programs, "static %s %c%ld(", g->in_helper ? "int" : "long", g->in_helper ? 'h' : 'p', g->number);
    if (calls)
        fprintf(calls, "case %ld: return p%ld(", g->number, g->number);
    bool any = false, has_rows = is_mentioned(g, "V");
    for (int i = 0; i < nparams; i++)
        if (g->vars[i].declaration && (i == 0 || is_mentioned(g, g->vars[i].name) || (has_rows && !strcmp(g->vars[i].name, "extent")))) {
            fprintf(programs, "%s%s", any ? ", " : "", g->vars[i].declaration);
            if (calls)
                fprintf(calls, "%sdata->%s", any ? ", " : "", g->vars[i].name);
            any = true;
        }
    if (calls)
        fprintf(calls, ");\n");
    fprintf(programs, ")\n{\n%s}\n\n", g->out);
}

/* Drawn apart from the rest, so that a program without any is what it was before there were these. */
static unsigned features_of(Gen *g, long number)
{
    unsigned features = 0;
    g->seed = (uint64_t)number * 0x9e3779b97f4a7c15u + 5;
    if (chance(g, 75))
        for (unsigned feature = POINTERS; feature <= SPELLINGS; feature *= 2)
            features |= chance(g, 45) ? feature : 0;
    return features;
}

static void program(Gen *g, long number, FILE *programs, FILE *calls)
{
    g->features = features_of(g, number);
    g->number = number;
    g->seed = (uint64_t)number * 0x2545f4914f6cdd1du + 1;
    g->ntext = 0;
    g->risky = false;
    g->has_helper = chance(g, 20);
    if (g->has_helper) {
        g->in_helper = true;
        function(g, programs, NULL);
        g->in_helper = false;
    }
    g->risky = chance(g, 15);
    function(g, programs, calls);
}

int main(int argc, char **argv)
{
    FILE *programs = argc >= 5 ? fopen(argv[3], "w") : NULL, *calls = programs ? fopen(argv[4], "w") : NULL;
    Gen *g = calloc(1, sizeof *g);
    char *out = malloc(TEXTS), *text = malloc(TEXTS);
    if (!calls || !g || !out || !text) {
        fprintf(stderr, "usage: random_program FIRST COUNT PROGRAMS CALLS [NUMBER...]\n");
        return 2;
    }
    g->out = out, g->text = text, g->effect = effect, g->constant = spelled_constant, g->macro = spelled_call;
    fputs("#include <math.h>\n#include <stdbool.h>\n#include <string.h>\n\n#include \"programs_data.h\"\n\n", programs);
    fputs(macros, programs);
    fputs(spellings, programs);
    fputs("extern int g0, g1;\nextern unsigned gu;\nextern long gl;\nextern float gf;\nextern volatile int gv;\nextern int ga[96];\n",
          programs);
    fputs("int next(int x);\nvoid note(long x);\nvoid bump(void);\nvoid touch(int *p, int i);\nint peek(const int *p, int i);\n", programs);
    fputs("void stop_if_zero(int x);\nint mix(int a, int b) __attribute__((const));\n\n", programs);
    long first = atol(argv[1]), count = atol(argv[2]);
    for (long number = first; number < first + count; number++) {
        bool wanted = true;
        for (int i = 5; i < argc; i++)
            wanted &= atol(argv[i]) != number;
        if (wanted)
            program(g, number, programs, calls);
    }
    bool good = !ferror(programs) && !ferror(calls);
    good = !fclose(programs) && !fclose(calls) && good;
    free(out), free(text), free(g);
    return good ? 0 : 1;
}
