/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops get their roles from where they occur: in the output and one operand m or n, in both operands only k,
 * in all three batch. Names and order do not matter. */
#include "plan/contract/map.h"

#include "depend/index.h"
#include "ir/walk.h"
#include "plan/contract/delinearization.h"
#include "plan/contract/narrow.h"
#include "plan/contract/nest_access.h"
#include "plan/contract/fold_loops.h"
#include "plan/contract/profitability.h"
#include "plan/contract/epilogue.h"
#include "plan/contract/wrapping.h"

enum { MAX_FACTORS = 16 };

typedef struct Factors {
    Node *factor[MAX_FACTORS];
    unsigned loops[MAX_FACTORS];
    int group[MAX_FACTORS]; /* 0: A, 1: B, 2: no reduction loop moves it */
    int n;
    bool negative;
} Factors;

static unsigned reduction_mask(const Nest *nest)
{
    unsigned mask = 0;
    for (int i = 0; i < nest->nloops; i++)
        if (nest->loop[i].reduction)
            mask |= 1u << i;
    return mask;
}

/* ---------------------------------------------------------------- factors and groups */

/* The factors of a converted product of integers, each converted itself; NULL: the product, or that, would be rounded. */
static Node *converted_factors(Ir *ir, const Node *e)
{
    const int64_t exact = e->type == T_FLOAT ? 1 << 24 : (int64_t)1 << 53;
    if (e->kind != N_CAST || (e->type != T_FLOAT && e->type != T_DOUBLE) || e->kid[0]->kind != N_MUL ||
        !type_is_integer((Type)e->kid[0]->type) || !fits_between(e->kid[0], -exact, exact))
        return NULL;
    return mk_binary(ir, N_MUL, mk_cast(ir, (Type)e->type, e->kid[0]->kid[0]), mk_cast(ir, (Type)e->type, e->kid[0]->kid[1]));
}

static bool add_factors(const Nest *nest, Factors *f, Node *e)
{
    Node *converted = converted_factors(nest->ir, e);
    if (!converted)
        converted = wrapping_factors(nest->ir, e);
    if (converted)
        e = converted;
    if (e->kind == N_MUL)
        return add_factors(nest, f, e->kid[0]) && add_factors(nest, f, e->kid[1]);
    if (e->kind == N_NEG) {
        f->negative = !f->negative;
        return add_factors(nest, f, e->kid[0]);
    }
    if (f->n == MAX_FACTORS)
        return false;
    f->loops[f->n] = loops_in(nest, e);
    f->factor[f->n++] = e;
    return true;
}

/* Two factors on the same side share an output loop; loops that all of them share are batch and do not count.
 */
static bool group_factors(const Nest *nest, Factors *f)
{
    unsigned k = reduction_mask(nest), common = ~0u, sides[MAX_FACTORS];
    int nsides = 0, moved = 0;
    for (int i = 0; i < f->n; i++) {
        if (f->loops[i] & k && f->loops[i] & ~k) {
            common &= f->loops[i];
            moved++;
        }
    }
    if (moved < 2)
        common = 0;
    for (int i = 0; i < f->n; i++) {
        f->group[i] = f->loops[i] & k ? -1 : 2;
        unsigned own = f->loops[i] & ~k & ~common;
        if (f->group[i] == 2 || !own)
            continue;
        for (int s = 0; s < nsides;) { /* merge every side it touches */
            if (sides[s] & own) {
                own |= sides[s];
                sides[s] = sides[--nsides];
            } else {
                s++;
            }
        }
        sides[nsides++] = own;
    }
    if (nsides == 0)
        return false; /* neither m nor n: a dot product per point */
    /* The first factor's side is A; everything that is not on it is B. */
    unsigned a = 0;
    bool used[2] = {false, false};
    for (int i = 0; i < f->n; i++) {
        unsigned own = f->loops[i] & ~k & ~common;
        if (f->group[i] == 2)
            continue;
        for (int s = 0; s < nsides && !a; s++)
            if (sides[s] & own)
                a = sides[s];
        f->group[i] = own & a || (!own && nsides > 1) ? 0 : 1;
        used[f->group[i]] = true;
    }
    return used[0] && used[1];
}

static Node *product_of(Ir *ir, const Factors *f, int group)
{
    Node *product = NULL;
    for (int i = 0; i < f->n; i++)
        if (f->group[i] == group)
            product = product ? mk_binary(ir, N_MUL, product, f->factor[i]) : f->factor[i];
    return product;
}

