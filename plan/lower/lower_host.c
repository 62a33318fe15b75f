/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hooks of the C target: packing routines and the epilogue of a tile. All of them are called with at least one row, column and
 * step; a role of several loops is then decoded by dividing by extents that are not 0. */
#include "plan/lower/lower.h"

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/lower/hook.h"
#include "plan/contract/narrow.h"
#include "plan/contract/quantized.h"
#include "plan/contract/wrapping.h"
#include "plan/iteration_limit.h"
#include "plan/lower/step_runs.h"

static Node *local(const Lower *l, const char *name)
{
    Sym *sym = sym_new(l->ir, S_LOCAL, T_INDEX, name, (Loc){0, 0});
    sym->is_const = true;
    return mk_var(l->ir, sym);
}

static Node *counter(const Lower *l, const char *name) { return mk_var(l->ir, sym_new(l->ir, S_LOOP, T_INDEX, name, (Loc){0, 0})); }

static Node *block_of(const Lower *l, int n, Node *const *stmts) { return mk_block(l->ir, n, stmts, (Loc){0, 0}); }

/* for (index var = lo; var < hi; var++) body */
static Node *loop(const Lower *l, Node *var, Node *lo, Node *hi, Node *body)
{
    return mk_for(l->ir, var->sym, lo, mk_binary(l->ir, N_LT, var, hi), 1, body, true, (Loc){0, 0});
}

/* ---------------------------------------------------------------- loops over a role */

/* What a role loop runs over: folded iterations start .. start + count - 1; `x` is the offset from start. */
typedef struct Span {
    Node *start, *count, *x;
    uint8_t marks; /* of the innermost loop: FOR_PARALLEL, many iterations are done at a time where that can be; FOR_VECTOR */
} Span;

static Node *span_loop(const Lower *l, const Span *s, Node *var, Node *lo, Node *hi, Node *body)
{
    Node *n = loop(l, var, lo, hi, body);
    n->aux |= s->marks;
    return n;
}

/* One loop, or none: x counts. */
static Node *plain_loop(Lower *l, Role role, const Span *s, Node *body)
{
    Vec inner = {0};
    lower_decode(l, &inner, role, ix_add(l->ir, s->start, s->x));
    lower_push(l, &inner, body);
    return span_loop(l, s, s->x, ix_int(l->ir, 0), s->count, lower_block(l, &inner));
}

/* t[last]++, and where it reaches its extent the next one, like an odometer. */
static Node *carry(Lower *l, Node *const *t, int first, int last)
{
    Ir *ir = l->ir;
    Node *up = mk_assign(ir, t[last]->sym, ix_add(ir, t[last], ix_int(ir, 1)), N_ADD, (Loc){0, 0});
    if (last == first)
        return up;
    Node *wrap[] = {mk_assign(ir, t[last]->sym, ix_int(ir, 0), N_NONE, (Loc){0, 0}), carry(l, t, first, last - 1)};
    Node *full = mk_binary(ir, N_EQ, t[last], l->c->dims[last].extent);
    Node *stmts[] = {up, mk_if(ir, full, block_of(l, 2, wrap), NULL, (Loc){0, 0})};
    return block_of(l, 2, stmts);
}

/* How many iterations the loops between the outermost and the innermost of a role have together, if those are a few; 0: they are not, or
 * there are no such loops. */
static int64_t few_between(const Lower *l, RoleDims r)
{
    enum { FEW = 8 };
    int64_t count = r.count > 2;
    for (int i = r.first + 1; i < r.first + r.count - 1; i++) {
        int64_t extent;
        if (!poly_const(poly_of(l->ir, l->c->dims[i].extent), &extent) || extent < 1 || extent > FEW)
            return 0;
        count *= extent;
    }
    return count <= FEW ? count : 0;
}

/* Runs of the outermost loop, in which the `between` iterations of those between it and the innermost one are loops as in the spec: nothing
 * steps like an odometer, which vectors of lines could not. */
