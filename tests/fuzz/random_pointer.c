/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local pointers: where they lead, how far they may move, loops from one to another, and whole ranges copied. A pointer never leaves its
 * array: from its declaration on it has room, of which each step takes what all the times need that it may be reached. */
#include "random_statement.h"

#include <string.h>

static bool is_row(const Var *v) { return v->rank == 1 && v->extent[0] >= 4; }
static bool is_table(const Var *v) { return v->rank == 2; }
static bool is_place(const Var *v) { return !v->rank && v->writable && !v->is_bits && !v->is_volatile && v->type != BOOL; }
static bool is_int_row(const Var *v) { return is_row(v) && v->type == INT && v->extent[0] >= 8; }
static bool is_int_table(const Var *v) { return v->rank == 2 && v->type == INT && v->writable && v->extent[1] == 8; }
static bool is_int_target(const Var *v) { return is_int_row(v) && v->writable; }

static const char *moved(Gen *g, const char *name, int by)
{
    return by == 0 ? name : format(g, chance(g, 50) ? "%s + %d" : "&%s[%d]", name, by);
}

/* One dimension of an array as an array: NULL name if there is none. */
static Var row(Gen *g)
{
    int var = pick(g, chance(g, 85) ? is_row : is_table);
    if (var < 0)
        return (Var){0};
    Var v = g->vars[var];
    if (v.rank == 2) {
        v.name = format(g, "%s[%s]", v.name, subscript(g, v.extent[0]).text);
        v.extent[0] = v.extent[1], v.rank = 1;
    }
    return v;
}

static bool to_place(Gen *g)
{
    int var = pick(g, is_place);
    if (var < 0)
        return false;
    Var v = g->vars[var];
    g->vars[var].used = true;
    const char *name = fresh(g, "p");
    line(g, format(g, "%s *%s = &%s;", type_name[v.type], name, v.name));
    v = (Var){.name = format(g, "(*%s)", name), .type = v.type, .lo = v.lo, .hi = v.hi, .writable = true, .used = true};
    add(g, v);
    return true;
}

/* One element, wherever it may be. */
static bool to_element(Gen *g)
{
    int var = pick(g, is_int_target);
    if (var < 0)
        return false;
    const Var v = g->vars[var];
    const char *name = fresh(g, "p"), *place = element(g, var);
    line(g, format(g, "int *%s = &%s;", name, place));
    add(g, (Var){.name = format(g, "(*%s)", name), .type = INT, .lo = v.lo, .hi = v.hi, .writable = true, .used = true});
    return true;
}

/* Rows of a table, from one of them on. */
static bool to_rows(Gen *g)
{
    int var = pick(g, is_int_table);
    if (var < 0)
        return false;
    const Var v = g->vars[var];
    const int at = (int)draw(g, (uint32_t)v.extent[0] / 2 + 1);
    const char *name = fresh(g, "r"), *from = moved(g, v.name, at);
    line(g, format(g, "int (*%s)[8] = %s;", name, from));
    add(g,
        (Var){
            .name = name, .type = INT, .lo = v.lo, .hi = v.hi, .rank = 2, .extent = {v.extent[0] - at, 8}, .writable = true, .used = true});
    return true;
}

/* A pointer that moves by another name. */
static bool to_pointer(Gen *g)
{
    int var = pick(g, is_int_target);
    if (var < 0)
        return false;
    const Var v = g->vars[var];
    const int room = (int)draw(g, (uint32_t)v.extent[0] / 2);
    const char *name = fresh(g, "p"), *to = fresh(g, "pp");
    line(g, format(g, "int *%s = %s, **%s = &%s;", name, v.name, to, name));
    Var pointer = {
        .name = name, .type = INT, .lo = v.lo, .hi = v.hi, .rank = 1, .extent = {v.extent[0] - room, 0}, .writable = true, .used = true};
    add(g, pointer);
    pointer.name = format(g, "(*%s)", to), pointer.is_pointer = true;
    pointer.room = room, pointer.reach = -1, pointer.since = g->trips;
    add(g, pointer);
    return true;
}

