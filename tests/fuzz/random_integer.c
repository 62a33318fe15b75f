/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random integer expressions: constants, variables, elements of arrays under subscripts that fit, and what is
 * computed of them; the right operands of / % << >> are chosen or made so that they are defined. */
#include "random.h"

#include <string.h>

/* An affine index of small variables, as kernels have. */
static bool affine(Gen *g, int extent, Expr *r)
{
    static const int factors[] = {1, 1, 1, 2, 3, 4, 8, 16};
    bool any = false;
    for (int terms = 1 + (int)draw(g, 3); terms > 0; terms--) {
        int var = chance(g, 70) ? pick(g, is_counter) : -1;
        if (var < 0 && (var = pick(g, is_small)) < 0)
            return false;
        Var *v = &g->vars[var];
        Expr t = {v->name, v->type, v->lo, v->hi, 15};
        int factor = factors[draw(g, 8)];
        if (factor > 1)
            t = chance(g, 70) ? binary(g, "*", t, imm(g, factor)) : binary(g, "*", imm(g, factor), t);
        *r = !any ? t : chance(g, 75) ? binary(g, "+", *r, t) : chance(g, 50) ? binary(g, "+", t, *r) : binary(g, "-", *r, t);
        any = true;
    }
    if (chance(g, 40) || (r->lo < 0 && !is_unsigned(r->type))) {
        int64_t c = r->lo < 0 && r->lo > -extent ? -r->lo : 1 + (int64_t)draw(g, 4);
        *r = chance(g, 80) || r->lo < c ? binary(g, "+", *r, imm(g, c)) : binary(g, "-", *r, imm(g, c));
    }
    return r->lo >= 0 && r->hi < extent;
}

Expr subscript(Gen *g, int extent)
{
    Expr r;
    if (g->dead && chance(g, 60))
        return integer(g, 1);
    for (int attempt = 0; attempt < 5; attempt++)
        if (affine(g, extent, &r))
            return r;
    return fit(g, integer(g, 1 + (int)draw(g, 2)), 0, extent - 1);
}

const char *element(Gen *g, int array)
{
    const Var *v = &g->vars[array];
    int extent0 = v->extent[0], extent1 = v->extent[1];
    const char *name = v->name, *first = subscript(g, extent0).text;
    if (has(g, POINTERS) && v->rank == 1 && chance(g, 12))
        return !strcmp(first, "0") ? format(g, "(*%s)", name) : format(g, "(*(%s + (%s)))", name, first);
    return v->rank == 1 ? format(g, "%s[%s]", name, first) : format(g, "%s[%s][%s]", name, first, subscript(g, extent1).text);
}

Expr load(Gen *g, Wanted *wanted)
{
    int array = pick(g, wanted);
    Expr r = {element(g, array), g->vars[array].type, g->vars[array].lo, g->vars[array].hi, 15};
    return r;
}

static Expr constant(Gen *g)
{
    if (has(g, SPELLINGS) && chance(g, 30))
        return g->constant(g);
    Expr e = imm(g, chance(g, 70) ? (int64_t)draw(g, 10) : (int64_t)draw(g, 1000));
    if (chance(g, 8))
        e.text = format(g, "0x%llx", (unsigned long long)e.lo);
    if (chance(g, 10))
        e.text = format(g, "%su", e.text), e.type = UINT;
    else if (chance(g, 6))
        e.text = format(g, "%sL", e.text), e.type = LONG;
    return e;
}

static Expr leaf(Gen *g)
{
    if (g->hot >= 0 && chance(g, 35) && is_visible(g, g->hot)) {
        Var *v = &g->vars[g->hot];
        return (Expr){v->name, v->type, v->lo, v->hi, 15};
    }
    if (chance(g, 22))
        return constant(g);
    if (chance(g, 22) && is_any(g, is_array))
        return load(g, is_array);
    int var = chance(g, 30) ? pick(g, is_counter) : -1;
    if (var < 0)
        var = pick(g, chance(g, 40) ? is_small : is_scalar);
    if (var < 0)
        return constant(g);
    Var *v = &g->vars[var];
    Expr e = {v->name, v->type, v->lo, v->hi, 15};
    return v->type >= UINT && chance(g, 60) ? cast(g, INT, e) : e;
}

