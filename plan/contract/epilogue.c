/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens to the finished sum, as few statements as the spec had, and of which kind it is. */
#include "ir/walk.h"
#include "plan/contract/map.h"
#include "plan/contract/nest_access.h"
#include "plan/contract/epilogue.h"
#include "plan/contract/wrapping.h"

static bool same_element(Ir *ir, Node *const *a, Node *const *b, int rank)
{
    for (int i = 0; i < rank; i++)
        if (!poly_equal(poly_of(ir, a[i]), poly_of(ir, b[i])))
            return false;
    return true;
}

static bool is_zero(const Node *n) { return (n->kind == N_INT && n->u.i == 0) || (n->kind == N_FLOAT && n->u.f == 0); }

/* ---------------------------------------------------------------- classification */

/* `v` as a product of sum with things that do not know sum or the output. */
static bool is_multiple(Node *v, const Sym *sum, const Sym *out)
{
    if (v->kind == N_VAR)
        return v->sym == sum;
    if (v->kind == N_NEG)
        return is_multiple(v->kid[0], sum, out);
    if (v->kind == N_SEL)
        return is_zero(v->kid[2]) && !uses_sym(v->kid[0], sum) && !reads_array(v->kid[0], out) && is_multiple(v->kid[1], sum, out);
    if (v->kind != N_MUL)
        return false;
    int with = uses_sym(v->kid[0], sum) ? 0 : 1;
    Node *other = v->kid[1 - with];
    return !uses_sym(other, sum) && !reads_array(other, out) && is_multiple(v->kid[with], sum, out);
}

/* The g * sum of v == f + g * sum, NULL when v has another form. */
static Node *linear_term(Ir *ir, Node *v, const Sym *sum, const Sym *out)
{
    if (v->kind == N_ADD || v->kind == N_SUB) {
        bool left = uses_sym(v->kid[0], sum);
        if (left && uses_sym(v->kid[1], sum))
            return NULL;
        Node *term = linear_term(ir, v->kid[left ? 0 : 1], sum, out);
        return term && !left && v->kind == N_SUB ? mk_unary(ir, N_NEG, term) : term;
    }
    return is_multiple(v, sum, out) ? v : NULL;
}

static bool is_old_element(Ir *ir, const Node *n, const Contraction *c)
{
    return n->kind == N_LOAD && n->sym == c->c.array && same_element(ir, n->kid, c->c.value->kid, n->nkids);
}

static bool is_sum(const Node *n, const Contraction *c) { return n->kind == N_VAR && n->sym == c->sum; }

static void classify(Ir *ir, Contraction *c, Node *value)
{
    Sym *out = c->c.array;
    bool direct = c->c.in_place && out->type == c->acc;
    bool reads_out = reads_array(value, out);
    c->kind = EPI_GENERAL;
    c->partial_in_c = c->first_beta = false;
    c->more = NULL;
    if (direct && is_sum(value, c)) {
        c->kind = EPI_STORE;
    } else if (direct && value->kind == N_ADD &&
               ((is_old_element(ir, value->kid[0], c) && is_sum(value->kid[1], c)) ||
                (is_old_element(ir, value->kid[1], c) && is_sum(value->kid[0], c)))) {
        c->kind = EPI_ACCUMULATE;
    } else if (!reads_out) {
        c->partial_in_c = direct;
    } else if (out->type == c->acc && !(c->family == FAM_I32 && c->acc == T_INT)) { /* parts of an int may leave the range of the whole */
        c->more = linear_term(ir, value, c->sum, out);
        c->first_beta = c->more != NULL;
    }
}

/* ---------------------------------------------------------------- statements */

static bool count_use(void *user, Node *n)
{
    int *uses = user;
    if (n->kind == N_VAR)
        ++*uses;
    return true;
}

