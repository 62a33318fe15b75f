/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that start no counter stop by a flag, which was false before them: if (!v) stop = true; else { ... } */
#include "plan/vectors/bit_loops.h"

#include "ir/walk.h"

typedef struct BitLoop {
    Sym *bits, *count;
    const Node *counted; /* the assignment to the latter */
} BitLoop;

static Node *without_casts(Node *e)
{
    while (e->kind == N_CAST && type_is_integer(e->type) && type_is_integer(e->kid[0]->type) &&
           type_bits(e->type) >= type_bits(e->kid[0]->type))
        e = e->kid[0];
    return e;
}

static bool is_var(Node *e, const Sym *sym)
{
    e = without_casts(e);
    return e->kind == N_VAR && e->sym == sym;
}

static bool is_one(Node *e) { return is_int(without_casts(e), 1); }

/* Is it v == 0? */
static bool is_zero_test(const Node *cond, const Sym *v)
{
    while (cond->kind == N_CAST)
        cond = cond->kid[0];
    return cond->kind == N_LNOT ? is_var(cond->kid[0], v) : cond->kind == N_EQ && is_var(cond->kid[0], v) && is_int(cond->kid[1], 0);
}

/* The value as the operation of which its type keeps all bits that count. */
static Node *operation(const Node *assign)
{
    Node *value = assign->kid[0];
    return value->kind == N_CAST && type_is_integer(value->kid[0]->type) ? value->kid[0] : value;
}

/* v & (v - 1) */
static bool clears_lowest(const Node *e, const Sym *v)
{
    for (int i = 0; e->kind == N_AND && i < 2; i++) {
        Node *less = without_casts(e->kid[1 - i]);
        const bool subtracts = less->kind == N_SUB && is_var(less->kid[0], v) && is_one(less->kid[1]);
        const bool adds = less->kind == N_ADD && is_var(less->kid[0], v) && is_int(less->kid[1], -1);
        if (is_var(e->kid[i], v) && (subtracts || adds))
            return true;
    }
    return false;
}

/* v >> 1, of what is never negative. */
static bool drops_lowest(const Node *e, const Sym *v)
{
    return e->kind == N_SHR && is_var(e->kid[0], v) && is_one(e->kid[1]) && !type_is_signed(v->type);
}

/* c + 1, or c + (v & 1) */
static bool counts(const Node *e, const Sym *c, const Sym *v, bool lowest)
{
    if (e->kind != N_ADD || !is_var(e->kid[0], c))
        return false;
    Node *term = without_casts(e->kid[1]);
    if (!lowest)
        return is_one(term);
    return term->kind == N_AND && is_var(term->kid[0], v) && is_one(term->kid[1]);
}

static bool is_counter(const Sym *sym) { return type_is_integer(sym->type) && sym->type != T_BOOL && !sym->rank && !sym->is_volatile; }

/* The two assignments of an iteration. */
static bool find_pair(Node *body, BitLoop *found)
{
    Node *set[2] = {NULL, NULL};
    if (body->kind != N_BLOCK || body->nkids != 2)
        return false;
    for (int i = 0; i < 2; i++) {
        set[i] = body->kid[i];
        if (set[i]->kind != N_ASSIGN || !is_counter(set[i]->sym))
            return false;
    }
    for (int i = 0; i < 2; i++) { /* set[i] changes v */
        const Sym *v = set[i]->sym, *c = set[1 - i]->sym;
        const bool clears = clears_lowest(operation(set[i]), v), drops = i == 1 && drops_lowest(operation(set[i]), v);
        if (c != v && type_bits(c->type) >= 32 && (clears || drops) && counts(operation(set[1 - i]), c, v, drops)) {
            *found = (BitLoop){set[i]->sym, set[1 - i]->sym, set[1 - i]};
            return true;
        }
    }
    return false;
}

/* Is it a loop that counts bits, behind `before`? */
static bool find_loop(const Node *before, const Node *loop, BitLoop *found)
{
    const Node *cond = loop->kind == N_FOR ? loop->kid[1] : NULL, *stop = cond && cond->kind == N_LNOT ? cond->kid[0] : NULL;
    Node *branch = stop && stop->kind == N_VAR ? loop->kid[2] : NULL;
    while (branch && branch->kind == N_BLOCK && branch->nkids == 1)
        branch = branch->kid[0];
    if (!branch || branch->kind != N_IF || branch->nkids != 3)
        return false;
    const Node *stops = branch->kid[1];
    while (stops->kind == N_BLOCK && stops->nkids == 1)
        stops = stops->kid[0];
    return (before->kind == N_DECL || before->kind == N_ASSIGN) && before->sym == stop->sym && before->nkids && is_int(before->kid[0], 0) &&
           stops->kind == N_ASSIGN && stops->sym == stop->sym && is_int(stops->kid[0], 1) && find_pair(branch->kid[2], found) &&
           is_zero_test(branch->kid[0], found->bits);
}

static Type without_sign(Type type)
{
    switch (type_bits(type)) {
    case 8: return T_UCHAR;
    case 16: return T_USHORT;
    case 32: return T_UINT;
    default: return T_ULONG;
    }
}

/* What the loop leaves. */
static void put_count(Ir *ir, const BitLoop *found, const Node *loop, Vec *out)
{
    const Type type = type_bits(found->bits->type) == 64 ? T_ULONG : T_UINT, sums = (Type)operation(found->counted)->type;
    Node *bits = mk_cast(ir, type, mk_cast(ir, without_sign(found->bits->type), mk_var(ir, found->bits)));
    Node *count = mk_cast(ir, sums, mk_unary(ir, N_POPCOUNT, bits));
    Node *sum = mk_cast(ir, found->count->type, mk_binary(ir, N_ADD, mk_cast(ir, sums, mk_var(ir, found->count)), count));
    vec_push(ir->arena, out, mk_assign(ir, found->count, sum, N_NONE, loop->loc));
    vec_push(ir->arena, out, mk_assign(ir, found->bits, mk_int(ir, found->bits->type, 0), N_NONE, loop->loc));
}

static Node *count_in_block(void *user, Node *block)
{
    Ir *ir = user;
    Vec out = {0};
    bool changed = false;
    for (int i = 0; block->kind == N_BLOCK && i < block->nkids; i++) {
        BitLoop found;
        const Node *n = block->kid[i];
        if (i && find_loop(block->kid[i - 1], n, &found)) {
            put_count(ir, &found, n, &out);
            changed = true;
        } else {
            vec_push(ir->arena, &out, block->kid[i]);
        }
    }
    return changed ? mk_block(ir, out.count, (Node **)out.items, block->loc) : block;
}

Node *count_bits_at_once(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = count_in_block, .user = ir}, body); }
