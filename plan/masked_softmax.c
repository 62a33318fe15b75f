/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statement by statement behind the loop that sets the mask: what the masked elements are worth, and what that does to each loop over them. All of
 * these loops are restricted, or none. */
#include "plan/masked_softmax.h"

#include <math.h>
#include <stdio.h>

#include "depend/loop_range.h"
#include "ir/libm.h"
#include "ir/walk.h"

enum { MOST_AROUND = 16, MOST_RANK = 8 };

typedef struct Softmaxes {
    Ir *ir;
    const Func *func; /* NULL: the body assigns to parameters */
    LoopRange around[MOST_AROUND];
    int count;
    Node *top; /* the statement of the operator's body that is looked at */
    Vec ahead; /* statements that go before it */
} Softmaxes;

/* What all masked elements are worth at a place. */
typedef enum Worth { WORTH_UNKNOWN, WORTH_LEAST, WORTH_ZERO } Worth; /* anything; -INFINITY; 0 */

typedef struct Masked {
    Softmaxes *all;
    Ir *ir;
    Sym *array;
    Node *within; /* the loop over the elements that are not masked */
    Node *from; /* the first masked one */
    Poly *end; /* behind the last one */
    Node *hi; /* of the loop that masks */
    Kind hi_cmp;
    Worth worth;
    Map constants; /* by id of a scalar: the N_FLOAT that it was last set to */
    Sym *most, *sum, *inverse; /* recognized so far: the maximum, the sum of weights, and 1 / sum */
    Sym *private_most; /* a maximum that is NaN instead of -INFINITY, where all scores are NaN: nothing but weights may depend on it */
    bool is_low; /* the maximum began at -INFINITY, or so far down that it makes no difference */
    /* of the loop that is looked at */
    Sym *var;
    Map locals; /* by id: the value that a scalar of the body was set to, with WORTH_UNKNOWN as NULL */
    int handled; /* loads of the array in restricted loops of a statement */
} Masked;

/* ---------------------------------------------------------------- values */

static bool is_negative_infinity(const Node *e)
{
    while (e->kind == N_CAST && type_is_float(e->type))
        e = e->kid[0];
    return e->kind == N_NEG ? e->kid[0]->kind == N_FLOAT && isinf(e->kid[0]->u.f) && e->kid[0]->u.f > 0
                            : e->kind == N_FLOAT && isinf(e->u.f) && e->u.f < 0;
}

/* A load of the element that the loop is at. */
static bool is_element(const Masked *m, const Node *e)
{
    return e->kind == N_LOAD && e->sym == m->array && e->kid[0]->kind == N_VAR && e->kid[0]->sym == m->var;
}

static bool is_var(const Node *e, const Sym *sym) { return sym && e->kind == N_VAR && e->sym == sym; }

static Worth worth_of(const Masked *m, const Node *e);

static Worth worth_of_product(const Masked *m, const Node *a, const Node *b)
{
    const Worth worth = worth_of(m, a);
    if (worth == WORTH_ZERO && is_var(b, m->inverse))
        return WORTH_ZERO;
    return worth == WORTH_LEAST && b->kind == N_FLOAT && b->u.f > 0 && !isinf(b->u.f) ? WORTH_LEAST : WORTH_UNKNOWN;
}

/* Of an expression in a loop over the elements, for a masked one: NaNs of rows that are all NaN apart. */
static Worth worth_of(const Masked *m, const Node *e)
{
    if (is_negative_infinity(e))
        return WORTH_LEAST;
    if (is_element(m, e))
        return m->worth;
    const Node *value = e->kind == N_VAR ? map_get(&m->locals, e->sym->id) : NULL;
    if (value)
        return value->kind == N_INT ? (Worth)value->u.i : WORTH_UNKNOWN;
    if (e->kind == N_CAST && type_is_float(e->type))
        return worth_of(m, e->kid[0]);
    if (e->kind == N_SUB && is_var(e->kid[1], m->most))
        return worth_of(m, e->kid[0]) == WORTH_LEAST ? WORTH_LEAST : WORTH_UNKNOWN;
    if (e->kind == N_DIV && is_var(e->kid[1], m->sum))
        return worth_of(m, e->kid[0]) == WORTH_ZERO ? WORTH_ZERO : WORTH_UNKNOWN;
    if (e->kind == N_CALL && (is_libm(e->sym, "exp") || is_libm(e->sym, "exp2")))
        return worth_of(m, e->kid[0]) == WORTH_LEAST ? WORTH_ZERO : WORTH_UNKNOWN;
    if (e->kind != N_MUL)
        return WORTH_UNKNOWN;
    const Worth worth = worth_of_product(m, e->kid[0], e->kid[1]);
    return worth == WORTH_UNKNOWN ? worth_of_product(m, e->kid[1], e->kid[0]) : worth;
}

