/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values: hard ones from the expressions of random.h over what is offered at a place, and steady ones around what is soft. */
#include "random_nest.h"

#include <string.h>

const char *new_text(Nest *n, const char *prefix) { return format(n->g, "%s%d", prefix, n->names++); }

void offer_scalar(Nest *n, const char *text, Type type, bool is_soft)
{
    if (!is_soft || n->is_strict)
        add(n->g, (Var){.name = text,
                        .type = type,
                        .lo = is_float_type(type) ? 0 : type_min(type),
                        .hi = is_float_type(type) ? 0 : type_max(type)});
    else if (n->nsoft < MOST_SOFT)
        n->soft[n->nsoft++] = (Soft){text, type};
}

Expr rough(Nest *n, Type type, int depth)
{
    Expr e = is_float_type(type) ? floating(n->g, type, depth) : integer(n->g, depth);
    return e;
}

static const char *suffix(Type type) { return type == FLOAT ? "f" : ""; }

/* A function that has vectors, or one that has none. Its result is soft where vectors compute it. */
static Expr function_of(Nest *n, Type type, Expr e)
{
    static const char *const one[] = {"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "tanh", "sinh", "cosh",
                                      "erf", "erfc", "sin",   "cos", "tan",  "asin",  "acos",  "atan", "cbrt"};
    static const char *const two[] = {"pow", "atan2", "hypot"};
    Gen *g = n->g;
    if (chance(g, 88))
        return (Expr){format(g, "%s%s(%s)", one[draw(g, 19)], suffix(type), e.text), type, 0, 0, 15};
    const char *name = two[draw(g, 3)];
    return (Expr){format(g, "%s%s(%s, %s)", name, suffix(type), e.text, rough(n, type, 1).text), type, 0, 0, 15};
}

