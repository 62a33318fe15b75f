/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random conditions, free of warnings about what is always true; and facts: the conditions that make expressions
 * safe which are not safe elsewhere, or behind which control never arrives. */
#include "random.h"

#include <string.h>

static Expr leaf_of(Gen *g, int var)
{
    Var *v = &g->vars[var];
    return (Expr){v->name, v->type, v->lo, v->hi, 15};
}

static const char *const compares[] = {"<", "<=", ">", ">=", "==", "!="};

static Expr compare(Gen *g, int depth)
{
    if (chance(g, 15)) {
        Type type = chance(g, 60) ? FLOAT : DOUBLE;
        Expr a = floating(g, type, 1), b = floating(g, type, chance(g, 70) ? 0 : 1);
        const char *op = compares[draw(g, 6)];
        if (strcmp(a.text, b.text)) {
            const char *text = infix(g, a, op, b, 10);
            return chance(g, 25) ? (Expr){format(g, "!(%s)", text), INT, 0, 1, 14}
                                 : (Expr){text, INT, 0, 1, op[1] == '=' && op[0] != '<' && op[0] != '>' ? 9 : 10};
        }
    }
    int var = pick(g, chance(g, 50) ? is_counter : is_small);
    Expr a = var >= 0 && chance(g, 50) ? (Expr){g->vars[var].name, g->vars[var].type, g->vars[var].lo, g->vars[var].hi, 15}
                                       : integer(g, depth);
    Expr b = integer(g, depth > 0 && chance(g, 60) ? depth - 1 : 0);
    bool constants = strspn(a.text, "0123456789xabcdefuL()-+*/% ") == strlen(a.text);
    /* What compilers find always true: constants, equal texts, narrow and unsigned types against their ends, the
     * values of & and |, of 0 or 1. */
    bool plain = a.prec > 10 && strcmp(a.text, b.text) && !constants && a.type != BOOL && a.hi > 1 && !strchr(a.text, '&') &&
                 !strchr(a.text, '|');
    if (!plain || strspn(b.text, "0123456789xabcdefuL()-+*/% ") == strlen(b.text)) {
        int v = pick(g, is_small);
        if (!plain)
            a = v >= 0 && g->vars[v].type >= INT && g->vars[v].type < UINT ? (Expr){g->vars[v].name, g->vars[v].type, -1, 9, 15}
                : is_visible(g, 0)                                         ? leaf_of(g, 0)
                                                                           : (Expr){"g0", INT, -100, 100, 15};
        b = imm(g, 1 + draw(g, a.hi > 60 ? 60 : 9));
    }
    if (is_unsigned(promoted(a.type)) != is_unsigned(promoted(b.type)))
        b = cast(g, promoted(a.type), b);
    uint32_t which = draw(g, 6);
    if (!strcmp(a.text, b.text))
        b = imm(g, 2);
    int prec = which < 4 ? 10 : 9;
    return (Expr){infix(g, a, compares[which], b, 10), INT, 0, 1, prec};
}

static bool is_bool(const Var *var) { return is_scalar(var) && var->type == BOOL; }

static Expr atom(Gen *g, int depth)
{
    uint32_t kind = draw(g, 100);
    int var;
    if (kind < 8 && (var = pick(g, is_bool)) >= 0)
        return (Expr){g->vars[var].name, INT, 0, 1, 15};
    if (kind < 13 && (var = pick(g, is_scalar)) >= 0)
        return (Expr){g->vars[var].name, INT, 0, 1, 15};
    if (kind < 16 && is_any(g, is_array))
        return (Expr){load(g, is_array).text, INT, 0, 1, 15};
    if (kind < 30 && g->calls > 0) {
        g->calls--;
        Expr e = has(g, EFFECTS) && chance(g, 60) ? g->effect(g) : (Expr){0};
        if (e.text)
            return e;
        if (chance(g, 40) && (var = pick(g, is_volatile)) >= 0)
            return (Expr){format(g, "%s > %u", g->vars[var].name, 1 + draw(g, 5)), INT, 0, 1, 10};
        Expr to = fit(g, integer(g, 1), -1000, 1000);
        return (Expr){format(g, "next(%s) > %u", to.text, 1 + draw(g, 9)), INT, 0, 1, 10};
    }
    if (kind < 36) {
        Expr c = compare(g, depth);
        return (Expr){format(g, c.prec == 15 ? "!%s" : "!(%s)", c.text), INT, 0, 1, 14};
    }
    return compare(g, depth);
}

static Expr chain(Gen *g, const char *op, Expr a, Expr b)
{
    int prec = op[0] == '&' ? 5 : 4;
    const char *left = operand(g, a, prec, false);
    bool right = chance(g, 40);
    return (Expr){format(g, "%s %s %s", left, op, operand(g, b, prec, right)), INT, 0, 1, prec};
}