static void set_local(Masked *m, const Sym *sym, Worth worth) { *map_at(m->ir->arena, &m->locals, sym->id) = mk_int(m->ir, T_INT, worth); }

/* ---------------------------------------------------------------- loops over the elements */

/* Does the loop run over all elements, from `least` at most? */
static bool is_over_all(const Masked *m, Node *loop, int64_t least)
{
    Bounds b;
    return loop_declares(loop) && for_bounds(loop, &b) && b.step == 1 && (b.cmp == N_LT || b.cmp == N_LE) &&
           b.var->type == m->within->sym->type && b.lo->kind == N_INT && b.lo->u.i >= 0 && b.lo->u.i <= least &&
           !writes_sym(loop->kid[2], b.var) && poly_equal(poly_add(m->ir, poly_of(m->ir, b.hi), poly_int(m->ir, b.cmp == N_LE)), m->end);
}

/* The same over those that are not masked. */
static Node *restricted(const Masked *m, Node *loop)
{
    return with_kid(m->ir, loop, 1, substitute(m->ir, m->within->kid[1], m->within->sym, mk_var(m->ir, loop->sym)));
}

/* Notes a maximum, if it begins at a number or at the first element, before which nothing was compared. */
static bool take_most(Masked *m, Sym *most, bool is_fmax)
{
    const Node *start = map_get(&m->constants, most->id);
    const bool from_element = start && start->kind == N_LOAD;
    if (!start || m->worth != WORTH_LEAST || (!from_element && isnan(start->u.f)))
        return false;
    m->most = most;
    m->private_most = from_element && is_fmax ? most : NULL;
    m->is_low = from_element || start->u.f <= -1e9L;
    return true;
}

/* m = fmaxf(m, e); m = e > m ? e : m, and such, where a masked e changes nothing. */
static bool is_maximum(const Masked *m, const Node *value, const Sym *most, bool *is_fmax)
{
    *is_fmax = value->kind == N_CALL && is_libm(value->sym, "fmax");
    if (*is_fmax) {
        const bool first = is_var(value->kid[0], most);
        return (first || is_var(value->kid[1], most)) && worth_of(m, value->kid[first]) == WORTH_LEAST;
    }
    if (value->kind != N_SEL || !is_var(value->kid[2], most) || worth_of(m, value->kid[1]) != WORTH_LEAST)
        return false;
    const Node *cond = value->kid[0];
    const bool up = cond->kind == N_GT || cond->kind == N_GE;
    return (up || cond->kind == N_LT || cond->kind == N_LE) && cond->kid[!up] == value->kid[1] && is_var(cond->kid[up], most);
}

static bool take_assignment(Masked *m, Node *n)
{
    bool is_fmax;
    if (map_get(&m->locals, n->sym->id)) {
        set_local(m, n->sym, worth_of(m, stmt_value(n)));
        return true;
    }
    if (is_maximum(m, stmt_value(n), n->sym, &is_fmax))
        return take_most(m, n->sym, is_fmax);
    const Node *start = map_get(&m->constants, n->sym->id);
    if (n->aux != N_ADD || worth_of(m, compound_operand(n)) != WORTH_ZERO || !start || start->kind != N_FLOAT || !(start->u.f >= 0))
        return false;
    m->sum = n->sym;
    return true;
}

/* A statement of a loop over the elements: does it change nothing but the element where that is masked? */
static bool take_statement(Masked *m, Node *n)
{
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            if (!take_statement(m, n->kid[i]))
                return false;
        return true;
    }
    if (n->kind == N_DECL && !n->sym->rank) {
        set_local(m, n->sym, n->nkids ? worth_of(m, n->kid[0]) : WORTH_UNKNOWN);
        return true;
    }
    if (n->kind == N_ASSIGN)
        return take_assignment(m, n);
    if (n->kind == N_STORE && n->sym == m->array && is_var(n->kid[0], m->var)) {
        m->worth = worth_of(m, stmt_value(n));
        return m->worth != WORTH_UNKNOWN;
    }
    if (n->kind != N_IF || n->nkids != 2)
        return false;
    Node *then = n->kid[1]; /* if (e > m) m = e; */
    while (then->kind == N_BLOCK && then->nkids == 1)
        then = then->kid[0];
    const Node *cond = n->kid[0];
    const bool up = cond->kind == N_GT || cond->kind == N_GE;
    return then->kind == N_ASSIGN && !then->aux && worth_of(m, then->kid[0]) == WORTH_LEAST &&
           (up || cond->kind == N_LT || cond->kind == N_LE) && cond->kid[!up] == then->kid[0] && is_var(cond->kid[up], then->sym) &&
           take_most(m, then->sym, false);
}