static bool is_divisor(const Var *var) { return is_scalar(var) && (var->nonzero || var->lo > 0 || var->hi < 0); }
static bool is_shift_count(const Var *var) { return is_scalar(var) && var->lo >= 0 && var->hi < 16; }

static Expr division(Gen *g, int depth)
{
    const char *op = chance(g, 60) ? "/" : "%";
    Expr a = integer(g, depth - 1), b;
    int var = chance(g, 75) ? pick(g, g->dead ? is_scalar : is_divisor) : -1;
    if (var >= 0) {
        Var *v = &g->vars[var];
        b = (Expr){v->name, v->type, v->lo, v->hi, 15};
    } else if (chance(g, 50)) {
        b = imm(g, 2 + draw(g, 14));
    } else {
        b = binary(g, "+", binary(g, "&", integer(g, depth - 1), imm(g, 7)), imm(g, 1));
    }
    Type type = usual(a.type, b.type);
    if (b.lo <= 0 && is_unsigned(type) && !g->dead && var < 0)
        b = imm(g, 3);
    if (!g->dead && !is_unsigned(type) && b.lo < 0 && a.lo <= type_min(type)) /* the minimum / -1 */
        a = fit(g, a, -100000, 100000);
    return binary(g, op, a, b);
}

static Expr shift(Gen *g, int depth)
{
    const char *op = chance(g, 50) ? "<<" : ">>";
    Expr a = integer(g, depth - 1), b = imm(g, draw(g, 5));
    int var = chance(g, 50) ? pick(g, g->dead ? is_scalar : is_shift_count) : -1;
    if (var >= 0)
        b = (Expr){g->vars[var].name, g->vars[var].type, 0, 15, 15};
    else if (chance(g, 25))
        b = fit(g, integer(g, 1), 0, 7);
    if (b.hi > 15 || b.lo < 0)
        b.lo = 0, b.hi = 15; /* only in dead places */
    return binary(g, op, a, b);
}

static Expr select(Gen *g, int depth)
{
    int nfacts = g->nfacts, hot = g->hot, dead = g->dead;
    Expr c = chance(g, 50) ? fact(g, false) : pure_condition(g, 1);
    Expr a = integer(g, depth - 1);
    forget(g, nfacts, hot);
    g->dead = dead;
    Expr b = integer(g, depth > 1 ? 1 : 0);
    Type type = usual(a.type, b.type);
    if (is_unsigned(promoted(a.type)) != is_unsigned(promoted(b.type)))
        b = cast(g, promoted(a.type), b), type = usual(a.type, b.type);
    a = converted(a, type), b = converted(b, type);
    const char *ct = operand(g, c, 3, false), *at = operand(g, a, 4, false), *bt = operand(g, b, 4, false);
    if (chance(g, 40)) { /* a nest with equal arms, for condCollapse */
        Expr d = pure_condition(g, 1), e = cast(g, type, imm(g, draw(g, 9)));
        const char *dt = operand(g, d, 3, false);
        switch (draw(g, 4)) { /* `a` stays where `c` makes it safe */
        case 0: e = (Expr){format(g, "%s ? (%s ? %s : %s) : %s", ct, dt, at, bt, bt), type, a.lo, a.hi, 3}; break;
        case 1: e = (Expr){format(g, "%s ? (%s ? %s : %s) : %s", ct, dt, bt, at, bt), type, a.lo, a.hi, 3}; break;
        case 2: e = (Expr){format(g, "%s ? %s : (%s ? %s : %s)", ct, bt, dt, bt, e.text), type, e.lo, e.hi, 3}; break;
        default: e = (Expr){format(g, "%s ? %s : (%s ? %s : %s)", ct, bt, dt, e.text, bt), type, e.lo, e.hi, 3};
        }
        e.lo = e.lo < b.lo ? e.lo : b.lo, e.hi = e.hi > b.hi ? e.hi : b.hi;
        return e;
    }
    return (Expr){format(g, "%s ? %s : %s", ct, at, bt), type, a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi, 3};
}

