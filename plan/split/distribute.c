/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries to separate the statements of a loop, outermost loops first, where a contraction comes of it. */
#include "plan/split/distribute.h"

#include <string.h>

#include "depend/depend.h"
#include "depend/index.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "plan/split/element_sums.h"
#include "plan/split/expand_scalars.h"
#include "plan/contract/map.h"
#include "plan/split/pieces.h"
#include "plan/contract/quantized.h"
#include "plan/split/read_back.h"
#include "plan/split/read_bounds.h"
#include "plan/split/split_sums.h"
#include "plan/split/sum_fission.h"

typedef struct Distributing {
    const NestContext *context;
    const PlanOptions *opt;
    Vec *rest;
} Distributing;

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

static Node *block_of(Ir *ir, const Vec *list, Loc loc)
{
    return list->count == 1 && stmt_at(list, 0)->kind != N_DECL ? stmt_at(list, 0) : mk_block(ir, list->count, (Node **)list->items, loc);
}

static bool is_contraction(const Distributing *d, Node *loop) { return map_contraction(d->context, d->opt, loop) != NULL; }

/* Declarations that stand for expressions over parameters and loop variables would keep the statements together: their uses, which are all
 * behind them, are replaced. */
static void fill_declarations(const NestContext *context, Vec *list)
{
    Ir *ir = context->ir;
    Vec out = {0};
    Map known = {0};
    uint64_t bits = 0;
    for (int i = 0; i < list->count; i++) {
        Node *stmt = stmt_at(list, i);
        Node *def = stmt->kind == N_DECL ? map_get(&context->defs, stmt->sym->id) : NULL;
        if (def) {
            *map_at(ir->arena, &known, stmt->sym->id) = def;
            bits |= sym_bit(stmt->sym);
        } else {
            vec_push(ir->arena, &out, bits ? substitute_each(ir, stmt, &known, bits) : stmt);
        }
    }
    *list = out;
}

/* Two pieces, the first in front of the other, that depend on each other's iterations. */
static bool find_cycle(const Distributing *d, Node *loop, const Pieces *p, int *first, int *last)
{
    const NestContext *c = d->context;
    for (int i = 0; i < p->statements.count; i++)
        for (int j = i + 1; j < p->statements.count; j++) {
            Node *a = stmt_at(&p->statements, i), *b = stmt_at(&p->statements, j);
            if (p->piece[i] != p->piece[j] && (shares_scalar(c->ir, a, b) || carries_dependence(c->ir, loop, a, b, &c->defs))) {
                *first = p->piece[i];
                *last = p->piece[j];
                return true;
            }
        }
    return false;
}

/* They become one, with all that lies between them. False: no contraction is left. */
static bool merge_pieces(Pieces *p, int first, int last)
{
    bool any = false;
    for (int i = 0; i < p->statements.count; i++) {
        const bool merged = p->piece[i] >= first && p->piece[i] <= last;
        p->product[i] = p->product[i] && !merged;
        p->piece[i] = merged ? first : p->piece[i] - (p->piece[i] > last ? last - first : 0);
        any = any || p->product[i];
    }
    p->count -= last - first;
    return any;
}

static Pieces copy_of(Ir *ir, const Pieces *p)
{
    Pieces copy = *p;
    const int n = p->statements.count;
    copy.statements = (Vec){0};
    for (int i = 0; i < n; i++)
        vec_push(ir->arena, &copy.statements, stmt_at(&p->statements, i));
    copy.piece = arena_new_array(ir->arena, int, n + 1);
    memcpy(copy.piece, p->piece, (size_t)n * sizeof *copy.piece);
    return copy;
}

/* The pieces that may have loops of their own, with what they hand on expanded: `arrays` gets the declarations. False: there is no
 * contraction among them. */
static bool settle_pieces(const Distributing *d, Node *loop, Pieces *found, const Vec *expansions, Pieces *pieces, Vec *arrays)
{
    for (int first, last; found->count > 1;) {
        *pieces = copy_of(d->context->ir, found);
        *arrays = (Vec){0};
        if (!expand_scalars(d->context, loop, pieces, expansions, arrays))
            return false;
        if (!find_cycle(d, loop, pieces, &first, &last))
            return true;
        if (!merge_pieces(found, first, last))
            return false;
    }
    return false;
}

