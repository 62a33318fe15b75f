/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements of one line: assignments, stores to arrays, calls of the functions that tests/fuzz/programs.h and the
 * program itself declare. They keep every variable within its interval. */
#include "random_statement.h"

#include <string.h>

static bool is_sum(const Var *var) { return var->is_sum; }
static bool is_assignable(const Var *var) { return is_scalar(var) && var->writable; }
static bool is_writable_array(const Var *var) { return var->rank && var->writable && !is_float_type(var->type); }
static bool is_writable_floats(const Var *var) { return var->rank && var->writable && is_float_type(var->type); }
static bool is_float_target(const Var *var) { return !var->rank && var->writable && is_float_type(var->type); }
static bool is_unsigned_target(const Var *var) { return is_assignable(var) && is_unsigned(var->type) && !var->rank; }
static bool is_passable(const Var *var) { return var->rank == 1 && var->is_call_safe && var->writable && var->type == INT; }

static const char *assign_sum(Gen *g)
{
    int var = pick(g, is_sum);
    if (var < 0)
        return NULL;
    Expr e = fit(g, integer(g, 2), -1000, 1000);
    if (is_unsigned(e.type) || e.type == LONG)
        e = cast(g, INT, e);
    const char *s = g->vars[var].name;
    switch (draw(g, 4)) {
    case 0: return format(g, "%s = %s + (%s);", s, s, e.text);
    case 1: return format(g, "%s -= %s;", s, e.text);
    default: return format(g, "%s += %s;", s, e.text);
    }
}

static const char *assign_integer(Gen *g)
{
    int var = pick(g, is_assignable);
    if (var < 0)
        return NULL;
    Var v = g->vars[var];
    bool wraps = v.lo == type_min(v.type) && v.hi == type_max(v.type);
    if (wraps && chance(g, 35)) {
        static const char *const ops[] = {"+=", "-=", "*=", "^=", "|=", "&="};
        bool narrow = v.type < INT && v.type != BOOL;
        Expr e = fit(g, integer(g, 2), 0, narrow ? 1000 : 100000);
        return format(g, "%s %s %s;", v.name, ops[draw(g, v.type == LONG ? 1 : 6)], e.text);
    }
    if (wraps && v.type != LONG && chance(g, 15)) {
        static const char *const steps[] = {"%s++;", "++%s;", "%s--;", "--%s;"};
        return format(g, steps[draw(g, 4)], v.name);
    }
    if (chance(g, 8)) {
        const unsigned by = 2 + draw(g, 5);
        return format(g, chance(g, 50) ? "%s /= %u;" : "%s %%= %u;", v.name, by);
    }
    if (chance(g, 5) && v.type != BOOL)
        return format(g, "%s >>= %u;", v.name, 1 + draw(g, 3));
    Expr e = value_for(g, v.type, v.lo, v.hi, 1 + (int)draw(g, 3));
    return strcmp(e.text, v.name) ? format(g, "%s = %s;", v.name, e.text) : NULL;
}

static const char *assign_float(Gen *g)
{
    static const char *const ops[] = {"=", "=", "+=", "-=", "*="};
    int var = pick(g, chance(g, 35) ? is_float_target : is_writable_floats);
    if (var < 0)
        return NULL;
    Type type = g->vars[var].type;
    const char *target = g->vars[var].rank ? element(g, var) : g->vars[var].name;
    Expr e = floating(g, type, 1 + (int)draw(g, 3));
    return strcmp(e.text, target) ? format(g, "%s %s %s;", target, ops[draw(g, 5)], e.text) : NULL;
}

static const char *store(Gen *g)
{
    int var = pick(g, is_writable_array);
    if (var < 0)
        return NULL;
    Var v = g->vars[var];
    const char *target = element(g, var);
    bool wraps = v.lo == type_min(v.type) && v.hi == type_max(v.type) && v.type != BOOL;
    if (wraps && v.type != LONG && chance(g, 40)) {
        static const char *const ops[] = {"+=", "-=", "^=", "|=", "*="};
        if (chance(g, 20))
            return format(g, "%s++;", target);
        const char *op = ops[draw(g, 5)];
        return format(g, "%s %s %s;", target, op, fit(g, integer(g, 2), 0, 1000).text);
    }
    Expr e = value_for(g, v.type, v.lo, v.hi, 1 + (int)draw(g, 3));
    return strcmp(e.text, target) ? format(g, "%s = %s;", target, e.text) : NULL;
}

