/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs, unions and pointers to them: members are variables whose names are longer. What carries them is copied whole, and handed to
 * functions; pointers to functions are here as well. tests/fuzz/programs_data.h declares the types. */
#include "random_statement.h"

#include <string.h>

#define INTS .type = INT, .lo = -100, .hi = 100, .writable = true

static const Var members_of_pack[] = {
    {.name = "n", .type = INT, .lo = 0, .hi = 12},
    {.name = "s", INTS},
    {.name = "u", .type = UINT, .hi = UINT32_MAX, .writable = true},
    {.name = "bits", .type = UCHAR, .hi = 31, .writable = true, .is_bits = true},
    {.name = "l", .type = LONG, .lo = INT64_MIN, .hi = INT64_MAX, .writable = true},
    {.name = "f", .type = FLOAT, .writable = true},
    {.name = "w.u", .type = UINT, .hi = UINT32_MAX, .writable = true},
    {.name = "w.c", .type = UCHAR, .hi = 255, .rank = 1, .extent = {4, 0}, .writable = true},
    {.name = "w.h", .type = USHORT, .hi = 65535, .rank = 1, .extent = {2, 0}, .writable = true},
    {.name = "arr", INTS, .rank = 1, .extent = {16, 0}, .is_call_safe = true},
    {.name = "grid", INTS, .rank = 2, .extent = {2, 8}},
    {.name = "in.a", INTS},
    {.name = "in.v", INTS, .rank = 1, .extent = {5, 0}},
    {.name = "two[1].b", INTS},
    {.name = "two[0].v", INTS, .rank = 1, .extent = {5, 0}},
    {.name = "q->a", INTS},
    {.name = "q->f", .type = FLOAT, .writable = true},
    {.name = "q->v", INTS, .rank = 1, .extent = {5, 0}},
    {.name = "p", INTS, .rank = 1, .extent = {16, 0}, .is_call_safe = true},
    {.name = "vol", INTS, .is_volatile = true},
    {.name = "zero", .type = INT},
};

static const Var members_of_inner[] = {
    {.name = "a", INTS},
    {.name = "b", INTS},
    {.name = "f", .type = FLOAT, .writable = true},
    {.name = "v", INTS, .rank = 1, .extent = {5, 0}},
};

/* What `carrier` has, or a part of it. */
void add_members(Gen *g, Var carrier)
{
    bool is_pack = carrier.carries <= PACK_POINTER, is_pointer = carrier.carries == PACK_POINTER || carrier.carries == INNER_POINTER;
    size_t count = is_pack ? sizeof members_of_pack / sizeof *members_of_pack : sizeof members_of_inner / sizeof *members_of_inner;
    carrier.used = true;
    add(g, carrier);
    for (size_t i = 0; i < count && g->nvars < MAX_VARS - 4; i++) {
        Var v = is_pack ? members_of_pack[i] : members_of_inner[i];
        if ((is_pack && chance(g, 50)) || (v.is_volatile && !carrier.writable))
            continue;
        bool is_elsewhere = strstr(v.name, "->") || !strcmp(v.name, "p"); /* it is not const with what points there */
        v.name = format(g, is_pointer ? "%s->%s" : "%s.%s", carrier.name, v.name);
        v.writable &= carrier.writable || is_elsewhere;
        v.used = true;
        add(g, v);
    }
}

static bool is_pack(const Var *v) { return v->carries == PACK || v->carries == PACK_POINTER; }
static bool is_inner(const Var *v) { return v->carries == INNER || v->carries == INNER_POINTER; }
static bool is_written_pack(const Var *v) { return is_pack(v) && v->writable; }
static bool is_written_inner(const Var *v) { return is_inner(v) && v->writable; }
static bool is_function(const Var *v) { return v->carries == FUNCTION; }
static bool is_lasting(const Var *v) /* int elements that outlive a function */
{
    return v->rank == 1 && v->type == INT && v->is_call_safe && v->writable && v->extent[0] >= 16 &&
           (!strcmp(v->name, "P") || !strcmp(v->name, "ga") || !strcmp(v->name, "gp"));
}

static const char *whole(Gen *g, const Var *v)
{
    bool is_pointer = v->carries == PACK_POINTER || v->carries == INNER_POINTER;
    return is_pointer ? format(g, "*%s", v->name) : v->name;
}

static const char *address(Gen *g, const Var *v)
{
    bool is_pointer = v->carries == PACK_POINTER || v->carries == INNER_POINTER;
    return is_pointer ? v->name : format(g, "&%s", v->name);
}

static const char *member(Gen *g, const Var *v, const char *name)
{
    return format(g, v->carries == PACK_POINTER ? "%s->%s" : "%s.%s", v->name, name);
}

/* A literal with designators, without braces. */
static const char *literal(Gen *g)
{
    const char *s = fit(g, integer(g, 1), -100, 100).text, *u = fit(g, integer(g, 1), 0, 1000).text;
    return format(
        g,
        ".n = %u, .s = %s, .arr = {1, 2, [7] = 9, [3] = 4}, .w.u = (unsigned)(%s), .in.a = 5, .two[1] = {.b = 7}, .p = ga + 2, .q = &gs.in",
        draw(g, 13), s, u);
}

static bool pack(Gen *g)
{
    const char *name = fresh(g, "st");
    int from = pick_carrier(g, is_pack);
    bool is_literal = from < 0 || chance(g, 40), is_last = g->loops == 0 && chance(g, 10);
    const char *value = is_literal ? format(g, "{%s}", literal(g)) : whole(g, &g->vars[from]);
    if (is_last) {
        line(g, format(g, "static Pack %s;", name));
        line(g, is_literal ? format(g, "%s = (Pack)%s;", name, value) : format(g, "%s = %s;", name, value));
    } else {
        line(g, format(g, "Pack %s = %s;", name, value));
    }
    add_members(g, (Var){.name = name, .carries = PACK, .writable = true});
    return true;
}