/* Bounds that read memory or scalars that the body writes are evaluated anew by every piece. */
static bool bounds_are_stable(Ir *ir, Node *loop)
{
    return loop->aux && !reads_array(loop->kid[0], NULL) && !reads_array(loop->kid[1], NULL) &&
           !shares_scalar(ir, loop->kid[2], loop->kid[1]) && !shares_scalar(ir, loop->kid[2], loop->kid[0]);
}

/* What stands for a statement; and what would stand for it if loops around it make more of it. */
typedef struct Parts {
    Vec settled, tried;
} Parts;

static Parts distribute_list(const Distributing *d, Node *n);
static Parts distribute_loop(const Distributing *d, Node *loop);

static bool are_same(const Vec *a, const Vec *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = stmt_at(a, i) == stmt_at(b, i);
    return same;
}

/* The loop around what stands for its body; itself when nothing changed. */
static Node *with_body(Ir *ir, Node *loop, const Vec *inner)
{
    const Vec before = loop->kid[2]->kind == N_BLOCK ? (Vec){(void **)loop->kid[2]->kid, loop->kid[2]->nkids, 0}
                                                     : (Vec){(void **)&loop->kid[2], 1, 0};
    Node *kids[] = {loop->kid[0], loop->kid[1], block_of(ir, inner, loop->loc)};
    return are_same(&before, inner) ? loop : with_kids(ir, loop, 3, kids);
}

/* The loops, one per piece, that stand for the loop around `inner`. */
static bool split(const Distributing *d, Node *loop, const Vec *inner, bool loosely, Vec *out)
{
    Ir *ir = d->context->ir;
    Pieces found, pieces;
    Vec list = {0}, expansions = {0};
    for (int i = 0; i < inner->count; i++)
        vec_push(ir->arena, &list, inner->items[i]);
    hold_element_sums(ir, &list);
    fill_declarations(d->context, &list);
    separate_sums(ir, &list);
    read_back(ir, &list);
    expand_arrays(d->context, d->opt, loop, &list, &expansions);
    *out = (Vec){0};
    if (!bounds_are_stable(ir, loop) || !find_pieces(d->context, d->opt, loop, &list, &expansions, loosely, &found) ||
        !settle_pieces(d, loop, &found, &expansions, &pieces, out))
        return false;
    for (int i = 0; i < pieces.statements.count;) {
        int end = i + 1;
        while (end < pieces.statements.count && pieces.piece[end] == pieces.piece[i])
            end++;
        vec_push(ir->arena, out, loop_around(ir, loop, (Node **)pieces.statements.items + i, end - i));
        i = end;
    }
    return true;
}

static void append(Ir *ir, Vec *list, const Vec *more)
{
    for (int i = 0; i < more->count; i++)
        vec_push(ir->arena, list, more->items[i]);
}

static Vec only(Ir *ir, Node *n)
{
    Vec list = {0};
    vec_push(ir->arena, &list, n);
    return list;
}

typedef struct Products {
    const Distributing *d;
    int found;
    const Contraction *one; /* of them */
    bool plain;             /* some of them are not of quantized or narrow numbers that may come packed */
} Products;

static bool is_narrow_constant(const Contraction *c)
{
    return c->dots != FAM_COUNT && ((c->a.array && c->a.array->is_constant) || (c->b.array && c->b.array->is_constant));
}

static bool note_product(void *user, Node *n)
{
    Products *p = user;
    const Contraction *c = n->kind == N_FOR ? map_contraction(p->d->context, p->d->opt, n) : NULL;
    if (c && (has_rows_and_columns(c) || is_narrow_constant(c))) {
        p->found++;
        p->one = c;
        const Quantized *q = p->d->opt->cuda ? take_quantized(p->d->context->ir, c) : find_quantized(p->d->context->ir, c);
        p->plain = p->plain || ((!q || (p->d->opt->cuda && q->bits > 8)) && !is_narrow_constant(c));
    }
    return !c && !is_expr(n);
}

static Products products_in(const Distributing *d, const Vec *list)
{
    Products p = {.d = d};
    for (int i = 0; i < list->count; i++)
        walk(&(Walker){.pre = note_product, .user = &p}, stmt_at(list, i));
    return p;
}

