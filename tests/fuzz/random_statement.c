/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compound statements: blocks, ifs, loops in their many spellings, jumps. Knows how often a place is reached, what a
 * body learns from the heads around it, and that it forgets it behind them. */
#include "random_statement.h"

#include <string.h>

static void block(Gen *g, int statements);

Place enter(Gen *g) { return (Place){g->nvars, g->nfacts, g->hot, g->dead, g->loops, g->scope, g->trips, g->may_continue}; }

void leave(Gen *g, Place p)
{
    forget(g, p.nfacts, p.hot);
    g->nvars = p.nvars, g->dead = p.dead, g->loops = p.loops, g->scope = p.scope, g->trips = p.trips, g->may_continue = p.may_continue;
}

/* "{", statements, "}" behind what is printed already; what is learnt inside ends with the block. */
void braces(Gen *g, int statements, const char *first, const char *last, const char *after)
{
    Place p = enter(g);
    put(g, " {\n");
    g->indent++;
    g->scope = g->nvars;
    if (first)
        line(g, first);
    block(g, statements);
    close_scope(g, p.nvars);
    if (last)
        line(g, last);
    g->indent--;
    put(g, "%*s}%s\n", g->indent * 4, "", after);
    leave(g, p);
}

/* The body of a loop or if: sometimes a single statement without braces. */
static void body(Gen *g, int statements)
{
    if (chance(g, 20)) {
        const char *text = simple(g);
        if (strcmp(text, ";")) {
            put(g, "\n%*s%s\n", g->indent * 4 + 4, "", text);
            return;
        }
    }
    braces(g, statements, NULL, NULL, "");
}

int some(Gen *g) { return 1 + (int)draw(g, 3); }

static void if_statement(Gen *g)
{
    Place p = enter(g);
    g->calls = chance(g, 20) ? 1 : 0;
    Expr c = chance(g, 40) ? fact(g, false) : condition(g, 2);
    g->calls = 0;
    put(g, "%*sif (%s)", g->indent * 4, "", c.text);
    bool pairs = chance(g, 30); /* adjacent ifs with one condition */
    if (chance(g, 25)) { /* nested ifs, for if-merge */
        put(g, " {\n");
        g->indent++;
        put(g, "%*sif (%s)", g->indent * 4, "", pure_condition(g, 1).text);
        braces(g, some(g), NULL, NULL, "");
        g->indent--;
        line(g, "}");
    } else {
        bool has_else = chance(g, 35);
        braces(g, some(g), NULL, NULL, "");
        while (has_else) {
            g->len--; /* the else follows the brace */
            forget(g, p.nfacts, p.hot);
            g->dead = p.dead;
            bool again = chance(g, 35);
            if (again)
                put(g, " else if (%s)", pure_condition(g, 1).text);
            else
                put(g, " else");
            braces(g, some(g), NULL, NULL, "");
            has_else = again && chance(g, 60);
        }
    }
    if (pairs && !strstr(c.text, "next(") && !strstr(c.text, "gv")) {
        leave(g, p);
        put(g, "%*sif (%s)", g->indent * 4, "", c.text);
        braces(g, 1, NULL, NULL, "");
    }
    leave(g, p);
}

static bool is_bound(const Var *var)
{
    return is_scalar(var) && var->hi <= 14 && var->lo >= -3 && var->type != BOOL && !is_unsigned(var->type);
}

/* The bound of a loop, at most 14. */
static Expr bound(Gen *g)
{
    uint32_t kind = draw(g, 100);
    int var = pick(g, is_bound);
    if (kind < 30 || var < 0)
        return imm(g, 1 + draw(g, 10));
    Var *v = &g->vars[var];
    Expr e = {v->name, v->type, v->lo, v->hi, 15};
    if (kind < 65)
        return e;
    if (kind < 80) {
        const char *op = chance(g, 60) ? "+" : "-";
        return binary(g, op, e, imm(g, 1 + draw(g, 2)));
    }
    if (kind < 88) {
        Expr many = fit(g, binary(g, "*", e, imm(g, 2 + draw(g, 2))), 0, 7);
        return binary(g, "+", many, fit(g, integer(g, 1), 0, 3));
    }
    return fit(g, integer(g, 2), 0, 7);
}

