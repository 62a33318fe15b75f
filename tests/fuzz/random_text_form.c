/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the preprocessor and compilers read besides: #if around statements and parts of such, pragmas, macros that make statements, and
 * inline assembly without instructions. */
#include "random_statement.h"

#include <string.h>

static bool is_plain(const Var *v) { return !v->rank && v->writable && v->type == INT && v->lo <= -1000 && !v->is_volatile && !v->is_bits; }
static bool is_wrapping(const Var *v) { return !v->rank && v->writable && v->type == UINT && v->hi == UINT32_MAX; }
static bool is_ints(const Var *v) { return v->rank == 1 && v->writable && v->type == INT && v->lo == -100; }

/* The macros that the statements below call. */
const char macros[] = "#define SWAP(a, b) do { int swap_t = (a); (a) = (b); (b) = swap_t; } while (0)\n"
                      "#define SET_AND_COUNT(a, e, c) (a) = (e); (c)++\n"
                      "#define EACH(i, n) for (int i = 0; i < (n); i++)\n"
                      "#define UNLESS(c) if (!(c))\n"
                      "#define ABSOLUTE(x) ((x) < 0 ? -(x) : (x))\n\n";

/* #if ... #else ... #endif around whole statements; of what is left out only the words matter. */
static void conditional(Gen *g)
{
    static const char *const yes[] = {"#if 1", "#ifndef NEVER", "#if !defined(NEVER) && 1", "#ifdef __STDC__"};
    bool is_first = chance(g, 75);
    line(g, is_first ? yes[draw(g, 4)] : "#ifdef NEVER");
    if (!is_first) {
        line(g, simple(g));
        line(g, "#else");
    }
    statement(g);
    if (chance(g, 40))
        statement(g);
    if (is_first && chance(g, 40)) {
        line(g, chance(g, 70) ? "#else" : "#elif 1");
        line(g, simple(g));
    }
    line(g, "#endif");
}

/* It holds a part of a statement. */
static void half(Gen *g)
{
    int var = pick(g, is_wrapping);
    if (var >= 0 && chance(g, 60)) {
        line(g, format(g, "%s = (unsigned)(%s)", g->vars[var].name, integer(g, 1).text));
        line(g, "#ifndef NEVER");
        line(g, format(g, "    + %uu", draw(g, 9)));
        line(g, "#endif");
        line(g, "    ;");
        return;
    }
    line(g, "#ifndef NEVER");
    line(g, format(g, "if (%s)", pure_condition(g, 1).text));
    line(g, "#endif");
    line(g, format(g, "    %s", simple(g)));
}

static void pragma(Gen *g)
{
    static const char *const pragmas[] = {"#pragma unknown to all",
                                          "#pragma omp parallel for",
                                          "#pragma omp simd",
                                          "#pragma omp critical",
                                          "#pragma omp parallel for reduction(+ : gl)",
                                          "#pragma scop",
                                          "#pragma endscop"};
    line(g, pragmas[draw(g, 7)]);
    statement(g);
}

void directive(Gen *g)
{
    uint32_t kind = draw(g, 100);
    if (kind < 50)
        conditional(g);
    else if (kind < 65)
        half(g);
    else
        pragma(g);
}

/* ------------------------------------------------------------------------------------ macros */

const char *assembly(Gen *g)
{
    int var = pick(g, is_plain);
    if (var < 0 || chance(g, 25))
        return "__asm__ volatile(\"\" ::: \"memory\");";
    const char *name = g->vars[var].name;
    if (chance(g, 50))
        return format(g, "__asm__(\"\" : \"+r\"(%s));", name);
    Expr e = fit(g, integer(g, 1), -1000, 1000);
    return format(g, "__asm__ volatile(\"\" : \"=r\"(%s) : \"0\"((int)(%s)));", name, e.text);
}

const char *swap(Gen *g)
{
    int array = pick(g, is_ints);
    if (array < 0)
        return NULL;
    const char *first = element(g, array);
    return format(g, "SWAP(%s, %s);", first, element(g, array));
}

void macro(Gen *g)
{
    int var = pick(g, is_plain), count = pick(g, is_wrapping);
    uint32_t kind = draw(g, 100);
    if (kind < 35 && var >= 0 && count >= 0) {
        line(g, format(g, "SET_AND_COUNT(%s, %s, %s);", g->vars[var].name, fit(g, integer(g, 1), -1000, 1000).text, g->vars[count].name));
    } else if (kind < 70) {
        const char *name = fresh(g, "i");
        const int trips = 1 + (int)draw(g, 8);
        put(g, "%*sEACH(%s, %d)", g->indent * 4, "", name, trips);
        counted_body(g, (Var){.name = name, .type = INT, .lo = 0, .hi = trips - 1, .fixed = true}, -1, 0, trips);
    } else if (kind < 85) {
        put(g, "%*sUNLESS(%s)", g->indent * 4, "", pure_condition(g, 1).text);
        Place p = enter(g);
        braces(g, some(g), NULL, NULL, "");
        leave(g, p);
    } else {
        const char *text = swap(g);
        line(g, text ? text : ";");
    }
}