static void set_roles(Mapping *m)
{
    unsigned a = loops_in(m->nest, m->c->a.value), b = loops_in(m->nest, m->c->b.value);
    for (int i = 0; i < m->nest->nloops; i++) {
        bool in_a = a & 1u << i, in_b = b & 1u << i;
        m->role[i] = m->nest->loop[i].reduction ? R_K : in_a == in_b ? R_BATCH : in_a ? R_M : R_N;
    }
}

static bool plays(const Mapping *m, Role role)
{
    bool found = false;
    for (int i = 0; i < m->nest->nloops; i++)
        found = found || m->role[i] == role;
    return found;
}

static void swap_sides(Mapping *m)
{
    Operand a = m->c->a;
    m->c->a = m->c->b;
    m->c->b = a;
    for (int i = 0; i < m->nest->nloops; i++)
        m->role[i] = m->role[i] == R_M ? R_N : m->role[i] == R_N ? R_M : m->role[i];
}

/* ---------------------------------------------------------------- guards */

typedef struct Guards {
    Node *a, *b, *sum; /* conjunctions; NULL: none */
} Guards;

static Node *both(Ir *ir, Node *a, Node *b) { return a ? mk_binary(ir, N_LAND, a, b) : b; }

/* A condition that may fail relies on the ones tested before it, so those have to stay with it. */
static bool may_part(const Nest *nest)
{
    for (int i = 0; i < nest->guards.count; i++)
        if (!always_defined(nest, nest->guards.items[i]))
            return false;
    return true;
}

/* A triangle's longest line reads all elements that the square around it does, of an operand that is the same for each of its lines: does the
 * spec read it there for all points, also of those outside of `within`, which triangles alone are in? */
static bool is_read_anyway(const Nest *nest, Node *operand)
{
    for (int i = 0; i < nest->within.count; i++)
        if (!uses_sym(operand, nest->square[i].along) || uses_sym(operand, nest->square[i].around))
            return false;
    return true;
}

/* Puts each condition where its loops are: on A, on B, on both when only k and batch loops move it (then
 * neither is read where it fails), on the sum when no reduction loop does. An operand that is now read where
 * the spec would not read it must be defined there. */
static bool place_guards(Mapping *m, Guards *g)
{
    const Nest *nest = m->nest;
    Ir *ir = m->ir;
    unsigned of_role[R_COUNT] = {0};
    for (int i = 0; i < nest->nloops; i++)
        of_role[m->role[i]] |= 1u << i;
    /* Does some condition not protect it? */
    bool a_bare = !is_read_anyway(nest, m->c->a.value), b_bare = !is_read_anyway(nest, m->c->b.value);
    const bool triangles = nest->within.count + nest->guards.count == nest->nsquares;
    for (int i = 0; i < nest->guards.count; i++) {
        Node *cond = nest->guards.items[i];
        unsigned loops = loops_in(nest, cond);
        bool in_m = loops & of_role[R_M], in_n = loops & of_role[R_N];
        if (!(loops & of_role[R_K])) {
            g->sum = both(ir, g->sum, cond);
            a_bare = b_bare = true;
            continue;
        }
        if (in_m && in_n)
            return false;
        /* A mask taken from data may be there to keep an infinity or NaN of the other operand out of the sum, where
         * zero times it would not. */
        if ((in_m || in_n) && type_is_float(nest->acc->type) && has_load(cond))
            return false;
        if (!in_n)
            g->a = both(ir, g->a, cond);
        if (!in_m)
            g->b = both(ir, g->b, cond);
        a_bare = a_bare || (in_n && !triangles);
        b_bare = b_bare || (in_m && !triangles);
    }
    int places = (g->a != NULL) + (g->b != NULL) + (g->sum != NULL);
    return (places <= 1 || may_part(nest)) && (!a_bare || always_defined(nest, m->c->a.value)) &&
           (!b_bare || always_defined(nest, m->c->b.value));
}

static Node *zero_of(Ir *ir, Type type) { return type_is_float(type) ? mk_float(ir, type, 0) : mk_int(ir, type, 0); }

static Node *guarded(Ir *ir, Node *cond, Node *value) { return cond ? mk_select(ir, cond, value, zero_of(ir, (Type)value->type)) : value; }

/* What no reduction loop moves is applied to the finished sum. The spec evaluates it only if there is a term,
 * so where it might fail it needs that condition. */
