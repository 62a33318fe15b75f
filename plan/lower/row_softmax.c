/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statements of a row in order, with a table of what scalars and elements hold by then. */
#include "plan/lower/row_softmax.h"

#include <string.h>

#include "depend/index.h"
#include "ir/branch.h"
#include "ir/walk.h"

/* What a scalar, or the element of an array that belongs to the row, or to each of its elements, holds. */
typedef struct Held {
    Sym *sym;
    Node *value; /* NULL: not known yet, or no longer */
    bool each;   /* of each element */
    bool local;  /* declared in the loop at hand */
} Held;

typedef struct Following {
    Ir *ir;
    RowSoftmax *out;
    Sym *scores;
    Vec held;           /* Held * */
    Node *top, *sum;    /* stand for the maximum and the sum, once there is one */
    Node *top_of, *sum_of; /* over what; NULL: there is none yet */
    Node *self;         /* stands for what is reduced, in what it becomes next */
    Sym *gathered;      /* by the loop at hand; NULL: nothing so far */
    Node *gathers;      /* what it holds after the loop */
    bool in_loop, failed;
} Following;

static Held *find(const Following *f, const Sym *sym)
{
    for (int i = f->held.count - 1; i >= 0; i--) {
        Held *h = f->held.items[i];
        if (h->sym == sym)
            return h;
    }
    return NULL;
}

static Held *hold(Following *f, Sym *sym, Node *value, bool each)
{
    Held *h = find(f, sym);
    if (!h) {
        h = arena_alloc(f->ir->arena, sizeof *h);
        vec_push(f->ir->arena, &f->held, h);
    }
    *h = (Held){sym, value, each, false};
    return h;
}

/* Subscripts, evaluated: how many of them are the row's; the rest is l. -1: they are others. */
static int row_subscripts(const Following *f, Node *const *subscripts, int n)
{
    const int last = n > 0 && f->out->l && is_converted_var(subscripts[n - 1], f->out->l) ? n - 1 : n;
    for (int i = 0; i < last; i++)
        if (subscripts[i]->kind != N_VAR || subscripts[i]->sym->kind != S_PARAM)
            return -1;
    return last;
}

/* A score is read: in the row that all others are read in? */
static bool is_score_of_row(Following *f, const Node *load)
{
    const int row = load->nkids - 1;
    if (!f->in_loop || row_subscripts(f, load->kid, load->nkids) != row)
        return false;
    if (!f->out->row)
        f->out->row = (Node **)load->kid;
    for (int i = 0; i < row; i++)
        if (f->out->row[i] != load->kid[i])
            return false;
    return true;
}

static bool is_narrow_or_float(int type) { return type == T_HALF || type == T_BF16 || type == T_FLOAT; }

/* What an expression is by now. Numbers stay floats, which is more exact, where the spec rounds them on the way. */
static Node *evaluate_post(void *user, Node *n)
{
    Following *f = user;
    if (n->kind == N_CAST && is_narrow_or_float(n->type) && is_narrow_or_float(n->kid[0]->type))
        return n->kid[0];
    const Held *h = n->kind == N_VAR || n->kind == N_LOAD ? find(f, n->sym) : NULL;
    if (n->kind == N_LOAD && n->sym == f->scores && !is_score_of_row(f, n))
        f->failed = true;
    if (!h)
        return n;
    if (n->kind == N_LOAD && row_subscripts(f, n->kid, n->nkids) != n->nkids - (h->each ? 1 : 0))
        f->failed = true;
    f->failed = f->failed || !h->value || (h->each && n->kind == N_LOAD && !f->in_loop);
    return h->value ? h->value : n;
}

static Node *evaluate(Following *f, Node *n) { return rewrite(&(Rewriter){.ir = f->ir, .post = evaluate_post, .user = f}, n); }

/* ---------------------------------------------------------------- what a loop reduces */

static bool calls(const Node *n, const char *name) { return n->kind == N_CALL && strcmp(n->sym->name, name) == 0; }

/* The other operand of an operation on `self`; NULL: it is none. */
static Node *other_operand(const Node *n, const Node *self) { return n->kid[0] == self ? n->kid[1] : n->kid[1] == self ? n->kid[0] : NULL; }