/* min and max, which no one declares: the driver brings them as macros. In specs they are selections. */
static Expr extremum(Gen *g, int depth)
{
    Expr a = integer(g, depth - 1), b = integer(g, depth - 1);
    bool is_min = chance(g, 50);
    Type type = usual(a.type, b.type);
    a = converted(a, type), b = converted(b, type);
    Expr r = {format(g, "%s(%s, %s)", is_min ? "min" : "max", a.text, b.text), type, 0, 0, 15};
    if (g->is_spec)
        r.text = format(g, "((%s) %c (%s) ? (%s) : (%s))", a.text, is_min ? '<' : '>', b.text, a.text, b.text);
    r.lo = is_min == (a.lo < b.lo) ? a.lo : b.lo;
    r.hi = is_min == (a.hi < b.hi) ? a.hi : b.hi;
    return r;
}

Expr integer(Gen *g, int depth)
{
    static const char *const bitwise[] = {"&", "|", "^"};
    if (depth <= 0 || chance(g, 10))
        return leaf(g);
    if (has(g, SPELLINGS) && chance(g, 4))
        return g->macro(g);
    uint32_t kind = draw(g, 100);
    if (kind < 58) {
        const char *op = kind < 28 ? "+" : kind < 40 ? "-" : "*";
        Expr a = integer(g, depth - 1), b = integer(g, depth - 1);
        return binary(g, op, a, b);
    }
    if (kind < 70)
        return division(g, depth);
    if (kind < 75)
        return shift(g, depth);
    if (kind < 81) {
        Expr a = integer(g, depth - 1), b = integer(g, depth - 1);
        return binary(g, bitwise[draw(g, 3)], a, b);
    }
    if (kind < 85) {
        Expr a = fit(g, integer(g, depth - 1), -100000, 100000);
        if (a.lo == INT64_MIN)
            a.lo++; /* only in dead places */
        if (a.type == BOOL)
            a = cast(g, INT, a);
        bool neg = chance(g, 60);
        if (is_unsigned(promoted(a.type)))
            a.lo = 0, a.hi = type_max(a.type);
        else
            a.lo = neg ? -a.lo : ~a.lo, a.hi = neg ? -a.hi : ~a.hi;
        int64_t lo = a.hi < a.lo ? a.hi : a.lo, hi = a.hi < a.lo ? a.lo : a.hi;
        const char *text = operand(g, a, 14, false);
        bool signs = text[0] == '-';
        if (lo < type_min(promoted(a.type)))
            lo = type_min(promoted(a.type));
        return (Expr){format(g, signs ? "%c(%s)" : "%c%s", neg ? '-' : '~', text), promoted(a.type), lo, hi, 14};
    }
    if (kind < 90)
        return select(g, depth);
    if (kind < 94) {
        Type type = (Type)(SCHAR + draw(g, ULONG - SCHAR + 1));
        return cast(g, type, integer(g, depth - 1));
    }
    if (kind < 97)
        return extremum(g, depth);
    Expr c = pure_condition(g, 1);
    return (Expr){format(g, c.prec == 15 ? "!%s" : "(%s)", c.text), INT, 0, 1, c.prec == 15 ? 14 : 15};
}

/* An expression fit for a variable: of its interval, or wrapping into its type. */
Expr value_for(Gen *g, Type type, int64_t lo, int64_t hi, int depth)
{
    Expr e = integer(g, depth);
    bool wraps = lo == type_min(type) && hi == type_max(type);
    return wraps ? e : fit(g, e, lo, hi);
}
