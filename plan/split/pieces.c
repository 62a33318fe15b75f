/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of one loop get loops of their own, initialisations move down to what they initialise; then every statement with loops is tried
 * with the statements around it. */
#include "plan/split/pieces.h"

#include "depend/depend.h"
#include "depend/index.h"
#include "depend/poly.h"
#include "depend/sink.h"
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/contract/map.h"

typedef struct Arranging {
    const NestContext *context;
    const PlanOptions *opt;
    Node *loop;
    const Vec *scalars, *expansions;
    bool apart; /* sums of one loop have loops of their own */
    bool loosely;
} Arranging;

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

Node *loop_around(Ir *ir, Node *loop, Node *const *statements, int n)
{
    Node *kids[] = {loop->kid[0], loop->kid[1], mk_block(ir, n, statements, loop->loc)};
    return with_kids(ir, loop, 3, kids);
}

/* ---------------------------------------------------------------- extents */

static bool note_other(void *user, Node *n)
{
    bool *fits = user;
    *fits = *fits && n->kind != N_LOAD && n->kind != N_CALL && (n->kind != N_VAR || n->sym->kind == S_PARAM);
    return *fits;
}

/* The end of a loop from 0, made of parameters; NULL: it is no such loop. */
static Node *plain_end(Node *loop)
{
    Node *bound = counted_from_zero(loop);
    bool fits = bound != NULL;
    if (bound)
        walk(&(Walker){.pre = note_other, .user = &fits}, bound);
    return fits ? bound : NULL;
}

Node *iterations_of(const NestContext *context, Node *loop)
{
    Ir *ir = context->ir;
    Node *end = plain_end(loop);
    return end && known_nonnegative(ir, context->func, poly_of(ir, end)) ? end : NULL;
}

/* Some store that every iteration of loops `deep` below does, to an element that the loop's variable numbers. */
typedef struct Numbered {
    const Sym *var;
    int deep;
    Node *extent; /* of the array there; NULL: none is found */
} Numbered;

static void search_numbered(Numbered *s, const Node *n, int depth)
{
    if (n->kind == N_BLOCK)
        for (int i = 0; i < n->nkids; i++)
            search_numbered(s, n->kid[i], depth);
    else if (n->kind == N_FOR)
        search_numbered(s, n->kid[2], depth + 1);
    else if (n->kind == N_STORE && depth == s->deep)
        for (int d = 0; d < n->sym->rank; d++) {
            bool fits = n->kid[d]->kind == N_VAR && n->kid[d]->sym == s->var;
            walk(&(Walker){.pre = note_other, .user = &fits}, n->sym->extent[d]);
            s->extent = fits ? n->sym->extent[d] : s->extent;
        }
}

Node *room_for(const NestContext *context, Node *loop, int rank)
{
    Ir *ir = context->ir;
    Node *iterations = iterations_of(context, loop);
    Numbered s = {loop->sym, rank, NULL};
    if (!iterations)
        search_numbered(&s, loop->kid[2], 0);
    if (iterations || s.extent)
        return iterations ? iterations : s.extent;
    /* It may be negative where arrays of several dimensions have one subscript: then there are no iterations. */
    Node *end = plain_end(loop);
    return end ? ix_max(ir, widen(ir, end), ix_int(ir, 0)) : NULL;
}

/* ---------------------------------------------------------------- contractions */

static bool is_written(const Vec *list, int from, int to, const Sym *sym)
{
    for (int i = from; i < to; i++)
        if (writes_sym(stmt_at(list, i), sym))
            return true;
    return false;
}

static bool is_used(const Vec *list, int from, const Sym *sym)
{
    for (int i = from; i < list->count; i++)
        if (uses_sym(stmt_at(list, i), sym))
            return true;
    return false;
}

static bool search_bound(void *user, Node *n)
{
    const Sym *sym = user;
    return n->kind == N_FOR && (uses_sym(n->kid[0], sym) || uses_sym(n->kid[1], sym));
}

static bool bounds_loops(Node *n, const Sym *sym) { return any_stmt(n, search_bound, (void *)sym); }