static void set_sum_factor(Mapping *m, Node *factor, Node *guard)
{
    Ir *ir = m->ir;
    Node *extent = ix_int(ir, 1);
    for (int i = 0; i < m->nest->nloops; i++)
        if (m->nest->loop[i].reduction)
            extent = ix_mul(ir, extent, m->nest->loop[i].extent);
    Node *has_terms = mk_binary(ir, N_GT, extent, ix_int(ir, 0));
    if (factor && !always_defined(m->nest, factor))
        factor = guarded(ir, has_terms, factor);
    if (guard && !always_defined(m->nest, guard))
        guard = both(ir, has_terms, guard);
    m->sum_factor = factor;
    m->sum_guard = guard;
}

/* ---------------------------------------------------------------- types */

static bool narrow_operands(Mapping *m, Type narrow, Family family)
{
    Contraction *c = m->c;
    Node *a = narrowed(m->ir, narrow, c->a.value), *b = narrowed(m->ir, narrow, c->b.value);
    if (!a || !b)
        return false;
    c->a.value = a;
    c->b.value = b;
    c->elem = narrow;
    c->family = family;
    return true;
}

static Node *in_fp8(Ir *ir, Node *e)
{
    Node *found = narrowed(ir, T_E4M3, e);
    return found ? found : narrowed(ir, T_E5M2, e);
}

static bool fp8_operands(Mapping *m)
{
    Contraction *c = m->c;
    Node *a = in_fp8(m->ir, c->a.value), *b = in_fp8(m->ir, c->b.value);
    if (!a || !b)
        return false;
    c->a.value = a;
    c->b.value = b;
    c->elem = T_E4M3;
    c->family = FAM_F8;
    return true;
}

static bool whole_words(Mapping *m)
{
    Contraction *c = m->c;
    if (m->opt->cuda)
        return false;
    c->family = FAM_I32;
    c->a.value = wrapping(m->ir, c->acc, c->a.value);
    c->b.value = wrapping(m->ir, c->acc, c->b.value);
    return true;
}

/* Sums in float, double, int and unsigned have kernels; half and bf16 sums round after every step and other integers are
 * rare. */
static bool choose_family(Mapping *m)
{
    Contraction *c = m->c;
    c->elem = c->acc;
    c->dots = FAM_COUNT;
    switch (c->acc) {
    case T_FLOAT:
        c->family = FAM_F32;
        if (!m->opt->cuda)
            choose_dots(m->ir, c, m->opt->held);
        else if (!narrow_operands(m, T_HALF, FAM_F16) && !narrow_operands(m, T_BF16, FAM_BF16) && !fp8_operands(m))
            c->tf32 = m->opt->tf32;
        return true;
    case T_DOUBLE: c->family = FAM_F64; return true;
    case T_INT:
        if (!fits_between(c->a.value, -0x8000, 0x7fff) || !fits_between(c->b.value, -0x8000, 0x7fff))
            return whole_words(m);
        if (m->opt->cuda && to_bytes(m->ir, c))
            return true;
        c->family = FAM_I8;
        if (!m->opt->cuda)
            choose_dots(m->ir, c, m->opt->held);
        c->elem = T_SHORT;
        c->a.value = mk_cast(m->ir, T_SHORT, c->a.value);
        c->b.value = mk_cast(m->ir, T_SHORT, c->b.value);
        return true;
    case T_UINT: return whole_words(m);
    default: return false;
    }
}

/* ---------------------------------------------------------------- is it one */

typedef struct OwnReads {
    const Nest *nest;
    bool beside, other; /* it reads elements that lie beside those it writes; others that may be among them */
} OwnReads;

static bool operand_pre(void *user, Node *n)
{
    OwnReads *own = user;
    if (n->kind == N_LOAD && n->sym == own->nest->out && !is_other_part(own->nest, n->kid)) {
        own->beside = true;
        own->other = own->other || !is_beside(own->nest, n->kid);
    }
    return !own->other;
}

/* Nothing but the epilogue may touch the output: an operand that reads it would see half-done sums. Reading a
 * part of the array that the nest does not write is fine: the previous time step, say. */
static OwnReads operands_in_output(const Nest *nest)
{
    OwnReads own = {nest, false, false};
    Walker w = {.pre = operand_pre, .user = &own};
    walk(&w, nest->product);
    for (int i = 0; i < nest->guards.count; i++)
        walk(&w, nest->guards.items[i]);
    for (int d = 0; d < nest->out->rank; d++)
        own.other = own.other || has_load(nest->sub[d]);
    return own;
}

