/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several loops that count as one: the order within each role in which most accesses move by one stride. */
#include "plan/contract/fold_loops.h"

#include "depend/index.h"
#include "ir/range.h"
#include "ir/walk.h"
#include "plan/contract/device_codes.h"
#include "plan/contract/gather.h"
#include "plan/contract/narrow.h"
#include "plan/contract/nest_access.h"

/* An array access whose strides matter: an operand that is a plain load, or the output. */
typedef struct Access {
    Operand *operand;
    const Sym *array;
    Node *const *sub;
    Poly *coef[MAX_LOOPS], *rest;
    bool affine;
} Access;

/* Step of the element offset from one iteration of the loop to the next. */
static Poly *stride_of(const Mapping *m, const Access *a, int loop)
{
    return poly_mul(m->ir, a->coef[loop], poly_int(m->ir, m->nest->loop[loop].step));
}

/* Do the loops, outermost first, move the access as one loop over all their iterations would? */
static bool folds(const Mapping *m, const Access *a, const int *loops, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        Poly *inner = poly_mul(m->ir, m->nest->loop[loops[i + 1]].trip, stride_of(m, a, loops[i + 1]));
        if (!poly_equal(stride_of(m, a, loops[i]), inner))
            return false;
    }
    return true;
}

bool unit_stride_in_role(const Mapping *m, const Sym *array, Node *const *sub, Role role)
{
    return least_stride_in_role(m, array, sub, role) == 1;
}

/* The loop's stride if it is a constant, or the greatest that it may be if that is little; 0: neither. */
static int64_t small_stride(const Mapping *m, const Access *a, int loop)
{
    enum { LITTLE = 16 };
    int64_t known;
    Poly *stride = stride_of(m, a, loop);
    if (poly_const(stride, &known))
        return known;
    const Range range = range_by_types(poly_node(m->ir, stride));
    return range.lo > 0 && range.hi <= LITTLE ? (int64_t)range.hi : 0;
}

int64_t least_stride_in_role(const Mapping *m, const Sym *array, Node *const *sub, Role role)
{
    Access a;
    int64_t stride, least = INT64_MAX;
    if (!offset_of(m->nest, array, sub, a.coef, &a.rest))
        return least;
    for (int i = 0; i < m->nest->nloops; i++)
        if (m->role[i] == role && (stride = small_stride(m, &a, i)) > 0 && stride < least)
            least = stride;
    return least;
}

/* Does a loop of the sum have the stride, too, or a small multiple of it, in either direction? */
static bool is_stride_of_sum(const Mapping *m, const Access *a, const Poly *stride)
{
    enum { DILATION = 4 };
    for (int i = 0; i < m->nest->nloops; i++) {
        int64_t apart = 0;
        Poly *ratio;
        if (m->role[i] == R_K && poly_divide(m->ir, stride_of(m, a, i), stride, &ratio) && poly_const(ratio, &apart) && apart != 0 &&
            -DILATION <= apart && apart <= DILATION)
            return true;
    }
    return false;
}

/* Likewise of a loop around the nest. */
static bool slides_along_outer(const Mapping *m, const Access *a)
{
    for (int i = 0; i < a->rest->nterms; i++)
        for (int k = 0; k < a->rest->terms[i].natoms; k++) {
            const Node *atom = a->rest->terms[i].atoms[k];
            Poly *coef, *rest;
            atom = atom->kind == N_CAST ? atom->kid[0] : atom;
            Sym *var = atom->kind == N_VAR && atom->sym->kind == S_LOOP ? atom->sym : NULL;
            if (var && poly_affine(m->ir, a->rest, &var, 1, &coef, &rest) && is_stride_of_sum(m, a, coef))
                return true;
        }
    return false;
}

bool slides_along(const Mapping *m, const Sym *array, Node *const *sub, Role role)
{
    Access a;
    if (!offset_of(m->nest, array, sub, a.coef, &a.rest))
        return false;
    for (int i = 0; i < m->nest->nloops; i++)
        if (m->role[i] == role && is_stride_of_sum(m, &a, stride_of(m, &a, i)))
            return true;
    return slides_along_outer(m, &a);
}