/* Is `acc` read once, by the one statement, a store? Then its value may stand there. */
static bool stored_at_once(const Vec *after, const Sym *acc)
{
    if (after->count != 1 || ((Node *)after->items[0])->kind != N_STORE)
        return false;
    Node *value = stmt_value(after->items[0]);
    int vars = 0;
    walk(&(Walker){.pre = count_use, .user = &vars}, value);
    return vars == 1 && uses_sym(value, acc);
}

static bool writes_or_reads(const Vec *list, int from, const Sym *sym)
{
    for (int i = from; i < list->count; i++)
        if (uses_sym(list->items[i], sym))
            return true;
    return false;
}

/* Is acc, before the reduction, only declared and given a value? Then these statements can go: init has it. */
static bool simple_before(const Vec *before, const Sym *acc)
{
    for (int i = 0; i < before->count; i++) {
        Node *n = before->items[i];
        bool own = (n->kind == N_DECL || n->kind == N_ASSIGN) && n->sym == acc;
        if (!own && uses_sym(n, acc))
            return false;
    }
    return true;
}

typedef struct Filling {
    const Nest *nest;
    Vec declared;
} Filling;

static bool note_declared(void *user, Node *n)
{
    Filling *f = user;
    if (n->kind == N_DECL)
        vec_push(f->nest->ir->arena, &f->declared, n->sym);
    return !is_expr(n);
}

/* Scalars from outside the nest that stand for an expression over parameters are replaced by it. */
static Node *fill_post(void *user, Node *n)
{
    Filling *f = user;
    const Env *env = f->nest->env;
    Node *def = n->kind == N_VAR && env->defs ? map_get(env->defs, n->sym->id) : NULL;
    if (!def)
        return n;
    for (int i = 0; i < f->declared.count; i++)
        if (f->declared.items[i] == n->sym)
            return n;
    return def;
}

/* The statements of `list` that something in `rest`, or a kept one after them, has use for. */
static Vec needed(Ir *ir, const Vec *list, Vec rest)
{
    for (int i = list->count - 1; i >= 0; i--) {
        Node *n = list->items[i];
        bool keep = n->kind == N_IF || writes_or_reads(&rest, 0, n->sym);
        if (!keep)
            continue;
        Vec longer = {0};
        vec_push(ir->arena, &longer, n);
        for (int j = 0; j < rest.count; j++)
            vec_push(ir->arena, &longer, rest.items[j]);
        rest = longer;
    }
    return rest;
}

static Node *term_of(const Mapping *m)
{
    Ir *ir = m->ir;
    Node *term = mk_var(ir, m->c->sum);
    if (m->sum_factor)
        term = mk_binary(ir, N_MUL, m->sum_factor, term);
    if (m->sum_guard) {
        Node *zero = type_is_float(m->c->acc) ? mk_float(ir, m->c->acc, 0) : mk_int(ir, m->c->acc, 0);
        term = mk_select(ir, m->sum_guard, term, zero);
    }
    return term;
}

static Node *add_term(const Mapping *m, Node *init, Node *term)
{
    if (is_zero(init))
        return m->nest->negative ? mk_unary(m->ir, N_NEG, term) : term;
    return mk_binary(m->ir, m->nest->negative ? N_SUB : N_ADD, init, term);
}

/* The same without overflow where the sum is one modulo 2^32. */
static Node *total_of(const Mapping *m, Node *init)
{
    Node *total = add_term(m, init, term_of(m));
    return m->c->family == FAM_I32 ? wrapping(m->ir, m->c->acc, total) : total;
}

