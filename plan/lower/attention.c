/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three stages that follow one another, and what of them becomes functions of the one kernel. */
#include "plan/lower/attention.h"

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/lower/hook.h"
#include "plan/captures.h"
#include "plan/iteration_limit.h"
#include "plan/lower/row_softmax.h"

typedef struct Finding {
    Ir *ir;
    Plan *plan;
    Vec found; /* Attention * */
} Finding;

/* The three, and which of the products' loops count rows and keys: of the scores' subscripts, the last of which is the key's. */
typedef struct Triple {
    Contraction *scores, *product;
    DeviceNest *nest;
    RowSoftmax softmax;
    Sym **score_loop, **weight_loop; /* of each subscript, the loop's variable in either product */
    int rank;
} Triple;

/* ---------------------------------------------------------------- do they belong together? */

/* The whole nest, on plain operands, of types whose sums are floats. */
static bool may_take_part(const Contraction *c)
{
    return !c->applies.condition && !c->applies.otherwise && !c->applies.is_otherwise && c->b.in_place && c->acc == T_FLOAT &&
           !c->with.group && (c->family == FAM_F32 || c->family == FAM_F16 || c->family == FAM_BF16);
}

/* Which loop a subscript counts, from 0 by 1; -1: none, or not that way. */
static int loop_of(const Contraction *c, const Node *subscript)
{
    for (int i = 0; i < c->ndims; i++)
        if (is_converted_var(subscript, c->dims[i].var))
            return is_int(c->dims[i].lo, 0) && c->dims[i].step == 1 ? i : -1;
    return -1;
}

/* How many loops of the same role are outside of this one. */
static int rank_in_role(const Contraction *c, int dim)
{
    int rank = 0;
    for (int i = 0; i < dim; i++)
        rank += c->dims[i].role == c->dims[dim].role;
    return rank;
}

static int count_role(const Contraction *c, Role role) { return lower_dims_of(c, role).count; }

/* Do both products number rows and keys alike, by the subscripts of scores and weights? */
static bool number_alike(Ir *ir, Triple *t, Node *const *scores, Node *const *weights)
{
    const Contraction *c = t->scores, *d = t->product;
    t->score_loop = arena_new_array(ir->arena, Sym *, t->rank);
    t->weight_loop = arena_new_array(ir->arena, Sym *, t->rank);
    for (int i = 0; i < t->rank; i++) {
        const int x = loop_of(c, scores[i]), y = loop_of(d, weights[i]);
        if (x < 0 || y < 0 || c->dims[x].extent != d->dims[y].extent || rank_in_role(c, x) != rank_in_role(d, y))
            return false;
        const Role role = c->dims[x].role;
        if (i < t->rank - 1 ? role == R_N || role == R_K || d->dims[y].role != role : role != R_N || d->dims[y].role != R_K)
            return false;
        t->score_loop[i] = c->dims[x].var;
        t->weight_loop[i] = d->dims[y].var;
    }
    return count_role(c, R_BATCH) + count_role(c, R_M) == t->rank - 1 && count_role(d, R_BATCH) + count_role(d, R_M) == t->rank - 1 &&
           count_role(c, R_N) == 1 && count_role(d, R_K) == 1;
}

/* An expression of the nest in terms of a product's loops. */
static Node *in_loops(Ir *ir, const Triple *t, Sym *const *loop, Node *n)
{
    for (int i = 0; i < t->rank; i++) {
        Sym *from = i < t->rank - 1 ? t->softmax.row[i]->sym : t->softmax.l;
        n = substitute(ir, n, from, mk_cast(ir, from->type, mk_var(ir, loop[i])));
    }
    return n;
}

/* How many keys each row has, in terms of a product's loops. */
static Node *keys_in(Ir *ir, const Triple *t, Sym *const *loop) { return in_loops(ir, t, loop, t->softmax.keys); }