static bool takes_elements(Masked *m, Node *loop)
{
    Node *most_before = (Node *)m->most;
    m->var = loop->sym;
    m->locals = (Map){0};
    if (!is_over_all(m, loop, 1) || !take_statement(m, loop->kid[2]))
        return false;
    /* only a maximum that began at element 0 may leave it out */
    const bool from_second = loop->kid[0]->u.i == 1, is_new = (Node *)m->most != most_before;
    const Node *start = is_new ? map_get(&m->constants, m->most->id) : NULL;
    return !from_second || (start && start->kind == N_LOAD && m->worth == WORTH_LEAST);
}

/* ---------------------------------------------------------------- products */

typedef struct Count {
    const Sym *array;
    int count;
} Count;

static bool count_use(void *user, Node *n)
{
    Count *c = user;
    c->count += n->sym == c->array;
    return true;
}

static int uses_of(Node *n, const Sym *array)
{
    Count c = {.array = array};
    walk(&(Walker){.pre = count_use, .user = &c}, n);
    return c.count;
}

/* Of y in o += s[l] * y, the load of an element that nothing in the statement writes, which one subscript alone numbers by l; else NULL. */
static Node *factor(const Masked *m, Node *y, int *position)
{
    while (y->kind == N_CAST && type_is_float(y->type) && type_is_float(y->kid[0]->type))
        y = y->kid[0];
    if (y->kind != N_LOAD || y->sym == m->array || y->nkids != y->sym->rank || y->nkids < 2 || y->nkids > MOST_RANK ||
        writes_sym(m->all->top, y->sym))
        return NULL;
    *position = -1;
    for (int i = 0; i < y->nkids; i++) {
        if (!y->sym->extent[i])
            return NULL;
        if (!uses_sym(y->kid[i], m->var))
            continue;
        if (*position >= 0 || !is_var(y->kid[i], m->var))
            return NULL;
        *position = i;
    }
    return *position < 0 ? NULL : y;
}

/* for (e0 ..) for (e1 ..) { last = -1; for (l ..) last = v[e0][l][e1] - v[e0][l][e1] == 0 ? last : l; array[e0][e1] = last; } */
static Sym *last_not_finite(const Masked *m, const Node *load, int position)
{
    Ir *ir = m->ir;
    const Loc loc = load->loc;
    Sym *v = load->sym, *vars[MOST_RANK];
    Node *extents[MOST_RANK], *subscripts[MOST_RANK], *all[MOST_RANK];
    const Type type = m->within->sym->type;
    int rank = 0;
    for (int i = 0; i < v->rank; i++) {
        char name[16];
        snprintf(name, sizeof name, "e%d", i);
        vars[i] = sym_new(ir, S_LOOP, type, name, loc);
        all[i] = mk_var(ir, vars[i]);
        if (i != position) {
            subscripts[rank] = all[i];
            extents[rank++] = v->extent[i];
        }
    }
    Sym *array = sym_new_array(ir, S_LOCAL_ARRAY, type, "not_finite", rank, extents, loc);
    Sym *last = sym_new(ir, S_LOCAL, type, "last", loc);
    Node *element = mk_load(ir, v, v->rank, all);
    if (type_bits(element->type) < 32)
        element = mk_cast(ir, T_FLOAT, element);
    Node *is_finite = mk_binary(ir, N_EQ, mk_binary(ir, N_SUB, element, element), mk_float(ir, element->type, 0));
    Node *step = mk_assign(ir, last, mk_select(ir, is_finite, mk_var(ir, last), all[position]), N_NONE, loc);
    Node *hi = mk_binary(ir, m->hi_cmp, all[position], m->hi);
    Node *search = mk_for(ir, vars[position], mk_int(ir, type, 0), hi, 1, mk_block(ir, 1, &step, loc), true, loc);
    Node *stmts[] = {mk_decl(ir, last, mk_int(ir, type, -1), loc), search,
                     mk_store(ir, array, rank, subscripts, mk_var(ir, last), N_NONE, loc)};
    Node *body = mk_block(ir, 3, stmts, loc);
    for (int i = v->rank - 1; i >= 0; i--)
        if (i != position) {
            Node *more = mk_binary(ir, N_LT, all[i], mk_cast(ir, type, v->extent[i]));
            Node *loop = mk_for(ir, vars[i], mk_int(ir, type, 0), more, 1, body, true, loc);
            body = mk_block(ir, 1, &loop, loc);
        }
    vec_push(ir->arena, &m->all->ahead, mk_decl(ir, array, NULL, loc));
    vec_push(ir->arena, &m->all->ahead, body->kid[0]);
    return array;
}