static void access_init(const Mapping *m, Access *a, Operand *operand, Sym *array, Node *const *sub)
{
    a->operand = operand;
    a->array = array;
    a->sub = sub;
    a->affine = array && offset_of(m->nest, array, sub, a->coef, &a->rest);
    operand->array = a->affine ? array : NULL;
}

enum { MAX_FOLDED = 5 }; /* loops of one role whose orders are tried, all of them */

/* Of A, B and the output, which counts more, since every sum is written through it, but where an epilogue computes what is written. */
static int weight(const Mapping *m, int access)
{
    const Node *value = m->nest->value;
    const bool computes = !m->opt->cuda && !(value->kind == N_VAR && value->sym == m->nest->acc);
    return access < 2 ? 2 : computes ? 1 : 3;
}

typedef struct Folding {
    const Mapping *m;
    const Access *access;
    int order[R_COUNT][MAX_LOOPS], count[R_COUNT];
    unsigned considered; /* accesses, as a bit mask */
    bool folded[3][R_COUNT];
} Folding;

/* Which accesses a role moves: A and the output by m, B and the output by n, A and B by k. */
static const bool moves[R_COUNT][3] = {[R_M] = {true, false, true}, [R_N] = {false, true, true}, [R_K] = {true, true, false}};

static int score_order(Folding *f, Role role, const int *loops, bool *folded)
{
    int score = 0;
    for (int i = 0; i < 3; i++) {
        folded[i] = !moves[role][i] || (f->access[i].affine && folds(f->m, &f->access[i], loops, f->count[role]));
        score += folded[i] && moves[role][i] && f->considered & 1u << i ? weight(f->m, i) : 0;
    }
    return score;
}

static void try_order(Folding *f, Role role, const int *loops, int *best, int *chosen)
{
    bool folded[3];
    int score = score_order(f, role, loops, folded);
    if (score <= *best)
        return;
    *best = score;
    for (int i = 0; i < f->count[role]; i++)
        chosen[i] = loops[i];
    for (int a = 0; a < 3; a++)
        f->folded[a][role] = folded[a];
}

/* All orders of f->order[role] that start with the first `depth` of `loops`, in lexicographic order. */
static void permute(Folding *f, Role role, int *loops, int depth, unsigned used, int *best, int *chosen)
{
    int n = f->count[role];
    if (depth == n) {
        try_order(f, role, loops, best, chosen);
        return;
    }
    for (int i = 0; i < n; i++) {
        if (used & 1u << i)
            continue;
        loops[depth] = f->order[role][i];
        permute(f, role, loops, depth + 1, used | 1u << i, best, chosen);
    }
}

/* The order of the role's loops, nest order preferred, in which most accesses see one stride. */
static void choose_order(Folding *f, Role role)
{
    int loops[MAX_LOOPS], chosen[MAX_LOOPS], best = -1;
    if (f->count[role] <= MAX_FOLDED)
        permute(f, role, loops, 0, 0, &best, chosen);
    else
        try_order(f, role, f->order[role], &best, chosen);
    for (int i = 0; i < f->count[role]; i++)
        f->order[role][i] = chosen[i];
}

static bool in_place(const Folding *f, int access)
{
    return f->access[access].affine && f->folded[access][R_M] && f->folded[access][R_N] && f->folded[access][R_K];
}

static void choose_orders(Folding *f, unsigned considered)
{
    f->considered = considered;
    for (Role r = R_M; r < R_COUNT; r++)
        choose_order(f, r);
}

/* How much is in place with the roles as they stand. An access that no order of some role serves has no say. */
static int fold_roles(Folding *f)
{
    const Mapping *m = f->m;
    for (int r = 0; r < R_COUNT; r++) {
        f->count[r] = 0;
        for (int i = 0; i < m->nest->nloops; i++)
            if ((int)m->role[i] == r)
                f->order[r][f->count[r]++] = i;
    }
    unsigned possible = 0;
    for (int a = 0; a < 3; a++) {
        Folding alone = *f;
        choose_orders(&alone, 1u << a);
        possible |= in_place(&alone, a) ? 1u << a : 0;
    }
    choose_orders(f, possible);
    int score = 0;
    for (int a = 0; a < 3; a++)
        score += in_place(f, a) ? weight(f->m, a) : 0;
    return score;
}

