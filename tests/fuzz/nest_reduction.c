/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalars that gather something up over loops: sums, products, extremes and their places, bits, counts. */
#include "random_nest.h"

typedef enum { G_SUM, G_DOT, G_PRODUCT, G_GREATEST, G_LEAST, G_PLACE, G_BITS, G_COUNT, G_FOUND } Kind;

static Type type_for(Nest *n, Kind kind, bool may_be_float)
{
    static const Type integers[] = {INT, INT, UINT, LONG, ULONG}, unsigneds[] = {UINT, ULONG};
    Gen *g = n->g;
    const Type any = may_be_float && chance(g, 65) ? chance(g, 75) ? FLOAT : DOUBLE : integers[draw(g, 5)];
    switch (kind) {
    case G_PRODUCT: return is_float_type(any) ? any : unsigneds[draw(g, 2)];
    case G_BITS: return unsigneds[draw(g, 2)];
    case G_COUNT: return chance(g, 70) ? INT : UINT;
    case G_FOUND: return chance(g, 50) ? BOOL : INT;
    default: return any;
    }
}

static const char *start_of(Nest *n, const Gathered *s)
{
    const bool is_float = is_float_type(s->type);
    switch (s->kind) {
    case G_PRODUCT: return "1";
    case G_GREATEST: return is_float ? (chance(n->g, 70) ? "-INFINITY" : "0") : is_unsigned(s->type) ? "0" : "-100000";
    case G_PLACE: return is_float ? "-INFINITY" : is_unsigned(s->type) ? "0" : "-100000";
    case G_LEAST: return is_float ? "INFINITY" : "100000";
    default: return chance(n->g, 85) ? "0" : "1";
    }
}

/* Before its loops. */
Gathered declare_gathered(Nest *n, bool may_be_float)
{
    static const Kind kinds[] = {G_SUM, G_SUM, G_SUM, G_DOT, G_PRODUCT, G_GREATEST, G_GREATEST, G_LEAST, G_PLACE, G_BITS, G_COUNT, G_FOUND};
    Gen *g = n->g;
    Gathered s = {.kind = kinds[draw(g, 12)]};
    s.name = new_text(n, "s");
    s.type = type_for(n, (Kind)s.kind, may_be_float);
    s.is_soft = is_float_type(s.type) && !n->is_strict;
    line(g, format(g, "%s %s = %s;", element_of(s.type)->name, s.name, start_of(n, &s)));
    if (s.kind == G_PLACE) {
        s.place = new_text(n, "p");
        line(g, format(g, "int %s = %s;", s.place, chance(g, 70) ? "0" : "-1"));
    }
    return s;
}

static Expr hard_term(Nest *n, Type type)
{
    Expr e = rough(n, type, 1);
    return is_float_type(type) ? e : fit(n->g, e, 0, 1000);
}

static void add_up(Nest *n, const Gathered *s)
{
    Gen *g = n->g;
    const char *term = operand(g, small_term(n, s->type, true), 12, true);
    if (chance(g, 12))
        line(g, format(g, "if (%s)", pure_condition(g, 1).text)), g->indent++;
    else if (chance(g, 10)) {
        line(g, format(g, "%s = %s + %s;", s->name, s->name, term));
        return;
    } else {
        line(g, format(g, chance(g, 85) ? "%s += %s;" : "%s -= %s;", s->name, term));
        return;
    }
    line(g, format(g, "%s += %s;", s->name, term));
    g->indent--;
}

/* Products of two elements, of narrow integers as often as not. */
static void add_product(Nest *n, const Gathered *s)
{
    Gen *g = n->g;
    if (is_float_type(s->type)) {
        Expr a = floating(g, s->type, 0), b = floating(g, s->type, 0);
        line(g, format(g, "%s += %s;", s->name, infix(g, a, "*", b, 13)));
        return;
    }
    Expr a = fit(g, integer(g, 0), -128, 127), b = fit(g, integer(g, 0), -128, 127);
    const char *type = element_of(s->type)->name, *at = operand(g, a, 14, false), *bt = operand(g, b, 14, false);
    line(g, format(g, "%s += (%s)%s * (%s)%s;", s->name, type, at, type, bt));
}