static bool pack_pointer(Gen *g)
{
    const char *name = fresh(g, "st");
    int to = pick_carrier(g, is_pack), other = pick_carrier(g, is_pack);
    if (to < 0)
        return false;
    bool writable = g->vars[to].writable && g->vars[other].writable;
    const char *first = address(g, &g->vars[to]), *second = address(g, &g->vars[other]);
    const char *value = chance(g, 50) ? first : format(g, "%s ? %s : %s", operand(g, pure_condition(g, 1), 3, false), first, second);
    line(g, format(g, "%sPack *%s = %s;", writable ? "" : "const ", name, value));
    add_members(g, (Var){.name = name, .carries = PACK_POINTER, .writable = writable});
    return true;
}

static bool inner(Gen *g)
{
    static const char *const places[] = {"in", "two[0]", "two[1]"};
    const char *name = fresh(g, "in"), *place = places[draw(g, 3)];
    int of = pick_carrier(g, is_pack);
    if (of < 0)
        return false;
    const Var v = g->vars[of];
    bool is_pointer = chance(g, 60), writable = !is_pointer || v.writable;
    const char *from = member(g, &v, place);
    if (is_pointer && chance(g, 30))
        line(g, format(g, "Inner *%s = %s;", name, member(g, &v, "q"))), writable = true;
    else
        line(g,
             is_pointer ? format(g, "%sInner *%s = &%s;", writable ? "" : "const ", name, from) : format(g, "Inner %s = %s;", name, from));
    add_members(g, (Var){.name = name, .carries = is_pointer ? INNER_POINTER : INNER, .writable = writable});
    return true;
}

static bool function_pointer(Gen *g)
{
    const char *name = fresh(g, "fn"),
               *value = chance(g, 50) ? "twice" : format(g, "%s ? twice : third", operand(g, pure_condition(g, 1), 3, false));
    line(g, format(g, "int (*%s)(int) = %s;", name, value));
    add(g, (Var){.name = name, .carries = FUNCTION, .used = true});
    return true;
}

bool member_declaration(Gen *g)
{
    uint32_t kind = draw(g, 100);
    if (g->nvars > MAX_VARS - 40)
        return false;
    return kind < 30 ? pack(g) : kind < 55 ? pack_pointer(g) : kind < 85 ? inner(g) : function_pointer(g);
}

/* ------------------------------------------------------------------------------------ statements */

static bool is_int_place(const Var *v)
{
    return !v->rank && v->writable && v->type == INT && v->lo <= -100 && v->hi >= 100 && !v->is_volatile;
}

static const char *assign_whole(Gen *g)
{
    bool packs = chance(g, 50);
    int to = pick_carrier(g, packs ? is_written_pack : is_written_inner), from = pick_carrier(g, packs ? is_pack : is_inner);
    if (to < 0 || from < 0)
        return NULL;
    const char *target = whole(g, &g->vars[to]), *type = packs ? "Pack" : "Inner";
    if (chance(g, 20) && packs)
        return format(g, "%s = (Pack){%s};", target, literal(g));
    if (!strcmp(target, whole(g, &g->vars[from])))
        return NULL;
    return chance(g, 70) ? format(g, "%s = %s;", target, whole(g, &g->vars[from]))
                         : format(g, "memmove(%s, %s, sizeof(%s));", address(g, &g->vars[to]), address(g, &g->vars[from]), type);
}

/* The pointers in structs lead elsewhere, never to what a function has of its own. */
static const char *lead(Gen *g)
{
    int of = pick_carrier(g, is_written_pack), to = pick(g, is_lasting);
    if (of < 0 || (chance(g, 50) && to < 0))
        return NULL;
    if (chance(g, 50) && to >= 0)
        return format(g, "%s = %s + %u;", member(g, &g->vars[of], "p"), g->vars[to].name, draw(g, 3));
    return format(g, "%s = &gs.two[%u];", member(g, &g->vars[of], "q"), draw(g, 2));
}

static const char *call(Gen *g)
{
    int of = pick_carrier(g, is_written_pack), function = pick_carrier(g, is_function), to = pick(g, is_int_place);
    switch (draw(g, 4)) {
    case 0: return "stir();";
    case 1: return of < 0 ? NULL : format(g, "turn(%s);", address(g, &g->vars[of]));
    case 2:
        return function < 0 || to < 0
                   ? NULL
                   : format(g, "%s = %s(%s);", g->vars[to].name, g->vars[function].name, fit(g, integer(g, 1), -100, 100).text);
    default: return function < 0 ? NULL : format(g, "%s = %s;", g->vars[function].name, chance(g, 50) ? "third" : "twice");
    }
}

/* A member of one of several, which a subscript chooses. */
static const char *of_several(Gen *g)
{
    int of = pick_carrier(g, is_written_pack), var = pick(g, is_int_place);
    if (of < 0 || var < 0)
        return NULL;
    const char *at = subscript(g, 2).text, *what = chance(g, 50) ? "b" : format(g, "v[%s]", subscript(g, 5).text);
    const char *place = member(g, &g->vars[of], format(g, "two[%s].%s", at, what));
    if (chance(g, 50))
        return format(g, "%s = %s;", g->vars[var].name, place);
    return format(g, "%s = %s;", place, fit(g, integer(g, 1), -100, 100).text);
}

const char *member_statement(Gen *g)
{
    uint32_t kind = draw(g, 100);
    if (has(g, SPELLINGS) && chance(g, 40))
        return of_several(g);
    return kind < 40 ? assign_whole(g) : kind < 55 ? lead(g) : kind < 60 ? "gp = ga;" : call(g);
}