enum { MIN_FOLDED = 32 }; /* a shorter dimension is not worth making a batch for */

/* Does the loop decide where the operand is 0? As a batch loop it would leave every batch conditions of its own, and no
 * gather for all of them. */
static bool moves_condition(const Node *value, const Sym *var)
{
    for (; value->kind == N_SEL; value = value->kid[1])
        if (uses_sym(value->kid[0], var))
            return true;
    return false;
}

/* May the outermost loop of this role become a batch loop? What stays must be a loop worth its kernels. */
static int demotable(const Mapping *m, Role role)
{
    int first = -1, count = 0;
    bool large = false;
    for (int i = 0; i < m->nest->nloops; i++) {
        int64_t trip;
        if (m->role[i] != role)
            continue;
        if (count++ == 0)
            first = i;
        else
            large = large || !poly_const(m->nest->loop[i].trip, &trip) || trip >= MIN_FOLDED;
    }
    const Sym *var = first >= 0 ? m->nest->loop[first].var : NULL;
    if (var && !m->opt->cuda && (moves_condition(m->c->a.value, var) || moves_condition(m->c->b.value, var)))
        return -1;
    return count >= 2 && large ? first : -1;
}

/* Loops of m or n that keep an access from having one stride become batch loops, outermost first: the images of
 * a channels-first convolution, say. */
static void demote(Mapping *m, Folding *f)
{
    int score = fold_roles(f);
    for (Role role = R_M; role <= R_N; role++) {
        Role saved[MAX_LOOPS];
        for (int i = 0; i < MAX_LOOPS; i++)
            saved[i] = m->role[i];
        for (int loop; (loop = demotable(m, role)) >= 0;) {
            m->role[loop] = R_BATCH;
            int now = fold_roles(f);
            if (now > score) {
                score = now;
                for (int i = 0; i < MAX_LOOPS; i++)
                    saved[i] = m->role[i];
            }
        }
        for (int i = 0; i < MAX_LOOPS; i++)
            m->role[i] = saved[i];
    }
    fold_roles(f);
}

Node *first_offset(const Mapping *m, const Sym *array, Node *const *subs)
{
    Ir *ir = m->ir;
    Node *at = ix_int(ir, 0);
    for (int d = 0; d < array->rank; d++) {
        Node *sub = subs[d];
        for (int i = 0; i < m->nest->nloops; i++)
            if (m->role[i] != R_BATCH)
                sub = substitute(ir, sub, m->nest->loop[i].var, m->nest->loop[i].lo);
        if (d > 0)
            at = ix_mul(ir, at, widen(ir, array->extent[d]));
        at = ix_add(ir, at, widen(ir, sub));
    }
    return at;
}

/* stride_of() as an expression: a product of extents where one subscript alone holds the loop's variable. */
static Node *stride_node(const Mapping *m, const Access *a, int loop)
{
    Ir *ir = m->ir;
    Sym *var = m->nest->loop[loop].var;
    int at = -1;
    for (int d = 0; d < a->array->rank; d++) {
        if (!uses_sym(a->sub[d], var))
            continue;
        if (at >= 0)
            return poly_node(ir, stride_of(m, a, loop));
        at = d;
    }
    if (at < 0)
        return ix_int(ir, 0);
    Poly *coef, *rest;
    if (!poly_affine(ir, poly_of(ir, a->sub[at]), &var, 1, &coef, &rest))
        return poly_node(ir, stride_of(m, a, loop));
    Node *stride = poly_node(ir, poly_mul(ir, coef, poly_int(ir, m->nest->loop[loop].step)));
    for (int d = at + 1; d < a->array->rank; d++)
        stride = ix_mul(ir, stride, widen(ir, a->array->extent[d]));
    return stride;
}

