/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors are bytes and offsets; sums of either factor, over the loops that move it, are stored in arrays of their own. */
#include "plan/split/offsets.h"

#include "ir/simplify.h"
#include "plan/contract/narrow.h"

enum { MOST_FACTORS = 4 };

/* value + offset, or value - offset. */
typedef struct Factor {
    Node *value, *offset; /* offset: NULL, there is none */
    bool subtracts;
} Factor;

/* ---------------------------------------------------------------- factors */

static Factor factor_of(const Vec *path, Node *e)
{
    if ((e->kind == N_ADD || e->kind == N_SUB) && is_moved(path, e->kid[0]) && !is_moved(path, e->kid[1]))
        return (Factor){e->kid[0], e->kid[1], e->kind == N_SUB};
    if (e->kind == N_ADD && is_moved(path, e->kid[1]) && !is_moved(path, e->kid[0]))
        return (Factor){e->kid[1], e->kid[0], false};
    return (Factor){e, NULL, false};
}

static bool factors_of(const Vec *path, Node *e, Factor *f, int *n)
{
    if (e->kind == N_MUL)
        return factors_of(path, e->kid[0], f, n) && factors_of(path, e->kid[1], f, n);
    if (*n == MOST_FACTORS)
        return false;
    f[(*n)++] = factor_of(path, e);
    return true;
}

/* The conversion of a byte would be the value's anyway. */
static bool is_byte(const Node *e) { return fits_between(e, -128, 255); }

static Node *times(Ir *ir, Node *a, Node *b) { return a ? mk_binary(ir, N_MUL, a, b) : b; }

/* The addend of the product in which the factors in `chosen` give their offset, the others their value. */
static void push_share(Ir *ir, const Vec *path, const Factor *f, int n, unsigned chosen, bool negative, Vec *shares)
{
    Share *share = arena_alloc(ir->arena, sizeof *share);
    for (int i = 0; i < n; i++) {
        const bool offset = chosen & 1u << i, fixed = offset || !is_moved(path, f[i].value);
        Node *by = offset ? f[i].offset : f[i].value;
        if (fixed) /* products of offsets may overflow where those of the factors do not */
            share->scale = times(ir, share->scale, mk_cast(ir, T_UINT, by));
        else
            share->term = times(ir, share->term, by);
        negative = negative != (offset && f[i].subtracts);
    }
    share->negative = negative;
    vec_push(ir->arena, shares, share);
}

bool take_offsets(Ir *ir, const Vec *path, Sum *sum, Vec *shares)
{
    Factor f[MOST_FACTORS];
    int n = 0, moved = 0;
    unsigned with = 0;
    bool known = true;
    if (sum->acc->type != T_INT || !factors_of(path, sum->term, f, &n))
        return false;
    for (int i = 0; i < n; i++) {
        moved += is_moved(path, f[i].value);
        with |= f[i].offset ? 1u << i : 0;
        known = known && (!f[i].offset || f[i].offset->kind == N_INT);
        if (is_moved(path, f[i].value) && !is_byte(f[i].value))
            return false;
    }
    if (moved != 2 || known)
        return false;
    for (unsigned chosen = 1; chosen < 1u << n; chosen++)
        if ((chosen & with) == chosen)
            push_share(ir, path, f, n, chosen, sum->negative, shares);
    sum->term = NULL;
    for (int i = 0; i < n; i++)
        sum->term = times(ir, sum->term, f[i].value);
    return true;
}

/* ---------------------------------------------------------------- choices */

/* condition ? a : b, from below conversions of it; NULL: it is none. */
static Node *choice_of(Ir *ir, Node *e)
{
    if (e->kind == N_SEL)
        return e;
    Node *choice = e->kind == N_CAST && type_is_integer((Type)e->type) ? choice_of(ir, e->kid[0]) : NULL;
    if (!choice || !type_is_integer((Type)choice->type))
        return NULL;
    const Type type = (Type)e->type;
    return mk_select(ir, choice->kid[0], simplify(ir, mk_cast(ir, type, choice->kid[1])), simplify(ir, mk_cast(ir, type, choice->kid[2])));
}

/* Is the factor 0 where its choice, or the choice that something is added to, is this? */
static bool is_nothing(Ir *ir, const Node *e, Node *chosen)
{
    if (e->kind != N_ADD && e->kind != N_SUB)
        return is_int(simplify(ir, chosen), 0);
    Node *offset = e->kind == N_SUB ? e->kid[1] : mk_unary(ir, N_NEG, e->kid[1]);
    return simplify(ir, chosen) == simplify(ir, offset);
}

/* What the factor is where the condition, which goes to `conditions`, holds; elsewhere it is 0. Itself if it is no such choice. */
static Node *factor_where(Ir *ir, Node *e, Vec *conditions)
{
    const bool is_sum = e->kind == N_ADD || e->kind == N_SUB;
    Node *choice = choice_of(ir, is_sum ? e->kid[0] : e);
    for (int arm = 1; arm <= 2 && choice; arm++) {
        if (!is_nothing(ir, e, choice->kid[3 - arm]))
            continue;
        vec_push(ir->arena, conditions, arm == 1 ? choice->kid[0] : mk_unary(ir, N_LNOT, bare_condition(choice->kid[0])));
        return is_sum ? with_kid(ir, e, 0, choice->kid[arm]) : choice->kid[arm];
    }
    return e;
}

static Node *term_where(Ir *ir, Node *e, Vec *conditions)
{
    if (e->kind != N_MUL)
        return factor_where(ir, e, conditions);
    Node *kids[] = {term_where(ir, e->kid[0], conditions), term_where(ir, e->kid[1], conditions)};
    return with_kids(ir, e, 2, kids);
}

bool take_choices(Ir *ir, Sums *s)
{
    Vec conditions = {0}, sums = {0}, path = {0};
    if (s->sums.count != 1)
        return false;
    Sum *sum = arena_alloc(ir->arena, sizeof *sum);
    *sum = *(const Sum *)s->sums.items[0];
    sum->term = term_where(ir, sum->term, &conditions);
    vec_push(ir->arena, &sums, sum);
    for (int i = 0; i < s->path.count; i++)
        vec_push(ir->arena, &path, s->path.items[i]);
    for (int i = 0; i < conditions.count; i++)
        vec_push(ir->arena, &path, mk_if(ir, conditions.items[i], mk_block(ir, 0, NULL, sum->loc), NULL, sum->loc));
    s->sums = sums;
    s->path = path;
    return conditions.count > 0;
}

/* ---------------------------------------------------------------- what they come to */

Node *share_value(const SumChain *chain, const Share *share, Vec *before)
{
    Ir *ir = chain->context->ir;
    Node *sums = sum_in_front(chain, share->term, before);
    return sums ? mk_binary(ir, N_MUL, share->scale, sums) : NULL;
}