static Node *nested_runs(Lower *l, Role role, const Span *s, int64_t between, Node *body)
{
    Ir *ir = l->ir;
    const RoleDims r = lower_dims_of(l->c, role);
    const int last = r.first + r.count - 1;
    Node *length = local(l, "length"), *run = counter(l, "run"), *from = local(l, "from"), *t = counter(l, "t");
    Node *end = ix_add(ir, s->start, s->count), *one = ix_int(ir, 1), *whole = ix_mul(ir, length, ix_int(ir, between));
    Vec out = {0}, each = {0}, inner = {0};
    lower_push(l, &out, lower_declare(l, length, l->c->dims[last].extent));
    lower_push(l, &each, lower_declare_dim(l, r.first, run));
    Node **digit = arena_new_array(ir->arena, Node *, l->c->ndims), *before = run;
    for (int i = r.first + 1; i < last; i++) {
        digit[i] = counter(l, "digit");
        before = ix_add(ir, ix_mul(ir, before, l->c->dims[i].extent), digit[i]);
        lower_push(l, &inner, lower_declare_dim(l, i, digit[i]));
    }
    lower_push(l, &inner, lower_declare(l, from, ix_sub(ir, ix_mul(ir, before, length), s->start)));
    Node *innermost[] = {lower_declare_dim(l, last, t), lower_declare(l, s->x, ix_add(ir, from, t)), body};
    Node *lo = ix_max(ir, ix_sub(ir, ix_int(ir, 0), from), ix_int(ir, 0));
    lower_push(l, &inner, span_loop(l, s, t, lo, ix_min(ir, ix_sub(ir, s->count, from), length), block_of(l, 3, innermost)));
    Node *digits = lower_block(l, &inner);
    for (int i = last - 1; i > r.first; i--)
        digits = loop(l, digit[i], ix_int(ir, 0), l->c->dims[i].extent, digits);
    lower_push(l, &each, digits);
    Node *first_run = ix_div(ir, s->start, whole), *last_run = ix_div(ir, ix_sub(ir, end, one), whole);
    lower_push(l, &out, loop(l, run, first_run, ix_add(ir, last_run, one), lower_block(l, &each)));
    return lower_block(l, &out);
}

/* Several loops: runs of the innermost one, so that the loop that does the work divides nothing and its
 * accesses are as regular as in the spec; the outer ones are decoded once and then step like an odometer. */
static Node *run_loops(Lower *l, Role role, const Span *s, Node *body)
{
    Ir *ir = l->ir;
    RoleDims r = lower_dims_of(l->c, role);
    const int64_t between = few_between(l, r);
    if (between)
        return nested_runs(l, role, s, between, body);
    int last = r.first + r.count - 1;
    Node *length = local(l, "length"), *run = counter(l, "run"), *from = local(l, "from"), *t = counter(l, "t");
    Node *end = ix_add(ir, s->start, s->count), *one = ix_int(ir, 1);
    Node **digit = arena_new_array(ir->arena, Node *, l->c->ndims);
    Vec out = {0}, each = {0}, inner = {0};
    lower_push(l, &out, lower_declare(l, length, l->c->dims[last].extent));
    Node *first_run = ix_div(ir, s->start, length), *last_run = ix_div(ir, ix_sub(ir, end, one), length);
    Node *rest = first_run;
    for (int i = last - 1; i >= r.first && r.count > 2; i--) {
        digit[i] = lower_digit(l, i);
        lower_push(l, &out, lower_declare(l, digit[i], i > r.first ? ix_mod(ir, rest, l->c->dims[i].extent) : rest));
        rest = ix_div(ir, rest, l->c->dims[i].extent);
    }
    for (int i = r.first; i < last; i++)
        lower_push(l, &each, lower_declare_dim(l, i, r.count > 2 ? digit[i] : run));
    lower_push(l, &each, lower_declare(l, from, ix_sub(ir, ix_mul(ir, run, length), s->start)));
    lower_push(l, &inner, lower_declare_dim(l, last, t));
    lower_push(l, &inner, lower_declare(l, s->x, ix_add(ir, from, t)));
    lower_push(l, &inner, body);
    Node *lo = ix_max(ir, ix_sub(ir, ix_int(ir, 0), from), ix_int(ir, 0));
    lower_push(l, &each, span_loop(l, s, t, lo, ix_min(ir, ix_sub(ir, s->count, from), length), lower_block(l, &inner)));
    if (r.count > 2)
        lower_push(l, &each, carry(l, digit, r.first, last - 1));
    lower_push(l, &out, loop(l, run, first_run, ix_add(ir, last_run, one), lower_block(l, &each)));
    return lower_block(l, &out);
}