/* `self` becomes the larger of itself and what; NULL: it does not. */
static Node *maximum_with(const Node *next, const Node *self)
{
    if (calls(next, "fmaxf"))
        return other_operand(next, self);
    if (next->kind != N_SEL || (next->kid[0]->kind != N_GT && next->kid[0]->kind != N_LT))
        return NULL;
    const Node *cond = next->kid[0], *more = cond->kid[cond->kind == N_LT], *less = cond->kid[cond->kind == N_GT];
    return next->kid[1] == more && next->kid[2] == less ? other_operand(cond, self) : NULL;
}

/* A scalar, or the row's element of an array, gets another value in the loop. */
static bool gather_up(Following *f, Sym *sym, Node *next)
{
    Held *h = find(f, sym);
    Node *x = maximum_with(next, f->self);
    const bool is_max = x != NULL;
    if (!x && next->kind == N_ADD)
        x = other_operand(next, f->self);
    if (!x || !h || !h->value || f->gathered || uses_sym(x, f->self->sym) || (is_max ? f->top_of : f->sum_of))
        return false;
    if (is_max)
        f->out->least = h->value, f->top_of = x;
    else if (h->value->kind != N_FLOAT || h->value->u.f != 0)
        return false;
    else
        f->sum_of = x;
    h->value = NULL;
    f->gathered = sym;
    f->gathers = is_max ? f->top : f->sum;
    return true;
}

/* ---------------------------------------------------------------- statements */

/* sym's next value, with `self` for the one before. */
static Node *next_value(Following *f, Held *h, Node *value)
{
    Node *before = h->value;
    h->value = f->self;
    value = evaluate(f, value);
    h->value = before;
    return value;
}

static bool follow_scalar(Following *f, Sym *sym, Node *value, bool declares)
{
    Held *h = find(f, sym);
    if (f->in_loop && !declares && h && !h->local)
        return gather_up(f, sym, next_value(f, h, value));
    value = value ? evaluate(f, value) : NULL;
    hold(f, sym, value, false)->local = f->in_loop;
    return true;
}

static bool follow_store(Following *f, Node *n)
{
    const int rank = n->nkids - 1;
    Node **subscripts = arena_new_array(f->ir->arena, Node *, rank + 1);
    for (int i = 0; i < rank; i++)
        subscripts[i] = evaluate(f, n->kid[i]);
    const int row = row_subscripts(f, subscripts, rank);
    if (n->sym->kind != S_LOCAL_ARRAY || row < 0 || f->failed)
        return false;
    if (row < rank) { /* a weight, or what becomes one */
        if (!f->in_loop)
            return false;
        hold(f, n->sym, evaluate(f, stmt_value(n)), true);
        return true;
    }
    Held *h = find(f, n->sym);
    if (f->in_loop)
        return h && gather_up(f, n->sym, next_value(f, h, stmt_value(n)));
    hold(f, n->sym, evaluate(f, stmt_value(n)), false);
    return true;
}

/* `if (x > top) top = x;` */
static bool follow_if(Following *f, Node *n)
{
    Node *set = n->nkids == 2 ? only_statement(n->kid[1]) : NULL;
    Held *h = set && set->kind == N_ASSIGN ? find(f, set->sym) : NULL;
    if (!h || h->local || !f->in_loop)
        return false;
    Node *x = mk_select(f->ir, n->kid[0], stmt_value(set), mk_var(f->ir, set->sym));
    return gather_up(f, set->sym, next_value(f, h, x));
}

static bool follow(Following *f, Node *n);

/* `for (s) o[t][h][s] = 0;`: what a sum that follows starts from. */
static bool follow_zeros(Following *f, const Bounds *b, Node *store)
{
    if (store->kind != N_STORE || store->sym->kind != S_ARRAY || f->out->zeroed || stmt_value(store)->kind != N_FLOAT ||
        stmt_value(store)->u.f != 0 || b->cmp != N_LT)
        return false;
    f->out->zeroed = store->sym;
    f->out->zeros = widen(f->ir, evaluate(f, b->hi));
    f->out->zero_at = arena_new_array(f->ir->arena, Node *, store->nkids);
    int variables = 0;
    for (int i = 0; i < store->nkids - 1; i++) {
        Node *at = evaluate(f, store->kid[i]);
        const bool is_element = is_converted_var(at, b->var);
        variables += is_element;
        if (!is_element && (at->kind != N_VAR || at->sym->kind != S_PARAM))
            return false;
        f->out->zero_at[i] = is_element ? NULL : at;
    }
    return variables == 1;
}