/* && and || with what the left operand makes safe on the right, and another operand between them at times. */
static Expr guarded(Gen *g, int depth)
{
    int nfacts = g->nfacts, hot = g->hot, dead = g->dead;
    bool not = chance(g, 35);
    Expr c = fact(g, not);
    if (!c.text)
        return compare(g, depth);
    const char *op = not ? "||" : "&&";
    if (chance(g, 30))
        c = chain(g, op, c, atom(g, 1));
    Expr d = condition(g, depth > 0 ? depth : 1);
    forget(g, nfacts, hot);
    g->dead = dead;
    c = chain(g, op, c, d);
    return chance(g, 25) ? chain(g, op, c, atom(g, 1)) : c;
}

Expr condition(Gen *g, int depth)
{
    if (depth <= 0 || chance(g, 25))
        return atom(g, depth + 1);
    uint32_t kind = draw(g, 100);
    if (kind < 30)
        return guarded(g, depth - 1);
    if (kind < 75) {
        const char *op = chance(g, 60) ? "&&" : "||";
        Expr c = condition(g, depth - 1);
        for (int n = 1 + (int)draw(g, 3); n > 0; n--) {
            Expr d = chance(g, 60) ? atom(g, 1) : condition(g, depth - 1);
            c = chain(g, op, c, d);
        }
        return c;
    }
    if (kind < 85) {
        Expr c = condition(g, depth - 1);
        return (Expr){format(g, c.prec == 15 ? "!%s" : "!(%s)", c.text), INT, 0, 1, 14};
    }
    if (kind < 90) {
        Expr c = condition(g, depth - 1), a = atom(g, 1), b = atom(g, 1);
        const char *ct = operand(g, c, 3, false), *at = operand(g, a, 4, false), *bt = operand(g, b, 4, false);
        return (Expr){format(g, "%s ? %s : %s", ct, at, bt), INT, 0, 1, 3};
    }
    return atom(g, depth);
}

Expr pure_condition(Gen *g, int depth)
{
    int calls = g->calls;
    g->calls = 0;
    Expr c = condition(g, depth);
    g->calls = calls;
    return c;
}

static bool may_be_zero(const Var *var)
{
    return is_scalar(var) && var->fixed && !var->nonzero && var->lo <= 0 && var->hi > 0 && var->type != BOOL;
}
static bool is_wild(const Var *var) { return is_scalar(var) && var->fixed && var->hi > 100000 && (var->type == INT || var->type == LONG); }
static bool has_limits(const Var *var)
{
    return is_scalar(var) && var->fixed && (var->type == INT || var->type == LONG) && var->hi < 100000;
}

/* Control never arrives: the driver keeps every parameter within the interval that the generator assumes. */
static Expr never(Gen *g)
{
    int var = pick(g, has_limits);
    if (var < 0)
        return (Expr){0};
    const Var *v = &g->vars[var];
    long long lo = v->lo, hi = v->hi;
    switch (draw(g, 4)) {
    case 0: return (Expr){format(g, "%s > %lld", v->name, hi), INT, 0, 1, 10};
    case 1: return (Expr){format(g, "%s < %lld", v->name, lo), INT, 0, 1, 10};
    case 2: return (Expr){format(g, "%s == %lld", v->name, hi + 3), INT, 0, 1, 9};
    default: return (Expr){format(g, "%lld <= %s", hi + 1, v->name), INT, 0, 1, 10};
    }
}

Expr fact(Gen *g, bool not)
{
    uint32_t kind = draw(g, 100);
    int var;
    if (kind < 45 && (var = pick(g, may_be_zero)) >= 0) {
        const char *v = g->vars[var].name;
        bool positive = chance(g, 50), is_u = is_unsigned(promoted(g->vars[var].type)) || g->vars[var].lo == type_min(g->vars[var].type);
        int64_t lo = g->vars[var].lo, hi = g->vars[var].hi;
        if (positive && !is_u) {
            learn(g, var, 1, hi, true);
            return (Expr){format(g, not? (chance(g, 50) ? "%s <= 0" : "%s < 1") : chance(g, 50) ? "%s > 0" : "0 < %s", v), INT, 0, 1, 10};
        }
        learn(g, var, lo, hi, true);
        return (Expr){format(g, not? "%s == 0" : "%s != 0", v), INT, 0, 1, 9};
    }
    if (kind < 75 && (var = pick(g, is_wild)) >= 0) {
        const char *v = g->vars[var].name;
        int64_t c = 10 + draw(g, 1000);
        learn(g, var, -c + 1, c - 1, false);
        if (not)
            return (Expr){format(g, "%s <= %lld || %s >= %lld", v, (long long)-c, v, (long long)c), INT, 0, 1, 4};
        return (Expr){format(g, "%s > %lld && %s < %lld", v, (long long)-c, v, (long long)c), INT, 0, 1, 5};
    }
    if (kind < 85 && (var = pick(g, has_limits)) >= 0 && g->vars[var].hi - g->vars[var].lo > 3) {
        const char *v = g->vars[var].name;
        int64_t c = g->vars[var].lo + 2;
        learn(g, var, g->vars[var].lo, c - 1, false);
        return (Expr){format(g, not? "%s >= %lld" : "%s < %lld", v, (long long)c), INT, 0, 1, 10};
    }
    if (not)
        return (Expr){0};
    Expr c = g->is_spec ? (Expr){0} : never(g);
    if (!c.text)
        return compare(g, 1);
    g->dead++;
    return c;
}
