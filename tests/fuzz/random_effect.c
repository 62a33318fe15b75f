/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects where a value is wanted: assignments in conditions, commas, variables that loops count down in their conditions; and
 * declarations of more than one thing, of what lasts, and of arrays of a size that is computed. */
#include "random_statement.h"

#include <string.h>

static bool is_plain(const Var *v) { return !v->rank && v->writable && v->type == INT && v->lo <= -1000 && !v->is_volatile; }
static bool wraps(const Var *v) { return !v->rank && v->writable && v->type == UINT && v->hi == UINT32_MAX; }
static bool is_element(const Var *v) { return v->rank == 1 && v->writable && v->type == UINT; }
static bool is_called(const Var *v) { return v->rank == 1 && v->type == INT && v->extent[0] >= 16 && v->is_call_safe; }

/* Operand of && or ||, in no larger expression: what it changes is not read beside it. */
Expr effect(Gen *g)
{
    const int limit = 1 + (int)draw(g, 9);
    int var;
    switch (draw(g, 7)) {
    case 0:
        if ((var = pick(g, is_plain)) < 0)
            return (Expr){0};
        return (Expr){format(g, "(%s = next(%s)) > %d", g->vars[var].name, fit(g, integer(g, 1), -1000, 1000).text, limit), INT, 0, 1, 10};
    case 1:
        if ((var = pick(g, is_plain)) < 0)
            return (Expr){0};
        return (Expr){format(g, "(%s = %s, %s < %d)", g->vars[var].name, fit(g, integer(g, 1), -1000, 1000).text, g->vars[var].name, limit),
                      INT, 0, 1, 15};
    case 2: {
        if ((var = pick(g, wraps)) < 0)
            return (Expr){0};
        return (Expr){format(g, chance(g, 50) ? "%s++ > %du" : "--%s > %du", g->vars[var].name, limit), INT, 0, 1, 10};
    }
    case 3: {
        Expr e = has(g, POINTERS) ? moving_load(g) : (Expr){0};
        if (!e.text)
            return e;
        return (Expr){format(g, is_unsigned(e.type) ? "%s > %du" : "%s > %d", e.text, limit), INT, 0, 1, 10};
    }
    case 4: {
        Expr e = has(g, POINTERS) ? moving_copy(g) : (Expr){0};
        if (!e.text)
            return e;
        return (Expr){format(g, is_unsigned(e.type) ? "(%s) > %du" : "(%s) > %d", e.text, limit), INT, 0, 1, 10};
    }
    case 5:
        if ((var = pick(g, is_called)) < 0)
            return (Expr){0};
        return (Expr){format(g, "peek(&%s[%d], next(%d) & 3) < %d", g->vars[var].name, 1 + (int)draw(g, 3), limit % 4, limit), INT, 0, 1,
                      10};
    default:
        if ((var = pick(g, is_element)) < 0)
            return (Expr){0};
        return (Expr){format(g, "%s++ > %du", element(g, var), limit), INT, 0, 1, 10};
    }
}

/* Two statements as one. */
const char *comma(Gen *g)
{
    const char *first = simple(g), *second = simple(g);
    if (!strcmp(first, ";") || !strcmp(second, ";") || strchr(first, '{') || strchr(second, '{') || !strncmp(first, "SWAP", 4) ||
        !strncmp(first, "__asm__", 7) || !strncmp(second, "__asm__", 7) || !strncmp(second, "SWAP", 4))
        return NULL;
    return format(g, "%.*s, %s", (int)strlen(first) - 1, first, second);
}

/* The loop's variable counts down where it is tested. */
void countdown(Gen *g)
{
    static const char *const heads[] = {"while (%s-- > 0%s)", "for (; %s-- > 0%s; )", "while (--%s > 0%s)", "while (%s--%s)", "do"};
    const char *name = fresh(g, "c");
    const int kind = (int)draw(g, 5), trips = 1 + (int)draw(g, 7);
    g->calls = chance(g, 40) ? 1 : 0;
    const char *more = chance(g, 40) && kind != 3 ? format(g, " && (%s)", condition(g, 1).text) : "";
    g->calls = 0;
    Place p = enter(g);
    line(g, format(g, "int %s = %d;", name, trips));
    add(g, (Var){.name = name, .type = INT, .lo = kind == 4 ? -1 : 0, .hi = trips, .used = true, .is_control = true});
    g->loops++, g->trips *= trips + 1, g->may_continue = true;
    put(g, "%*s", g->indent * 4, "");
    put(g, heads[kind], name, more);
    braces(g, some(g), NULL, NULL, kind == 4 ? format(g, " while (%s-- > 0%s);", name, more) : "");
    leave(g, p);
    add(g, (Var){.name = name, .type = INT, .lo = -1, .hi = trips, .used = true});
}

