/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call gives way to its helper's statements, with arguments in variables and names made anew. */
#include "fuse/inline_helpers.h"

#include <string.h>

#include "depend/index.h"
#include "depend/poly.h"
#include "fuse/names.h"
#include "ir/walk.h"

/* More than this is not a program that somebody wrote: helpers that call helpers twice, level after level. */
enum { MAX_NODES = 2000000, MAX_TREE = 200000 };

/* What is known of a scalar's values, and what stands for a symbol of the helper being inlined. */
typedef struct Facts {
    int writes;     /* declarations with a value and assignments; a loop counts as two   */
    Node *value;    /* of its declaration, or of an assignment at the function's top level */
    Sym *now;       /* the fresh symbol for a helper's local, the caller's array for its array parameter */
    Node *argument; /* for a helper's scalar parameter                                   */
    Node **prefix;  /* for an array parameter: the row's subscripts in the caller's array */
    int nprefix;
} Facts;

/* What the function and the helpers below it share. The facts are in pages by symbol id, made when needed:
 * a file may have many functions, and each asks about few symbols. */
typedef struct Table {
    Facts **pages;
    int npages;
    Vec ready;       /* Func *: helpers whose own calls are gone */
    int first_nodes; /* nodes there were at the start            */
} Table;

enum { PAGE = 64 };

typedef struct Expander {
    Ir *ir;
    Table *table;
    Names names;
    Vec calls; /* Node *: calls met in this statement, and after each the value that replaces it */
} Expander;

static void expand_body(Ir *ir, Func *f, Table *table);
static Node *lower(Expander *e, Node *n, Vec *out);

static Facts *facts_of(Expander *e, const Sym *s)
{
    Table *t = e->table;
    int page = s->id / PAGE;
    if (page >= t->npages) {
        int npages = 2 * (page + 8);
        Facts **pages = arena_new_array(e->ir->arena, Facts *, npages);
        if (t->npages)
            memcpy(pages, t->pages, sizeof *pages * (size_t)t->npages);
        t->pages = pages;
        t->npages = npages;
    }
    if (!t->pages[page])
        t->pages[page] = arena_new_array(e->ir->arena, Facts, PAGE);
    return &t->pages[page][s->id % PAGE];
}

/* Statement `n` writes `s`, when it does. */
static void note_write(Expander *e, const Node *n, const Sym *s)
{
    Facts *facts = facts_of(e, s);
    if (n->kind == N_FOR)
        facts->writes += 2;
    else if (n->kind == N_ASSIGN || (n->kind == N_DECL && n->nkids))
        facts->writes++;
    if (n->kind == N_DECL && n->nkids)
        facts->value = n->kid[0];
}

static void push(Expander *e, Vec *out, Node *stmt) { vec_push(e->ir->arena, out, stmt); }

static Node *block_of(Expander *e, const Vec *stmts, Loc loc) { return mk_block(e->ir, stmts->count, (Node *const *)stmts->items, loc); }

/* Questions. */

static bool is_helper_call(const Node *n) { return n->kind == N_CALL && n->sym->func; }

static bool note_helper_call(void *user, Node *n)
{
    (void)user;
    return is_helper_call(n);
}

static bool calls_helper(Node *n) { return any_node(n, note_helper_call, NULL); }

static Func *ready(Expander *e, Func *helper)
{
    Vec *known = &e->table->ready;
    for (int i = known->count; i-- > 0;)
        if (known->items[i] == helper)
            return helper;
    expand_body(e->ir, helper, e->table);
    vec_push(e->ir->arena, known, helper);
    return helper;
}

/* The value of a helper that is nothing but `return value;`, else NULL. */
static Node *only_value(const Func *helper)
{
    const Node *body = helper->body;
    return body->nkids == 1 && body->kid[0]->kind == N_RETURN ? body->kid[0]->kid[0] : NULL;
}

static bool note_statement_call(void *user, Node *n)
{
    Expander *e = user;
    return is_helper_call(n) && !only_value(ready(e, n->sym->func));
}

/* Whether evaluating `n` means running statements. */
static bool needs_statements(Expander *e, Node *n) { return any_node(n, note_statement_call, e); }