/* `body` for every iteration of the span, with the role's loop variables and s->x declared. */
static Node *role_loop(Lower *l, Role role, const Span *s, Node *body)
{
    return lower_dims_of(l->c, role).count > 1 ? run_loops(l, role, s, body) : plain_loop(l, role, s, body);
}

/* s->x is a counter of plain_loop or a local of run_loops. */
static Node *offset_var(const Lower *l, Role role, const char *name)
{
    return lower_dims_of(l->c, role).count > 1 ? local(l, name) : counter(l, name);
}

/* ---------------------------------------------------------------- packing */

typedef struct MainLoad {
    Sym *var[2];
    Node *load;
    int moving; /* how many of the variables move it */
} MainLoad;

static bool find_load(void *user, Node *n)
{
    MainLoad *f = user;
    if (n->kind != N_LOAD || !n->sym->rank)
        return true;
    int moving = 0;
    for (int i = 0; i < 2; i++)
        moving += f->var[i] && uses_sym(n, f->var[i]);
    if (!f->load || moving > f->moving) {
        f->load = n;
        f->moving = moving;
    }
    return true;
}

static Sym *innermost(const Lower *l, Role role)
{
    RoleDims r = lower_dims_of(l->c, role);
    return r.count ? l->c->dims[r.first + r.count - 1].var : NULL;
}

/* The operand's first load of those that most of a panel's loops move: a scale beside it is loaded less often. */
static Node *main_load(const Lower *l, const Operand *o, Role role)
{
    MainLoad found = {.var = {innermost(l, role), innermost(l, R_K)}};
    Node *value = o->value;
    while (value->kind == N_SEL)
        value = value->kid[1];
    walk(&(Walker){.pre = find_load, .user = &found}, value);
    return found.load;
}

/* How near to one another successive iterations of a loop read: 2 neighbours, 1 the same row, 0 far or unknown. Guards and conversions
 * do not matter. */
static int nearness(const Lower *l, const Node *load, Sym *var)
{
    Ir *ir = l->ir;
    if (!var || !load)
        return 0;
    Poly *coef, *rest;
    int last = load->nkids - 1;
    for (int i = 0; i < last; i++)
        if (uses_sym(load->kid[i], var))
            return 0;
    if (!uses_sym(load->kid[last], var) || !poly_affine(ir, poly_of(ir, load->kid[last]), &var, 1, &coef, &rest))
        return 0;
    /* In a flat array a symbolic coefficient is a row's length; in a row it is a small step. */
    if (poly_is(coef, 1) || poly_is(coef, -1))
        return 2;
    return last > 0;
}

/* Lines in the inner loop write contiguously, and read so if neighbouring lines are near; else k reads better.
 */
static bool lines_go_inner(const Lower *l, const Operand *o, Role role)
{
    const Node *load = main_load(l, o, role);
    int lines = nearness(l, load, innermost(l, role)), k = nearness(l, load, innermost(l, R_K));
    return lines == 2 || (lines == 1 && (k < 2 || lower_dims_of(l->c, R_K).count > 1)) || (lines == 0 && k == 0);
}

/* Where (line, k) of a panel of `lines` lines lies, relative to the panel. 16-bit elements come in pairs of k.
 */
static Node *packed_index(const Lower *l, Node *line, Node *k, Node *lines)
{
    Ir *ir = l->ir;
    if (l->c->family != FAM_I8)
        return ix_add(ir, ix_mul(ir, k, lines), line);
    Node *two = ix_int(ir, 2);
    Node *pair = ix_mul(ir, ix_mul(ir, ix_div(ir, k, two), lines), two);
    return ix_add(ir, ix_add(ir, pair, ix_mul(ir, line, two)), ix_mod(ir, k, two));
}