/* The loop with bounds that memory holds read in front of it, if a product of matrices comes of that. */
static bool distribute_read(const Distributing *d, Node *loop, Parts *out)
{
    Ir *ir = d->context->ir;
    Vec declarations = {0};
    Node *plain = d->opt->cuda && !d->context->in_ragged ? NULL : read_bounds(ir, loop, &declarations);
    if (!plain)
        return false;
    const Parts parts = distribute_loop(d, plain);
    if (!products_in(d, &parts.settled).found)
        return false;
    *out = (Parts){0};
    append(ir, &out->settled, &declarations);
    append(ir, &out->settled, &parts.settled);
    out->tried = out->settled;
    return true;
}

/* Loops that stand for a loop: itself, or one per piece. */
static Parts distribute_loop(const Distributing *outside, Node *loop)
{
    Ir *ir = outside->context->ir;
    const NestContext inside = context_in(outside->context, loop);
    const Distributing own = {&inside, outside->opt, outside->rest}, *d = &own;
    Parts out;
    if (distribute_read(d, loop, &out))
        return out;
    const Parts inner = distribute_list(d, loop->kid[2]);
    Node *whole = with_body(ir, loop, &inner.settled), *tried = with_body(ir, loop, &inner.tried);
    if (is_contraction(d, whole))
        return (Parts){only(ir, whole), only(ir, whole)};
    if (split(d, tried, &inner.tried, false, &out.settled)) {
        /* What is none by itself may be one with the loops around, too. */
        if (!split(d, tried, &inner.tried, true, &out.tried) || out.tried.count <= out.settled.count)
            out.tried = out.settled;
        return out;
    }
    if (!split(d, whole, &inner.settled, false, &out.settled))
        out.settled = only(ir, whole);
    if (!split(d, tried, &inner.tried, true, &out.tried))
        out.tried = only(ir, tried);
    return out;
}

static Node *distribute_stmt(const Distributing *d, Node *n)
{
    Vec list = distribute_list(d, n).settled;
    return list.count == 1 && list.items[0] == n ? n : block_of(d->context->ir, &list, n->loc);
}

/* A block's statements are given one by one, but a block among them stays one. */
static Parts distribute_list(const Distributing *d, Node *n)
{
    Ir *ir = d->context->ir;
    Parts out = {0};
    if (n->kind == N_FOR)
        return distribute_loop(d, n);
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++) {
            Node *kid = n->kid[i];
            const bool is_block = kid->kind == N_BLOCK;
            const Vec one = is_block ? only(ir, distribute_stmt(d, kid)) : (Vec){0};
            const Parts parts = is_block ? (Parts){one, one} : distribute_list(d, kid);
            append(ir, &out.settled, &parts.settled);
            append(ir, &out.tried, &parts.tried);
        }
        return out;
    }
    if (n->kind == N_IF) {
        Node *kids[3] = {n->kid[0]};
        for (int i = 1; i < n->nkids; i++)
            kids[i] = distribute_stmt(d, n->kid[i]);
        n = with_kids(ir, n, n->nkids, kids);
    }
    return (Parts){only(ir, n), only(ir, n)};
}

typedef struct Unique {
    Ir *ir;
    Map seen;  /* by symbol id: the symbol, when a loop has declared it */
    Vec *rest; /* gets new variables, which all loops have then; NULL: those have them whose variable another loop has */
} Unique;

static Node *unique_pre(void *user, Node *n)
{
    Unique *u = user;
    if (is_expr(n))
        return n;
    if (n->kind != N_FOR || !n->aux)
        return NULL;
    void **seen = map_at(u->ir->arena, &u->seen, n->sym->id);
    if (u->rest ? *seen != NULL : !*seen) {
        *seen = n->sym;
        return NULL;
    }
    Sym *var = sym_new(u->ir, n->sym->kind, n->sym->type, n->sym->name, n->sym->loc);
    if (u->rest) {
        *map_at(u->ir->arena, &u->seen, var->id) = var;
        vec_push(u->ir->arena, u->rest, var);
    }
    return rewrite(&(Rewriter){.ir = u->ir, .pre = unique_pre, .user = u}, rename_sym(u->ir, n, n->sym, var));
}