/* A value that may be written twice: it costs nothing, and no store can change it. */
static bool is_plain(const Node *n)
{
    return n->kind == N_VAR || n->kind == N_INT || n->kind == N_FLOAT || ((n->kind == N_CAST || n->kind == N_NEG) && is_plain(n->kid[0]));
}

static int count_uses(const Node *n, const Sym *s)
{
    int count = n->kind == N_VAR && n->sym == s;
    for (int i = 0; i < n->nkids && count < 2; i++)
        count += count_uses(n->kid[i], s);
    return count;
}

/* Number of nodes as written out, at most `limit`. */
static int tree_size(const Node *n, int limit)
{
    int size = 1;
    for (int i = 0; i < n->nkids && size < limit; i++)
        size += tree_size(n->kid[i], limit - size);
    return size;
}

/* A new local that holds `value` from here on. */
static Node *bind(Expander *e, const char *name, Node *value, Vec *out)
{
    Sym *s = sym_new(e->ir, S_LOCAL, value->type, names_fresh(&e->names, name), value->loc);
    s->is_const = true;
    *facts_of(e, s) = (Facts){.writes = 1, .value = value};
    push(e, out, mk_decl(e->ir, s, value, value->loc));
    return mk_var(e->ir, s);
}

/* `n` with locals that have one value replaced by it. */

static Node *resolve_post(void *user, Node *n)
{
    Expander *e = user;
    if (n->kind != N_VAR || n->sym->kind != S_LOCAL)
        return n;
    const Facts *facts = facts_of(e, n->sym);
    if (facts->writes != 1 || !facts->value)
        return n;
    return rewrite(&(Rewriter){.ir = e->ir, .post = resolve_post, .user = e}, facts->value);
}

static Node *resolve(Expander *e, Node *n) { return rewrite(&(Rewriter){.ir = e->ir, .post = resolve_post, .user = e}, n); }

/* Putting a helper's body in place: its symbols become what `facts` says. */

static Node *place_pre(void *user, Node *n)
{
    Expander *e = user;
    if (n->kind != N_DECL && !(n->kind == N_FOR && n->aux))
        return NULL;
    Sym *fresh = sym_new(e->ir, n->sym->kind, n->sym->type, names_fresh(&e->names, n->sym->name), n->sym->loc);
    fresh->is_const = n->sym->is_const;
    fresh->rank = n->sym->rank;
    facts_of(e, n->sym)->now = fresh;
    return NULL;
}

static Node *place_post(void *user, Node *n)
{
    Expander *e = user;
    if (!n->sym || n->sym->kind == S_FUNC)
        return n;
    Facts facts = *facts_of(e, n->sym);
    if (n->kind == N_VAR && facts.argument)
        return facts.argument;
    if (!facts.now)
        return n;
    if (n->kind == N_DECL && n->sym->rank) {
        facts.now->extent = arena_new_array(e->ir->arena, Node *, n->sym->rank);
        for (int i = 0; i < n->sym->rank; i++)
            facts.now->extent[i] = rewrite(&(Rewriter){.ir = e->ir, .post = place_post, .user = e}, n->sym->extent[i]);
    }
    note_write(e, n, facts.now);
    if (!facts.nprefix)
        return with_sym_kids(e->ir, n, facts.now, n->nkids, n->kid);
    Node **kids = arena_new_array(e->ir->arena, Node *, facts.nprefix + n->nkids);
    memcpy(kids, facts.prefix, sizeof *kids * (size_t)facts.nprefix);
    memcpy(kids + facts.nprefix, n->kid, sizeof *kids * (size_t)n->nkids);
    return with_sym_kids(e->ir, n, facts.now, facts.nprefix + n->nkids, kids);
}

static Node *place(Expander *e, Node *n) { return rewrite(&(Rewriter){.ir = e->ir, .pre = place_pre, .post = place_post, .user = e}, n); }

static Node *settle_division(void *user, Node *n)
{
    Ir *ir = user;
    int64_t a, b;
    if (n->kind != N_DIV || !computes_as_index(n->type))
        return n;
    const Poly *dividend = poly_of(ir, n->kid[0]), *divisor = poly_of(ir, n->kid[1]);
    const bool folds = poly_const(divisor, &b) && b > 0;
    if (folds && b == 1)
        return poly_node(ir, dividend);
    if (folds && poly_const(dividend, &a))
        return ix_int(ir, a / b);
    return mk_binary(ir, N_DIV, poly_node(ir, dividend), poly_node(ir, divisor));
}