/* ---------------------------------------------------------------- scalars from outside */

typedef struct Capture {
    Ir *ir;
    const Contraction *c;
    Vec syms;
    Vec declared;
} Capture;

static bool contains(const Vec *vec, const void *item)
{
    for (int i = 0; i < vec->count; i++)
        if (vec->items[i] == item)
            return true;
    return false;
}

static bool capture_pre(void *user, Node *n)
{
    Capture *cap = user;
    if (n->kind == N_DECL)
        vec_push(cap->ir->arena, &cap->declared, n->sym);
    if (n->kind != N_VAR || n->sym->kind == S_PARAM || n->sym == cap->c->sum)
        return true;
    for (int i = 0; i < cap->c->ndims; i++)
        if (cap->c->dims[i].var == n->sym)
            return true;
    if (!contains(&cap->declared, n->sym) && !contains(&cap->syms, n->sym))
        vec_push(cap->ir->arena, &cap->syms, n->sym);
    return true;
}

void capture_scalars(Ir *ir, Contraction *c)
{
    Capture cap = {.ir = ir, .c = c};
    Walker w = {.pre = capture_pre, .user = &cap};
    walk(&w, c->a.value);
    walk(&w, c->b.value);
    walk(&w, c->epilogue);
    const Operand *operands[] = {&c->a, &c->b, &c->c};
    for (int i = 0; i < 3; i++) {
        if (!operands[i]->strided)
            continue;
        walk(&w, operands[i]->base);
        for (int r = 0; r < R_COUNT; r++)
            walk(&w, operands[i]->stride[r]);
    }
    for (int i = 0; i < c->ndims; i++) {
        walk(&w, c->dims[i].lo);
        walk(&w, c->dims[i].extent);
    }
    if (c->applies.condition)
        walk(&w, c->applies.condition);
    c->captured = (Sym **)cap.syms.items;
    c->ncaptured = cap.syms.count;
}

bool has_rows_and_columns(const Contraction *c)
{
    bool has[R_COUNT] = {false};
    for (int i = 0; i < c->ndims; i++)
        has[c->dims[i].role] = true;
    return has[R_M] && has[R_N];
}

/* A matrix-vector product inside a loop: a GPU runs the whole loop at once as a plain nest, and that is better
 * than one small launch after the other. */
static bool is_row_of_parallel(const Contraction *c)
{
    bool inside = false;
    for (int i = 0; i < c->ncaptured; i++)
        inside = inside || c->captured[i]->kind == S_LOOP;
    return inside && !has_rows_and_columns(c);
}

static bool is_local(void *user, Node *n)
{
    (void)user;
    return n->kind == N_VAR && n->sym->kind == S_LOCAL;
}

/* Bounds that memory holds: the host of a GPU cannot read them to launch the product, which loops on the device are then, or, where it can be
 * one, a ragged batch. */
static bool is_bounded_by_memory(const Contraction *c)
{
    for (int i = 0; i < c->ndims; i++)
        if (any_node(c->dims[i].lo, is_local, NULL) || any_node(c->dims[i].extent, is_local, NULL))
            return true;
    return false;
}

/* ---------------------------------------------------------------- all together */

static bool map_operands(Mapping *m)
{
    Ir *ir = m->ir;
    Contraction *c = m->c;
    Factors f = {.negative = m->nest->negative};
    if (!add_factors(m->nest, &f, m->nest->product) || !group_factors(m->nest, &f))
        return false;
    m->nest->negative = f.negative;
    c->a.value = product_of(ir, &f, 0);
    c->b.value = product_of(ir, &f, 1);
    set_roles(m);
    Guards g = {0};
    if (!place_guards(m, &g))
        return false;
    c->a.value = guarded(ir, g.a, c->a.value);
    c->b.value = guarded(ir, g.b, c->b.value);
    set_roles(m); /* a condition may have brought a loop to an operand: k-only ones bring k, which has its role */
    set_sum_factor(m, product_of(ir, &f, 2), g.sum);
    /* Rows of the output are written fastest along its unit stride, or the least that there is: that is n. */
    if (least_stride_in_role(m, m->nest->out, m->nest->sub, R_M) < least_stride_in_role(m, m->nest->out, m->nest->sub, R_N))
        swap_sides(m);
    return true;
}