/* Is a scalar that others give a value how far one of the statements' loops goes? Such loops differ from iteration to iteration. */
static bool are_bounded(const Arranging *a, const Vec *list, int from, int to)
{
    for (int i = 0; i < a->scalars->count; i++)
        for (int at = from; at < to; at++)
            if (!is_written(list, from, to, a->scalars->items[i]) && bounds_loops(stmt_at(list, at), a->scalars->items[i]))
                return true;
    return false;
}

/* The statements by themselves: with the declarations that they need, and what they hand on to those behind them, a scalar, stored
 * as if it were an element of an array. */
static bool by_themselves(const Arranging *a, const Vec *list, int from, int to, Vec *out)
{
    Ir *ir = a->context->ir;
    Sym *result = NULL;
    for (int i = 0; i < a->scalars->count; i++) {
        Sym *sym = a->scalars->items[i];
        if (!is_written(list, from, to, sym))
            continue;
        vec_push(ir->arena, out, mk_decl(ir, sym, NULL, sym->loc));
        if (!is_used(list, to, sym))
            continue;
        if (result)
            return false;
        result = sym;
    }
    for (int i = from; i < to; i++)
        vec_push(ir->arena, out, stmt_at(list, i));
    if (!result)
        return true;
    Node *extent = room_for(a->context, a->loop, 0), *at = mk_var(ir, a->loop->sym);
    if (!extent)
        return false;
    Sym *array = sym_new_array(ir, S_LOCAL_ARRAY, result->type, result->name, 1, &extent, result->loc);
    vec_push(ir->arena, out, mk_store(ir, array, 1, &at, mk_var(ir, result), N_NONE, result->loc));
    return true;
}

/* Do the statements touch an array that stands for one of the loop's body? */
static bool touches_expansion(const Arranging *a, const Vec *list, int from, int to)
{
    for (int i = 0; i < a->expansions->count; i++)
        for (int at = from; at < to; at++)
            if (uses_sym(stmt_at(list, at), ((const ArrayExpansion *)a->expansions->items[i])->to))
                return true;
    return false;
}

/* Sums of a few terms take no longer than to store an element in memory and to read it again. */
static bool are_long(const Arranging *a, const Contraction *c)
{
    enum { FEW_TERMS = 16 };
    int64_t terms = 0;
    return !poly_const(poly_of(a->context->ir, c->extent[R_K]), &terms) || terms >= FEW_TERMS;
}

/* What takes more than a loop of its own has to be a product of matrices. */
static bool is_contraction(const Arranging *a, const Vec *list, int from, int to)
{
    Vec some = {0};
    if (are_bounded(a, list, from, to) || !by_themselves(a, list, from, to, &some))
        return false;
    Node *loop = loop_around(a->context->ir, a->loop, (Node **)some.items, some.count);
    if (a->loosely)
        return match_nest(a->context, loop) != NULL;
    const Contraction *c = map_contraction(a->context, a->opt, loop);
    return c && ((!a->apart && some.count == 1) || has_rows_and_columns(c)) && (!touches_expansion(a, list, from, to) || are_long(a, c));
}

/* ---------------------------------------------------------------- scalars */

static bool is_scalar_decl(const Node *n) { return n->kind == N_DECL && !n->sym->rank; }

/* Declarations become assignments, if they give a value. */
static Vec without_declarations(Ir *ir, const Vec *list, Vec *scalars)
{
    Vec out = {0};
    for (int i = 0; i < list->count; i++) {
        Node *n = stmt_at(list, i);
        if (is_scalar_decl(n))
            vec_push(ir->arena, scalars, n->sym);
        if (!is_scalar_decl(n))
            vec_push(ir->arena, &out, n);
        else if (n->nkids)
            vec_push(ir->arena, &out, mk_assign(ir, n->sym, n->kid[0], N_NONE, n->loc));
    }
    return out;
}

/* ---------------------------------------------------------------- sums */

static bool is_sum(const Node *n) { return (n->kind == N_ASSIGN || n->kind == N_STORE) && compound_operand(n); }

static bool are_apart(Ir *ir, Node *a, Node *b)
{
    return !shares_scalar(ir, a, b) && !(a->kind == N_STORE && (a->sym == b->sym || reads_array(b, a->sym))) &&
           !(b->kind == N_STORE && reads_array(a, b->sym));
}

