/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block by block: the statement that makes the array, those behind it that read it, and then whether each read element was made. */
#include "fuse/rematerialize.h"

#include <stdlib.h>

#include "depend/loop_range.h"
#include "ir/branch.h"
#include "ir/libm.h"
#include "ir/walk.h"

enum { MOST_LOOPS = 16 };

/* Loops, one right inside the other. */
typedef struct Loops {
    LoopRange at[MOST_LOOPS];
    int count;
} Loops;

static bool push_loop(Ir *ir, Loops *loops, const Node *loop)
{
    Bounds b;
    if (loops->count == MOST_LOOPS || loop->kind != N_FOR || !loop_declares(loop) || !for_bounds(loop, &b) || b.step != 1 ||
        (b.cmp != N_LT && b.cmp != N_LE))
        return false;
    loops->at[loops->count++] = range_of_bounds(ir, &b);
    return true;
}

/* ---------------------------------------------------------------- who makes the array */

typedef struct Maker {
    Sym *array;
    Loops loops;
    const Node *store;
    int loop_of[MOST_LOOPS]; /* per dimension: whose variable it is, but for a constant; -1: it is the same in the whole nest */
    int64_t ahead[MOST_LOOPS]; /* ... that constant */
} Maker;

/* Is every element stored once, by the iteration whose variables are its subscripts? */
static bool subscripts_are_variables(Ir *ir, Maker *m)
{
    int used = 0;
    for (int d = 0; d < m->array->rank; d++) {
        Poly *p = poly_of(ir, m->store->kid[d]);
        m->loop_of[d] = -1;
        for (int i = 0; i < m->loops.count; i++) {
            if (!poly_uses(p, m->loops.at[i].var))
                continue;
            if (used >> i & 1 || !poly_const(poly_sub(ir, p, poly_of(ir, mk_var(ir, m->loops.at[i].var))), &m->ahead[d]))
                return false;
            m->loop_of[d] = i;
            used |= 1 << i;
        }
    }
    for (int i = 0; i < m->loops.count; i++)
        for (int j = 0; j < m->loops.count; j++) /* a box */
            if (poly_uses(m->loops.at[i].least, m->loops.at[j].var) || poly_uses(m->loops.at[i].most, m->loops.at[j].var))
                return false;
    return used == (1 << m->loops.count) - 1;
}

static bool is_maker(Ir *ir, Node *stmt, Sym *array, Maker *m)
{
    *m = (Maker){.array = array};
    Node *n = stmt;
    while (n->kind == N_FOR) {
        if (!push_loop(ir, &m->loops, n))
            return false;
        n = only_statement(n->kid[2]);
    }
    m->store = n;
    return m->loops.count && n->kind == N_STORE && n->sym == array && n->aux == N_NONE && array->rank <= MOST_LOOPS &&
           !reads_array(stmt, array) && subscripts_are_variables(ir, m);
}

/* ---------------------------------------------------------------- what it costs */

static int cost_of_call(const Sym *func)
{
    enum { CALL = 40, ROOT = 8 };
    return is_quick_function(func) ? 1 : is_libm(func, "sqrt") ? ROOT : CALL;
}

static bool add_cost(void *user, Node *n)
{
    enum { QUOTIENT = 8 };
    int *sum = user;
    switch ((Kind)n->kind) {
    case N_LOAD: ++*sum; return false; /* its subscripts are for nothing */
    case N_CALL: *sum += cost_of_call(n->sym); break;
    case N_DIV:
    case N_MOD: *sum += QUOTIENT; break;
    default: *sum += kind_info[n->kind].cost > 0;
    }
    return true;
}

static int cost_of(Node *value)
{
    int sum = 0;
    walk(&(Walker){.pre = add_cost, .user = &sum}, value);
    return sum;
}

/* ---------------------------------------------------------------- who reads it */

typedef struct Reader {
    Ir *ir;
    const Maker *maker;
    Loops loops; /* around */
    bool fits;
    bool always;   /* nobody asks how often */
    int64_t times; /* that an element is read, at most */
    int places;    /* where it is */
} Reader;

