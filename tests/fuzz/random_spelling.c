/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What C lets one say in more than one way: constants that are negative or have names, sizes, several assignments in one statement,
 * choices and steps inside of expressions, loops without a condition or over unsigned sizes. */
#include "random_statement.h"

#include <string.h>

static bool is_plain(const Var *v) { return !v->rank && v->writable && v->type == INT && v->lo <= -1000 && !v->is_volatile && !v->is_bits; }
static bool wraps(const Var *v) { return !v->rank && v->writable && v->type == UINT && v->hi == UINT32_MAX && !v->is_bits; }
static bool is_ints(const Var *v) { return v->rank == 1 && v->writable && v->type == INT && v->lo == -100 && v->extent[0] >= 8; }
static bool is_count(const Var *v) { return !v->rank && v->fixed && v->type == INT && v->lo >= 0 && v->hi <= 12; }

/* The names that the constants below have. */
const char spellings[] = "#define SIZE 8\n#define AT(x) ((x) + SIZE)\nenum { LENGTH = 5, LEAST = -3 };\n\n";

Expr spelled_constant(Gen *g)
{
    const int64_t value = 1 + (int64_t)draw(g, 40);
    switch (draw(g, 7)) {
    case 0: return (Expr){"SIZE", INT, 8, 8, 15};
    case 1: return (Expr){"LENGTH", INT, 5, 5, 15};
    case 2: return (Expr){"LEAST", INT, -3, -3, 15};
    case 3: return (Expr){chance(g, 50) ? "(int)sizeof(int)" : "(int)sizeof ga[0]", INT, 4, 4, 14};
    case 4: return (Expr){"'a'", INT, 'a', 'a', 15};
    default: return imm(g, -value);
    }
}

/* A macro that reads its argument more than once, or adds to it. */
Expr spelled_call(Gen *g)
{
    Expr e = cast(g, INT, fit(g, integer(g, 1), -1000, 1000));
    if (chance(g, 50))
        return (Expr){format(g, "ABSOLUTE(%s)", e.text), INT, 0, 1000, 15};
    return (Expr){format(g, "AT(%s)", e.text), INT, -992, 1008, 15};
}

/* ------------------------------------------------------------------------------------ statements */

static const char *chosen(Gen *g, const char *name)
{
    const char *c = operand(g, pure_condition(g, 1), 3, false), *first = fit(g, integer(g, 1), -1000, 1000).text;
    int count = pick(g, wraps);
    switch (draw(g, 4)) {
    case 0: return format(g, "%s = %s ? next(%s) : next(%u);", name, c, first, draw(g, 9));
    case 1: return count < 0 ? NULL : format(g, "%s = %s ? (%s++, %u) : next(%s);", name, c, g->vars[count].name, draw(g, 9), first);
    case 2: return format(g, "%s ? bump() : note(%s);", c, first);
    default: return format(g, "(void)((%s) && next(%s) > 3);", c, first);
    }
}

/* What steps is named once, and nothing beside it can lead to it. */
static const char *stepping(Gen *g, const char *name)
{
    int count = pick(g, wraps), array = pick(g, is_ints);
    if (count < 0 || array < 0)
        return NULL;
    const char *u = g->vars[count].name, *a = g->vars[array].name;
    switch (draw(g, 3)) {
    case 0: return format(g, "%s[%s++ & 7] = %d;", a, u, (int)draw(g, 50) - 25);
    case 1: return format(g, "%s = %s[--%s & 7];", name, a, u);
    default: return format(g, "%s[%u] = (%s += 3u) & 31;", a, draw(g, 8), u);
    }
}

static const char *twice_assigned(Gen *g, const char *name)
{
    int other = pick(g, is_plain), array = pick(g, is_ints);
    const char *value = fit(g, integer(g, 2), -100, 100).text;
    if (array >= 0 && chance(g, 50)) /* the subscript does not name what is assigned beside it */
        return format(g, "%s[%u] = %s = %s;", g->vars[array].name, draw(g, 8), name, value);
    const bool is_same = name[0] == '(' || g->vars[other].name[0] == '(' || !strcmp(g->vars[other].name, name); /* perhaps */
    return !is_same ? format(g, "%s = %s = %s;", g->vars[other].name, name, value) : NULL;
}

const char *spelling(Gen *g)
{
    const int var = pick(g, is_plain);
    if (var < 0)
        return NULL;
    const char *name = g->vars[var].name;
    const uint32_t kind = draw(g, 100);
    if (kind < 40)
        return chosen(g, name);
    if (kind < 65)
        return stepping(g, name);
    if (kind < 90)
        return twice_assigned(g, name);
    return format(g, "%s = __extension__({ int inner = %s; inner > LEAST ? inner : -inner; });", name,
                  fit(g, integer(g, 1), -1000, 1000).text);
}

/* ------------------------------------------------------------------------------------ loops */

/* Nothing but a break ends it. */
static void endless(Gen *g)
{
    static const char *const heads[] = {"for (;;)", "while (1)", "for (;; )", "do"};
    const char *name = fresh(g, "f");
    const int kind = (int)draw(g, 4), trips = 1 + (int)draw(g, 7);
    Place p = enter(g);
    line(g, format(g, "int %s = 0;", name));
    add(g, (Var){.name = name, .type = INT, .lo = 0, .hi = trips, .used = true, .is_control = true});
    g->loops++, g->trips *= trips + 1, g->may_continue = true;
    put(g, "%*s%s", g->indent * 4, "", heads[kind]);
    braces(g, some(g), format(g, "if (%s++ >= %d) break;", name, trips - 1), NULL, kind == 3 ? " while (1);" : "");
    leave(g, p);
}

/* Upwards to one below a bound, or downwards from it, with a variable that is never negative. */
static void of_sizes(Gen *g)
{
    const int count = pick(g, is_count);
    if (count < 0)
        return line(g, simple(g));
    const char *name = fresh(g, "z"), *bound = g->vars[count].name;
    const Type type = chance(g, 50) ? UINT : ULONG;
    const int64_t most = g->vars[count].hi, trips = most + 1;
    if (chance(g, 50))
        put(g, "%*sfor (%s %s = 0; %s + 1 < (%s)%s; %s++)", g->indent * 4, "", type_name[type], name, name, type_name[type], bound, name);
    else
        put(g, "%*sfor (%s %s = (%s)%s; %s-- > 0; )", g->indent * 4, "", type_name[type], name, type_name[type], bound, name);
    counted_body(g, (Var){.name = name, .type = type, .lo = 0, .hi = most > 0 ? most - 1 : 0, .fixed = true}, -1, 0, trips);
}

void spelled_loop(Gen *g)
{
    if (chance(g, 45))
        endless(g);
    else
        of_sizes(g);
}
