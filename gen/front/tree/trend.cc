/* SPDX-License-Identifier: GPL-3.0-or-later */
// Whether a loop's condition becomes false by itself as the loop's variable advances.

#include "gen/front/tree/trend.hh"

namespace mikgen
{

// What an expression does while the variable grows.
enum Trend { FALLS = -1, STAYS = 0, GROWS = 1, VARIES = 2 };

static Trend turned(Trend t) { return t == VARIES ? t : (Trend)-t; }

static Trend together(Trend a, Trend b) { return a == STAYS ? b : b == STAYS || a == b ? a : VARIES; }

// The sign of a constant; 0 also of what is none.
static int constant_sign(const Node *e)
{
    if (e->kind == N_CAST)
        return constant_sign(e->kid[0]);
    if (e->kind == N_NEG)
        return -constant_sign(e->kid[0]);
    return e->kind != N_INT || e->u.i == 0 ? 0 : e->u.i > 0 ? 1 : -1;
}

// By a constant; by itself if it is a square, which grows from 0 on.
static Trend trend_of_product(const Node *e, Trend a, Trend b)
{
    for (int i = 0; i < 2; i++)
        if (int sign = constant_sign(e->kid[i]))
            return sign > 0 ? (i ? a : b) : turned(i ? a : b);
    return a == STAYS && b == STAYS ? STAYS : a == GROWS && b == GROWS ? GROWS : VARIES;
}

static Trend trend(const Node *e, const Sym *var)
{
    if (e->kind == N_VAR)
        return e->sym == var ? GROWS : STAYS;
    Trend kid[3] = {STAYS, STAYS, STAYS}, any = STAYS;
    for (int i = 0; i < e->nkids; i++) {
        Trend t = trend(e->kid[i], var);
        kid[i < 2 ? i : 2] = t;
        any = t == STAYS ? any : VARIES;
    }
    bool by_constant = e->nkids == 2 && constant_sign(e->kid[1]) > 0;
    switch ((Kind)e->kind) {
    case N_CAST: return type_bits((Type)e->type) >= type_bits((Type)e->kid[0]->type) && e->type != T_BOOL ? kid[0] : any;
    case N_NEG: return turned(kid[0]);
    case N_ADD: return together(kid[0], kid[1]);
    case N_SUB: return together(kid[0], turned(kid[1]));
    case N_MUL: return trend_of_product(e, kid[0], kid[1]);
    case N_DIV:
    case N_SHL:
    case N_SHR: return by_constant ? kid[0] : any;
    default: return any;
    }
}

void ends(const Node *cond, const Sym *var, bool *up, bool *down)
{
    bool more[4] = {false, false, false, false};
    if (cond->kind == N_LAND || cond->kind == N_LOR) {
        ends(cond->kid[0], var, &more[0], &more[1]);
        ends(cond->kid[1], var, &more[2], &more[3]);
        *up = cond->kind == N_LAND ? more[0] || more[2] : more[0] && more[2];
        *down = cond->kind == N_LAND ? more[1] || more[3] : more[1] && more[3];
        return;
    }
    bool less = cond->kind == N_LT || cond->kind == N_LE, greater = cond->kind == N_GT || cond->kind == N_GE;
    if (cond->nkids != 2 || !(less || greater || cond->kind == N_NE))
        return;
    Trend difference = together(trend(cond->kid[0], var), turned(trend(cond->kid[1], var)));
    bool moves = difference == GROWS || difference == FALLS;
    *up = moves && (cond->kind == N_NE || less == (difference == GROWS));
    *down = moves && (cond->kind == N_NE || greater == (difference == GROWS));
}

} // namespace mikgen