static Node *epilogue_block(const Mapping *m, Node *total)
{
    Ir *ir = m->ir;
    const Nest *nest = m->nest;
    Sym *acc = nest->acc;
    bool reassigned = false, simple = simple_before(&nest->before, acc);
    for (int i = 0; i < nest->after.count; i++)
        reassigned = reassigned || writes_sym(nest->after.items[i], acc);
    Node *instead = NULL;
    if (simple && !reassigned && (is_sum(total, m->c) || stored_at_once(&nest->after, acc)))
        instead = total;
    Vec rest = {0};
    if (!simple)
        vec_push(ir->arena, &rest, mk_assign(ir, acc, total_of(m, mk_var(ir, acc)), N_NONE, m->c->loc));
    else if (!instead)
        vec_push(ir->arena, &rest, mk_decl(ir, acc, total, acc->loc));
    for (int i = 0; i < nest->after.count; i++) {
        Node *stmt = nest->after.items[i];
        vec_push(ir->arena, &rest, instead ? substitute(ir, stmt, acc, instead) : stmt);
    }
    Vec before = {0};
    for (int i = 0; i < nest->before.count; i++)
        if (!simple || ((Node *)nest->before.items[i])->sym != acc)
            vec_push(ir->arena, &before, nest->before.items[i]);
    Vec all = needed(ir, &before, rest);
    Node *block = mk_block(ir, all.count, (Node **)all.items, m->c->loc);
    Filling filling = {nest, {0}};
    walk(&(Walker){.pre = note_declared, .user = &filling}, block);
    return rewrite(&(Rewriter){.ir = ir, .post = fill_post, .user = &filling}, block);
}

/* The statements of points that are part of the product. */
static Node *where_wanted(const Mapping *m, Node *block)
{
    Node *wanted = NULL;
    for (int i = 0; i < m->nest->within.count; i++) {
        Node *cond = m->nest->within.items[i];
        wanted = wanted ? mk_binary(m->ir, N_LAND, wanted, cond) : cond;
    }
    if (!wanted)
        return block;
    Node *stmt = mk_if(m->ir, wanted, block, NULL, block->loc);
    return mk_block(m->ir, 1, &stmt, block->loc);
}

/* ---------------------------------------------------------------- */

typedef struct Checking {
    const Mapping *m;
    bool ok;
} Checking;

static bool check_old(void *user, Node *n)
{
    Checking *check = user;
    const Nest *nest = check->m->nest;
    if (n->kind == N_LOAD && n->sym == nest->out)
        check->ok = check->ok && (same_element(nest->ir, n->kid, nest->sub, n->nkids) || is_other_part(nest, n->kid));
    return check->ok;
}

bool map_epilogue(Mapping *m)
{
    Ir *ir = m->ir;
    const Nest *nest = m->nest;
    Contraction *c = m->c;
    Node *total = add_term(m, nest->init, term_of(m));
    Node *value = substitute(ir, nest->value, nest->acc, total);
    Checking check = {m, true};
    walk(&(Walker){.pre = check_old, .user = &check}, value);
    if (!check.ok || tree_size(value, 4000) == 4000)
        return false;
    classify(ir, c, value);
    if (nest->within.count || nest->copies) { /* elements that are not to be touched hold no sums of the first steps */
        c->kind = EPI_GENERAL;
        c->partial_in_c = c->first_beta = false;
        c->more = NULL;
    }
    if (c->kind != EPI_GENERAL) {
        Node *store = mk_store(ir, nest->out, nest->out->rank, nest->sub, value, N_NONE, c->loc);
        c->epilogue = mk_block(ir, 1, &store, c->loc);
        return true;
    }
    c->epilogue = where_wanted(m, epilogue_block(m, total_of(m, nest->init)));
    return true;
}

Node *epilogue_value(const Contraction *c)
{
    const Node *block = c->epilogue;
    return block->nkids == 1 && block->kid[0]->kind == N_STORE ? stmt_value(block->kid[0]) : NULL;
}

void set_epilogue_value(Ir *ir, Contraction *c, Node *value)
{
    Node *old = c->epilogue->kid[0];
    Node *store = mk_store(ir, old->sym, old->sym->rank, old->kid, value, N_NONE, old->loc);
    c->epilogue = mk_block(ir, 1, &store, c->loc);
    classify(ir, c, value);
}
