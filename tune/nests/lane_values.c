/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/lane_values.h"

void lanes_set(LaneValues *l, const Sym *scalar, const LaneValue *value)
{
    LaneValue **known = (LaneValue **)map_at(l->arena, &l->known, scalar->id);
    *map_at(l->arena, &l->defined, scalar->id) = NULL;
    *known = NULL;
    if (!value)
        return;
    *known = arena_alloc(l->arena, sizeof **known);
    **known = *value;
}

void lanes_define(LaneValues *l, const Sym *scalar, const Node *e)
{
    lanes_set(l, scalar, NULL);
    *map_at(l->arena, &l->defined, scalar->id) = (void *)e;
}

void lanes_set_all(LaneValues *l, const Sym *scalar, int64_t value)
{
    LaneValue all;
    for (int i = 0; i < MOST_LANES; i++)
        all.of[i] = value;
    lanes_set(l, scalar, &all);
}

/* Of an operator; overflow wraps, as nobody runs what overflows. */
static int64_t wrapped(Kind kind, uint64_t x, uint64_t y)
{
    switch (kind) {
    case N_ADD: return (int64_t)(x + y);
    case N_SUB: return (int64_t)(x - y);
    default: return (int64_t)(x * y);
    }
}

static bool apply(Kind kind, int64_t x, int64_t y, int64_t *out)
{
    switch (kind) {
    case N_ADD:
    case N_SUB:
    case N_MUL: *out = wrapped(kind, (uint64_t)x, (uint64_t)y); return true;
    case N_DIV: *out = y ? x / y : 0; return y != 0 && y != -1;
    case N_MOD: *out = y ? x % y : 0; return y != 0 && y != -1;
    case N_SHL: *out = y >= 0 && y < 63 ? (int64_t)((uint64_t)x << y) : 0; return y >= 0 && y < 63;
    case N_SHR: *out = y >= 0 && y < 63 ? x >> y : 0; return y >= 0 && y < 63;
    case N_AND: *out = x & y; return true;
    case N_OR: *out = x | y; return true;
    case N_XOR: *out = x ^ y; return true;
    case N_MIN: *out = x < y ? x : y; return true;
    case N_MAX: *out = x > y ? x : y; return true;
    case N_LT: *out = x < y; return true;
    case N_LE: *out = x <= y; return true;
    case N_GT: *out = x > y; return true;
    case N_GE: *out = x >= y; return true;
    case N_EQ: *out = x == y; return true;
    case N_NE: *out = x != y; return true;
    case N_LAND: *out = x && y; return true;
    case N_LOR: *out = x || y; return true;
    default: return false;
    }
}

static bool apply_unary(Kind kind, int64_t x, int64_t *out)
{
    switch (kind) {
    case N_CAST: *out = x; return true;
    case N_NEG: *out = wrapped(N_SUB, 0, (uint64_t)x); return true;
    case N_BNOT: *out = ~x; return true;
    case N_LNOT: *out = !x; return true;
    default: return false;
    }
}

static bool of_scalar(const LaneValues *l, const Sym *scalar, LaneValue *out)
{
    const LaneValue *known = map_get(&l->known, scalar->id);
    const Node *e = map_get(&l->defined, scalar->id);
    if (known)
        *out = *known;
    return known || (e && lane_values_of(l, e, out));
}

bool lane_values_of(const LaneValues *l, const Node *e, LaneValue *out)
{
    if (e->kind == N_VAR)
        return of_scalar(l, e->sym, out);
    LaneValue kid[3] = {{{0}}};
    if (!type_is_integer((Type)e->type) || e->nkids > 3 || e->kind == N_LOAD || e->kind == N_CALL)
        return false;
    for (int k = 0; k < e->nkids; k++)
        if (!lane_values_of(l, e->kid[k], &kid[k]))
            return false;
    bool yes = true;
    for (int i = 0; yes && i < MOST_LANES; i++)
        switch ((Kind)e->kind) {
        case N_INT: out->of[i] = e->u.i; break;
        case N_SEL: out->of[i] = kid[kid[0].of[i] ? 1 : 2].of[i]; break;
        default:
            yes = e->nkids == 2   ? apply((Kind)e->kind, kid[0].of[i], kid[1].of[i], &out->of[i])
                  : e->nkids == 1 ? apply_unary((Kind)e->kind, kid[0].of[i], &out->of[i])
                                  : false;
        }
    return yes;
}

bool lane_values_of_access(const LaneValues *l, const Node *access, LaneValue *out)
{
    const Sym *array = access->sym;
    LaneValue extent, at;
    *out = (LaneValue){{0}};
    for (int d = 0; d < array->rank; d++) {
        const bool has_extent = d > 0;
        if ((has_extent && (!array->extent[d] || !lane_values_of(l, array->extent[d], &extent))) || !lane_values_of(l, access->kid[d], &at))
            return false;
        for (int i = 0; i < MOST_LANES; i++)
            out->of[i] = (has_extent ? out->of[i] * extent.of[i] : 0) + at.of[i];
    }
    return true;
}
