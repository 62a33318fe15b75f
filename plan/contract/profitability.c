/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When micro-kernels are worth what stands around them. */
#include "depend/index.h"
#include "ir/walk.h"
#include "plan/contract/delinearization.h"
#include "plan/contract/gather.h"
#include "plan/contract/fold_loops.h"
#include "plan/contract/profitability.h"
#include "plan/contract/quantized.h"
#include "plan/fitted.h"

enum {
    MIN_WORK = 64,    /* multiplications below which blocks, packing and a dispatch cost more than they give */
    UNROLLED_SUM = 8, /* terms of sums that are unrolled, */
    SMALL_BLOCK = 64, /* elements of products that compilers keep in registers with them, */
    NARROW = 4        /* and rows or columns of products of any length, and terms, likewise */
};

/* The constant extent of all loops of a role, 1 if it has none; 0: it is not known, or large. */
static int64_t constant_extent(const Mapping *m, Role role)
{
    int64_t all = 1;
    bool known = true;
    for (int i = 0; i < m->nest->nloops; i++) {
        int64_t trip = 0;
        if (m->role[i] != role)
            continue;
        known = known && poly_const(m->nest->loop[i].trip, &trip) && trip > 0 && trip <= SMALL_BLOCK;
        all = known ? all * trip : 0;
    }
    return known ? all : 0;
}

/* Products so small that loops unrolled whole, with vectors across the blocks of a batch or along the long side, take less than a call of
 * the engine, which has rows and columns to fill. (4x4x4: 0.15 of the time, rows of 3 with a 3x3 matrix 0.25.) */
static bool is_unrolled(const Mapping *m)
{
    const int64_t rows = constant_extent(m, R_M), columns = constant_extent(m, R_N), terms = constant_extent(m, R_K);
    const bool block = rows && columns && rows * columns <= SMALL_BLOCK, narrow = terms <= NARROW && (columns ? columns : rows) <= NARROW;
    return terms && terms <= UNROLLED_SUM && (rows || columns) && (block || narrow);
}

typedef struct Windows {
    const Mapping *m;
    Role role;
    bool side_by_side, overlap;
} Windows;

static bool search_windows(void *user, Node *n)
{
    Windows *w = user;
    if (n->kind == N_LOAD) {
        w->side_by_side = w->side_by_side && unit_stride_in_role(w->m, n->sym, n->kid, w->role);
        w->overlap = w->overlap || slides_along(w->m, n->sym, n->kid, w->role);
    }
    return w->side_by_side;
}

/* A few numbers that multiply a row's elements in windows. No vector of it serves twice, so loops load as often, share iterations with
 * others, and make no plans. (5 terms of 20000 elements: 0.5 of the time, 64 terms: 0.84.) */
static bool is_filter(const Mapping *m)
{
    const int64_t rows = constant_extent(m, R_M), columns = constant_extent(m, R_N), terms = constant_extent(m, R_K);
    const Role along = rows == 1 ? R_N : R_M;
    if ((rows != 1 && columns != 1) || !terms)
        return false;
    Windows w = {m, along, unit_stride_in_role(m, m->nest->out, m->nest->sub, along), false};
    walk(&(Walker){.pre = search_windows, .user = &w}, along == R_M ? m->c->a.value : m->c->b.value);
    return w.side_by_side && w.overlap;
}

bool is_profitable(const Mapping *m)
{
    const Nest *nest = m->nest;
    bool has_m = false, has_n = false, known = true;
    int64_t work = 1;
    for (int i = 0; i < nest->nloops; i++) {
        int64_t trip = 0;
        has_m = has_m || m->role[i] == R_M;
        has_n = has_n || m->role[i] == R_N;
        if (m->role[i] != R_BATCH) {
            known = known && poly_const(nest->loop[i].trip, &trip);
            work = known && trip < MIN_WORK && work < MIN_WORK ? work * trip : MIN_WORK;
        }
    }
    if (!has_m && !has_n) /* a dot product per point: nothing is used twice */
        return false;
    /* A depthwise convolution: its vectors run along the batch loop, where a block of m x n would gather. */
    if ((!has_m || !has_n) && unit_stride_in_role(m, nest->out, nest->sub, R_BATCH))
        return false;
    return (!known || work >= MIN_WORK) && (m->opt->cuda || (!is_unrolled(m) && !is_filter(m)));
}

/* Has the role no loop, or only digits of one, which seldom are many? */
static bool has_few_lines(const Mapping *m, Role role)
{
    for (int i = 0; i < m->nest->nloops; i++)
        if (m->role[i] == role && !is_digit(m->nest, m->nest->loop[i].var))
            return false;
    return true;
}