/* Without the bound that says that there are none below 0. */
static Node *at_least(Node *extent)
{
    const bool bounds = extent->kind == N_MAX && (is_int(extent->kid[0], 0) || is_int(extent->kid[1], 0));
    return bounds ? extent->kid[is_int(extent->kid[0], 0)] : extent;
}

/* The same number of iterations, of which there are none below 0? */
static bool is_as_long(Ir *ir, Node *a, Node *b)
{
    a = at_least(a);
    b = at_least(b);
    return a == b || poly_equal(poly_of(ir, a), poly_of(ir, b));
}

/* Is no row shorter than another? */
static bool has_all_keys(Ir *ir, const Triple *t) { return is_as_long(ir, t->softmax.keys, t->scores->extent[R_N]); }

/* Does the nest go over the elements that the product multiplies? All of them, or those that its condition lets through. */
static bool covers_alike(Ir *ir, const Triple *t, const Node *condition)
{
    if (!condition)
        return has_all_keys(ir, t);
    return reach_of(ir, condition, t->weight_loop[t->rank - 1]) == keys_in(ir, t, t->weight_loop);
}

/* A row of the nest is one of its indices: each subscript an axis of its own, as long as the loop. */
static bool has_rows(Ir *ir, const Triple *t)
{
    const DeviceNest *nest = t->nest;
    const Func *f = nest->form[FORM_POINT];
    if (!t->softmax.row || f->nparams != t->rank - 1)
        return false;
    for (int i = 0; i < t->rank - 1; i++) {
        int axis = 0, dim = 0;
        while (axis < f->nparams && f->params[axis] != t->softmax.row[i]->sym)
            axis++;
        while (dim < t->scores->ndims && t->scores->dims[dim].var != t->score_loop[i])
            dim++;
        if (axis == f->nparams || !is_as_long(ir, nest->extent[axis], t->scores->dims[dim].extent))
            return false;
        for (int j = 0; j < i; j++)
            if (t->softmax.row[j] == t->softmax.row[i])
                return false;
    }
    return true;
}