/* An odd number of steps is filled up with zeros. */
static Node *fill_pair(const Lower *l, Sym *dst, Node *base, Node *kc, Node *lines, Node *used)
{
    Ir *ir = l->ir;
    Node *line = counter(l, "line");
    Node *at = ix_add(ir, base, packed_index(l, line, kc, lines));
    Node *store = mk_store(ir, dst, 1, &at, mk_int(ir, l->c->elem, 0), N_NONE, (Loc){0, 0});
    Node *odd = mk_binary(ir, N_NE, ix_mod(ir, kc, ix_int(ir, 2)), ix_int(ir, 0));
    return mk_if(ir, odd, loop(l, line, ix_int(ir, 0), used, store), NULL, (Loc){0, 0});
}

/* A panel's loops. */
typedef struct Panel {
    Span lines, steps;
    Sym *dst;
    Node *at, *value;
    bool lines_inside;
} Panel;

static Node *store_element(Lower *l, const Panel *p, Node *value)
{
    return mk_store(l->ir, p->dst, 1, (Node **)&p->at, lower_in_hook(l, mk_cast(l->ir, panel_type(l->c), value)), N_NONE, l->c->loc);
}

/* Runs of steps, in which lines go around steps. */
static Node *run_panel(Lower *l, Role role, const Panel *p, int64_t length)
{
    Ir *ir = l->ir;
    Node *run = counter(l, "run"), *from = local(l, "from"), *t = counter(l, "t"), *steps = ix_int(ir, length);
    Node *inner[] = {lower_declare(l, p->steps.x, ix_add(ir, from, t)), NULL, store_element(l, p, value_in_run(ir, l->c, p->value, run))};
    const Span lines = {p->lines.start, p->lines.count, p->lines.x, p->lines.marks | FOR_VECTOR};
    inner[1] = lower_declare_dim(l, lower_dims_of(l->c, R_K).first, ix_add(ir, p->steps.start, p->steps.x));
    Node *lo = ix_max(ir, ix_sub(ir, ix_int(ir, 0), from), ix_int(ir, 0)), *hi = ix_min(ir, ix_sub(ir, p->steps.count, from), steps);
    Node *body[] = {lower_declare(l, from, ix_sub(ir, ix_mul(ir, run, steps), p->steps.start)),
                    role_loop(l, role, &lines, loop(l, t, lo, hi, block_of(l, 3, inner)))};
    Node *last = ix_div(ir, ix_sub(ir, ix_add(ir, p->steps.start, p->steps.count), ix_int(ir, 1)), steps);
    return loop(l, run, ix_div(ir, p->steps.start, steps), ix_add(ir, last, ix_int(ir, 1)), block_of(l, 2, body));
}

static Node *panel_loops(Lower *l, Role role, const Panel *p)
{
    const int64_t length = p->lines_inside && l->c->family != FAM_I8 ? run_length(l->c, p->value) : 0;
    if (length)
        return run_panel(l, role, p, length);
    Node *store = store_element(l, p, p->value);
    return p->lines_inside ? role_loop(l, R_K, &p->steps, role_loop(l, role, &p->lines, store))
                           : role_loop(l, role, &p->lines, role_loop(l, R_K, &p->steps, store));
}

/* Panels of `size` lines (rows of A, columns of B). A's last panel is as high as what remains of it; B's keeps
 * its width, and what is missing stays unwritten. */