static bool has_loop(const Mapping *m, Role role)
{
    for (int i = 0; i < m->nest->nloops; i++)
        if (m->role[i] == role)
            return true;
    return false;
}

/* Is the product of two extents that large? Not multiplied where it might overflow, as it may while others are 0. */
static Node *at_least(Ir *ir, Node *a, Node *b, int64_t least)
{
    Node *limit = ix_int(ir, least);
    if (is_int(a, 1) || is_int(b, 1))
        return mk_binary(ir, N_GE, ix_mul(ir, a, b), limit);
    Node *one = mk_binary(ir, N_LOR, mk_binary(ir, N_GE, a, limit), mk_binary(ir, N_GE, b, limit));
    return mk_binary(ir, N_LOR, one, mk_binary(ir, N_GE, ix_mul(ir, a, b), limit));
}

/* How many elements packing a gathered operand finds side by side along the role's loops; NULL: it goes for each. */
static Node *run_along(const Mapping *m, const Operand *packed, Role role)
{
    Ir *ir = m->ir;
    const Contraction *c = m->c;
    const Node *load = packed->value;
    while (load->kind == N_SEL)
        load = load->kid[1];
    int last = -1;
    for (int d = 0; d < c->ndims; d++)
        if (c->dims[d].role == role)
            last = d;
    if (last < 0 || !uses_sym(load->kid[load->nkids - 1], c->dims[last].var))
        return NULL;
    Node *run = c->dims[last].extent, *length = ix_mul(ir, run, packed->gather->move[last]);
    bool goes_on = last > 0 && c->dims[last - 1].role == role &&
                   poly_equal(poly_of(ir, packed->gather->move[last - 1]), poly_of(ir, length));
    return goes_on ? ix_mul(ir, run, c->dims[last - 1].extent) : run;
}

/* Multiplications that take as long as packing what they need: for a run of neighbours, for an element by itself; and points
 * of a batch, below which preparing it takes longer than the loops. */
enum { MIN_PER_RUN = 10, MIN_PER_ELEMENT = 3, MIN_POINTS = 64 };

static void require(Mapping const *m, Node *pays)
{
    Contraction *c = m->c;
    c->applies.condition = c->applies.condition ? mk_binary(m->ir, N_LAND, c->applies.condition, pays) : pays;
}

static bool loads_constant(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD && n->sym->is_constant;
}

/* May a factor come prepacked? Loops would need it as it is, too. */
static bool may_come_packed(const Contraction *c)
{
    return any_node(c->a.value, loads_constant, NULL) || any_node(c->b.value, loads_constant, NULL);
}

/* Bytes that are put into panels for a single row: loops along columns read them as they lie. (u8s8 1 x 1024 x 1024 on Sapphire Rapids:
 * 0.035 ms against 0.10; of two rows 0.070 against 0.049.) */
static void converting_pays(const Mapping *m)
{
    enum { FEW_ROWS = 2, FEW_COLUMNS = 8 };
    Ir *ir = m->ir;
    const Contraction *c = m->c;
    int64_t rows, columns;
    const bool rows_known = poly_const(poly_of(ir, c->extent[R_M]), &rows);
    if (c->family != FAM_I8 || !c->b.strided || may_come_packed(c) || (rows_known && rows >= FEW_ROWS) ||
        poly_const(poly_of(ir, c->extent[R_N]), &columns))
        return;
    Node *many = mk_binary(ir, N_GE, c->extent[R_M], ix_int(ir, FEW_ROWS)),
         *narrow = mk_binary(ir, N_LT, c->extent[R_N], ix_int(ir, FEW_COLUMNS));
    require(m, rows_known ? narrow : mk_binary(ir, N_LOR, many, narrow));
}

/* An operand that has to be packed and that few lines of the other one multiply, as in a depthwise convolution, takes as
 * long to pack as to multiply. */
bool packing_pays(const Mapping *m)
{
    static const Role sides[2] = {R_M, R_N};
    Ir *ir = m->ir;
    Contraction *c = m->c;
    converting_pays(m);
    for (int i = 0; i < 2; i++) {
        const Operand *packed = i == 0 ? &c->b : &c->a;
        Role lines = sides[i];
        if (packed->strided || (!packed->gather && !has_few_lines(m, lines)))
            continue;
        if (!has_loop(m, lines)) /* what is gathered serves once: loops read it where it lies */
            return false;
        Node *run = packed->gather ? run_along(m, packed, sides[1 - i]) : NULL;
        if (packed->gather && !run)
            run = run_along(m, packed, R_K);
        Node *often = run ? at_least(ir, c->extent[lines], run, MIN_PER_RUN)
                          : mk_binary(ir, N_GE, c->extent[lines], ix_int(ir, MIN_PER_ELEMENT));
        Node *pays = mk_binary(ir, N_LAND, often, at_least(ir, c->extent[R_M], c->extent[R_N], MIN_POINTS));
        require(m, pays);
    }
    return true;
}