static bool not_below(Ir *ir, const Poly *a, const Poly *b)
{
    int64_t margin;
    return poly_const(poly_sub(ir, a, b), &margin) && margin >= 0;
}

/* Are all elements that the load reads stored? */
static bool reads_made(Reader *r, const Node *load)
{
    const Maker *m = r->maker;
    for (int d = 0; d < m->array->rank; d++) {
        Poly *p = poly_of(r->ir, load->kid[d]);
        if (m->loop_of[d] < 0) {
            if (!poly_equal(p, poly_of(r->ir, m->store->kid[d])))
                return false;
            continue;
        }
        const LoopRange *made = &m->loops.at[m->loop_of[d]];
        Poly *var = poly_sub(r->ir, p, poly_int(r->ir, m->ahead[d]));
        Poly *least = extreme_over(r->ir, NULL, var, r->loops.at, r->loops.count, false);
        Poly *most = extreme_over(r->ir, NULL, var, r->loops.at, r->loops.count, true);
        if (!least || !most || !not_below(r->ir, least, made->least) || !not_below(r->ir, made->most, most))
            return false;
    }
    return true;
}

/* A loop's part in a subscript. */
typedef struct Digit {
    int64_t by, most; /* by * (0 ... most) */
} Digit;

static int by_weight(const void *a, const void *b)
{
    const Digit *x = a, *y = b;
    return (x->by > y->by) - (x->by < y->by);
}

/* Do different iterations of those loops that are not `left_out` read different elements, as digits of a number would? */
static bool reads_once(Reader *r, const Node *load, const bool *left_out)
{
    bool seen[MOST_LOOPS] = {false};
    for (int d = 0; d < load->nkids; d++) {
        Digit digits[MOST_LOOPS];
        int n = 0;
        Poly *p = poly_of(r->ir, load->kid[d]);
        for (int i = 0; i < r->loops.count; i++) {
            const LoopRange *loop = &r->loops.at[i];
            Sym *var = loop->var;
            Poly *coef, *rest;
            Digit *digit = &digits[n];
            if (left_out[i] || seen[i] || !poly_uses(p, var))
                continue;
            if (!poly_affine(r->ir, p, &var, 1, &coef, &rest) || !poly_const(coef, &digit->by) || digit->by == INT64_MIN)
                return false;
            digit->by = digit->by < 0 ? -digit->by : digit->by;
            if (!poly_const(range_length(r->ir, loop), &digit->most) || digit->most > INT32_MAX)
                digit->most = INT32_MAX;
            digit->most = digit->most > 0 ? digit->most - 1 : 0;
            seen[i] = true;
            n++;
        }
        qsort(digits, (size_t)n, sizeof *digits, by_weight);
        int64_t span = 0;
        for (int i = 0; i < n; i++) {
            if (digits[i].by <= span || digits[i].by > INT32_MAX)
                return false;
            span += digits[i].by * digits[i].most;
        }
    }
    for (int i = 0; i < r->loops.count; i++)
        if (!seen[i] && !left_out[i])
            return false;
    return true;
}

/* How often the load reads an element, at most; 0: nobody knows. */
static int64_t times_read(Reader *r, const Node *load)
{
    enum { MOST_TIMES = 1024 };
    bool left_out[MOST_LOOPS] = {false};
    if (reads_once(r, load, left_out))
        return 1;
    int64_t times = 1, trip;
    for (int i = 0; i < r->loops.count; i++)
        if (poly_const(range_length(r->ir, &r->loops.at[i]), &trip)) {
            left_out[i] = true;
            times *= trip < 1 ? 1 : trip > MOST_TIMES ? MOST_TIMES : trip;
            if (times > MOST_TIMES)
                return 0;
        }
    return reads_once(r, load, left_out) ? times : 0;
}

