/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/vectors/scaled_products.h"

#include "depend/reduce.h"
#include "ir/walk.h"
#include "plan/vectors/last_values.h"
#include "plan/vectors/vector_facts.h"

enum { MOST_SHIFT = 32 }; /* further up a shift brings in copies of the sign */

typedef struct Scaling {
    Ir *ir;
    const LoopFacts *facts;
    Map lets; /* by symbol id: Node *, the value of a scalar of the body that has no other */
} Scaling;

static bool note_let(void *user, Node *n)
{
    Scaling *s = user;
    if (n->kind == N_DECL && n->nkids && !n->sym->rank && !vector_fact(s->facts, n->sym, ASSIGNED))
        *map_at(s->ir->arena, &s->lets, n->sym->id) = n->kid[0];
    return !is_expr(n);
}

/* Is it the same all over the iteration? */
static bool is_fixed(const Scaling *s, Node *e)
{
    bool fixed = e->kind == N_VAR ? !vector_fact(s->facts, e->sym, ASSIGNED)
                                  : e->kind != N_CALL && (e->kind != N_LOAD || !vector_fact(s->facts, e->sym, STORED));
    for (int i = 0; i < e->nkids && fixed; i++)
        fixed = is_fixed(s, e->kid[i]);
    return fixed;
}

/* What a name stands for; other expressions themselves. */
static Node *value_of(const Scaling *s, Node *e)
{
    Node *value = e->kind == N_VAR ? map_get(&s->lets, e->sym->id) : NULL;
    return value && is_fixed(s, value) ? value : e;
}

/* How 32 bits hold a number. */
enum { WITH_SIGN = 1, WITHOUT_SIGN = 2 };

/* A factor of 64 bits as one of 32; NULL: that does not hold it. */
static Node *narrow_factor(const Scaling *s, Node *e, int *held)
{
    e = value_of(s, e);
    if (e->kind == N_INT) {
        *held = (e->u.i >= INT32_MIN && e->u.i <= INT32_MAX ? WITH_SIGN : 0) | (e->u.i >= 0 && e->u.i <= UINT32_MAX ? WITHOUT_SIGN : 0);
        return e;
    }
    Node *of = e->kind == N_CAST ? e->kid[0] : NULL;
    if (!of || !type_is_integer(of->type) || type_bits(of->type) > 32)
        return NULL;
    *held = type_is_signed(of->type) ? WITH_SIGN : type_bits(of->type) == 32 ? WITHOUT_SIGN : WITH_SIGN | WITHOUT_SIGN;
    return of;
}

/* The operand that is no constant, of an operator that has one; NULL: it has none. */
static Node *beside_constant(const Node *e, const Node **constant)
{
    const int at = e->kid[1]->kind == N_INT ? 1 : 0;
    *constant = e->kid[at];
    return e->kid[at]->kind == N_INT ? e->kid[1 - at] : NULL;
}

static Node *as_type(Ir *ir, Type type, Node *factor)
{
    return factor->kind == N_INT ? mk_int(ir, type, factor->u.i) : mk_cast(ir, type, factor);
}

/* The product of 64 bits, plus `added`, shifted by so many bits. NULL: it is none of numbers that 32 bits hold. */
static Node *scaled(const Scaling *s, const Node *product, int64_t added, int64_t shift)
{
    int held_a, held_b;
    Node *a = narrow_factor(s, product->kid[0], &held_a), *b = a ? narrow_factor(s, product->kid[1], &held_b) : NULL;
    const int held = b ? held_a & held_b : 0;
    const Type type = held & WITH_SIGN ? T_INT : T_UINT;
    if (!held)
        return NULL;
    Node *kids[] = {as_type(s->ir, type, a), as_type(s->ir, type, b), mk_int(s->ir, T_LONG, added), mk_int(s->ir, T_INT, shift)};
    return mk_expr(s->ir, N_MUL_SHIFT, type, NULL, 4, kids, product->loc);
}

/* From 64 bits to 32 or fewer. */
static bool is_cut(const Node *e)
{
    return is_expr(e) && e->kind == N_CAST && type_is_integer(e->type) && e->type != T_BOOL && type_bits(e->type) <= 32 &&
           type_is_integer(e->kid[0]->type) && type_bits(e->kid[0]->type) == 64;
}

static Node *replace(void *user, Node *e)
{
    const Scaling *s = user;
    if (!is_cut(e) || !vector_varies(s->facts, e))
        return NULL;
    const Node *by, *constant;
    Node *sum = value_of(s, e->kid[0]);
    int64_t shift = 0, added = 0;
    if (sum->kind == N_SHR) {
        by = sum->kid[1];
        if (by->kind != N_INT || by->u.i < 0 || by->u.i > MOST_SHIFT)
            return NULL;
        shift = by->u.i;
        sum = value_of(s, sum->kid[0]);
    }
    Node *rest = sum->kind == N_ADD ? beside_constant(sum, &constant) : NULL;
    if (rest) {
        added = constant->u.i;
        sum = value_of(s, rest);
    }
    Node *value = sum->kind == N_MUL ? scaled(s, sum, added, shift) : NULL;
    return value ? mk_cast(s->ir, (Type)e->type, value) : NULL;
}

Node *match_scaled_products(Ir *ir, Node *loop)
{
    Vec reductions = {0}, now = {0};
    const char *why;
    if (!find_reductions(ir, loop, false, &reductions, &why))
        return loop;
    const LoopFacts facts = vector_facts(ir, loop, &reductions);
    if (!vector_is_wide(&facts))
        return loop;
    Scaling s = {.ir = ir, .facts = &facts};
    walk(&(Walker){.pre = note_let, .user = &s}, loop->kid[2]);
    Node *body = rewrite(&(Rewriter){.ir = ir, .pre = replace, .user = &s}, loop->kid[2]);
    if (body == loop->kid[2])
        return loop;
    Node *kids[] = {loop->kid[0], loop->kid[1], drop_last_values(ir, body)};
    Node *scaled = with_kids(ir, loop, 3, kids);
    if (!find_reductions(ir, scaled, false, &now, &why))
        return loop;
    const LoopFacts after = vector_facts(ir, scaled, &now);
    return vector_is_wide(&after) ? loop : scaled;
}