static Func *pack_hook(Lower *l, const Operand *o, Role role)
{
    Ir *ir = l->ir;
    bool rows = role == R_M;
    Node *b = lower_param(l, T_INDEX, "batch");
    Node *m0 = rows ? lower_param(l, T_INDEX, "m0") : NULL, *mc = rows ? lower_param(l, T_INDEX, "mc") : NULL;
    Node *k0 = lower_param(l, T_INDEX, "k0"), *kc = lower_param(l, T_INDEX, "kc");
    Node *start = rows ? m0 : lower_param(l, T_INDEX, "n0"), *count = rows ? mc : lower_param(l, T_INDEX, "nc");
    Node *size = lower_param(l, T_INDEX, rows ? "mr" : "nr");
    Sym *dst = lower_pointer(l, panel_type(l->c), "dst", false);
    Node *panel = counter(l, "panel"), *p = local(l, rows ? "i0" : "j0"), *used = local(l, rows ? "height" : "width");
    Node *line = offset_var(l, role, rows ? "i" : "j"), *k = offset_var(l, R_K, "kk");
    Node *steps = l->c->family == FAM_I8 ? ix_add(ir, kc, ix_mod(ir, kc, ix_int(ir, 2))) : kc;
    Node *base = ix_mul(ir, p, steps), *lines = rows ? used : size;
    Node *at = ix_add(ir, base, packed_index(l, line, k, lines));
    const bool lines_inside = lines_go_inner(l, o, role);
    const uint8_t marks = l->c->family == FAM_I8 ? 0 : lines_inside ? FOR_PARALLEL : FOR_PARALLEL | FOR_VECTOR;
    Span over_lines = {ix_add(ir, start, p), used, line, marks}, over_k = {k0, kc, k, lines_inside ? 0 : marks & FOR_PARALLEL};
    Vec out = {0}, each = {0};
    lower_decode(l, &out, R_BATCH, b);
    lower_push(l, &each, lower_declare(l, p, ix_mul(ir, panel, size)));
    lower_push(l, &each, lower_declare(l, used, ix_min(ir, size, ix_sub(ir, count, p))));
    lower_push(l, &each, panel_loops(l, role, &(Panel){over_lines, over_k, dst, at, o->value, lines_inside}));
    if (l->c->family == FAM_I8)
        lower_push(l, &each, fill_pair(l, dst, base, kc, lines, used));
    Node *panels = ix_div(ir, ix_sub(ir, ix_add(ir, count, size), ix_int(ir, 1)), size);
    lower_push(l, &out, loop(l, panel, ix_int(ir, 0), panels, lower_block(l, &each)));
    Func *f = arena_alloc(ir->arena, sizeof *f);
    f->body = lower_block(l, &out);
    return f;
}

/* ---------------------------------------------------------------- epilogue */

typedef struct Redirecting {
    const Lower *l;
    Sym *t;
    Node *at;
} Redirecting;

/* The output's store before its conversion, to t[at]. */
static Node *redirect_post(void *user, Node *n)
{
    const Redirecting *r = user;
    if (n->kind != N_STORE || n->sym != r->l->c->c.array)
        return n;
    return mk_store(r->l->ir, r->t, 1, &r->at, stmt_value(n)->kid[0], N_NONE, n->loc);
}

/* The statements of one point, the sum being t[i * ldt + j]. */
static Node *point_body(Lower *l, Node *stmts, Sym *t, Node *at)
{
    Ir *ir = l->ir;
    Sym *sum = sym_new(ir, S_LOCAL, l->c->acc, l->c->sum->name, l->c->sum->loc);
    sum->is_const = true;
    Node *point = rename_sym(ir, lower_in_hook(l, stmts), l->c->sum, sum);
    Redirecting redirecting = {l, t, at};
    if (l->c->lowered.converts)
        point = rewrite(&(Rewriter){.ir = ir, .post = redirect_post, .user = &redirecting}, point);
    Node *both[] = {mk_decl(ir, sum, mk_cast(ir, l->c->acc, mk_load(ir, t, 1, &at)), l->c->loc), point};
    return block_of(l, 2, both);
}

/* How many columns the condition around all of the statements lets through, and *inside it; NULL: there is no such condition. */
static Node *guarded_columns(const Lower *l, Node *stmts, Node **inside)
{
    const RoleDims r = lower_dims_of(l->c, R_N);
    const LoopDim *d = &l->c->dims[r.first];
    Node *guard = only_statement(stmts);
    if (l->c->lowered.converts || r.count != 1 || !is_int(d->lo, 0) || d->step != 1 || guard->kind != N_IF || guard->nkids != 2)
        return NULL;
    *inside = guard->kid[1];
    return reach_of(l->ir, guard->kid[0], d->var);
}