static bool is_plain_int(const Var *var) { return is_assignable(var) && var->type == INT && var->lo <= -1000; }

/* A small integer, as an argument. */
static const char *argument(Gen *g, int64_t lo, int64_t hi) { return fit(g, integer(g, 1), lo, hi).text; }

static const char *call(Gen *g)
{
    const char *first;
    int var, array;
    switch (draw(g, 7)) {
    case 0:
        if ((var = pick(g, is_plain_int)) >= 0)
            return format(g, "%s = next(%s);", g->vars[var].name, argument(g, -1000, 1000));
        return "bump();";
    case 1:
        if ((array = pick(g, is_passable)) >= 0)
            return format(g, "touch(%s, %s);", g->vars[array].name, argument(g, 0, 7));
        return "bump();";
    case 2:
        if ((array = pick(g, is_passable)) >= 0 && (var = pick(g, is_plain_int)) >= 0) {
            first = argument(g, 0, 7);
            return format(g, "%s = peek(%s, %s) + %u;", g->vars[var].name, g->vars[array].name, first, draw(g, 9));
        }
        return "bump();";
    case 3:
        if ((array = pick(g, is_passable)) >= 0 && (var = pick(g, is_plain_int)) >= 0 && g->has_helper && !g->in_helper && g->trips <= 60) {
            first = argument(g, 0, 12);
            return format(g, "%s = h%ld(%s, %s, %s);", g->vars[var].name, g->number, first, argument(g, -3, 3), g->vars[array].name);
        }
        return "bump();";
    case 4:
        if ((var = pick(g, is_plain_int)) >= 0) {
            first = argument(g, -1000, 1000);
            return format(g, "%s = mix(%s, %s);", g->vars[var].name, first, argument(g, -1000, 1000));
        }
        return "bump();";
    default: return format(g, "note(%s);", fit(g, integer(g, 2), -100000, 100000).text);
    }
}

static const char *strange(Gen *g)
{
    int var = pick(g, is_plain_int), other;
    switch (draw(g, 4)) {
    case 0:
        if (var >= 0 && (other = pick(g, is_unsigned_target)) >= 0)
            return format(g, "%s = (%s++, %u);", g->vars[var].name, g->vars[other].name, draw(g, 9));
        return NULL;
    case 1: return var >= 0 ? format(g, "*&%s = %s;", g->vars[var].name, fit(g, integer(g, 1), -1000, 1000).text) : NULL;
    case 2:
        if ((other = pick(g, is_volatile)) >= 0)
            return var >= 0 && chance(g, 60) ? format(g, "%s = %s;", g->vars[var].name, g->vars[other].name)
                                             : format(g, "%s = %s;", g->vars[other].name, fit(g, integer(g, 2), -100, 100).text);
        return NULL;
    default: return ";";
    }
}

/* One of what the program has beside the simplest. */
static const char *other(Gen *g)
{
    const unsigned feature = 1u << draw(g, 9);
    if (!has(g, feature))
        return NULL;
    switch (feature) {
    case POINTERS: return pointer_statement(g);
    case MEMBERS: return member_statement(g);
    case SPELLINGS: return spelling(g);
    case EFFECTS: return chance(g, 50) ? comma(g) : NULL;
    case MACROS: return chance(g, 30) ? swap(g) : assembly(g);
    default: return NULL;
    }
}

const char *simple(Gen *g)
{
    for (;;) {
        const char *special = g->features && chance(g, 50) ? other(g) : NULL;
        if (special)
            return special;
        uint32_t kind = draw(g, 100);
        const char *text = kind < 28   ? store(g)
                           : kind < 50 ? assign_integer(g)
                           : kind < 68 ? assign_float(g)
                           : kind < 84 ? assign_sum(g)
                           : kind < 94 ? call(g)
                                       : strange(g);
        if (text)
            return text;
    }
}