/* The value as a polynomial, in which quotients of equal ones are equal. */
static Poly *extent_of(Expander *e, Node *extent)
{
    return poly_of(e->ir, rewrite(&(Rewriter){.ir = e->ir, .post = settle_division, .user = e->ir}, resolve(e, extent)));
}

/* A row of another length would be another layout of the same memory. */
static void check_rows(Expander *e, const Sym *param, const Node *ref, Loc loc)
{
    for (int d = 1; d < param->rank; d++) {
        if (poly_equal(extent_of(e, place(e, param->extent[d])), extent_of(e, ref->sym->extent[ref->nkids + d])))
            continue;
        diag_error(e->ir->diag, loc, "give the parameter the extents of the array that is passed",
                   "extent %d of array '%s' is not the one that the parameter '%s' declares", ref->nkids + d + 1, ref->sym->name,
                   param->name);
        return;
    }
}

/* Let the parameters of `helper` stand for the arguments of `call`. `value`: what is evaluated, when that is
 * a single expression. Without `out` nothing can be bound, so that every use repeats the argument. */
static void bind_arguments(Expander *e, const Func *helper, const Node *call, Node *value, Vec *out, Loc loc)
{
    for (int i = 0; i < helper->nparams; i++) {
        const Sym *param = helper->params[i];
        Node *arg = call->kid[i];
        if (param->kind != S_ARRAY) {
            bool repeats = !out || is_plain(arg) || (value && count_uses(value, param) < 2);
            facts_of(e, param)->argument = repeats ? arg : bind(e, param->name, arg, out);
            continue;
        }
        Facts *facts = facts_of(e, param);
        facts->now = arg->sym;
        facts->nprefix = arg->nkids;
        facts->prefix = arena_new_array(e->ir->arena, Node *, arg->nkids + 1);
        for (int k = 0; k < arg->nkids; k++) {
            /* a load in a row's subscript must not see the helper's own stores */
            Node *row = !value && out && reads_array(arg->kid[k], NULL) ? bind(e, "row", arg->kid[k], out) : arg->kid[k];
            facts->prefix[k] = row;
        }
    }
    for (int i = 0; i < helper->nparams; i++)
        if (helper->params[i]->kind == S_ARRAY)
            check_rows(e, helper->params[i], call->kid[i], loc);
}

static bool too_large(Expander *e, const Node *value, Loc loc)
{
    if (e->ir->nnodes - e->table->first_nodes < MAX_NODES && (!value || tree_size(value, MAX_TREE) < MAX_TREE))
        return false;
    if (!diag_errors(e->ir->diag))
        diag_error(e->ir->diag, loc, "call fewer helpers from helpers", "the helpers called here expand to too much code");
    return true;
}

/* Run the statements of a helper at the end of `out`; its value, or NULL of a void one. The call's arguments
 * are free of helpers. */
static Node *run_helper(Expander *e, Node *call, Vec *out, Loc loc)
{
    const Func *helper = ready(e, call->sym->func);
    Node *value = only_value(helper);
    if (too_large(e, NULL, loc))
        return call;
    bind_arguments(e, helper, call, value, out, loc);
    if (value) {
        Node *placed = place(e, value);
        return too_large(e, placed, loc) ? call : placed;
    }
    for (int i = 0; i < helper->body->nkids; i++) {
        Node *stmt = helper->body->kid[i];
        if (stmt->kind == N_RETURN)
            return place(e, stmt->kid[0]);
        push(e, out, place(e, stmt));
    }
    return NULL;
}

/* Expressions. */

/* `n` as int 0 or 1. */
static Node *truth(Expander *e, Node *n)
{
    if (kind_info[n->kind].flags & F_REL)
        return n;
    Node *zero = type_is_float(n->type) ? mk_float(e->ir, n->type, 0) : mk_int(e->ir, n->type, 0);
    return mk_binary(e->ir, N_NE, n, zero);
}