/* Of a statement that adds weight * y to what behind the loop is `sum`: its value there, NaN if a masked y is not finite. NULL: it is another one. */
static Node *corrected(Masked *m, Node *n, Sym *sum)
{
    Ir *ir = m->ir;
    const Node *term = n->aux == N_ADD ? compound_operand(n) : NULL;
    if (!term || term->kind != N_MUL || n->sym == m->array || !type_is_float(n->sym->type) || m->worth != WORTH_ZERO)
        return NULL;
    const bool first = worth_of(m, term->kid[0]) == WORTH_ZERO;
    int position, rank = 0;
    Node *load = first || worth_of(m, term->kid[1]) == WORTH_ZERO ? factor(m, term->kid[first], &position) : NULL;
    if (!load)
        return NULL;
    Sym *last = last_not_finite(m, load, position);
    Node *subscripts[MOST_RANK];
    for (int i = 0; i < load->nkids; i++)
        if (i != position)
            subscripts[rank++] = load->kid[i];
    Node *spoils = mk_binary(ir, N_GE, mk_load(ir, last, rank, subscripts), m->from);
    Node *nan = mk_float(ir, n->sym->type, (long double)NAN);
    return mk_select(ir, spoils, nan, mk_var(ir, sum));
}

/* for (d ..) o[d] += weight * y in the loop: for (d ..) { out = o[d]; for (l ..) out += weight * y; o[d] = last[d] > t ? NAN : out; } */
static Node *restricted_store(Masked *m, Node *loop, Node *n)
{
    Ir *ir = m->ir;
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    if (n->kind == N_FOR) {
        const bool fixed = !uses_sym(n->kid[0], m->var) && !uses_sym(n->kid[1], m->var) && !uses_sym(n->kid[1], m->array);
        Node *body = fixed ? restricted_store(m, loop, n->kid[2]) : NULL;
        return body ? with_kid(ir, n, 2, body) : NULL;
    }
    if (n->kind != N_STORE)
        return NULL;
    const int rank = n->nkids - 1;
    for (int i = 0; i < rank; i++)
        if (uses_sym(n->kid[i], m->var) || reads_array(n->kid[i], NULL))
            return NULL;
    Sym *out = sym_new(ir, S_LOCAL, n->sym->type, "out", n->loc);
    Node *sum = corrected(m, n, out);
    if (!sum)
        return NULL;
    Node *value = mk_cast(ir, n->sym->type, mk_binary(ir, N_ADD, mk_var(ir, out), compound_operand(n)));
    Node *add = mk_assign(ir, out, value, N_ADD, n->loc);
    Node *stmts[] = {mk_decl(ir, out, mk_load(ir, n->sym, rank, n->kid), n->loc),
                     with_kid(ir, restricted(m, loop), 2, mk_block(ir, 1, &add, n->loc)),
                     mk_store(ir, n->sym, rank, n->kid, sum, N_NONE, n->loc)};
    return mk_block(ir, 3, stmts, n->loc);
}

/* Pushes what the loop becomes, if it is a product. */
static bool restrict_loop(Masked *m, Node *loop, Vec *kids)
{
    Ir *ir = m->ir;
    Node *n = loop->kid[2];
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    Node *sum = n->kind == N_ASSIGN ? corrected(m, n, n->sym) : NULL, *stores = sum ? NULL : restricted_store(m, loop, n);
    if (sum) {
        vec_push(ir->arena, kids, restricted(m, loop));
        vec_push(ir->arena, kids, mk_assign(ir, n->sym, sum, N_NONE, n->loc));
    }
    if (stores)
        vec_push(ir->arena, kids, stores);
    m->handled += sum || stores ? uses_of(loop, m->array) : 0;
    return sum || stores;
}