/* The bytes of integers: whatever is stored in them is some number. */
static bool to_bytes(Gen *g)
{
    Var v = row(g);
    if (!v.name || is_float_type(v.type) || v.type == BOOL)
        return false;
    bool all = v.writable && v.lo == type_min(v.type) && v.hi == type_max(v.type) && v.type != ULONG;
    int size = v.type == LONG || v.type == ULONG ? 8 : v.type >= INT ? 4 : v.type >= SHORT ? 2 : 1;
    const char *name = fresh(g, "b"), *qualifier = all ? "" : "const ";
    line(g, format(g, "%sunsigned char *%s = (%sunsigned char *)%s;", qualifier, name, qualifier, v.name));
    add(g, (Var){.name = name,
                 .type = UCHAR,
                 .hi = 255,
                 .rank = 1,
                 .extent = {v.extent[0] * size, 0},
                 .writable = all,
                 .used = true,
                 .is_pointer = true,
                 .since = g->trips});
    return true;
}

/* The same elements as unsigned ones, to be read. */
static bool to_unsigned(Gen *g)
{
    int var = pick(g, is_int_row);
    if (var < 0)
        return false;
    Var v = g->vars[var];
    const char *name = fresh(g, "u");
    line(g, format(g, "const unsigned *const %s = (const unsigned *)%s;", name, v.name));
    add(g, (Var){.name = name, .type = UINT, .hi = UINT32_MAX, .rank = 1, .extent = {v.extent[0], 0}, .used = true});
    return true;
}

static bool to_elements(Gen *g)
{
    Var v = row(g);
    if (!v.name || v.type == BOOL)
        return false;
    int at = (int)draw(g, (uint32_t)v.extent[0] / 4 + 1), room = chance(g, 75) ? (int)draw(g, (uint32_t)v.extent[0] / 2) : 0;
    bool is_const = !v.writable || chance(g, 20);
    const char *name = fresh(g, "p"), *qualifier = is_const ? "const " : "", *from = moved(g, v.name, at);
    if (chance(g, 20)) {
        line(g, format(g, "%s%s *%s;", qualifier, type_name[v.type], name));
        line(g, format(g, "%s = %s;", name, from));
    } else {
        line(g, format(g, "%s%s *%s = %s;", qualifier, type_name[v.type], name, from));
    }
    add(g, (Var){.name = name,
                 .type = v.type,
                 .lo = v.lo,
                 .hi = v.hi,
                 .rank = 1,
                 .extent = {v.extent[0] - at - room, 0},
                 .writable = !is_const,
                 .used = true,
                 .is_call_safe = v.is_call_safe && v.extent[0] - at - room >= 8,
                 .is_pointer = true,
                 .room = room,
                 .reach = at == 0 ? room : -1,
                 .back = at,
                 .since = g->trips});
    return true;
}

bool pointer_declaration(Gen *g)
{
    uint32_t kind = draw(g, 100);
    if (has(g, SPELLINGS) && chance(g, 40))
        return kind < 40 ? to_element(g) : kind < 65 ? to_rows(g) : to_pointer(g);
    return kind < 60 ? to_elements(g) : kind < 80 ? to_place(g) : kind < 92 ? to_bytes(g) : to_unsigned(g);
}

/* ------------------------------------------------------------------------------------ moving */

static bool may_move(const Var *v) { return v->is_pointer && v->room > 0; }
static bool may_return(const Var *v) { return v->is_pointer && v->back > 0; }
static bool has_two_names(const Var *v) { return v->name[0] == '('; } /* of which a value stored by one may read the other */
static bool is_unsigned_scalar(const Var *v) { return !v->rank && v->writable && v->type == UINT; }

/* A step of `by` taken from its room; how many of them it is: 0 if none. */
static int step(Gen *g, int *room, long since, int by)
{
    long times = g->trips / since < 1 ? 1 : g->trips / since;
    by = by * times > *room ? 1 : by;
    if (times * by > *room)
        return 0;
    *room -= (int)(times * by);
    return by;
}