/* Functions whose results are exact. */
static Expr exact_function(Nest *n, Type type, Expr e)
{
    static const char *const one[] = {"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "round"};
    static const char *const two[] = {"fmax", "fmin", "copysign", "fmod"};
    Gen *g = n->g;
    if (chance(g, 60))
        return (Expr){format(g, "%s%s(%s)", one[draw(g, 8)], suffix(type), e.text), type, 0, 0, 15};
    const char *name = two[draw(g, 20) ? draw(g, 3) : 3];
    return (Expr){format(g, "%s%s(%s, %s)", name, suffix(type), e.text, rough(n, type, 1).text), type, 0, 0, 15};
}

static Expr cast_to(Nest *n, Type type, const char *text)
{
    return (Expr){format(n->g, "(%s)(%s)", type_name[type], text), type, 0, 0, 14};
}

/* Something that changes little where a soft value does. */
static Expr around(Nest *n, Type type, const char *t)
{
    Gen *g = n->g;
    const char *f = suffix(type);
    const char *e = operand(g, rough(n, type, 1), 13, true);
    switch (draw(g, 12)) {
    case 0: return (Expr){format(g, "%s + %s", t, e), type, 0, 0, 12};
    case 1: return (Expr){format(g, "%s - %s", e, t), type, 0, 0, 12};
    case 2: return (Expr){format(g, "%s * %s", t, e), type, 0, 0, 13};
    case 3: return (Expr){format(g, "%s * 0.5%s + %s", t, f, e), type, 0, 0, 12};
    case 4: return (Expr){format(g, "tanh%s(%s)", f, t), type, 0, 0, 15};
    case 5: return (Expr){format(g, "exp%s(-fabs%s(%s))", f, f, t), type, 0, 0, 15};
    case 6: return (Expr){format(g, "fmax%s(%s, 0.25%s)", f, t, f), type, 0, 0, 15};
    case 7: return (Expr){format(g, "%s > 0 ? %s : 0", t, t), type, 0, 0, 3};
    case 8: return (Expr){format(g, "sqrt%s(fabs%s(%s) + 1.0%s)", f, f, t, f), type, 0, 0, 15};
    case 9: return (Expr){format(g, "%s / (1.0%s + fabs%s(%s))", e, f, f, t), type, 0, 0, 13};
    case 10: return (Expr){format(g, "-%s", t), type, 0, 0, 14};
    default: return (Expr){t, type, 0, 0, 15};
    }
}

/* Differences of floats are too large for doubles. */
static const Soft *pick_soft(Nest *n, Type type)
{
    const Soft *found[MOST_SOFT];
    int count = 0;
    for (int i = 0; i < n->nsoft; i++)
        if (n->soft[i].type >= type)
            found[count++] = &n->soft[i];
    return count ? found[chance(n->g, 50) ? count - 1 : (int)draw(n->g, (uint32_t)count)] : NULL;
}

Expr steady(Nest *n, Type type)
{
    Gen *g = n->g;
    const Soft *s = pick_soft(n, type);
    if (s && chance(g, 75))
        return around(n, type, s->type == type ? s->text : cast_to(n, type, s->text).text);
    Expr e = rough(n, type, 1 + (int)draw(g, 2));
    return chance(g, 50) ? function_of(n, type, e) : e;
}

/* A leaf, so that it is of the size of the data. */
static Expr leaf_of(Nest *n, Type type, bool may_be_soft)
{
    const Soft *s = may_be_soft ? pick_soft(n, type) : NULL;
    if (s && chance(n->g, 40))
        return s->type == type ? (Expr){s->text, type, 0, 0, 15} : cast_to(n, type, s->text);
    return floating(n->g, type, 0);
}

Expr small_term(Nest *n, Type type, bool may_be_soft)
{
    Gen *g = n->g;
    const char *f = suffix(type);
    if (!is_float_type(type))
        return is_unsigned(type) ? integer(g, 2) : fit(g, integer(g, 2), -100, 100);
    const char *a = operand(g, leaf_of(n, type, may_be_soft), 14, true), *b = operand(g, leaf_of(n, type, may_be_soft), 14, true);
    switch (draw(g, 10)) {
    case 0: return (Expr){format(g, "%s + %s", a, b), type, 0, 0, 12};
    case 1: return (Expr){format(g, "fabs%s(%s)", f, a), type, 0, 0, 15};
    case 2: return (Expr){format(g, "tanh%s(%s)", f, a), type, 0, 0, 15};
    case 3: return (Expr){format(g, "exp%s(-fabs%s(%s))", f, f, a), type, 0, 0, 15};
    case 4: return (Expr){format(g, "%s ? %s : %s", operand(g, pure_condition(g, 1), 3, false), a, b), type, 0, 0, 3};
    case 5: return (Expr){format(g, "(%s - %s) * (%s - %s)", a, b, a, b), type, 0, 0, 13};
    case 6:
    case 7: return (Expr){format(g, "%s * %s", a, b), type, 0, 0, 13};
    default: return (Expr){a, type, 0, 0, 14};
    }
}

/* An integer of a floating number, which fits. */
static const char *rounded(Nest *n, Type type)
{
    static const char *const how[] = {"rintf", "floorf", "truncf", "", "roundf", "ceilf"};
    static const int most[] = {1, 127, 255, 32767, 65535, 1000000, 2000000, 1000000, 2000000};
    Gen *g = n->g;
    const int hi = most[type], lo = is_unsigned(promoted(type)) || type == UCHAR || type == USHORT || type == BOOL ? 0 : -hi;
    const char *name = how[draw(g, 6)];
    const Expr e = floating(g, FLOAT, 1 + (int)draw(g, 2));
    return format(g, "(%s)%s(fminf(fmaxf(%s, %d.0f), %d.0f))", element_of(type)->name, name, e.text, lo, hi);
}

static const char *float_value(Nest *n, const Array *a)
{
    Gen *g = n->g;
    const Type type = a->element->type;
    Expr e = a->is_soft ? steady(n, type) : rough(n, type, 1 + (int)draw(g, 3));
    if (!a->is_soft && chance(g, 25))
        e = exact_function(n, type, e);
    return a->element->is_narrow && chance(g, 60) ? format(g, "(%s)(%s)", a->element->name, e.text) : e.text;
}

const char *value(Nest *n, const Array *a)
{
    Gen *g = n->g;
    const Type type = a->element->type;
    if (is_float_type(type))
        return float_value(n, a);
    if (type == BOOL && chance(g, 60))
        return pure_condition(g, 1).text;
    return chance(g, 15) ? rounded(n, type) : integer(g, 1 + (int)draw(g, 3)).text;
}

/* ------------------------------------------------------------------------------------ statements */

void store(Nest *n, const Array *a, const char *place)
{
    static const char *const ops[] = {"+=", "-=", "*="};
    Gen *g = n->g;
    const Type type = a->element->type;
    const bool wraps = a->role != A_LOCAL && a->is_ready && type != BOOL && type != INT && type != LONG && chance(g, 20);
    if (wraps && is_float_type(type))
        line(g, format(g, "%s += %s;", place, small_term(n, type, a->is_soft).text));
    else if (wraps) {
        const char *op = ops[draw(g, 3)];
        line(g, format(g, "%s %s %s;", place, op, fit(g, integer(g, 1), 0, 1000).text));
    } else
        line(g, format(g, "%s = %s;", place, value(n, a)));
}

bool is_said(const Nest *n, const char *name, size_t at) { return says(n->g->out + at, name); }

static void local_scalar(Nest *n, Locals *l)
{
    Gen *g = n->g;
    Array as = {.element = random_element(n)};
    as.is_soft = !n->is_strict && chance(g, 40);
    const Type type = as.element->type;
    const char *text = value(n, &as), *name = new_text(n, "v");
    l->from[l->count] = g->len;
    line(g, format(g, "%s%s %s = %s;", chance(g, 60) ? "const " : "", as.element->name, name, text));
    l->to[l->count] = g->len;
    l->name[l->count++] = name;
    offer_scalar(n, name, type, as.is_soft && is_float_type(type));
}

Locals local_scalars(Nest *n, int count)
{
    Locals l = {0};
    while (l.count < count)
        local_scalar(n, &l);
    return l;
}

/* Compilers warn of what nothing uses. */
void drop_unused(Nest *n, const Locals *l)
{
    Gen *g = n->g;
    for (int i = l->count - 1; i >= 0; i--) {
        if (is_said(n, l->name[i], l->to[i]))
            continue;
        memmove(g->out + l->from[i], g->out + l->to[i], g->len + 1 - l->to[i]);
        g->len -= l->to[i] - l->from[i];
    }
}