static Node *either(Ir *ir, Node *a, Node *b) { return a ? mk_binary(ir, N_LOR, a, b) : b; }

/* Is the operand put together by the operator's own code while it is packed? */
static bool is_computed(const Operand *o) { return !o->strided && !o->gather && !o->rows; }

/* Is a subscript, or a part of one, other than a sum of products? */
static bool is_other(void *user, Node *n)
{
    (void)user;
    return n->kind != N_ADD && n->kind != N_SUB && n->kind != N_MUL && n->kind != N_VAR && n->kind != N_INT && n->kind != N_CAST;
}

static bool is_lookup(void *user, Node *n)
{
    for (int i = 0; n->kind == N_LOAD && i < n->nkids; i++)
        if (any_node(n->kid[i], is_other, user))
            return true;
    return (n->kind == N_DIV || n->kind == N_MOD) && type_is_integer(n->type) && n->kid[1]->kind != N_INT;
}

/* Are its elements found one by one? Loops would do so for each multiplication, where packing does it once. */
static bool looks_up(const Operand *o) { return any_node(o->value, is_lookup, NULL); }

/* Multiplications of a product, and lines of either operand that the other one multiplies, below which loops are faster. */
typedef struct Least {
    int64_t product, lines;
} Least;

static Least least_of(const Mapping *m)
{
    const Contraction *c = m->c;
    const bool is_plain = c->kind != EPI_GENERAL && !has_loop(m, R_BATCH); /* which the engine has a short cut for */
    const bool whole = c->family != FAM_I8, computed = is_computed(&c->a) || is_computed(&c->b);
    if (whole && c->a.in_place && c->b.in_place)
        return (Least){is_plain ? 0 : MIN_PRODUCT, 0};
    if ((!c->a.strided && !is_computed(&c->a)) || (!c->b.strided && !is_computed(&c->b)) || looks_up(&c->a) ||
        looks_up(&c->b)) /* windows */
        return (Least){0, 0};
    if (!computed)
        return (Least){MIN_CONVERTED_PRODUCT, 0};
    if (c->family == FAM_I32)
        return (Least){MIN_COMPUTED_PRODUCT, MIN_LINES_PER_WORD};
    if (whole)
        return (Least){MIN_COMPUTED_PRODUCT, 0};
    return (Least){MIN_CONVERTED_PRODUCT, MIN_LINES_PER_PAIR};
}

/* At least so many multiplications: what that asks of the extents that are parameters; NULL: nothing. */
static Node *at_least_product(const Mapping *m, int64_t few)
{
    static const Role roles[] = {R_M, R_N, R_K};
    Ir *ir = m->ir;
    Node *least = ix_int(ir, few), *product = NULL, *pays = NULL;
    for (int i = 0; i < 3; i++) {
        Node *extent = m->c->extent[roles[i]];
        int64_t known = 0;
        if (poly_const(poly_of(ir, extent), &known) && known >= few)
            return NULL;
        if (known == 1)
            continue;
        if (!known)
            pays = either(ir, pays, mk_binary(ir, N_GE, extent, least));
        product = product ? ix_mul(ir, product, extent) : extent;
        if (product->kind == N_INT && product->u.i >= few)
            return NULL;
        if (product != extent) /* cannot overflow: its factors have been found to be small */
            pays = either(ir, pays, mk_binary(ir, N_GE, product, least));
    }
    int64_t terms;
    if (pays && !poly_const(poly_of(ir, m->c->extent[R_K]), &terms)) /* sums of nothing multiply nothing, however many */
        pays = mk_binary(ir, N_LAND, mk_binary(ir, N_GT, m->c->extent[R_K], ix_int(ir, 0)), pays);
    return pays;
}

void small_is_loops(const Mapping *m)
{
    Contraction *c = m->c;
    const Least few = least_of(m);
    if (!few.product || may_come_packed(c) || c->applies.is_partial || take_quantized(m->ir, c)) /* of these few rows have loops */
        return;
    const bool is_first = !c->applies.condition;
    Node *pays = at_least_product(m, few.product);
    if (pays)
        require(m, pays);
    static const Role sides[2] = {R_M, R_N};
    for (int i = 0; i < 2; i++) {
        Node *lines = c->extent[sides[i]];
        int64_t known;
        if (few.lines && is_computed(i ? &c->a : &c->b) && !poly_const(poly_of(m->ir, lines), &known))
            require(m, mk_binary(m->ir, N_GE, lines, ix_int(m->ir, few.lines)));
    }
    c->applies.leaves_small = is_first && c->applies.condition;
}