/* The pointer that has moved and now stands for the element behind which it is. */
Expr moving_load(Gen *g)
{
    int var = pick(g, may_move);
    if (var < 0 || is_float_type(g->vars[var].type) || !step(g, &g->vars[var].room, g->vars[var].since, 1))
        return (Expr){0};
    Var *v = &g->vars[var];
    return (Expr){format(g, "*%s++", v->name), v->type, v->lo, v->hi, 14};
}

/* *p++ = *q++ of integers. */
Expr moving_copy(Gen *g)
{
    int to = pick(g, may_move), from = pick(g, may_move);
    if (to < 0 || from < 0 || to == from)
        return (Expr){0};
    Var *t = &g->vars[to], *f = &g->vars[from];
    bool same = t->type == f->type && t->lo == f->lo && t->hi == f->hi && !is_float_type(t->type);
    if (!same || !t->writable || has_two_names(t) || has_two_names(f) || !step(g, &t->room, t->since, 1) || !step(g, &f->room, f->since, 1))
        return (Expr){0};
    return (Expr){format(g, "*%s++ = *%s++", t->name, f->name), t->type, t->lo, t->hi, 2};
}

/* *p++ = value. */
static const char *store_moving(Gen *g, const Var *v, const char *pattern)
{
    g->hidden = v->name;
    Expr e = is_float_type(v->type) ? floating(g, v->type, 1 + (int)draw(g, 2)) : value_for(g, v->type, v->lo, v->hi, 1 + (int)draw(g, 2));
    g->hidden = NULL;
    return format(g, pattern, v->name, e.text);
}

static const char *move_on(Gen *g)
{
    static const char *const ones[] = {"%s++;", "++%s;", "%s += 1;", "%s = %s + 1;"};
    Expr both = chance(g, 25) ? moving_copy(g) : (Expr){0};
    if (both.text)
        return format(g, "%s;", both.text);
    int var = pick(g, may_move);
    if (var < 0)
        return NULL;
    Var *v = &g->vars[var];
    int by = step(g, &v->room, v->since, 1 + (int)draw(g, 3));
    if (by == 0)
        return NULL;
    if (by == 1 && v->writable && !has_two_names(v) && chance(g, 50))
        return store_moving(g, v, "*%s++ = %s;");
    int other = chance(g, 40) && by == 1 && !is_float_type(v->type) ? pick(g, is_unsigned_scalar) : -1;
    if (other >= 0)
        return format(g, chance(g, 50) ? "%s = (unsigned)*%s++;" : "%s += (unsigned)*%s++;", g->vars[other].name, v->name);
    if (by == 1)
        return format(g, ones[draw(g, 4)], v->name, v->name);
    return chance(g, 60) ? format(g, "%s += %d;", v->name, by) : format(g, "%s = &%s[%d];", v->name, v->name, by);
}

static const char *move_back(Gen *g)
{
    int var = pick(g, may_return);
    if (var < 0)
        return NULL;
    Var *v = &g->vars[var];
    int by = step(g, &v->back, v->since, 1 + (int)draw(g, 2));
    if (by == 0)
        return NULL;
    if (by == 1 && v->writable && chance(g, 50))
        return store_moving(g, v, "*--%s = %s;");
    return by == 1 ? format(g, "--%s;", v->name) : format(g, "%s -= %d;", v->name, by);
}

/* To another array that is as long and as lasting. */
static const char *lead_elsewhere(Gen *g)
{
    int var = pick(g, may_move), other = pick(g, is_row);
    if (var < 0 || other < 0 || other >= var)
        return NULL;
    Var v = g->vars[var], o = g->vars[other];
    bool same = v.type == o.type && v.lo == o.lo && v.hi == o.hi && (o.writable || !v.writable);
    if (!same || v.reach < 0 || o.extent[0] < v.extent[0] + v.reach || v.is_call_safe > o.is_call_safe)
        return NULL;
    return chance(g, 50) ? format(g, "%s = %s;", v.name, o.name)
                         : format(g, "%s = %s ? %s : %s;", v.name, operand(g, pure_condition(g, 1), 3, false), v.name, o.name);
}