static Func *tile_hook(Lower *l, Node *stmts)
{
    Ir *ir = l->ir;
    Node *b = lower_param(l, T_INDEX, "batch"), *m0 = lower_param(l, T_INDEX, "m0"), *mc = lower_param(l, T_INDEX, "mc");
    Node *n0 = lower_param(l, T_INDEX, "n0"), *nc = lower_param(l, T_INDEX, "nc");
    Sym *t = lower_pointer(l, sums_type(l->c), "t", !l->c->lowered.converts);
    Node *ldt = lower_param(l, T_INDEX, "ldt");
    Node *i = offset_var(l, R_M, "i"), *row = ix_mul(ir, i, ldt);
    Node *j = offset_var(l, R_N, "j");
    Node *inside, *reach = guarded_columns(l, stmts, &inside);
    Span over_m = {m0, mc, i, 0}, over_n = {n0, nc, j, FOR_PARALLEL};
    Vec out = {0}, each = {0};
    if (reach) {
        over_n.count = local(l, "within");
        lower_push(l, &each, lower_declare(l, over_n.count, ix_min(ir, nc, ix_sub(ir, lower_in_hook(l, reach), n0))));
    }
    lower_push(l, &each, role_loop(l, R_N, &over_n, point_body(l, reach ? inside : stmts, t, ix_add(ir, row, j))));
    Node *columns = lower_block(l, &each);
    lower_decode(l, &out, R_BATCH, b);
    lower_push(l, &out, role_loop(l, R_M, &over_m, columns));
    Func *f = arena_alloc(ir->arena, sizeof *f);
    f->body = lower_block(l, &out);
    return f;
}

/* out += g * sum */
static Node *more_stmts(const Lower *l)
{
    Ir *ir = l->ir;
    Node *old = l->c->c.value;
    Node *value = mk_binary(ir, N_ADD, old, l->c->more);
    return mk_store(ir, old->sym, old->nkids, old->kid, value, N_ADD, l->c->loc);
}

/* The packing of codes, and of what groups of them share. */
static void lower_quantized(Ir *ir, Plan *plan, Contraction *c)
{
    static const char *const names[] = {"pack_scales", "pack_zeros", "pack_offsets", "pack_factors"};
    const Quantized *q = find_quantized(ir, c);
    c->quantized = q;
    if (!q)
        return;
    const Operand codes = {.value = mk_cast(ir, c->elem, q->code)};
    Lower l = lower_new(ir, plan, c);
    lower_set_hook(&l, HOOK_CODES, "pack_codes", pack_hook(&l, &codes, R_N));
    for (int i = 0; i < SHARED_COUNT; i++)
        if (q->shared[i]) {
            const Operand shared = {.value = q->shared[i]};
            l = lower_new(ir, plan, c);
            lower_set_hook(&l, HOOK_SCALES + i, names[i], pack_hook(&l, &shared, R_N));
        }
}

/* ---------------------------------------------------------------- */

void lower_host(Ir *ir, Plan *plan, Contraction *c)
{
    Lower l;
    if (!c->a.strided) {
        l = lower_new(ir, plan, c);
        lower_set_hook(&l, HOOK_PACK_A, "pack_a", pack_hook(&l, &c->a, R_M));
    }
    if (!c->b.strided) {
        l = lower_new(ir, plan, c);
        lower_set_hook(&l, HOOK_PACK_B, "pack_b", pack_hook(&l, &c->b, R_N));
    }
    lower_quantized(ir, plan, c);
    c->lowered.converts = ends_converted(c);
    if (c->kind != EPI_GENERAL || (c->lowered.converts && stores_sum(c)))
        return;
    l = lower_new(ir, plan, c);
    lower_set_hook(&l, HOOK_EPILOGUE, c->lowered.converts ? "finish" : "epilogue", tile_hook(&l, c->epilogue));
    if (!c->first_beta)
        return;
    l = lower_new(ir, plan, c);
    lower_set_hook(&l, HOOK_MORE, "more", tile_hook(&l, more_stmts(&l)));
}