static void multiply(Nest *n, const Gathered *s)
{
    Gen *g = n->g;
    const char *f = s->type == FLOAT ? "f" : "", *e = is_float_type(s->type) ? operand(g, floating(g, s->type, 0), 14, true) : "";
    if (is_float_type(s->type)) /* a factor near 1 */
        line(g, format(g, "%s *= 1 + %s / (64 + 64 * fabs%s(%s));", s->name, e, f, e));
    else
        line(g, format(g, "%s *= %s;", s->name, fit(g, integer(g, 1), 0, 1000).text));
}

static void extreme(Nest *n, const Gathered *s)
{
    Gen *g = n->g;
    const char *e = operand(g, hard_term(n, s->type), 14, true), op = s->kind == G_GREATEST ? '>' : '<', *name = s->name;
    const char *f = s->type == FLOAT ? "f" : "";
    if (is_float_type(s->type) && chance(g, 45))
        line(g, format(g, "%s = fm%s%s(%s, %s);", name, op == '>' ? "ax" : "in", f, name, e));
    else if (chance(g, 40))
        line(g, format(g, "%s = %s %c %s ? %s : %s;", name, e, op, name, e, name));
    else if (chance(g, 15))
        line(g, format(g, "%s = %s %c %s ? %s : %s;", name, name, op, e, name, e));
    else {
        line(g, format(g, "if (%s %c %s)", e, op, name));
        line(g, format(g, "    %s = %s;", name, e));
    }
}

static void find_place(Nest *n, const Gathered *s)
{
    Gen *g = n->g;
    const char *e = operand(g, hard_term(n, s->type), 14, true), *at = n->active[n->nactive - 1].var;
    line(g, format(g, chance(g, 80) ? "if (%s > %s) {" : "if (%s >= %s) {", e, s->name));
    line(g, format(g, "    %s = %s;", s->name, e));
    line(g, format(g, "    %s = %s;", s->place, at));
    line(g, "}");
}

static void set_bits(Nest *n, const Gathered *s)
{
    static const char *const ops[] = {"|=", "^=", "&="};
    Gen *g = n->g;
    const char *op = ops[draw(g, 3)];
    line(g, format(g, "%s %s %s;", s->name, op, integer(g, 2).text));
}

static void find(Nest *n, const Gathered *s)
{
    Gen *g = n->g;
    Expr c = pure_condition(g, 1);
    if (chance(g, 50))
        line(g, format(g, "%s = %s || %s;", s->name, s->name, operand(g, c, 5, true)));
    else {
        line(g, format(g, "if (%s)", c.text));
        line(g, format(g, "    %s = 1;", s->name));
    }
}

static void count(Nest *n, const Gathered *s)
{
    Gen *g = n->g;
    line(g, format(g, "if (%s)", pure_condition(g, 1).text));
    line(g, format(g, "    %s++;", s->name));
}

/* In the innermost loop. */
void gather_up(Nest *n, const Gathered *s)
{
    switch ((Kind)s->kind) {
    case G_SUM: add_up(n, s); break;
    case G_DOT: add_product(n, s); break;
    case G_PRODUCT: multiply(n, s); break;
    case G_GREATEST:
    case G_LEAST: extreme(n, s); break;
    case G_PLACE: find_place(n, s); break;
    case G_BITS: set_bits(n, s); break;
    case G_COUNT: count(n, s); break;
    case G_FOUND: find(n, s); break;
    }
}

/* Behind its loops. */
void offer_gathered(Nest *n, Gathered *s)
{
    s->at = n->g->len;
    offer_scalar(n, s->name, s->type, s->is_soft);
    if (s->place)
        add(n->g, (Var){.name = s->place, .type = INT, .lo = -1, .hi = MOST_EXTENT});
}

static void keep(Nest *n, const char *name, Type type)
{
    Array *a = new_array(n, A_OUTPUT, element_of(type), 0);
    for (int i = 0; i < n->nactive; i++)
        if (a->rank < MOST_DIMS && n->active[i].is_whole)
            a->dims[a->rank++] = axis_dim(n->active[i].axis);
    if (!a->rank)
        a->dims[a->rank++] = (Dim){.kind = D_CONSTANT, .by = 1};
    a->is_ready = false;
    line(n->g, format(n->g, "%s = %s;", place_text(n, a), name));
}

void use_gathered(Nest *n, const Gathered *s)
{
    if (!is_said(n, s->name, s->at))
        keep(n, s->name, s->type);
    if (s->place && !is_said(n, s->place, s->at))
        keep(n, s->place, INT);
}
