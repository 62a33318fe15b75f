/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops from the inside out, so that a sum may go up by several. */
#include "plan/vectors/accumulator_promotion.h"

#include "depend/reduce.h"
#include "ir/walk.h"

typedef struct Holding {
    Ir *ir;
    bool *reorders;
} Holding;

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

/* The statements, those of blocks among them one by one. */
static void flatten(Ir *ir, Node *n, Vec *list)
{
    for (int i = 0; i < n->nkids && n->kind == N_BLOCK; i++)
        flatten(ir, n->kid[i], list);
    if (n->kind != N_BLOCK)
        vec_push(ir->arena, list, n);
}

/* e of acc = acc + e; NULL: the statement is none. */
static Node *added_to(const Node *n)
{
    const Node *value = n->kind == N_ASSIGN ? n->kid[0] : NULL;
    if (!value || value->kind != N_ADD)
        return NULL;
    if (value->kid[0]->kind == N_VAR && value->kid[0]->sym == n->sym)
        return value->kid[1];
    return value->kid[1]->kind == N_VAR && value->kid[1]->sym == n->sym ? value->kid[0] : NULL;
}

static int uses_of(const Vec *list, const Sym *sym)
{
    int uses = 0;
    for (int i = 0; i < list->count; i++)
        uses += uses_sym(stmt_at(list, i), sym);
    return uses;
}

static bool is_zero(const Node *n) { return (n->kind == N_INT && n->u.i == 0) || (n->kind == N_FLOAT && n->u.f == 0); }

static int declaration_of(const Vec *list, const Sym *sym)
{
    for (int i = 0; i < list->count; i++)
        if (stmt_at(list, i)->kind == N_DECL && stmt_at(list, i)->sym == sym)
            return i;
    return -1;
}

static bool is_sum_of_lanes(const Node *e) { return e && e->kind == N_FOLD && e->u.i == RED_SUM; }

/* The multiple of the scalar that `e` is, of the vector in its place; NULL: it is none, or lanes are of another size. */
static Node *multiple(Ir *ir, Node *e, const Sym *scalar, Node *vector)
{
    const LaneWidth width = type_lane_width((Type)vector->type);
    if (e->kind == N_VAR)
        return e->sym == scalar ? vector : NULL;
    if (e->kind == N_CAST) {
        Node *kid = multiple(ir, e->kid[0], scalar, vector);
        const bool fits = kid && type_bits((Type)e->type) == type_bits((Type)e->kid[0]->type) && type_bits((Type)e->type) >= 32;
        return fits && type_is_float((Type)e->type) ? mk_expr(ir, N_CAST, type_like((Type)e->type, (Type)kid->type), NULL, 1, &kid, e->loc)
                                                    : NULL;
    }
    if (e->kind != N_MUL || uses_sym(e->kid[0], scalar) == uses_sym(e->kid[1], scalar))
        return NULL;
    const int at = uses_sym(e->kid[1], scalar);
    Node *kid = multiple(ir, e->kid[at], scalar, vector), *other = kid ? mk_splat(ir, e->kid[1 - at], width) : NULL;
    Node *kids[] = {at ? other : kid, at ? kid : other};
    return kid && other->type == kid->type ? mk_expr(ir, N_MUL, (Type)kid->type, NULL, 2, kids, e->loc) : NULL;
}

/* A sum of the loop, statement `at` of its body, as vectors: what is added in each iteration. *scalar: what held the lanes' sum until
 * then, if anything did, and *put, the statement that put it there. NULL: it is no such sum. */