/* Fills the operand's base and strides from its access. */
static void set_strides(const Mapping *m, const Folding *f, int which)
{
    Ir *ir = m->ir;
    const Access *a = &f->access[which];
    Operand *o = a->operand;
    for (int r = 0; r < R_COUNT; r++)
        o->stride[r] = ix_int(ir, 0);
    o->strided = in_place(f, which);
    if (!o->strided)
        return;
    o->base = first_offset(m, a->array, a->sub);
    for (int r = R_M; r < R_COUNT; r++)
        if (f->count[r] > 0 && moves[r][which])
            o->stride[r] = stride_node(m, a, f->order[r][f->count[r] - 1]);
}

static void set_dims(Mapping *m, const Folding *f)
{
    Ir *ir = m->ir;
    Contraction *c = m->c;
    c->dims = arena_new_array(ir->arena, LoopDim, m->nest->nloops);
    for (int r = 0; r < R_COUNT; r++) {
        c->extent[r] = ix_int(ir, 1);
        for (int i = 0; i < f->count[r]; i++) {
            const NestLoop *l = &m->nest->loop[f->order[r][i]];
            c->dims[c->ndims++] = (LoopDim){l->var, l->lo, l->step, l->extent, (Role)r};
            c->extent[r] = ix_mul(ir, c->extent[r], l->extent);
        }
    }
}

static bool is_table(void *user, Node *n)
{
    (void)user;
    return n->sym && n->sym->table;
}

/* On a GPU, where the host has no address of the spec's own tables, their elements are computed, not found in place. */
static bool is_kept_from_host(const Mapping *m, Node *value) { return any_node(value, is_table, NULL) && m->opt->cuda; }

static bool lies_in_place(const Mapping *m, const Operand *o)
{
    const Contraction *c = m->c;
    if (!o->strided || c->family == FAM_I8)
        return false;
    return c->family == FAM_I32 || o->array->type == (m->opt->cuda ? o->value->type : c->elem);
}

void fold_loops(Mapping *m)
{
    Contraction *c = m->c;
    Access access[3];
    Operand *operands[] = {&c->a, &c->b};
    for (int i = 0; i < 2; i++) {
        Node *value = operands[i]->value, *load = NULL;
        if (!m->opt->cuda)
            load = packed_load(c, value, &operands[i]->plus);
        else if (value->kind == N_LOAD && c->family != FAM_I8 && !is_kept_from_host(m, value))
            load = value;
        access_init(m, &access[i], operands[i], load ? load->sym : NULL, load ? load->kid : NULL);
    }
    access_init(m, &access[2], &c->c, m->nest->out, m->nest->sub);
    if (m->nest->out->type != c->acc && !m->opt->cuda && !stores_converted(c->acc, m->nest->out->type))
        access[2].affine = false;
    Folding f = {.m = m, .access = access};
    demote(m, &f);
    set_dims(m, &f);
    for (int i = 0; i < 3; i++)
        set_strides(m, &f, i);
    for (int i = 0; i < 2; i++) {
        const bool kept = is_kept_from_host(m, operands[i]->value);
        operands[i]->gather = operands[i]->strided || c->family == FAM_I8 || kept ? NULL : find_gather(m, operands[i]);
        if (m->in_ragged && !kept && !operands[i]->strided && !operands[i]->gather && c->family != FAM_I8)
            operands[i]->gather = find_placed_gather(m, operands[i], i == 0 ? R_M : R_N);
    }
    c->a.rows = c->a.strided || c->a.gather || m->opt->cuda ? NULL : find_converted_gather(m, &c->a);
    if (c->a.gather && !m->opt->cuda && !m->opt->fp_strict && (c->family == FAM_F32 || c->family == FAM_F64) && c->dots == FAM_COUNT)
        c->winograd = m->opt->winograd > m->nest->func->winograd ? m->opt->winograd : m->nest->func->winograd;
    c->c.array = m->nest->out;
    c->a.in_place = lies_in_place(m, &c->a);
    c->b.in_place = lies_in_place(m, &c->b);
    c->c.in_place = c->c.strided && c->c.array->type == c->acc;
    c->c.value = mk_load(m->ir, m->nest->out, m->nest->out->rank, m->nest->sub);
    const bool computed = is_kept_from_host(m, c->a.value) || is_kept_from_host(m, c->b.value);
    c->codes = m->opt->cuda && !computed ? find_device_codes(m) : NULL;
}