static bool follow_loop(Following *f, Node *loop)
{
    Ir *ir = f->ir;
    Bounds b;
    if (f->in_loop || !for_bounds(loop, &b) || !is_int(b.lo, 0) || b.step != 1 || (b.cmp != N_LT && b.cmp != N_LE))
        return false;
    Node *only = only_statement(loop_body(loop));
    if (only->kind == N_STORE && only->sym->kind == S_ARRAY)
        return follow_zeros(f, &b, only);
    if (!f->out->l)
        f->out->l = sym_new(ir, S_LOCAL, b.var->type, "l", loop->loc);
    Node *keys = widen(ir, evaluate(f, b.hi));
    if (b.cmp == N_LE)
        keys = ix_add(ir, keys, ix_int(ir, 1));
    if (f->out->l->type != b.var->type || (f->out->keys && f->out->keys != keys))
        return false;
    f->out->keys = keys;
    hold(f, b.var, mk_var(ir, f->out->l), false);
    f->in_loop = true;
    f->gathered = NULL;
    const bool followed = follow(f, loop_body(loop));
    f->in_loop = false;
    if (f->gathered)
        hold(f, f->gathered, f->gathers, false);
    return followed;
}

static bool follow(Following *f, Node *n)
{
    switch (n->kind) {
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            if (!follow(f, n->kid[i]))
                return false;
        return true;
    case N_DECL: return !n->sym->rank && follow_scalar(f, n->sym, n->nkids ? n->kid[0] : NULL, true) && !f->failed;
    case N_ASSIGN: return follow_scalar(f, n->sym, stmt_value(n), false) && !f->failed;
    case N_STORE: return follow_store(f, n) && !f->failed;
    case N_IF: return follow_if(f, n) && !f->failed;
    case N_FOR: return follow_loop(f, n) && !f->failed;
    default: return false;
    }
}

/* ---------------------------------------------------------------- what it comes to */

static bool is_one_over(const Node *n, const Node *x)
{
    return n->kind == N_DIV && n->kid[0]->kind == N_FLOAT && n->kid[0]->u.f == 1 && n->kid[1] == x;
}

/* exp(argument - top), perhaps over the sum. */
static Node *weight_of(const Following *f, Node *n, bool *divided)
{
    *divided = true;
    if (n->kind == N_DIV && n->kid[1] == f->sum)
        return n->kid[0];
    for (int i = 0; i < 2 && n->kind == N_MUL; i++)
        if (is_one_over(n->kid[i], f->sum))
            return n->kid[1 - i];
    *divided = false;
    return n;
}

static Node *placeholder(Ir *ir, const char *name) { return mk_var(ir, sym_new(ir, S_LOCAL, T_FLOAT, name, (Loc){0, 0})); }

/* The only array of sums, once they are all there; false: there are several. */
static bool find_sums(const Following *f, RowSoftmax *out)
{
    for (int i = 0; i < f->held.count; i++) {
        const Held *h = f->held.items[i];
        if (h->sym->rank == 0 || h->value != f->sum || h->each)
            continue;
        if (out->sum)
            return false;
        out->sum = h->sym;
    }
    return true;
}

bool match_row_softmax(Ir *ir, const DeviceNest *nest, Sym *scores, Sym *weights, RowSoftmax *out)
{
    *out = (RowSoftmax){0};
    Following f = {.ir = ir, .out = out, .scores = scores};
    f.top = placeholder(ir, "top");
    f.sum = placeholder(ir, "sum");
    f.self = placeholder(ir, "self");
    if (!nest->form[FORM_POINT] || scores->rank < 2 || !follow(&f, nest->form[FORM_POINT]->body))
        return false;
    const Held *w = find(&f, weights);
    if (!w || !w->each || !w->value || !f.top_of || !f.sum_of)
        return false;
    const Node *weight = weight_of(&f, w->value, &out->divided);
    if (weight != f.sum_of || !calls(weight, "expf") || weight->kid[0]->kind != N_SUB || weight->kid[0]->kid[1] != f.top ||
        weight->kid[0]->kid[0] != f.top_of)
        return false;
    out->argument = f.top_of;
    return find_sums(&f, out);
}