/* ------------------------------------------------------------------------------------ ranges */

static const char *copy(Gen *g)
{
    int to = pick(g, is_int_target), from = pick(g, is_int_row);
    if (to < 0 || from < 0 || g->vars[to].lo != g->vars[from].lo || g->vars[to].hi != g->vars[from].hi)
        return NULL;
    const Var *t = &g->vars[to], *f = &g->vars[from];
    int at = (int)draw(g, 4), source_at = (int)draw(g, 4);
    const char *target = moved(g, t->name, at), *source = moved(g, f->name, source_at);
    if (chance(g, 25))
        return format(g, "memset(%s, 0, %u * sizeof *%s);", target, 1 + draw(g, 4), t->name);
    const char *count = chance(g, 50) ? format(g, "%u", 1 + draw(g, 4)) : fit(g, integer(g, 1), 0, 4).text;
    return format(g, "memmove(%s, %s, (size_t)(%s) * sizeof *%s);", target, source, count, t->name);
}

const char *pointer_statement(Gen *g)
{
    uint32_t kind = draw(g, 100);
    return kind < 50 ? move_on(g) : kind < 65 ? move_back(g) : kind < 82 ? lead_elsewhere(g) : copy(g);
}

/* It moves where it is tested, as far as `e`. */
static void searching_head(Gen *g, const Var *v, const char *p, const char *e, bool is_while)
{
    const char *limit = format(g, is_unsigned(v->type) ? "%uu" : "%u", 1 + draw(g, 9));
    Expr more = chance(g, 40) ? pure_condition(g, 1) : (Expr){0};
    const char *also = more.text ? format(g, " && %s", operand(g, more, 6, true)) : "";
    int other = pick(g, is_unsigned_scalar);
    if (other >= 0 && !is_float_type(v->type) && chance(g, 40))
        put(g,
            is_while ? "%*swhile (%s < %s && (%s = (unsigned)*%s++, %s != 2u)%s)" : "%*sfor (; %s < %s && (%s = (unsigned)*%s++) > %s%s;)",
            g->indent * 4, "", p, e, g->vars[other].name, p, is_while ? g->vars[other].name : "2u", also);
    else if (is_while)
        put(g, "%*swhile (%s < %s && *%s++ != %s%s)", g->indent * 4, "", p, e, p, limit, also);
    else
        put(g, "%*sfor (; %s < %s && *%s && *%s++ != %s%s;)", g->indent * 4, "", p, e, p, p, limit, also);
}