/* Loops around one of the sums that are all of the innermost one's body; NULL: they are not, or touch one another. */
static Node *with_one_sum(Ir *ir, Node *loop, int at, int *count)
{
    Node *body = only_statement(loop->kid[2]), *sum = body;
    if (body->kind == N_FOR) {
        sum = with_one_sum(ir, body, at, count);
        return sum ? loop_around(ir, loop, &sum, 1) : NULL;
    }
    *count = body->kind == N_BLOCK ? body->nkids : 1;
    if (*count < 2)
        return NULL;
    for (int i = 0; i < *count; i++)
        for (int j = 0; j < *count; j++)
            if (!is_sum(body->kid[i]) || (i != j && !are_apart(ir, body->kid[i], body->kid[j])))
                return NULL;
    return loop_around(ir, loop, &body->kid[at], 1);
}

/* Every loop of several sums as one loop for each. */
static Vec sums_apart(Ir *ir, const Vec *list)
{
    Vec out = {0};
    for (int i = 0; i < list->count; i++) {
        Node *n = stmt_at(list, i), *first;
        int count = 0;
        if (n->kind == N_FOR && (first = with_one_sum(ir, n, 0, &count))) {
            vec_push(ir->arena, &out, first);
            for (int j = 1; j < count; j++)
                vec_push(ir->arena, &out, with_one_sum(ir, n, j, &count));
        } else {
            vec_push(ir->arena, &out, n);
        }
    }
    return out;
}

/* ---------------------------------------------------------------- pieces */

static bool search_product(void *user, Node *n)
{
    (void)user;
    return n->kind == N_MUL || n->kind == N_CALL;
}

/* Loops without products are no contraction, whatever is around them. */
static bool may_multiply(Node *n) { return any_node(n, search_product, NULL) && has_kind(n, N_FOR); }

/* The statements around `at`, which has loops, that are a contraction with it: as much behind as possible, as little in front as
 * necessary. */
static bool find_window(const Arranging *a, const Vec *list, int first, int at, int *from, int *to)
{
    enum { IN_FRONT = 4, BEHIND = 16 }; /* initialisations have been brought near; epilogues may be long */
    int end = at + 1;
    while (end < list->count && end <= at + BEHIND && !has_kind(stmt_at(list, end), N_FOR))
        end++;
    for (*to = end; *to > at; --*to)
        for (*from = at; *from >= first && *from >= at - IN_FRONT; --*from)
            if (is_contraction(a, list, *from, *to))
                return true;
    return false;
}

/* Contractions are pieces, and what lies between them. */
static int number_pieces(const Arranging *a, const Vec *list, int *piece, bool *product)
{
    int pieces = 0, found = 0, done = 0;
    for (int at = 0; at < list->count; at++) {
        int from, to;
        if (at < done || !may_multiply(stmt_at(list, at)) || !find_window(a, list, done, at, &from, &to))
            continue;
        for (int i = done; i < from; i++)
            piece[i] = pieces;
        pieces += from > done;
        for (int i = from; i < to; i++) {
            piece[i] = pieces;
            product[i] = true;
        }
        pieces++;
        found++;
        done = to;
    }
    for (int i = done; i < list->count; i++)
        piece[i] = pieces;
    pieces += done < list->count;
    return found ? pieces : 0;
}

bool find_pieces(const NestContext *context, const PlanOptions *opt, Node *loop, const Vec *list, const Vec *expansions, bool loosely,
                 Pieces *out)
{
    Ir *ir = context->ir;
    Arranging a = {.context = context, .opt = opt, .loop = loop, .scalars = &out->scalars, .expansions = expansions, .loosely = loosely};
    *out = (Pieces){0};
    out->statements = without_declarations(ir, list, &out->scalars);
    Vec apart = sums_apart(ir, &out->statements);
    sink_assignments(ir, &out->statements);
    sink_assignments(ir, &apart);
    a.apart = apart.count > out->statements.count;
    out->piece = arena_new_array(ir->arena, int, apart.count + 1);
    out->product = arena_new_array(ir->arena, bool, apart.count + 1);
    out->count = number_pieces(&a, &apart, out->piece, out->product);
    if (out->count)
        out->statements = apart;
    return out->count > 0;
}