/* Whatever the body does, the text has one value. */
static bool is_fixed(const Gen *g, const char *text)
{
    for (int i = 0; i < g->nvars; i++)
        if (!g->vars[i].fixed && says(text, g->vars[i].name) && is_visible(g, i))
            return false;
    return !strstr(text, "next(");
}

/* A condition that does not name the variable that is being declared. */
static const char *operand_of_and(Gen *g, const char *name)
{
    g->hidden = name;
    const char *text = format(g, "(%s)", pure_condition(g, 1).text);
    g->hidden = NULL;
    return text;
}

static void maybe_pragma(Gen *g)
{
    if (chance(g, 6))
        line(g, chance(g, 50) ? "#pragma unroll" : "#pragma GCC unroll 4");
}

/* What the body learns about the loop's variable, and about a bound that must have let it in. */
void counted_body(Gen *g, Var counter, int bound_var, int64_t bound_lo, long trips)
{
    Place p = enter(g);
    g->scope = g->nvars;
    counter.used = counter.is_counter = true;
    add(g, counter);
    if (bound_var >= 0 && g->vars[bound_var].fixed)
        learn(g, bound_var, bound_lo, INT64_MAX, bound_lo > 0);
    g->loops++;
    g->trips *= trips > 0 ? trips : 1;
    g->may_continue = true;
    body(g, some(g));
    leave(g, p);
}

/* for (i = lo; i < hi; i += step), in its many spellings, for a bound that is zero whenever control would arrive:
 * its body is dead. */
static void for_up(Gen *g)
{
    static const Type types[] = {INT, INT, INT, INT, INT, INT, INT, LONG, SCHAR, USHORT, SHORT};
    const char *name = new_name(g);
    Type type = types[draw(g, 11)];
    g->hidden = name;
    int64_t lo = chance(g, 65) ? 0 : draw(g, 4);
    int step = chance(g, 80) ? 1 : 2 + (int)draw(g, 2);
    Expr hi = bound(g);
    int bound_var = -1;
    for (int i = 0; i < g->nvars; i++)
        if (!strcmp(g->vars[i].name, hi.text) && is_visible(g, i))
            bound_var = i;
    g->hidden = NULL;
    bool equal = chance(g, 15), unequal = !equal && step == 1 && hi.lo >= lo && chance(g, 30) && is_fixed(g, hi.text);
    bool swap = chance(g, 10), is_stepped = chance(g, 15);
    const char *cmp = unequal ? "!=" : equal ? (swap ? ">=" : "<=") : swap ? ">" : "<";
    if (is_unsigned(type) != is_unsigned(hi.type))
        hi = cast(g, INT, hi), hi.lo = hi.lo < 0 ? 0 : hi.lo;
    const char *text = hi.prec <= 10 ? format(g, "(%s)", hi.text) : hi.text;
    const char *cond = swap ? format(g, "%s %s %s", text, cmp, name) : format(g, "%s %s %s", name, cmp, text);
    if (chance(g, 6) && !unequal)
        cond = format(g, "%s && %s", cond, operand_of_and(g, name));
    const char *by = step == 1 ? (is_stepped ? format(g, "%s = %s + 1", name, name) : format(g, chance(g, 50) ? "%s++" : "++%s", name))
                               : format(g, "%s += %d", name, step);
    bool outer = chance(g, 15);
    if (outer)
        line(g, format(g, "%s %s;", type_name[type], name));
    maybe_pragma(g);
    if (outer) {
        put(g, "%*sfor (%s = %lld; %s; %s)", g->indent * 4, "", name, (long long)lo, cond, by);
    } else {
        put(g, "%*sfor (%s %s = %lld; %s; %s)", g->indent * 4, "", type_name[type], name, (long long)lo, cond, by);
    }
    int64_t last = hi.hi - !equal > 100 ? 100 : hi.hi - !equal; /* more only in dead places */
    Var v = {.name = name, .type = type, .lo = lo, .hi = last < lo ? lo : last, .fixed = true};
    int dead = g->dead;
    if (last < lo)
        g->dead++;
    counted_body(g, v, bound_var, lo + !equal, (long)((last - lo) / step + 1));
    g->dead = dead;
    if (outer)
        add(g, (Var){.name = name, .type = type, .lo = lo, .hi = last + step < lo ? lo : last + step, .fixed = true})->used = true;
}