static Node *restrict_product(void *user, Node *n)
{
    Masked *m = user;
    if (n->kind != N_BLOCK)
        return n;
    Vec kids = {0};
    bool changed = false;
    for (int i = 0; i < n->nkids; i++) {
        Node *loop = n->kid[i];
        m->var = loop->sym;
        m->locals = (Map){0};
        if (loop->kind == N_FOR && uses_sym(loop, m->array) && is_over_all(m, loop, 0) && restrict_loop(m, loop, &kids))
            changed = true;
        else
            vec_push(m->ir->arena, &kids, loop);
    }
    return changed ? with_kids(m->ir, n, kids.count, (Node **)kids.items) : n;
}

/* The statement with restricted products; NULL: it uses the elements otherwise. */
static Node *with_products(Masked *m, Node *n)
{
    m->handled = 0;
    Node *block = mk_block(m->ir, 1, &n, n->loc);
    Node *changed = rewrite(&(Rewriter){.ir = m->ir, .post = restrict_product, .user = m}, block);
    return m->handled == uses_of(n, m->array) ? changed : NULL;
}

/* ---------------------------------------------------------------- the block */

static bool forget_constant(void *user, Node *n)
{
    Masked *m = user;
    if (n->kind == N_ASSIGN)
        *map_at(m->ir->arena, &m->constants, n->sym->id) = NULL;
    return !is_expr(n);
}

/* A statement that does not use the elements, or only the first one. */
static bool take_scalars(Masked *m, Node *n)
{
    const Sym *written[] = {m->most, m->sum, m->inverse};
    for (int i = 0; i < 3; i++)
        if (written[i] && writes_sym(n, written[i])) {
            m->most = i == 0 ? NULL : m->most;
            m->sum = i == 1 ? NULL : m->sum;
            m->inverse = NULL;
        }
    if (m->private_most && uses_sym(n, m->private_most))
        return false;
    walk(&(Walker){.pre = forget_constant, .user = m}, n);
    const bool is_set = (n->kind == N_DECL && n->nkids) || (n->kind == N_ASSIGN && !n->aux);
    if (!is_set || n->sym->rank)
        return !uses_sym(n, m->array);
    Node *value = n->kid[0];
    const bool is_first = value->kind == N_LOAD && value->sym == m->array && is_int(value->kid[0], 0);
    Node *number = value;
    while (number->kind == N_CAST && type_is_float(number->type))
        number = number->kid[0];
    if (number->kind == N_NEG && number->kid[0]->kind == N_FLOAT)
        number = mk_float(m->ir, number->type, -number->kid[0]->u.f);
    *map_at(m->ir->arena, &m->constants, n->sym->id) = number->kind == N_FLOAT || is_first ? number : NULL;
    if (value->kind == N_DIV && value->kid[0]->kind == N_FLOAT && value->kid[0]->u.f == 1 && is_var(value->kid[1], m->sum) && m->is_low)
        m->inverse = n->sym;
    return is_first ? m->worth == WORTH_LEAST : !uses_sym(n, m->array);
}

/* The statement restricted; NULL: nothing of it all can be. */
static Node *restricted_statement(Masked *m, Node *n)
{
    if (n->kind == N_FOR && uses_sym(n, m->array)) {
        const Masked before = *m;
        if (takes_elements(m, n))
            return restricted(m, n);
        *m = before;
        return m->private_most && uses_sym(n, m->private_most) ? NULL : with_products(m, n);
    }
    if (uses_sym(n, m->array) && (n->kind == N_BLOCK || n->kind == N_IF))
        return NULL;
    return take_scalars(m, n) ? n : NULL;
}

static bool is_declared_in(const Node *block, const Sym *array, int before)
{
    int uses = 0;
    bool declared = false;
    for (int i = 0; i < before; i++) {
        uses += uses_sym(block->kid[i], array);
        declared = declared || (block->kid[i]->kind == N_DECL && block->kid[i]->sym == array);
    }
    return declared && uses == 1;
}

/* Is p never negative while the loops around run? */
static bool never_negative(const Softmaxes *s, Poly *p)
{
    Poly *least = extreme_inside(s->ir, s->func, p, s->around, s->count, false);
    return least && known_nonnegative(s->ir, s->func, least);
}

/* Do the rows make a triangle? Of one in which few elements are masked, looking for what is not finite would cost more than it saves. */
static bool is_triangle(const Masked *m)
{
    const Softmaxes *s = m->all;
    for (int i = 0; i < s->count; i++) {
        int64_t shift, least, rest;
        const LoopRange *r = &s->around[i];
        if (r->least && r->most && poly_const(poly_sub(m->ir, poly_of(m->ir, m->from), poly_of(m->ir, mk_var(m->ir, r->var))), &shift) &&
            poly_const(r->least, &least) && poly_const(poly_sub(m->ir, m->end, r->most), &rest))
            return true;
    }
    return false;
}