/* Every digit of a loop must move an operand: one that only moves the output would have the sums computed over and
 * over. */
static bool digits_count(const Mapping *m)
{
    const Nest *nest = m->nest;
    unsigned moving = loops_in(nest, m->c->a.value) | loops_in(nest, m->c->b.value);
    for (int i = 0; i < nest->nloops; i++)
        if (is_digit(nest, nest->loop[i].var) && !(moving & 1u << i))
            return false;
    return true;
}

static Contraction *miss(const NestContext *context, Missed why)
{
    if (context->missed)
        *context->missed = why;
    return NULL;
}

/* Are the terms products of half or bf16, which are rounded before they are added? */
static bool rounds_products(const Nest *nest)
{
    const Node *term = nest->product;
    while (term->kind == N_SEL || term->kind == N_CAST)
        term = term->kid[term->kind == N_SEL];
    return term->kind == N_MUL && (term->type == T_HALF || term->type == T_BF16);
}

/* The contraction that the nest is, with loops taken apart by their subscripts' divisions or as they are. */
static Contraction *map_nest(const NestContext *context, const PlanOptions *opt, Node *loop, bool split)
{
    Nest *nest = match_nest(context, loop);
    Node *condition = NULL;
    if (!nest)
        return NULL;
    if (reduction_mask(nest) == 0)
        return miss(context, MISSED_NO_SUM);
    if (opt->fp_strict && type_is_float(nest->acc->type))
        return miss(context, MISSED_STRICT);
    const OwnReads own = operands_in_output(nest);
    if (own.other || (own.beside && opt->cuda)) /* loads there may go past what other blocks store */
        return miss(context, MISSED_OWN);
    if (split && !split_digits(nest, &condition))
        return NULL;
    if (!writes_each_once(nest))
        return miss(context, MISSED_TWICE);
    Ir *ir = context->ir;
    Contraction *c = arena_alloc(ir->arena, sizeof *c);
    Mapping m = {.ir = ir, .opt = opt, .nest = nest, .c = c, .in_ragged = context->in_ragged};
    c->loc = loop->loc;
    c->acc = nest->acc->type;
    c->sum = sym_new(ir, S_LOCAL, c->acc, "sum", nest->acc->loc);
    c->applies.condition = condition;
    c->applies.is_partial = condition != NULL;
    if (!map_operands(&m))
        return miss(context, rounds_products(nest) ? MISSED_ROUNDED : MISSED_FACTORS);
    /* A row or a column at a time of a solve: the loops around it run in order, and are better run as a whole. */
    if (own.beside && !(plays(&m, R_M) && plays(&m, R_N)))
        return miss(context, MISSED_OWN);
    if (!digits_count(&m) || !is_profitable(&m))
        return miss(context, MISSED_SMALL);
    if (!choose_family(&m))
        return miss(context, c->acc == T_INT ? MISSED_WIDE : MISSED_TYPE);
    fold_loops(&m);
    if (!opt->cuda && !packing_pays(&m))
        return miss(context, MISSED_PACKING);
    if (!map_epilogue(&m))
        return miss(context, MISSED_EPILOGUE);
    if (!opt->cuda)
        small_is_loops(&m);
    capture_scalars(ir, c);
    return opt->cuda && (is_row_of_parallel(c) || (is_bounded_by_memory(c) && !context->in_ragged)) ? miss(context, MISSED_LAUNCH) : c;
}

/* How many operands are found by strides, or by sums of steps. */
static int regular(const Contraction *c)
{
    return (c->a.strided || c->a.gather || c->a.rows) + (c->b.strided || c->b.gather) + c->c.strided;
}

NestContext context_in(const NestContext *context, const Node *stmt)
{
    NestContext inside = *context;
    inside.in_ragged = inside.in_ragged || (stmt->kind == N_FOR && contains(&context->ragged, stmt->sym));
    return inside;
}

Contraction *map_contraction(const NestContext *context, const PlanOptions *opt, Node *loop)
{
    if (contains(&context->rest, loop->sym))
        return miss(context, MISSED_REST);
    Contraction *plain = map_nest(context, opt, loop, false), *split = map_nest(context, opt, loop, true);
    if (!split || (plain && regular(plain) >= regular(split)))
        return plain;
    if (split->applies.is_partial && plain && has_rows_and_columns(plain))
        split->applies.otherwise = plain;
    return split;
}