/* Is what the nest sets to 0 the product's output, each row's in its own? */
static bool zeroes_output(const Triple *t)
{
    const RowSoftmax *s = &t->softmax;
    const Contraction *d = t->product;
    const LoopDim *column = &d->dims[lower_dims_of(d, R_N).first];
    if (s->zeroed != d->c.array || s->zeros != d->extent[R_N] || count_role(d, R_N) != 1 || !is_int(column->lo, 0) || column->step != 1)
        return false;
    for (int i = 0; i < d->c.array->rank; i++) {
        int row = 0;
        while (s->zero_at[i] && row < t->rank - 1 && s->row[row] != s->zero_at[i])
            row++;
        if (row == t->rank - 1 || !is_converted_var(d->c.value->kid[i], s->zero_at[i] ? t->weight_loop[row] : column->var))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- is anything else wanted? */

static bool is_read(void *user, Node *n)
{
    const Triple *t = user;
    const Contraction *c = t->scores, *d = t->product;
    Node *const readers[] = {c->a.value, c->b.value, c->epilogue, d->b.value, t->nest->form[FORM_POINT]->body};
    bool found = false;
    for (size_t i = 0; n->kind == N_STORE && i < sizeof readers / sizeof *readers; i++)
        found = found || reads_array(readers[i], n->sym);
    return found;
}

/* Does the last step store into an array that blocks still read? */
static bool overwrites(const Triple *t) { return any_stmt(t->product->epilogue, is_read, (void *)t); }

static bool stage_uses(const Plan *plan, const Triple *t, const Sym *array)
{
    for (int i = 0; i < contraction_count(plan); i++) {
        const Contraction *c = contraction_at(plan, i);
        for (int h = 0; c != t->scores && c != t->product && h < HOOK_COUNT; h++)
            if (c->lowered.hooks[h].func && uses_sym(c->lowered.hooks[h].func->body, array))
                return true;
    }
    for (int i = 0; i < device_nest_count(plan); i++)
        for (int h = 0; device_nest_at(plan, i) != t->nest && h < FORM_COUNT; h++)
            if (device_nest_at(plan, i)->form[h] && uses_sym(device_nest_at(plan, i)->form[h]->body, array))
                return true;
    return false;
}

typedef struct Stored {
    Ir *ir;
    const Plan *plan;
    const Triple *t;
    bool elsewhere;
    Vec arrays; /* Sym * */
} Stored;

static void note_array(Stored *s, Sym *array)
{
    s->elsewhere = s->elsewhere || stage_uses(s->plan, s->t, array);
    for (int i = 0; i < s->arrays.count; i++)
        if (s->arrays.items[i] == array)
            return;
    vec_push(s->ir->arena, &s->arrays, array);
}

static bool look_at_store(void *user, Node *n)
{
    Stored *s = user;
    if (n->kind == N_STORE && n->sym->kind == S_LOCAL_ARRAY)
        note_array(s, n->sym);
    return !is_expr(n);
}

/* Are the arrays on the way, which become the attention's, read by no other stage? */
static bool stay_inside(Ir *ir, const Plan *plan, const Triple *t, Attention *a)
{
    Stored s = {.ir = ir, .plan = plan, .t = t};
    note_array(&s, t->scores->c.array);
    walk(&(Walker){.pre = look_at_store, .user = &s}, t->nest->form[FORM_POINT]->body);
    a->arrays = (Sym **)s.arrays.items;
    a->narrays = s.arrays.count;
    return !s.elsewhere;
}

/* ---------------------------------------------------------------- functions */

static bool is_minus_infinity(const Node *n) { return n->kind == N_NEG && n->kid[0]->kind == N_FLOAT && n->kid[0]->u.f > 3.5e38L; }

typedef struct Score {
    const Sym *array;
    Node *value;
} Score;

static Node *put_score(void *user, Node *n)
{
    const Score *s = user;
    if (n->kind == N_CAST && n->type == T_FLOAT && n->kid[0] == s->value)
        return s->value;
    return n->kind == N_LOAD && n->sym == s->array ? s->value : n;
}

/* The exponential's argument, of a score that has been summed up. `condition`: on its being stored. */
static Node *argument_of(Ir *ir, const Triple *t, const Node *store, Node *condition)
{
    Node *value = stmt_value(store);
    while (value->kind == N_CAST && type_is_float(value->kid[0]->type))
        value = value->kid[0];
    Score s = {store->sym, mk_cast(ir, T_FLOAT, value)};
    Node *x = rewrite(&(Rewriter){.ir = ir, .post = put_score, .user = &s}, in_loops(ir, t, t->score_loop, t->softmax.argument));
    const bool is_known = condition && reach_of(ir, condition, t->score_loop[t->rank - 1]) == keys_in(ir, t, t->score_loop);
    return condition && !is_known ? mk_select(ir, condition, x, mk_unary(ir, N_NEG, mk_float(ir, T_FLOAT, __builtin_infl()))) : x;
}

/* A row's elements from here on are -infinity, in an argument that says so; NULL: it does not. */
static Node *masked_from(Ir *ir, const Triple *t, const Node *x)
{
    return x->kind == N_SEL && is_minus_infinity(x->kid[2]) ? reach_of(ir, x->kid[0], t->score_loop[t->rank - 1]) : NULL;
}

static Func *keys_function(Lower *l, const char *stem, Node *keys)
{
    Ir *ir = l->ir;
    Vec out = {0};
    Node *b = lower_param(l, T_INDEX, "batch"), *m = lower_param(l, T_INDEX, "m");
    lower_decode(l, &out, R_BATCH, b);
    lower_decode(l, &out, R_M, m);
    lower_push(l, &out, mk_return(ir, lower_in_hook(l, keys), l->c->loc));
    Func *f = arena_alloc(ir->arena, sizeof *f);
    f->body = lower_block(l, &out);
    f->result = T_INDEX;
    return lower_func(l, stem, "keys", f);
}

typedef struct Closing {
    Ir *ir;
    const Triple *t;
    Node *sum, *total;
    bool failed;
} Closing;

/* The sums of weights, and what the output holds before, in the second product's epilogue. */
static Node *close_post(void *user, Node *n)
{
    Closing *c = user;
    const Triple *t = c->t;
    if (n->kind != N_LOAD)
        return n;
    if (n->sym == t->softmax.zeroed)
        return mk_float(c->ir, (Type)n->type, 0);
    if (n->sym != t->softmax.sum)
        return n;
    for (int i = 0; i < n->nkids; i++)
        c->failed = c->failed || !is_converted_var(n->kid[i], t->weight_loop[i]);
    c->failed = c->failed || n->nkids != t->rank - 1;
    return mk_cast(c->ir, (Type)n->type, c->total);
}

/* The second product's epilogue, given the weights' sum; NULL: it needs more than that. */
static Node *closing_statements(Ir *ir, const Triple *t, Sym *total)
{
    Closing c = {ir, t, mk_var(ir, t->product->sum), mk_var(ir, total), false};
    Node *body = t->product->epilogue;
    if (t->softmax.divided) {
        /* A row without keys is left out of the division. */
        Node *x = mk_binary(ir, N_DIV, c.sum, c.total);
        if (!has_all_keys(ir, t))
            x = mk_select(ir, mk_binary(ir, N_GT, keys_in(ir, t, t->weight_loop), ix_int(ir, 0)), x, c.sum);
        body = substitute(ir, body, t->product->sum, x);
    }
    body = rewrite(&(Rewriter){.ir = ir, .post = close_post, .user = &c}, body);
    return c.failed ? NULL : body;
}

static bool add_functions(Ir *ir, Plan *plan, const Triple *t, Attention *a)
{
    Vec stmts = {0};
    Node *condition, *store = stored_last(ir, t->scores, &condition, &stmts);
    Sym *total = sym_new(ir, S_PARAM, T_FLOAT, "total", (Loc){0, 0});
    Node *closing = closing_statements(ir, t, total);
    if (!store || store->sym != t->scores->c.array || !closing)
        return false;
    Node *x = argument_of(ir, t, store, condition);
    Node *keys = has_all_keys(ir, t) ? masked_from(ir, t, x) : keys_in(ir, t, t->score_loop);
    Lower l = lower_new(ir, plan, t->scores);
    vec_push(ir->arena, &stmts, mk_return(ir, x, t->scores->loc));
    Func *score = lower_point(&l, mk_block(ir, stmts.count, (Node **)stmts.items, t->scores->loc));
    score->result = T_FLOAT;
    a->func[ATTENTION_SCORE] = lower_func(&l, a->stem, "score", score);
    if (keys) {
        l = lower_new(ir, plan, t->scores);
        a->func[ATTENTION_KEYS] = keys_function(&l, a->stem, keys);
    }
    l = lower_new(ir, plan, t->product);
    Func *point = lower_point(&l, closing);
    vec_push(ir->arena, &l.params, total);
    a->func[ATTENTION_POINT] = lower_func(&l, a->stem, "point", point);
    l = lower_new(ir, plan, t->product);
    Func *finished = t->product->c.strided ? lower_finished(&l, closing) : NULL;
    if (finished) {
        vec_push(ir->arena, &l.params, total);
        a->func[ATTENTION_FINISHED] = lower_func(&l, a->stem, "finished", finished);
    }
    return true;
}

/* ---------------------------------------------------------------- the operator's body */

/* Where the maximum starts, as a number. */
static bool least_of(const Node *n, double *out)
{
    const bool negative = n->kind == N_NEG;
    const Node *x = negative ? n->kid[0] : n;
    if (x->kind != N_FLOAT)
        return false;
    *out = (double)(negative ? -x->u.f : x->u.f);
    return true;
}

static Attention *match(Finding *f, Node *const *stage)
{
    Ir *ir = f->ir;
    Plan *plan = f->plan;
    if (stage[0]->kind != N_CONTRACT || stage[1]->kind != N_LAUNCH || stage[1]->aux != STAGE_DEVICE_NEST || stage[2]->kind != N_CONTRACT)
        return NULL;
    Triple t = {
        contraction_at(plan, stage[0]->u.i), contraction_at(plan, stage[2]->u.i), device_nest_at(plan, stage[1]->u.i), {0}, NULL, NULL, 0};
    const Contraction *c = t.scores, *d = t.product;
    Node *condition, *weights = loaded_factor(d, &condition);
    if (!weights || weights->sym->kind != S_LOCAL_ARRAY || c->c.array->kind != S_LOCAL_ARRAY || !may_take_part(c) || !may_take_part(d) ||
        !c->a.in_place || c->family != d->family || c->a.value->type != c->b.value->type || d->b.value->type != c->b.value->type ||
        weights->nkids != c->c.array->rank)
        return NULL;
    t.rank = weights->nkids;
    if (!match_row_softmax(ir, t.nest, c->c.array, weights->sym, &t.softmax) || !number_alike(ir, &t, c->c.value->kid, weights->kid) ||
        !has_rows(ir, &t) || !covers_alike(ir, &t, condition))
        return NULL;
    Attention *a = arena_alloc(ir->arena, sizeof *a);
    *a = (Attention){.loc = t.scores->loc, .scores = t.scores, .nest = t.nest, .product = t.product, .nmembers = 3};
    a->members = arena_new_array(ir->arena, Stage *, a->nmembers);
    for (int i = 0; i < a->nmembers; i++)
        a->members[i] = stage_at(plan, stage[i]);
    a->stem = arena_printf(ir->arena, "%s_attention%d", plan->func->name, f->found.count + 1);
    if (!stay_inside(ir, plan, &t, a) || !least_of(t.softmax.least, &a->least) || (t.softmax.zeroed && !zeroes_output(&t)) ||
        overwrites(&t) || !add_functions(ir, plan, &t, a))
        return NULL;
    return a;
}

/* The launch in place of three stages, with the scalars that they read. */
static Node *launch(Finding *f, Attention *a, Node *const *stage)
{
    Ir *ir = f->ir;
    Captures captures = {.ir = ir};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < stage[i]->nkids; j++)
            capture_all(&captures, &stage[i]->kid[j]->sym, 1);
    add_remark(ir, &f->plan->remarks, stage[0]->loc, REMARK_OPTIMIZED, true,
               "one launch computes scores, their softmax and the GEMM with it: attention, block by block of the keys");
    vec_push(ir->arena, &f->found, a);
    return mk_launch_of(ir, STAGE_ATTENTION, f->found.count - 1, captures.found.count, handed_over(ir, &captures.found, stage[0]->loc),
                        stage[0]->loc);
}

static Node *attention_statements(void *user, Node *n)
{
    Finding *f = user;
    if (n->kind != N_BLOCK)
        return n;
    Vec out = {0};
    for (int i = 0; i < n->nkids; i++) {
        Attention *a = i + 2 < n->nkids ? match(f, &n->kid[i]) : NULL;
        vec_push(f->ir->arena, &out, a ? launch(f, a, &n->kid[i]) : n->kid[i]);
        i += a ? 2 : 0;
    }
    return out.count < n->nkids ? mk_block(f->ir, out.count, (Node **)out.items, n->loc) : n;
}

void find_attention(Ir *ir, Plan *plan)
{
    Finding f = {.ir = ir, .plan = plan};
    plan->func->body = rewrite(&(Rewriter){.ir = ir, .post = attention_statements, .user = &f}, plan->func->body);
    set_stages(ir->arena, &plan->stages, STAGE_ATTENTION, &f.found);
}