/* Are these the loop over what is not masked, and that over what is? */
static bool is_masked(Masked *m, const Node *block, int at)
{
    Ir *ir = m->ir;
    Node *within = block->kid[at], *fill = block->kid[at + 1];
    Bounds a, b;
    if (within->kind != N_FOR || fill->kind != N_FOR || !loop_declares(within) || !loop_declares(fill) || !for_bounds(within, &a) ||
        !for_bounds(fill, &b) || a.step != 1 || b.step != 1 || !is_int(a.lo, 0) || (a.cmp != N_LT && a.cmp != N_LE) ||
        (b.cmp != N_LT && b.cmp != N_LE) || a.var->type != b.var->type || (Type)b.lo->type != b.var->type ||
        (Type)b.hi->type != b.var->type)
        return false;
    Node *store = fill->kid[2]->nkids ? fill->kid[2]->kid[fill->kid[2]->nkids - 1] : NULL;
    if (!store || store->kind != N_STORE || store->sym->kind != S_LOCAL_ARRAY || store->sym->rank != 1 || store->aux)
        return false;
    *m = (Masked){.all = m->all, .ir = ir, .array = store->sym, .within = within, .from = b.lo, .hi = b.hi, .hi_cmp = b.cmp, .var = b.var};
    m->end = poly_add(ir, poly_of(ir, b.hi), poly_int(ir, b.cmp == N_LE));
    Poly *from = poly_of(ir, b.lo), *first_end = poly_add(ir, poly_of(ir, a.hi), poly_int(ir, a.cmp == N_LE));
    return take_statement(m, fill->kid[2]) && m->worth == WORTH_LEAST && uses_of(fill, m->array) == 1 && poly_equal(from, first_end) &&
           never_negative(m->all, poly_sub(ir, from, poly_int(ir, 1))) && is_declared_in(block, m->array, at) && is_triangle(m) &&
           is_stable_in(m->all->top, b.hi);
}

/* The block with the softmax behind the loops restricted; the block itself if it is none. */
static Node *restricted_block(Softmaxes *s, Node *block, int at)
{
    Masked m = {.all = s, .ir = s->ir};
    if (!is_masked(&m, block, at))
        return block;
    const int ahead = s->ahead.count;
    Vec kids = {0};
    for (int i = 0; i < block->nkids; i++) {
        Node *kid = i < at || i > at + 1 ? restricted_statement(&m, block->kid[i]) : block->kid[i];
        if (i < at && uses_sym(block->kid[i], m.array))
            kid = block->kid[i];
        if (!kid) {
            s->ahead.count = ahead;
            return block;
        }
        if (i != at + 1)
            vec_push(s->ir->arena, &kids, kid);
    }
    return with_kids(s->ir, block, kids.count, (Node **)kids.items);
}

static Node *restrict_all(Softmaxes *s, Node *n)
{
    if (is_expr(n))
        return n;
    const bool counted = n->kind == N_FOR && s->count < MOST_AROUND;
    if (counted)
        s->around[s->count++] = range_of_loop(s->ir, n);
    Node **kids = arena_new_array(s->ir->arena, Node *, n->nkids + 1);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = restrict_all(s, n->kid[i]);
    n = with_kids(s->ir, n, n->nkids, kids);
    for (int i = 0; n->kind == N_BLOCK && i + 1 < n->nkids; i++)
        n = restricted_block(s, n, i);
    s->count -= counted;
    return n;
}

Node *restrict_masked_softmax(Ir *ir, const Func *func)
{
    Softmaxes s = {.ir = ir, .func = func};
    Vec kids = {0};
    for (int i = 0; i < func->nparams; i++)
        if (!func->params[i]->rank && writes_sym(func->body, func->params[i]))
            return func->body;
    bool changed = false;
    for (int i = 0; i < func->body->nkids; i++) {
        s.top = func->body->kid[i];
        s.ahead = (Vec){0};
        Node *kid = restrict_all(&s, s.top);
        changed = changed || kid != s.top;
        for (int j = 0; j < s.ahead.count; j++)
            vec_push(ir->arena, &kids, s.ahead.items[j]);
        vec_push(ir->arena, &kids, kid);
    }
    return changed ? with_kids(ir, func->body, kids.count, (Node **)kids.items) : func->body;
}