/* What a loop copies or looks for where it is tested, or first of all, while a variable counts down. */
static bool copying_loop(Gen *g)
{
    const int to = pick(g, is_int_target), from = pick(g, is_int_row), length = 1 + (int)draw(g, 4), limit = (int)draw(g, 5);
    if (to < 0 || from < 0 || g->vars[to].lo != g->vars[from].lo || g->vars[to].hi != g->vars[from].hi)
        return false;
    Var target = g->vars[to], source = g->vars[from];
    const char *p = fresh(g, "d"), *q = fresh(g, "s"), *left = fresh(g, "c");
    const int p_at = (int)draw(g, 3), q_at = (int)draw(g, 3), kind = (int)draw(g, 4);
    const char *p_from = moved(g, target.name, p_at), *q_from = moved(g, source.name, q_at);
    g->calls = chance(g, 40) ? 1 : 0;
    Expr more = chance(g, 40) ? condition(g, 1) : (Expr){0};
    g->calls = 0;
    const char *also = more.text ? format(g, " && %s", operand(g, more, 6, true)) : "";
    Place place = enter(g);
    line(g, format(g, "int *%s = %s;", p, p_from));
    line(g, format(g, "const int *%s = %s;", q, q_from));
    line(g, format(g, "int %s = %d;", left, length));
    switch (kind) {
    case 0: put(g, "%*swhile (%s-- > 0 && (*%s++ = *%s++) != %d%s)", g->indent * 4, "", left, p, q, limit, also); break;
    case 1: put(g, "%*swhile (%s--%s && *%s++ != %d)", g->indent * 4, "", left, also, q, limit); break;
    case 2: put(g, "%*sfor (; %s-- && *%s%s;)", g->indent * 4, "", left, q, also); break;
    default: put(g, "%*sfor (; %s > 0 && (*%s++ = *%s, *%s++ != %d)%s; %s--)", g->indent * 4, "", left, p, q, q, limit, also, left);
    }
    add(g, (Var){.name = left, .type = INT, .lo = 0, .hi = length, .used = true, .is_control = true});
    Var in = {.type = INT, .lo = source.lo, .hi = source.hi, .rank = 1, .used = true};
    in.name = q, in.extent[0] = source.extent[0] - q_at - length, add(g, in);
    in.name = p, in.extent[0] = target.extent[0] - p_at - length, in.writable = true, add(g, in);
    g->loops++, g->trips *= length + 1, g->may_continue = true;
    const char *first = kind == 1 ? format(g, "*%s++ += 0;", p) : kind == 2 ? format(g, "*%s++ = *%s++;", p, q) : NULL;
    braces(g, some(g), first, NULL, "");
    leave(g, place);
    return true;
}

/* From one pointer to another, forwards or backwards. */
void pointer_loop(Gen *g)
{
    if (chance(g, 40) && copying_loop(g))
        return;
    Var v = row(g);
    if (!v.name || v.type == BOOL)
        return line(g, simple(g));
    int most = v.extent[0] < 12 ? v.extent[0] : 12, length = 1 + (int)draw(g, (uint32_t)most),
        at = (int)draw(g, (uint32_t)(v.extent[0] - length + 1));
    bool is_const = !v.writable || chance(g, 20);
    const char *p = fresh(g, "p"), *e = fresh(g, "e"), *from = moved(g, v.name, at);
    const char *type = format(g, "%s%s", is_const ? "const " : "", type_name[v.type]), *to = format(g, "%s + %d", v.name, at + length);
    Var in = {.name = p,
              .type = v.type,
              .lo = v.lo,
              .hi = v.hi,
              .rank = 1,
              .extent = {v.extent[0] - at - length + 1, 0},
              .writable = !is_const,
              .used = true};
    int kind = (int)draw(g, 7);
    if (kind > 4 && in.extent[0] < 2)
        kind = 4;
    in.extent[0] -= kind > 4; /* it has moved on already */
    Place place = enter(g);
    if (kind == 0)
        put(g, "%*sfor (%s *%s = %s, *%s = %s; %s %s %s; %s++)", g->indent * 4, "", type, p, from, e, to, p, chance(g, 50) ? "<" : "!=", e,
            p);
    if (kind > 0) {
        line(g, format(g, "%s *%s = %s;", type, p, kind == 3 ? to : from));
        line(g, format(g, "%s *const %s = %s;", type, e, kind == 3 ? from : to));
    }
    if (kind == 2)
        put(g, "%*sdo", g->indent * 4, "");
    else if (kind > 4)
        searching_head(g, &v, p, e, kind == 5);
    else if (kind > 0)
        put(g, "%*swhile (%s %s %s)", g->indent * 4, "", p, kind == 3 ? ">" : "<", e);
    add(g, in);
    g->loops++, g->trips *= length, g->may_continue = kind == 0 || kind == 2;
    const char *next = kind == 0 ? NULL : format(g, kind == 3 ? "%s--;" : "%s++;", p),
               *end = kind == 2 ? format(g, " while (++%s < %s);", p, e) : "";
    braces(g, some(g), kind == 3 ? next : NULL, kind == 1 || kind == 4 ? next : NULL, end);
    leave(g, place);
}
