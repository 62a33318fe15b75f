/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random floating-point expressions. They carry no intervals, for nothing converts them to integers. */
#include "random.h"

static bool is_float_scalar(const Var *var) { return !var->rank && is_float_type(var->type); }

static Expr float_leaf(Gen *g, Type type)
{
    static const char *const constants[] = {"0.0", "1.0", "0.5", "1.5", "2.0", "100.0", "3.25", "0.125"};
    const char *f = type == FLOAT ? "f" : "";
    if (chance(g, 20)) {
        const char *sign = chance(g, 20) ? "-" : "";
        return (Expr){format(g, "%s%s%s", sign, constants[draw(g, 8)], f), type, 0, 0, 14};
    }
    int var = chance(g, 50) ? pick(g, is_float_scalar) : -1;
    if (var >= 0)
        return (Expr){g->vars[var].name, g->vars[var].type, 0, 0, 15};
    if (chance(g, 70) && pick(g, is_float_array) >= 0)
        return load(g, is_float_array);
    return cast(g, type, fit(g, integer(g, 1), -100000, 100000));
}

Expr floating(Gen *g, Type type, int depth)
{
    static const char *const ops[] = {"+", "-", "*", "*", "+", "/"};
    if (depth <= 0)
        return float_leaf(g, type);
    Expr a = floating(g, type, depth - 1);
    uint32_t kind = draw(g, 100);
    if (kind < 70) {
        Expr b = floating(g, type, depth - 1);
        const char *op = ops[draw(g, 6)];
        int prec = precedence(op);
        return (Expr){infix(g, a, op, b, prec), a.type > b.type ? a.type : b.type, 0, 0, prec};
    }
    if (kind < 80) {
        static const char *const calls[] = {"fabs", "sqrt", "floor", "fabs"};
        return (Expr){format(g, "%s%s(%s)", calls[draw(g, 4)], a.type == FLOAT ? "f" : "", a.text), a.type, 0, 0, 15};
    }
    if (kind < 92) {
        Expr c = pure_condition(g, 1), b = floating(g, type, 0);
        const char *ct = operand(g, c, 3, false), *at = operand(g, a, 4, false), *bt = operand(g, b, 4, false);
        Type result = a.type > b.type ? a.type : b.type;
        if (chance(g, 40))
            return (Expr){format(g, "%s ? (%s ? %s : %s) : %s", ct, operand(g, pure_condition(g, 0), 3, false), at, bt, bt), result, 0, 0,
                          3};
        return (Expr){format(g, "%s ? %s : %s", ct, at, bt), result, 0, 0, 3};
    }
    return kind < 96 ? (Expr){format(g, "-(%s)", a.text), a.type, 0, 0, 14} : cast(g, type, a);
}