static Node *vector_added(Ir *ir, const Vec *list, int at, Sym **scalar, int *put)
{
    Node *added = added_to(stmt_at(list, at));
    const Sym *acc = stmt_at(list, at)->sym;
    *scalar = NULL;
    if (!added || declaration_of(list, acc) >= 0 || uses_of(list, acc) != 1 || uses_sym(added, acc))
        return NULL;
    if (is_sum_of_lanes(added))
        return added->kid[0];
    for (int i = 0; i < at; i++) {
        Node *sum = added_to(stmt_at(list, i));
        Sym *sym = stmt_at(list, i)->sym;
        const int declared = is_sum_of_lanes(sum) ? declaration_of(list, sym) : -1;
        if (declared < 0 || !uses_sym(added, sym))
            continue;
        const Node *decl = stmt_at(list, declared);
        if (!decl->nkids || !is_zero(decl->kid[0]) || uses_of(list, sym) != 3)
            return NULL;
        *scalar = sym;
        *put = i;
        return multiple(ir, added, sym, sum->kid[0]);
    }
    return NULL;
}

/* acc = acc + a * b with one rounding where there is an instruction for it, as vectorized loops have it. */
static Node *plus(Ir *ir, Node *sum, Node *added)
{
    const bool fuses = added->kind == N_MUL && type_is_float((Type)added->type);
    Node *both[] = {sum, added}, *three[] = {fuses ? added->kid[0] : NULL, fuses ? added->kid[1] : NULL, sum};
    return mk_expr(ir, fuses ? N_MULADD : N_ADD, (Type)sum->type, NULL, fuses ? 3 : 2, fuses ? three : both, added->loc);
}

/* Makes the sum one of vectors; what is to stand before the loop goes to `before`, what behind to `behind`. */
static void hold(const Holding *h, Vec *list, int at, Vec *before, Vec *behind)
{
    Ir *ir = h->ir;
    Sym *scalar;
    int put = -1;
    Node *added = vector_added(ir, list, at, &scalar, &put), *stmt = stmt_at(list, at);
    if (!added)
        return;
    const Type element = stmt->sym->type;
    Node *zero = type_is_float(element) ? mk_float(ir, element, -0.0L) : mk_int(ir, element, 0);
    Sym *sums = sym_new(ir, S_LOCAL, (Type)added->type, arena_printf(ir->arena, "%ss", stmt->sym->name), stmt->loc);
    Node *held = mk_var(ir, sums);
    vec_push(ir->arena, before, mk_decl(ir, sums, mk_splat(ir, zero, type_lane_width((Type)added->type)), stmt->loc));
    vec_push(ir->arena, behind, with_kid(ir, stmt, 0, mk_binary(ir, N_ADD, mk_var(ir, stmt->sym), mk_fold(ir, RED_SUM, held))));
    list->items[at] = mk_assign(ir, sums, plus(ir, held, added), N_NONE, stmt->loc);
    if (scalar) {
        const int declared = declaration_of(list, scalar);
        list->items[put] = list->items[declared] = mk_block(ir, 0, NULL, stmt->loc);
    }
    *h->reorders = *h->reorders || type_is_float(element);
}

static Node *hold_of_loop(void *user, Node *n)
{
    const Holding *h = user;
    Ir *ir = h->ir;
    Vec list = {0}, before = {0}, behind = {0};
    if (n->kind != N_FOR || !has_kind(n->kid[2], N_FOR))
        return n;
    flatten(ir, n->kid[2], &list);
    for (int i = 0; i < list.count; i++)
        if (stmt_at(&list, i)->kind == N_ASSIGN && !uses_sym(n->kid[1], stmt_at(&list, i)->sym))
            hold(h, &list, i, &before, &behind);
    if (!before.count)
        return n;
    vec_push(ir->arena, &before, with_kid(ir, n, 2, mk_block(ir, list.count, (Node **)list.items, n->loc)));
    for (int i = 0; i < behind.count; i++)
        vec_push(ir->arena, &before, behind.items[i]);
    return mk_block(ir, before.count, (Node **)before.items, n->loc);
}

Node *promote_accumulators(Ir *ir, Node *body, bool *reorders)
{
    Holding h = {ir, reorders};
    return rewrite(&(Rewriter){.ir = ir, .post = hold_of_loop, .user = &h}, body);
}
