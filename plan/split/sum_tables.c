/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops that no condition depends on are summed up first, so that each condition is tested once for all of their iterations. */
#include "plan/split/sum_tables.h"

#include "depend/index.h"
#include "ir/condition.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "plan/split/pieces.h"

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

/* ---------------------------------------------------------------- tables */

/* A subscript of a table. */
typedef struct Axis {
    Node *loop;   /* N_FOR from 0; its body means nothing */
    Node *extent; /* so many iterations */
    Node *first;  /* the iteration whose elements this one shares; NULL: it has its own */
} Axis;

/* For all iterations of the axes: the sum of `term` over `nest`. */
typedef struct Table {
    Axis axis[MAX_LOOPS];
    int rank;
    Vec running; /* Node *: extents; nothing is read unless they are more than 0 */
    Vec nest;    /* N_FOR and N_IF, outermost first */
    Node *term;  /* an integer */
} Table;

static bool add_axis(Table *t, Node *loop, Node *extent)
{
    if (t->rank == MAX_LOOPS || !extent)
        return false;
    t->axis[t->rank++] = (Axis){.loop = loop, .extent = extent};
    return true;
}

static Node *is_running(Ir *ir, Node *extent) { return mk_binary(ir, N_GT, extent, mk_int(ir, (Type)extent->type, 0)); }

static Node *inside(Ir *ir, Node *around, Node *body) { return with_kid(ir, around, around->kind == N_IF ? 1 : 2, body); }

/* element = 0; nest: element += term */
static Node *fill_element(Ir *ir, const Table *t, Node *element)
{
    const Loc loc = t->term->loc;
    Node *value = mk_binary(ir, N_ADD, element, mk_cast(ir, T_UINT, t->term));
    Node *body = mk_store(ir, element->sym, element->nkids, element->kid, value, N_ADD, loc);
    for (int i = t->nest.count - 1; i >= 0; i--)
        body = inside(ir, stmt_at(&t->nest, i), body);
    Node *both[] = {mk_store(ir, element->sym, element->nkids, element->kid, mk_int(ir, T_UINT, 0), N_NONE, loc), body};
    return mk_block(ir, 2, both, loc);
}

/* The array, which what goes to `before` fills. */
static Sym *fill_table(Ir *ir, const Table *t, Vec *before)
{
    const Loc loc = t->term->loc;
    Node *extent[MAX_LOOPS] = {mk_int(ir, T_INT, 1)}, *at[MAX_LOOPS] = {mk_int(ir, T_INT, 0)};
    const int rank = t->rank ? t->rank : 1; /* one sum, of a vector's elements */
    for (int i = 0; i < t->rank; i++) {
        extent[i] = t->axis[i].extent;
        at[i] = mk_var(ir, t->axis[i].loop->sym);
    }
    Sym *array = sym_new_array(ir, S_LOCAL_ARRAY, T_UINT, "sums", rank, extent, loc);
    Node *body = fill_element(ir, t, mk_load(ir, array, rank, at));
    for (int i = t->rank - 1; i >= 0; i--) {
        Node *loop = t->axis[i].loop, *first = t->axis[i].first;
        body = first ? mk_if(ir, mk_binary(ir, N_EQ, first, mk_var(ir, loop->sym)), body, NULL, loc) : body;
        body = with_kid(ir, loop, 2, body);
    }
    for (int i = 0; i < t->running.count; i++)
        body = mk_if(ir, is_running(ir, t->running.items[i]), body, NULL, loc);
    vec_push(ir->arena, before, mk_decl(ir, array, NULL, loc));
    vec_push(ir->arena, before, body);
    return array;
}

/* ---------------------------------------------------------------- the chain */

typedef struct Summing {
    const SumChain *chain;
    Ir *ir;
    Vec guards;       /* Node *: conditions of the chain */
    Vec outer, inner; /* its loops: those that conditions depend on, the others */
    bool spread;      /* a table has elements for subscripts that the chain may not have */
    Vec *before;
} Summing;

static bool is_loop_of(const Vec *loops, const Sym *var)
{
    for (int i = 0; i < loops->count; i++)
        if (stmt_at(loops, i)->kind == N_FOR && stmt_at(loops, i)->sym == var)
            return true;
    return false;
}