static void read_all(Reader *r, Node *n)
{
    if (!r->fits || !uses_sym(n, r->maker->array))
        return;
    const int outer = r->loops.count;
    if (n->kind == N_FOR && !push_loop(r->ir, &r->loops, n))
        r->fits = false;
    if (n->kind == N_LOAD && n->sym == r->maker->array) {
        const int64_t times = r->fits ? times_read(r, n) : 0;
        r->fits = r->fits && (times || r->always) && reads_made(r, n);
        r->times += times;
        r->places++;
    }
    for (int i = 0; i < n->nkids; i++)
        read_all(r, n->kid[i]);
    r->loops.count = outer;
    r->fits = r->fits && (is_expr(n) || n->sym != r->maker->array); /* stored to, or handed on */
}

/* ---------------------------------------------------------------- in its place */

static bool is_changed(void *user, Node *n)
{
    Node *later = user;
    return (n->kind == N_VAR || n->kind == N_LOAD) && writes_sym(later, n->sym);
}

/* Does the statement change what the array is made of, its bounds too, or do what the tree does not show? */
static bool changes(Node *maker, Node *later) { return has_stage(later) || any_node(maker, is_changed, later); }

typedef struct Replacing {
    Ir *ir;
    const Maker *maker;
} Replacing;

static Node *replace(void *user, Node *n)
{
    const Replacing *r = user;
    const Maker *m = r->maker;
    if (n->kind != N_LOAD || n->sym != m->array)
        return n;
    Node *value = stmt_value(m->store);
    Sym *own[MOST_LOOPS];
    for (int d = 0; d < n->nkids; d++) /* by way of symbols that no subscript has */
        if (m->loop_of[d] >= 0) {
            Sym *var = m->loops.at[m->loop_of[d]].var;
            own[d] = sym_new(r->ir, S_LOCAL, var->type, var->name, var->loc);
            value = substitute(r->ir, value, var, mk_var(r->ir, own[d]));
        }
    for (int d = 0; d < n->nkids; d++)
        if (m->loop_of[d] >= 0) {
            Node *sub = mk_cast(r->ir, own[d]->type, n->kid[d]);
            if (m->ahead[d])
                sub = mk_binary(r->ir, N_SUB, sub, mk_int(r->ir, own[d]->type, m->ahead[d]));
            value = substitute(r->ir, value, own[d], sub);
        }
    return mk_cast(r->ir, n->type, value);
}

/* With `most` as recompute_elements() has it. */
static bool costs_too_much(const Reader *r, int most)
{
    enum { MOST_TEXT = 512 }; /* operations, in all places together */
    const int64_t cost = cost_of(stmt_value(r->maker->store));
    return r->always ? r->places * cost > MOST_TEXT : r->times * cost > most;
}

/* The block without the statement that makes the array; NULL: it stays. */
static Node *without_maker(Ir *ir, Node *block, Sym *array, int most)
{
    Maker m;
    int at = 0;
    while (at < block->nkids && !uses_sym(block->kid[at], array))
        at++;
    if (at == block->nkids || !is_maker(ir, block->kid[at], array, &m))
        return NULL;
    Reader r = {.ir = ir, .maker = &m, .fits = true, .always = most == RECOMPUTE_ALWAYS};
    int last = at;
    for (int i = at + 1; i < block->nkids; i++)
        if (uses_sym(block->kid[i], array)) {
            read_all(&r, block->kid[i]);
            last = i;
        }
    for (int i = at + 1; r.fits && i <= last; i++)
        r.fits = !changes(block->kid[at], block->kid[i]);
    if (!r.fits || costs_too_much(&r, most))
        return NULL;
    Vec rest = {0};
    Replacing by = {ir, &m};
    for (int i = 0; i < block->nkids; i++)
        if (i != at)
            vec_push(ir->arena, &rest, rewrite(&(Rewriter){.ir = ir, .post = replace, .user = &by}, block->kid[i]));
    return mk_block(ir, rest.count, (Node **)rest.items, block->loc);
}

Node *recompute_elements(Ir *ir, Node *n, Sym *array, int most)
{
    if (n->kind == N_BLOCK) {
        Node *without = without_maker(ir, n, array, most);
        if (without)
            return without;
    }
    const int at = only_user(n, array);
    Node *inner = at >= 0 ? recompute_elements(ir, n->kid[at], array, most) : NULL;
    return inner ? with_kid(ir, n, at, inner) : NULL;
}