/* Two variables in the head. */
void two_counters(Gen *g)
{
    const char *up = fresh(g, "i"), *down = fresh(g, "j");
    const int trips = 2 + (int)draw(g, 8), from = trips + (int)draw(g, 4);
    Place p = enter(g);
    bool outside = chance(g, 40);
    if (outside)
        line(g, format(g, "int %s, %s;", up, down));
    put(g, "%*sfor (%s%s = 0, %s = %d; %s < %d; %s++, %s--)", g->indent * 4, "", outside ? "" : "int ", up, down, from, up, trips, up,
        down);
    add(g, (Var){.name = down, .type = INT, .lo = from - trips + 1, .hi = from, .fixed = true, .used = true, .is_counter = true});
    counted_body(g, (Var){.name = up, .type = INT, .lo = 0, .hi = trips - 1, .fixed = true}, -1, 0, trips);
    leave(g, p);
}

/* ------------------------------------------------------------------------------------ declarations */

/* int a = 1, b = a + 2, *c = A, d[4] = {0}; */
static void several(Gen *g)
{
    int array = pick(g, is_array);
    const char *a = fresh(g, "a"), *b = fresh(g, "b"), *c = fresh(g, "c"), *d = fresh(g, "d");
    Expr first = fit(g, integer(g, 1), -1000, 1000);
    add(g, (Var){.name = a, .type = INT, .lo = -1023, .hi = 1023, .writable = true, .used = true});
    Expr second = fit(g, integer(g, 1), -500, 500);
    const Var v = array >= 0 ? g->vars[array] : (Var){0};
    const bool has_pointer = v.rank == 1 && v.type == INT;
    const char *pointer = has_pointer ? format(g, ", *const %s = (int *)%s", c, v.name) : "";
    line(g, format(g, "int %s = %s, %s = (%s %% 7) + (%s)%s, %s[8] = {0};", a, first.text, b, a, second.text, pointer, d));
    add(g, (Var){.name = b, .type = INT, .lo = -1023, .hi = 1023, .writable = true, .used = true});
    add(g, (Var){.name = d, .type = INT, .lo = -100, .hi = 100, .rank = 1, .extent = {8, 0}, .writable = true, .used = true});
    if (has_pointer)
        add(g, (Var){.name = c,
                     .type = INT,
                     .lo = v.lo,
                     .hi = v.hi,
                     .rank = 1,
                     .extent = {v.extent[0], 0},
                     .writable = v.writable,
                     .used = true});
}

/* It lasts, but is set whenever it is declared: no run may depend on another. */
static void lasting(Gen *g)
{
    const char *name = fresh(g, "s");
    if (chance(g, 30)) {
        line(g, format(g, "static const int %s[8] = {3, 1, 4, [5] = -9, 2};", name));
        add(g, (Var){.name = name, .type = INT, .lo = -9, .hi = 4, .rank = 1, .extent = {8, 0}, .used = true});
        return;
    }
    bool is_array = chance(g, 30);
    Expr e = fit(g, integer(g, 1), -100, 100);
    line(g, format(g, is_array ? "static int %s[8];" : "static int %s = 5;", name));
    line(g, is_array ? format(g, "memset(%s, 0, sizeof %s);", name, name) : format(g, "%s = %s;", name, e.text));
    add(g, (Var){.name = name,
                 .type = INT,
                 .lo = -100,
                 .hi = 100,
                 .rank = is_array,
                 .extent = {8, 0},
                 .writable = true,
                 .used = true,
                 .is_call_safe = is_array});
}

static void of_size(Gen *g)
{
    const char *name = fresh(g, "vl");
    line(g, format(g, "int %s[extent];", name));
    line(g, format(g, "memset(%s, 0, sizeof %s);", name, name));
    add(g, (Var){.name = name, .type = INT, .lo = -100, .hi = 100, .rank = 1, .extent = {8, 0}, .writable = true, .used = true});
}

static void always_read(Gen *g)
{
    const char *name = fresh(g, "vo");
    line(g, format(g, "volatile int %s = %s;", name, fit(g, integer(g, 1), -100, 100).text));
    add(g, (Var){.name = name, .type = INT, .lo = -100, .hi = 100, .is_volatile = true, .used = true});
}

static void compound(Gen *g)
{
    const char *name = fresh(g, "l");
    line(g, format(g, "int *%s = (int[8]){%s, 2, [6] = 5};", name, fit(g, integer(g, 1), -100, 100).text));
    add(g, (Var){.name = name,
                 .type = INT,
                 .lo = -100,
                 .hi = 100,
                 .rank = 1,
                 .extent = {8, 0},
                 .writable = true,
                 .used = true,
                 .is_call_safe = true});
}

bool other_declaration(Gen *g)
{
    static void (*const all[])(Gen *) = {several, several, several, lasting, lasting, of_size, always_read, compound};
    uint32_t kind = draw(g, 8);
    if (g->in_helper && all[kind] == of_size)
        return false;
    all[kind](g);
    return true;
}