static void for_down(Gen *g)
{
    const char *name = new_name(g);
    g->hidden = name;
    Expr hi = bound(g);
    g->hidden = NULL;
    if (is_unsigned(hi.type))
        hi = cast(g, INT, hi);
    static const char *const conds[] = {"%s >= 0", "%s > 0", "0 <= %s", "%s >= 1"};
    int which = (int)draw(g, 4), step = chance(g, 80) ? 1 : 2;
    int64_t lo = which & 1;
    const char *by = step == 1 ? format(g, chance(g, 50) ? "--%s" : "%s--", name) : format(g, "%s -= 2", name);
    maybe_pragma(g);
    put(g, "%*sfor (int %s = %s; %s; %s)", g->indent * 4, "", name, hi.text, format(g, conds[which], name), by);
    counted_body(g, (Var){.name = name, .type = INT, .lo = lo, .hi = hi.hi < lo ? lo : hi.hi, .fixed = true}, -1, 0, (long)hi.hi + 1);
}

/* Near the end of the type, or unsigned. */
static void for_odd(Gen *g)
{
    const char *name = new_name(g);
    int64_t lo, hi;
    Type type = INT;
    switch (draw(g, 4)) {
    case 0:
        lo = (int64_t)2147483640, hi = lo + 6;
        put(g, "%*sfor (int %s = 2147483640; %s < 2147483647; %s++)", g->indent * 4, "", name, name, name);
        break;
    case 1:
        lo = -(int64_t)2147483647 - 1, hi = lo + 4;
        put(g, "%*sfor (int %s = -2147483647 - 1; %s < -2147483643; ++%s)", g->indent * 4, "", name, name, name);
        break;
    case 2:
        type = UINT, lo = 0, hi = 7;
        put(g, "%*sfor (unsigned %s = 0; %s < %uu; %s++)", g->indent * 4, "", name, name, 1 + draw(g, 8), name);
        break;
    default:
        type = UINT, lo = 1, hi = 8;
        put(g, "%*sfor (unsigned %s = %u; %s > 0; %s--)", g->indent * 4, "", name, 1 + draw(g, 8), name, name);
    }
    counted_body(g, (Var){.name = name, .type = type, .lo = lo, .hi = hi, .fixed = true}, -1, 0, 8);
}

static void while_loop(Gen *g)
{
    const char *name = new_name(g);
    g->hidden = name;
    int trips = 2 + (int)draw(g, 6);
    g->calls = chance(g, 15) ? 1 : 0;
    const char *more = chance(g, 35) ? format(g, " && (%s)", condition(g, 1).text) : "";
    g->calls = 0;
    g->hidden = NULL;
    int kind = (int)draw(g, 4);
    Place p = enter(g);
    if (kind < 3)
        line(g, format(g, "int %s = %d;", name, trips));
    /* It is not fixed: the body changes it once. */
    Var counter = {.name = name, .type = INT, .lo = -1, .hi = trips, .used = true, .is_control = true};
    add(g, counter);
    g->loops++;
    g->trips *= trips;
    g->may_continue = true;
    const char *step = format(g, "%s -= 1;", name);
    if (kind == 0) {
        put(g, "%*swhile (%s > 0%s)", g->indent * 4, "", name, more);
        braces(g, some(g), step, NULL, "");
    } else if (kind == 1) {
        put(g, "%*sdo", g->indent * 4, "");
        braces(g, some(g), step, NULL, format(g, " while (%s > 0%s);", name, more));
    } else if (kind == 2) {
        g->may_continue = false;
        put(g, "%*swhile (%s > 0%s)", g->indent * 4, "", name, more);
        braces(g, some(g), NULL, step, "");
    } else {
        g->may_continue = false;
        put(g, "%*sfor (int %s = 0; %s < %d; )", g->indent * 4, "", name, name, trips);
        braces(g, some(g), NULL, format(g, "%s += 1;", name), "");
    }
    bool declared = kind < 3;
    leave(g, p);
    counter.is_control = false;
    if (declared)
        add(g, counter);
}

