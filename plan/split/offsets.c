/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors are bytes and offsets; sums of either factor, over the loops that move it, are stored in arrays of their own. */
#include "plan/split/offsets.h"

#include "ir/walk.h"
#include "plan/contract/narrow.h"
#include "plan/split/pieces.h"

enum { MOST_FACTORS = 4 };

/* value + offset, or value - offset. */
typedef struct Factor {
    Node *value, *offset; /* offset: NULL, there is none */
    bool subtracts;
} Factor;

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

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
        Node **to = fixed ? &share->scale : &share->term;
        *to = times(ir, *to, offset ? f[i].offset : f[i].value);
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

/* ---------------------------------------------------------------- what they come to */

typedef struct Scope {
    const Vec *around, *path;
    bool known;
} Scope;

static bool is_loop_of(const Vec *loops, const Sym *var)
{
    for (int i = 0; i < loops->count; i++)
        if (stmt_at(loops, i)->kind == N_FOR && stmt_at(loops, i)->sym == var)
            return true;
    return false;
}

static bool search_unknown(void *user, Node *n)
{
    Scope *s = user;
    if (n->kind == N_VAR)
        s->known = s->known && (n->sym->kind == S_PARAM || is_loop_of(s->around, n->sym) || is_loop_of(s->path, n->sym));
    if (n->kind == N_LOAD)
        s->known = s->known && n->sym->kind == S_ARRAY && !(s->around->count && writes_sym(stmt_at(s->around, 0), n->sym));
    return s->known;
}

/* Does the expression mean the same in front of all loops? */
static bool is_known(const Vec *around, const Vec *path, Node *e)
{
    Scope s = {around, path, true};
    walk(&(Walker){.pre = search_unknown, .user = &s}, e);
    return s.known;
}

/* The iterations of the chain, which must be as many wherever it stands. NULL: they are not. */
static Node *iterations_of_chain(const NestContext *context, const Vec *path)
{
    Node *count = mk_int(context->ir, T_UINT, 1);
    for (int i = 0; i < path->count; i++) {
        Node *loop = stmt_at(path, i), *extent = loop->kind == N_FOR ? iterations_of(context, loop) : NULL;
        if (!extent)
            return NULL;
        count = mk_binary(context->ir, N_MUL, count, mk_cast(context->ir, T_UINT, extent));
    }
    return count;
}

/* array[around] = 0; for (chain) array[around] += term; */
static void sum_up(const NestContext *context, const Vec *moving, const Vec *still, const Vec *path, Node *term, Node *element, Vec *before)
{
    Ir *ir = context->ir;
    Node *zero = mk_int(ir, T_UINT, 0);
    Node *value = mk_binary(ir, N_ADD, element, mk_cast(ir, T_UINT, term));
    Node *body = mk_store(ir, element->sym, element->nkids, element->kid, value, N_ADD, term->loc);
    for (int i = path->count - 1; i >= 0; i--)
        body = with_kid(ir, stmt_at(path, i), 2, body);
    Node *both[] = {mk_store(ir, element->sym, element->nkids, element->kid, zero, N_NONE, term->loc), body};
    body = mk_block(ir, 2, both, term->loc);
    for (int i = moving->count - 1; i >= 0; i--)
        body = with_kid(ir, stmt_at(moving, i), 2, body);
    /* The spec reads nothing where a loop around is empty. */
    for (int i = 0; i < still->count; i++) {
        Node *extent = iterations_of(context, stmt_at(still, i));
        body = mk_if(ir, mk_binary(ir, N_GT, extent, mk_int(ir, (Type)extent->type, 0)), body, NULL, term->loc);
    }
    vec_push(ir->arena, before, mk_decl(ir, element->sym, NULL, term->loc));
    vec_push(ir->arena, before, body);
}

/* The element of an array that holds the sums of the term. */
static Node *sums_of(const NestContext *context, const Vec *around, const Vec *path, Node *term, Vec *before)
{
    Ir *ir = context->ir;
    Vec moving = {0}, still = {0};
    Node *extent[MAX_LOOPS], *at[MAX_LOOPS];
    if (around->count > MAX_LOOPS)
        return NULL;
    for (int i = 0; i < around->count; i++) {
        Node *loop = stmt_at(around, i), *trips = iterations_of(context, loop);
        if (!trips)
            return NULL;
        if (uses_sym(term, loop->sym)) {
            extent[moving.count] = trips;
            at[moving.count] = mk_var(ir, loop->sym);
        }
        vec_push(ir->arena, uses_sym(term, loop->sym) ? &moving : &still, loop);
    }
    if (!is_known(around, path, term))
        return NULL;
    if (!moving.count) { /* one sum, of a vector's elements */
        extent[0] = mk_int(ir, T_INT, 1);
        at[0] = mk_int(ir, T_INT, 0);
    }
    const int rank = moving.count ? moving.count : 1;
    Sym *array = sym_new_array(ir, S_LOCAL_ARRAY, T_UINT, "sums", rank, extent, term->loc);
    Node *element = mk_load(ir, array, rank, at);
    sum_up(context, &moving, &still, path, term, element, before);
    return element;
}

Node *share_value(const NestContext *context, const Vec *around, const Vec *path, const Share *share, Vec *before)
{
    Node *sums = iterations_of_chain(context, path);
    if (sums && share->term)
        sums = sums_of(context, around, path, share->term, before);
    return sums ? mk_binary(context->ir, N_MUL, mk_cast(context->ir, T_UINT, share->scale), sums) : NULL;
}