static bool any_uses(const Vec *list, const Sym *var)
{
    bool uses = false;
    for (int i = 0; i < list->count; i++)
        uses = uses || uses_sym(stmt_at(list, i), var);
    return uses;
}

static bool uses_any(Node *e, const Vec *loops)
{
    bool uses = false;
    for (int i = 0; i < loops->count; i++)
        uses = uses || (stmt_at(loops, i)->kind == N_FOR && uses_sym(e, stmt_at(loops, i)->sym));
    return uses;
}

static void add_guards(Summing *s, Node *condition)
{
    condition = bare_condition(condition);
    const bool is_not = condition->kind == N_LNOT;
    Node *inner = is_not ? condition->kid[0] : condition;
    if (inner->kind != (is_not ? N_LOR : N_LAND)) {
        vec_push(s->ir->arena, &s->guards, simplify(s->ir, condition));
        return;
    }
    for (int i = 0; i < 2; i++)
        add_guards(s, is_not ? mk_unary(s->ir, N_LNOT, inner->kid[i]) : inner->kid[i]);
}

static void sort_path(Summing *s)
{
    const Vec *path = s->chain->path;
    for (int i = 0; i < path->count; i++)
        if (stmt_at(path, i)->kind == N_IF)
            add_guards(s, stmt_at(path, i)->kid[0]);
    for (int i = 0; i < path->count; i++)
        if (stmt_at(path, i)->kind == N_FOR)
            vec_push(s->ir->arena, any_uses(&s->guards, stmt_at(path, i)->sym) ? &s->outer : &s->inner, stmt_at(path, i));
}

typedef struct Scope {
    const SumChain *chain;
    bool loads, divides; /* memory may be read, or anything called; may what can fail be divided? */
    bool known;
} Scope;

static bool search_unknown(void *user, Node *n)
{
    Scope *s = user;
    const Vec *around = s->chain->around;
    if (n->kind == N_VAR)
        s->known = s->known && (n->sym->kind == S_PARAM || is_loop_of(around, n->sym) || is_loop_of(s->chain->path, n->sym));
    if (n->kind == N_LOAD)
        s->known = s->known && s->loads && n->sym->kind == S_ARRAY && !(around->count && writes_sym(stmt_at(around, 0), n->sym));
    if (n->kind == N_CALL)
        s->known = s->known && s->loads;
    if ((n->kind == N_DIV || n->kind == N_MOD) && !s->divides)
        s->known = s->known && division_is_safe(s->chain->context->ir, s->chain->context->func, n);
    return s->known;
}

/* Does the expression mean the same in front of all loops? Conditions are tested where the spec may not test them: they do neither. */
static bool is_known(const SumChain *chain, Node *e, bool loads, bool divides)
{
    Scope s = {chain, loads, divides, true};
    walk(&(Walker){.pre = search_unknown, .user = &s}, e);
    return s.known;
}

/* Are the loop's bounds the same wherever it stands? */
static bool is_free(const Summing *s, Node *loop)
{
    const Vec *path = s->chain->path;
    Node *lo = loop->kid[0], *cond = loop->kid[1];
    bool same = is_known(s->chain, lo, false, true) && is_known(s->chain, cond, false, true) && !uses_any(lo, path);
    for (int i = 0; i < path->count; i++) {
        const Node *other = stmt_at(path, i);
        same = same && (other->kind != N_FOR || other == loop || !uses_sym(cond, other->sym));
    }
    return same && !uses_any(lo, s->chain->around) && !uses_any(cond, s->chain->around);
}

static bool are_known(const Summing *s, Node *term)
{
    const Vec *path = s->chain->path;
    for (int i = 0; i < path->count; i++) {
        Node *n = stmt_at(path, i);
        if (n->kind == N_IF ? !is_known(s->chain, n->kid[0], false, false) : !is_free(s, n))
            return false;
    }
    return !term || is_known(s->chain, term, true, true);
}

/* The iterations of loops, which must be as many wherever they stand. NULL: they are not. */
static Node *iterations_of_all(const Summing *s, const Vec *loops)
{
    Node *count = mk_int(s->ir, T_UINT, 1);
    for (int i = 0; i < loops->count; i++) {
        Node *extent = iterations_of(s->chain->context, stmt_at(loops, i));
        if (!extent)
            return NULL;
        count = mk_binary(s->ir, N_MUL, count, mk_cast(s->ir, T_UINT, extent));
    }
    return count;
}