/* The statement with loops of its own, which stay loops. */
static Node *kept_as_loops(const Distributing *d, Node *n)
{
    Unique u = {.ir = d->context->ir, .rest = d->rest};
    return u.rest ? rewrite(&(Rewriter){.ir = u.ir, .pre = unique_pre, .user = &u}, n) : n;
}

/* Every loop gets a variable of its own again. */
static Node *unique_loops(Ir *ir, Node *body)
{
    Unique u = {.ir = ir};
    return rewrite(&(Rewriter){.ir = ir, .pre = unique_pre, .user = &u}, body);
}

/* ---------------------------------------------------------------- sums of several products */

static bool search_local(void *user, Node *n)
{
    bool *known = user;
    *known = *known && n->kind != N_LOAD && (n->kind != N_VAR || n->sym->kind == S_PARAM);
    return *known;
}

/* Of few rows each product would take as long as all of them together in the spec's loops along columns, which read the operands once
 * and pack nothing. NULL: their number is not known outside. */
static Node *has_many(Ir *ir, const Contraction *c)
{
    enum { FEW_BYTES = 2, FEW = 3, FEW_PACKED = 8, FEW_APART = 16, FEW_COLUMNS = 8 };
    const bool as_it_lies = c->b.in_place && (is_int(c->b.stride[R_N], 1) || is_int(c->b.stride[R_K], 1));
    const int few = !c->b.strided ? FEW_PACKED : c->family == FAM_I8 ? FEW_BYTES : as_it_lies ? FEW : FEW_APART;
    bool known = true;
    walk(&(Walker){.pre = search_local, .user = &known}, c->extent[R_M]);
    walk(&(Walker){.pre = search_local, .user = &known}, c->extent[R_N]);
    Node *rows = mk_binary(ir, N_GE, c->extent[R_M], ix_int(ir, few));
    return known ? mk_binary(ir, N_LOR, rows, mk_binary(ir, N_LT, c->extent[R_N], ix_int(ir, FEW_COLUMNS))) : NULL;
}

/* What stands for a statement of the operator's body: with sums of several products taken apart if each of these then is a contraction;
 * `alone`: no other statement has loops, which might become part of them. */
static Vec distribute_top(const Distributing *d, Node *n, bool alone)
{
    Ir *ir = d->context->ir;
    int count;
    Node *split = split_sums(d->context, d->opt, n, &count);
    if (!count)
        return distribute_list(d, n).settled;
    const Vec list = distribute_list(d, split).settled;
    const Products products = products_in(d, &list);
    if (products.found < count)
        return distribute_list(d, n).settled;
    /* Of GPUs, kernels for one product, and for packed codes, are for few rows as well. */
    const bool few = d->opt->cuda && (!products.plain || products.found == 1);
    Node *many = alone && !few ? has_many(ir, products.one) : NULL;
    if (many && (many = simplify(ir, many))->kind == N_INT) { /* known now: one of the two would never run */
        if (many->u.i == 0)
            return distribute_list(d, n).settled;
        many = NULL;
    }
    /* Loops would need what is packed as codes, or words, as it was. */
    if (many && d->context->func->packed && !products.plain)
        many = mk_binary(ir, N_LOR, mk_var(ir, d->context->func->packed), many);
    if (!many)
        return list;
    return only(ir, mk_if(ir, many, mk_block(ir, list.count, (Node **)list.items, n->loc), kept_as_loops(d, n), n->loc));
}

Node *distribute(const NestContext *context, const PlanOptions *opt, Vec *rest, Node *body)
{
    const Distributing d = {context, opt, rest};
    Vec list = {0};
    int loops = 0;
    for (int i = 0; i < body->nkids; i++)
        loops += has_kind(body->kid[i], N_FOR);
    for (int i = 0; i < body->nkids; i++) {
        Node *kid = body->kid[i];
        const Vec some = kid->kind == N_BLOCK ? only(context->ir, distribute_stmt(&d, kid)) : distribute_top(&d, kid, loops == 1);
        append(context->ir, &list, &some);
    }
    return unique_loops(context->ir, with_kids(context->ir, body, list.count, (Node **)list.items));
}