static void jump(Gen *g)
{
    int kind = (int)draw(g, 10);
    const char *out = g->escape && chance(g, 40) ? format(g, "goto %s;", g->escape) : NULL;
    const char *to = out ? out : kind < 4 && g->loops ? "break;" : kind < 8 && g->may_continue ? "continue;" : NULL;
    if (!to) {
        if (kind < 9 && !chance(g, 30)) {
            line(g, simple(g));
            return;
        }
        to = g->in_helper ? format(g, "return %s;", fit(g, integer(g, 1), -100, 100).text)
                          : format(g, "return %s;", fit(g, integer(g, 2), -100000, 100000).text);
    }
    Expr c = chance(g, 60) ? fact(g, true) : (Expr){0};
    if (!c.text)
        c = pure_condition(g, 1);
    put(g, "%*sif (%s)", g->indent * 4, "", c.text);
    if (chance(g, 50))
        put(g, "\n%*s%s\n", g->indent * 4 + 4, "", to);
    else
        put(g, " {\n%*s%s\n%*s}\n", g->indent * 4 + 4, "", to, g->indent * 4, "");
}

static bool is_stoppable(const Var *var)
{
    return is_scalar(var) && var->fixed && var->type == INT && var->lo <= 0 && var->hi > 0 && var->hi < 100;
}

/* A call that does not return if its argument is 0: what stands behind it may divide. */
static void stop(Gen *g)
{
    int var = pick(g, is_stoppable);
    if (var < 0)
        return;
    line(g, format(g, "stop_if_zero(%s);", g->vars[var].name));
    learn(g, var, INT64_MIN, INT64_MAX, true);
}

/* A statement of what the program has beside the simplest; false: nothing was printed. */
static bool other_statement(Gen *g, bool deep)
{
    const uint32_t kind = draw(g, 9), form = draw(g, 100);
    if (!has(g, 1u << kind) || g->indent > 9 || g->nvars > MAX_VARS - 20 || (deep && kind != 3 && kind != 6))
        return false;
    switch (1u << kind) {
    case POINTERS: pointer_loop(g); break;
    case CHOICES: form < 75 ? choice(g) : device(g); break;
    case GOTOS:
        if (g->loops > 0 && form < 90) { /* a label in a loop: the function stays as it is */
            jump(g);
            break;
        }
        form % 3 ? escape(g) : again(g);
        break;
    case EFFECTS: form < 60 ? countdown(g) : two_counters(g); break;
    case DIRECTIVES: directive(g); break;
    case MACROS: macro(g); break;
    case SPELLINGS: spelled_loop(g); break;
    default: return false;
    }
    return true;
}

void statement(Gen *g)
{
    if (chance(g, 5))
        line(g, chance(g, 50) ? "/* what follows */" : "// what follows");
    g->size--;
    bool deep = g->loops >= 4 || g->trips > 400 || g->indent > 8 || g->nvars > MAX_VARS - 20;
    if (g->features && chance(g, 45) && other_statement(g, deep))
        return;
    uint32_t kind = draw(g, 100);
    if (kind < 18 && g->nvars < MAX_VARS - 20)
        declaration(g);
    else if (kind < 30 && g->indent < 9)
        if_statement(g);
    else if (kind < 56 && !deep)
        for_up(g);
    else if (kind < 61 && !deep)
        for_down(g);
    else if (kind < 63 && !deep)
        for_odd(g);
    else if (kind < 68 && !deep)
        while_loop(g);
    else if (kind < 74)
        jump(g);
    else if (kind < 76)
        stop(g);
    else if (kind < 77) {
        put(g, "%*s", g->indent * 4 - 1, "");
        braces(g, some(g), NULL, NULL, "");
    } else if (kind < 80)
        line(g, format(g, "%s // so", simple(g)));
    else
        line(g, simple(g));
}

static void block(Gen *g, int statements)
{
    while (statements-- > 0 && g->size > 0)
        statement(g);
    line(g, simple(g));
}