static void push_all(Ir *ir, Vec *to, const Vec *from)
{
    for (int i = 0; i < from->count; i++)
        vec_push(ir->arena, to, from->items[i]);
}

/* Loops become axes where the term, or a condition, uses them; the others must run. */
static bool add_loops(const Summing *s, Table *t, const Vec *loops, Node *term, const Vec *conditions)
{
    for (int i = 0; i < loops->count; i++) {
        Node *loop = stmt_at(loops, i), *extent = iterations_of(s->chain->context, loop);
        if (!extent)
            return false;
        if (!(term && uses_sym(term, loop->sym)) && !any_uses(conditions, loop->sym))
            vec_push(s->ir->arena, &t->running, extent);
        else if (!add_axis(t, loop, extent))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- sums of the inner loops */

typedef struct Loads {
    Node *only; /* the load; NULL: there is none, or several */
    int count;
    bool plain; /* nothing in the term may fail elsewhere */
} Loads;

static bool note_load(void *user, Node *n)
{
    Loads *l = user;
    if (n->kind == N_LOAD && n != l->only) {
        l->only = n;
        l->count++;
    }
    l->plain = l->plain && n->kind != N_CALL &&
               ((n->kind != N_DIV && n->kind != N_MOD) || (n->kid[1]->kind == N_INT && n->kid[1]->u.i > 0));
    return n->kind != N_LOAD;
}

/* Is 0 <= subscript < extent for all iterations of the table and of what it sums up? */
static bool stays_inside(const Summing *s, const Table *t, Node *subscript, Node *extent)
{
    Ir *ir = s->ir;
    const Func *func = s->chain->context->func;
    LoopRange range[2 * MAX_LOOPS];
    int n = 0;
    if (!extent || reads_array(subscript, NULL))
        return false;
    for (int i = 0; i < t->rank; i++)
        range[n++] = range_of_loop(ir, t->axis[i].loop);
    for (int i = 0; i < t->nest.count && n < 2 * MAX_LOOPS; i++)
        range[n++] = range_of_loop(ir, stmt_at(&t->nest, i));
    Poly *least = extreme_over(ir, func, poly_of(ir, subscript), range, n, false);
    Poly *most = extreme_over(ir, func, poly_of(ir, subscript), range, n, true);
    if (!least || !most)
        return false;
    Poly *room = poly_sub(ir, poly_sub(ir, poly_of(ir, extent), most), poly_int(ir, 1));
    return known_nonnegative(ir, func, least) && known_nonnegative(ir, func, room);
}

/* for (i = 0; i < extent; i++) */
static Node *loop_over(Ir *ir, Node *extent, Loc loc)
{
    Sym *var = sym_new(ir, S_LOOP, T_INDEX, "i", loc);
    Node *cond = mk_binary(ir, N_LT, mk_var(ir, var), widen(ir, extent));
    return mk_for(ir, var, mk_int(ir, T_INDEX, 0), cond, 1, mk_block(ir, 0, NULL, loc), true, loc);
}

typedef struct Replaced {
    const Node *what;
    Node *by;
} Replaced;

static Node *replace_node(void *user, Node *n)
{
    const Replaced *r = user;
    return n == r->what ? r->by : n;
}

/* The term with each of its subscripts that outer loops move as an axis of its own; `at` gets what those were. NULL: no such form. */
static Node *spread_subscripts(const Summing *s, Table *t, Node *term, Node *load, Node **at)
{
    Ir *ir = s->ir;
    Node *kids[MAX_LOOPS];
    for (int d = 0; d < load->nkids; d++) {
        kids[d] = load->kid[d];
        if (!uses_any(kids[d], &s->outer))
            continue;
        Node *extent = load->sym->extent[d];
        if (!extent || uses_any(kids[d], &s->inner) || !add_axis(t, loop_over(ir, extent, load->loc), extent))
            return NULL;
        at[t->rank - 1] = kids[d];
        kids[d] = mk_var(ir, t->axis[t->rank - 1].loop->sym);
    }
    Replaced r = {load, mk_load(ir, load->sym, load->nkids, kids)};
    return rewrite(&(Rewriter){.ir = ir, .post = replace_node, .user = &r}, term);
}

/* Does a loop of the chain move a subscript together with one around it? */
static bool slides(const Summing *s, const Node *load)
{
    bool yes = false;
    for (int d = 0; d < load->nkids; d++)
        yes = yes || (uses_any(load->kid[d], &s->outer) && uses_any(load->kid[d], s->chain->around));
    return yes;
}

/* What the inner loops sum up of the term, as an element of a table; NULL: it cannot be told in front of all loops. */
static Node *sum_of_inner(Summing *s, Node *term)
{
    static const Vec none = {0};
    Table t = {.term = term, .nest = s->inner};
    Loads loads = {.plain = true};
    Node *at[MAX_LOOPS];
    walk(&(Walker){.pre = note_load, .user = &loads}, term);
    if (s->inner.count == 0 || loads.count != 1 || !loads.plain || loads.only->nkids > MAX_LOOPS)
        return NULL;
    if (!iterations_of_all(s, &s->inner) || (slides(s, loads.only) && !(t.term = spread_subscripts(s, &t, term, loads.only, at))))
        return NULL;
    const int spread = t.rank;
    if (!add_loops(s, &t, &s->outer, t.term, &none) || !add_loops(s, &t, s->chain->around, t.term, &none))
        return NULL;
    loads = (Loads){.plain = true};
    walk(&(Walker){.pre = note_load, .user = &loads}, t.term);
    for (int d = 0; d < loads.only->nkids; d++)
        if (!stays_inside(s, &t, loads.only->kid[d], loads.only->sym->extent[d]))
            return NULL;
    for (int i = spread; i < t.rank; i++)
        at[i] = mk_var(s->ir, t.axis[i].loop->sym);
    at[0] = t.rank ? at[0] : mk_int(s->ir, T_INT, 0);
    s->spread = spread > 0;
    Sym *array = fill_table(s->ir, &t, s->before);
    return mk_load(s->ir, array, array->rank, at);
}

/* ---------------------------------------------------------------- iterations alike */

/* All conditions that use the variable; NULL: some uses another loop around, too. */
static Node *conditions_of(const Summing *s, const Sym *var)
{
    Ir *ir = s->ir;
    Node *all = NULL;
    for (int i = 0; i < s->guards.count; i++) {
        Node *guard = stmt_at(&s->guards, i);
        if (!uses_sym(guard, var))
            continue;
        for (int j = 0; j < s->chain->around->count; j++) {
            const Sym *other = stmt_at(s->chain->around, j)->sym;
            if (other != var && uses_sym(guard, other))
                return NULL;
        }
        guard = is_truth(guard) ? guard : mk_binary(ir, N_NE, guard, mk_int(ir, (Type)guard->type, 0));
        all = all ? mk_binary(ir, N_LAND, all, guard) : guard;
    }
    return all;
}

/* differs = var == 0; if (var > 0) for (outer): differs |= condition(var) != condition(var - 1) */
static Node *find_difference(const Summing *s, Sym *differs, Sym *var, Node *condition)
{
    Ir *ir = s->ir;
    const Loc loc = condition->loc;
    Node *one = mk_int(ir, var->type, 1), *zero = mk_int(ir, var->type, 0), *at = mk_var(ir, var);
    Node *before = substitute(ir, condition, var, mk_cast(ir, var->type, mk_binary(ir, N_SUB, at, one)));
    Node *either = mk_binary(ir, N_OR, mk_var(ir, differs), mk_binary(ir, N_NE, condition, before));
    Node *body = mk_assign(ir, differs, either, N_OR, loc);
    for (int i = s->outer.count - 1; i >= 0; i--)
        if (uses_sym(condition, stmt_at(&s->outer, i)->sym))
            body = with_kid(ir, stmt_at(&s->outer, i), 2, body);
    body = mk_if(ir, mk_binary(ir, N_GT, at, zero), body, NULL, loc);
    Node *both[] = {mk_decl(ir, differs, mk_binary(ir, N_EQ, at, zero), loc), body};
    return mk_block(ir, 2, both, loc);
}

/* Gives the axis the first of the iterations in a row for which the conditions hold alike. */
static void share_alike(const Summing *s, Axis *axis)
{
    Ir *ir = s->ir;
    Sym *var = axis->loop->sym;
    const Loc loc = axis->loop->loc;
    Node *condition = conditions_of(s, var), *at = mk_var(ir, var);
    if (!condition)
        return;
    Sym *array = sym_new_array(ir, S_LOCAL_ARRAY, var->type, "first", 1, &axis->extent, loc);
    Sym *last = sym_new(ir, S_LOCAL, var->type, "last", loc), *differs = sym_new(ir, S_LOCAL, T_INT, "differs", loc);
    Node *found = find_difference(s, differs, var, condition);
    Node *body[] = {
        found->kid[0], found->kid[1],
        mk_if(ir, mk_binary(ir, N_NE, mk_var(ir, differs), mk_int(ir, T_INT, 0)), mk_assign(ir, last, at, N_NONE, loc), NULL, loc),
        mk_store(ir, array, 1, &at, mk_var(ir, last), N_NONE, loc)};
    vec_push(ir->arena, s->before, mk_decl(ir, array, NULL, loc));
    vec_push(ir->arena, s->before, mk_decl(ir, last, mk_int(ir, var->type, 0), loc));
    vec_push(ir->arena, s->before, with_kid(ir, axis->loop, 2, mk_block(ir, 4, body, loc)));
    axis->first = mk_load(ir, array, 1, &at);
}

/* Of axes of which the last is left to vectors, and where elements are read one after the other. */
static void share_elements(const Summing *s, Table *t, Node *term)
{
    for (int i = 0; i < t->rank - 1 && !s->chain->opt->cuda; i++)
        if (!term || !uses_sym(term, t->axis[i].loop->sym))
            share_alike(s, &t->axis[i]);
}

/* ---------------------------------------------------------------- all of the chain */

/* Are all loops around that conditions depend on those of the term? */
static bool moves_with_guards(const Summing *s, Node *term)
{
    for (int i = 0; i < s->chain->around->count; i++) {
        const Sym *var = stmt_at(s->chain->around, i)->sym;
        if (any_uses(&s->guards, var) && !uses_sym(term, var))
            return false;
    }
    return true;
}

/* if (inner loops run) for (outer) if (conditions): the table's nest, around sums of the inner loops. */
static void sum_outer(const Summing *s, Table *t)
{
    Ir *ir = s->ir;
    const Loc loc = t->term->loc;
    Node *nothing = mk_block(ir, 0, NULL, loc);
    for (int i = 0; i < s->inner.count && s->spread; i++) {
        Node *extent = iterations_of(s->chain->context, stmt_at(&s->inner, i));
        vec_push(ir->arena, &t->nest, mk_if(ir, is_running(ir, extent), nothing, NULL, loc));
    }
    push_all(ir, &t->nest, &s->outer);
    for (int i = 0; i < s->guards.count; i++)
        vec_push(ir->arena, &t->nest, mk_if(ir, stmt_at(&s->guards, i), nothing, NULL, loc));
}

/* The table's nest and term, under conditions. False: what it would sum up takes as long as the chain. */
static bool sum_guarded(Summing *s, Table *t, Node *term)
{
    Node *sums = term ? sum_of_inner(s, term) : iterations_of_all(s, &s->inner);
    t->nest = sums ? (Vec){0} : *s->chain->path;
    t->term = sums ? sums : term;
    if (sums)
        sum_outer(s, t);
    return sums || (term && moves_with_guards(s, term));
}

Node *sum_in_front(const SumChain *chain, Node *term, Vec *before)
{
    Ir *ir = chain->context->ir;
    Summing s = {.chain = chain, .ir = ir, .before = before};
    Table t = {.nest = *chain->path, .term = term};
    Node *at[MAX_LOOPS] = {mk_int(ir, T_INT, 0)};
    sort_path(&s);
    if (s.guards.count == 0 && !term)
        return iterations_of_all(&s, chain->path);
    if (chain->around->count > MAX_LOOPS || !are_known(&s, term) || !add_loops(&s, &t, chain->around, term, &s.guards) ||
        (s.guards.count && !sum_guarded(&s, &t, term)))
        return NULL;
    share_elements(&s, &t, term);
    for (int i = 0; i < t.rank; i++)
        at[i] = t.axis[i].first ? t.axis[i].first : mk_var(ir, t.axis[i].loop->sym);
    Sym *array = fill_table(ir, &t, before);
    return mk_load(ir, array, array->rank, at);
}