/* { statements of n; target = value of n } */
static Node *assigning_block(Expander *e, Sym *target, Node *n, bool as_truth)
{
    Vec stmts = {0};
    int known = e->calls.count;
    Node *value = lower(e, n, &stmts);
    e->calls.count = known; /* what runs in one branch has no value outside it */
    push(e, &stmts, mk_assign(e->ir, target, as_truth ? truth(e, value) : value, N_NONE, n->loc));
    return block_of(e, &stmts, n->loc);
}

/* A lazy operator whose later operands run statements becomes an if. */
static Node *lower_lazy(Expander *e, Node *n, Vec *out)
{
    Ir *ir = e->ir;
    Node *first = lower(e, n->kid[0], out);
    Sym *s = sym_new(ir, S_LOCAL, n->type, names_fresh(&e->names, "chosen"), n->loc);
    facts_of(e, s)->writes = 2;
    Node *var = mk_var(ir, s);
    if (n->kind == N_SEL) {
        push(e, out, mk_decl(ir, s, NULL, n->loc));
        Node *then = assigning_block(e, s, n->kid[1], false), *otherwise = assigning_block(e, s, n->kid[2], false);
        push(e, out, mk_if(ir, first, then, otherwise, n->loc));
    } else {
        push(e, out, mk_decl(ir, s, truth(e, first), n->loc));
        Node *goes_on = n->kind == N_LAND ? var : mk_unary(ir, N_LNOT, var);
        push(e, out, mk_if(ir, goes_on, assigning_block(e, s, n->kid[1], true), NULL, n->loc));
    }
    return var;
}

static Node *lower_kids(Expander *e, Node *n, Vec *out)
{
    Node **kids = arena_new_array(e->ir->arena, Node *, n->nkids + 1);
    bool lazy = kind_info[n->kind].flags & F_LAZY;
    for (int i = 0; i < n->nkids; i++)
        kids[i] = lower(e, n->kid[i], lazy && i > 0 ? NULL : out);
    return with_kids(e->ir, n, n->nkids, kids);
}

/* `n` without calls of helpers. What they need done first goes to `out`; when that is NULL the expression
 * is not evaluated exactly once here, and the helpers in it must be single expressions. */
static Node *lower(Expander *e, Node *n, Vec *out)
{
    if (is_helper_call(n)) {
        for (int i = 0; i < e->calls.count; i += 2)
            if (e->calls.items[i] == n)
                return e->calls.items[i + 1];
        Node *value = run_helper(e, lower_kids(e, n, out), out, n->loc);
        if (out) {
            vec_push(e->ir->arena, &e->calls, n);
            vec_push(e->ir->arena, &e->calls, value);
        }
        return value;
    }
    if (kind_info[n->kind].flags & F_LAZY && out)
        for (int i = 1; i < n->nkids; i++)
            if (needs_statements(e, n->kid[i]))
                return lower_lazy(e, n, out);
    return lower_kids(e, n, out);
}

/* Statements. */

static void expand_stmt(Expander *e, Node *n, Vec *out);

static Node *expand_block(Expander *e, Node *n)
{
    Vec stmts = {0};
    if (n->kind != N_BLOCK) {
        expand_stmt(e, n, &stmts);
        return block_of(e, &stmts, n->loc);
    }
    for (int i = 0; i < n->nkids; i++)
        expand_stmt(e, n->kid[i], &stmts);
    bool same = stmts.count == n->nkids;
    for (int i = 0; same && i < n->nkids; i++)
        same = stmts.items[i] == n->kid[i];
    return same ? n : block_of(e, &stmts, n->loc);
}

static bool is_changed(void *user, Node *n)
{
    Node *body = user;
    return (n->kind == N_VAR || n->kind == N_LOAD || n->kind == N_REF) && writes_sym(body, n->sym);
}

/* The condition is evaluated in every iteration: a helper with statements can only be called before the
 * loop, once, and only if that makes no difference. */
static Node *expand_condition(Expander *e, const Node *loop, Node *body, Vec *out)
{
    Node *cond = loop->kid[1];
    if (!calls_helper(cond))
        return cond;
    if (!needs_statements(e, cond))
        return lower(e, cond, NULL);
    bool lazy = kind_info[cond->kind].flags & F_LAZY; /* its second operand may not be meant to be evaluated */
    const bool changes = lazy || uses_sym(cond->kid[1], loop->sym) || any_node(cond->kid[1], is_changed, body);
    if (changes || needs_statements(e, cond->kid[0])) {
        diag_error(e->ir->diag, loop->loc, "make the helper a single 'return', or compute the bound in a variable before the loop",
                   "the bound of this loop calls a helper with statements, and the loop may change its value");
        return cond;
    }
    Node *bound = lower(e, cond->kid[1], out);
    return mk_binary(e->ir, cond->kind, cond->kid[0], is_plain(bound) ? bound : bind(e, "bound", bound, out));
}

static void expand_for(Expander *e, Node *n, Vec *out)
{
    Node *lo = lower(e, n->kid[0], out);
    Node *body = expand_block(e, n->kid[2]);
    e->calls.count = 0;
    Node *cond = expand_condition(e, n, body, out);
    push(e, out, with_kids(e->ir, n, 3, (Node *[]){lo, cond, body}));
}

static void expand_if(Expander *e, Node *n, Vec *out)
{
    Node *kids[3] = {lower(e, n->kid[0], out)};
    for (int i = 1; i < n->nkids; i++)
        kids[i] = expand_block(e, n->kid[i]);
    push(e, out, with_kids(e->ir, n, n->nkids, kids));
}

static void expand_stmt(Expander *e, Node *n, Vec *out)
{
    e->calls.count = 0;
    switch ((Kind)n->kind) {
    case N_BLOCK: push(e, out, expand_block(e, n)); break;
    case N_FOR: expand_for(e, n, out); break;
    case N_IF: expand_if(e, n, out); break;
    case N_EVAL: run_helper(e, lower_kids(e, n->kid[0], out), out, n->loc); break;
    default: push(e, out, lower_kids(e, n, out));
    }
}

/* Facts about the function's own scalars, before anything is inlined. */

static bool collect_pre(void *user, Node *n)
{
    Expander *e = user;
    if (is_expr(n))
        return false;
    if (n->kind == N_DECL || n->kind == N_FOR)
        names_add(&e->names, n->sym->name);
    if (n->sym)
        note_write(e, n, n->sym);
    return true;
}

static void collect(Expander *e, Func *f)
{
    for (int i = 0; i < f->nparams; i++)
        names_add(&e->names, f->params[i]->name);
    walk(&(Walker){.pre = collect_pre, .user = e}, f->body);
    for (int i = 0; i < f->body->nkids; i++) {
        const Node *n = f->body->kid[i];
        if (n->kind == N_ASSIGN && !facts_of(e, n->sym)->value)
            facts_of(e, n->sym)->value = n->kid[0];
    }
}

/* Extents of local arrays. */

static bool is_of_parameters(const Node *n)
{
    if (n->kind == N_VAR)
        return n->sym->kind == S_PARAM;
    if (n->kind == N_LOAD || n->kind == N_CALL)
        return false;
    for (int i = 0; i < n->nkids; i++)
        if (!is_of_parameters(n->kid[i]))
            return false;
    return true;
}

static bool settle_extents(void *user, Node *n)
{
    Expander *e = user;
    if (n->kind == N_DECL)
        for (int i = 0; i < n->sym->rank; i++) {
            n->sym->extent[i] = resolve(e, n->sym->extent[i]);
            if (is_of_parameters(n->sym->extent[i]))
                continue;
            diag_error(e->ir->diag, n->loc, "use parameters, constants and locals made of them; a larger extent will do",
                       "an extent of local array '%s' is not an expression of the parameters", n->sym->name);
            break;
        }
    return !is_expr(n);
}

static void expand_body(Ir *ir, Func *f, Table *table)
{
    Expander e = {.ir = ir, .table = table};
    names_init(&e.names, ir->arena);
    collect(&e, f);
    f->body = expand_block(&e, f->body);
    if (!f->is_helper && !diag_errors(ir->diag))
        walk(&(Walker){.pre = settle_extents, .user = &e}, f->body);
}

void inline_helpers(Ir *ir, Func *f)
{
    Table table = {.first_nodes = ir->nnodes};
    expand_body(ir, f, &table);
}
