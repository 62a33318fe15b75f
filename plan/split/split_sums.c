/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops for each sum, in place of the loop; what is stored of a scalar's sums holds them until then, if nothing else touches it. */
#include "plan/split/split_sums.h"

#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/split/gather_sums.h"
#include "plan/split/join_terms.h"
#include "plan/contract/map.h"
#include "plan/split/offsets.h"

typedef struct Splitting {
    const NestContext *context;
    const PlanOptions *opt;
    Vec around; /* Node *: loops around the statement at hand, outermost first */
    Vec before; /* Node *: statements that belong before all of them */
    bool guarded; /* a condition decides whether the statement at hand runs */
    int count;
} Splitting;

/* What is added to the sums of an accumulator, once. */
typedef struct Once {
    Node *acc, *value; /* T_UINT */
    bool negative;
} Once;

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }
static Sum *sum_at(const Sums *s, int i) { return s->sums.items[i]; }

/* ---------------------------------------------------------------- may they go apart */

/* Is what one of them adds read, or where, or when, from an array that another one stores to? */
static bool reads_sums(const Sums *s)
{
    for (int i = 0; i < s->sums.count; i++) {
        const Node *acc = sum_at(s, i)->acc;
        if (acc->kind != N_LOAD)
            continue;
        for (int j = 0; j < s->sums.count; j++) {
            const Sum *other = sum_at(s, j);
            bool reads = reads_array(other->term, acc->sym);
            for (int d = 0; d < other->acc->nkids; d++)
                reads = reads || reads_array(other->acc->kid[d], NULL);
            if (reads)
                return true;
        }
        for (int j = 0; j < s->path.count; j++)
            for (int k = 0; k < 2 && is_expr(stmt_at(&s->path, j)->kid[k]); k++)
                if (reads_array(stmt_at(&s->path, j)->kid[k], acc->sym))
                    return true;
    }
    return false;
}

/* Does a term read the scalar that another one goes to? */
static bool crosses(const Sums *s)
{
    for (int i = 0; i < s->sums.count; i++)
        for (int j = 0; j < s->sums.count; j++)
            if (sum_at(s, i)->acc->kind == N_VAR && uses_sym(sum_at(s, j)->term, sum_at(s, i)->acc->sym))
                return true;
    return false;
}

static int count_of(const Sums *s, const Node *acc)
{
    int count = 0;
    for (int i = 0; i < s->sums.count; i++)
        count += sum_at(s, i)->acc == acc;
    return count;
}

static bool has_kernels(const Splitting *x, Type type)
{
    return type == T_FLOAT || type == T_DOUBLE || type == T_INT || (type == T_UINT && !x->opt->cuda);
}

/* `changed`: something about them is another one than in the loop. */
static bool may_split(const Splitting *x, const Sums *s, bool changed)
{
    enum { MOST = 8 };
    bool several = s->flat || changed;
    for (int i = 0; i < s->sums.count; i++) {
        const Node *acc = sum_at(s, i)->acc;
        if (!has_kernels(x, (Type)acc->type) || (x->opt->fp_strict && type_is_float((Type)acc->type)))
            return false;
        several = several || count_of(s, acc) > 1;
    }
    return several && s->sums.count <= MOST;
}

/* ---------------------------------------------------------------- the loops */

/* The chain's loops around acc += term. */
static Node *nest_of(Ir *ir, const Sums *s, const Sum *sum, Node *acc)
{
    const Kind op = sum->negative ? N_SUB : N_ADD;
    Node *value = mk_binary(ir, op, acc, sum->term);
    Node *n = acc->kind == N_VAR ? mk_assign(ir, acc->sym, value, op, sum->loc)
                                 : mk_store(ir, acc->sym, acc->nkids, acc->kid, value, op, sum->loc);
    for (int i = s->path.count - 1; i >= 0; i--) {
        Node *around = stmt_at(&s->path, i);
        n = with_kid(ir, around, around->kind == N_IF ? 1 : 2, n);
    }
    return n;
}

/* ---------------------------------------------------------------- where a scalar's sums are held */

/* A statement list around the loop, number `at`. */
typedef struct Around {
    Ir *ir;
    Vec list;
    int at;
    const Vec *once;
    Vec totals; /* declarations that belong behind the loops */
} Around;

/* Does the expression mean the same everywhere in the list, whatever becomes of the scalar `but`? */
typedef struct Stable {
    const Vec *list;
    const Sym *but;
    bool yes;
} Stable;

static bool search_unstable(void *user, Node *n)
{
    Stable *s = user;
    const bool reads = (n->kind == N_VAR && n->sym != s->but) || n->kind == N_LOAD;
    for (int i = 0; i < s->list->count && reads; i++)
        s->yes = s->yes && !writes_sym(stmt_at(s->list, i), n->sym);
    return s->yes;
}

static bool is_stable(const Vec *list, Node *e, const Sym *but)
{
    Stable s = {list, but, true};
    walk(&(Walker){.pre = search_unstable, .user = &s}, e);
    return s.yes;
}

/* What a scalar begins with; NULL: it is not declared here, or that changes. */
static Node *beginning_of(const Around *a, const Sym *scalar)
{
    Node *value = NULL;
    bool declared = false;
    for (int i = 0; i < a->at; i++) {
        Node *n = stmt_at(&a->list, i);
        if (!uses_sym(n, scalar))
            continue;
        declared = declared || n->kind == N_DECL;
        if ((n->kind != N_DECL && n->kind != N_ASSIGN) || n->sym != scalar || (n->nkids && uses_sym(n->kid[0], scalar)))
            return NULL;
        value = n->nkids ? n->kid[0] : value;
    }
    return declared && value && is_stable(&a->list, value, NULL) ? value : NULL;
}

/* Does the statement store to another element of the array than this store, and not read the array? */
static bool stores_beside(Ir *ir, Node *n, const Node *store)
{
    int64_t apart = 0;
    bool beside = false;
    if (n->kind != N_STORE || n->sym != store->sym || reads_array(n, n->sym))
        return false;
    for (int i = 0; i < n->nkids - 1; i++)
        beside = beside || (poly_const(poly_sub(ir, poly_of(ir, n->kid[i]), poly_of(ir, store->kid[i])), &apart) && apart != 0);
    return beside;
}

/* The only statement behind the loop that reads the scalar, when it stores something made of it where nothing else does; -1: none. */
static int store_of(const Around *a, const Sums *s, const Sym *scalar)
{
    int at = -1;
    for (int i = a->at + 1; i < a->list.count; i++)
        if (uses_sym(stmt_at(&a->list, i), scalar)) {
            if (at >= 0)
                return -1;
            at = i;
        }
    Node *store = at >= 0 ? stmt_at(&a->list, at) : NULL;
    if (!store || store->kind != N_STORE || store->aux || store->sym->type != scalar->type || reads_array(store, store->sym))
        return -1;
    for (int i = 0; i < store->nkids - 1; i++)
        if (!is_stable(&a->list, store->kid[i], NULL) || reads_array(store->kid[i], NULL) || uses_sym(store->kid[i], scalar))
            return -1;
    for (int i = 0; i < a->list.count; i++)
        if (i != at && uses_sym(stmt_at(&a->list, i), store->sym) && !stores_beside(a->ir, stmt_at(&a->list, i), store))
            return -1;
    for (int i = 0; i < s->sums.count; i++)
        if (uses_sym(sum_at(s, i)->term, store->sym))
            return -1;
    return at;
}

/* Those of the scalar, and what is no statement any more. */
static void drop_declarations(Around *a, const Sym *scalar)
{
    Vec list = {0};
    int at = a->at;
    for (int i = 0; i < a->list.count; i++) {
        Node *n = stmt_at(&a->list, i);
        if (n && !(i < a->at && (n->kind == N_DECL || n->kind == N_ASSIGN) && n->sym == scalar))
            vec_push(a->ir->arena, &list, n);
        else
            at -= i < a->at;
    }
    a->list = list;
    a->at = at;
}

/* arr[sub] = 0; loops: arr[sub] += term; arr[sub] = E(arr[sub]), in place of a scalar's. */
static void hold_in_element(Around *a, const Sums *s, const Node *acc, Node *begin, int store_at, Vec *out)
{
    Ir *ir = a->ir;
    Node *store = stmt_at(&a->list, store_at), *element = mk_load(ir, store->sym, store->nkids - 1, store->kid);
    vec_push(ir->arena, out, mk_store(ir, store->sym, store->nkids - 1, store->kid, begin, N_NONE, store->loc));
    for (int i = 0; i < s->sums.count; i++)
        if (sum_at(s, i)->acc == acc)
            vec_push(ir->arena, out, nest_of(ir, s, sum_at(s, i), element));
    Node *value = substitute(ir, stmt_value(store), acc->sym, element);
    Node *end = value == element ? NULL : mk_store(ir, store->sym, store->nkids - 1, store->kid, value, N_NONE, store->loc);
    /* What is stored may need what the statements in between find out. */
    const bool here = is_stable(&a->list, stmt_value(store), acc->sym);
    if (end && here)
        vec_push(ir->arena, out, end);
    a->list.items[store_at] = here ? NULL : end;
    drop_declarations(a, acc->sym);
}

/* The total with what is added to it once, all of it modulo 2^32. */
static Node *with_once(const Around *a, const Node *acc, Node *total)
{
    Ir *ir = a->ir;
    Node *sum = NULL;
    for (int i = 0; i < a->once->count; i++) {
        const Once *once = a->once->items[i];
        if (once->acc == acc)
            sum = mk_binary(ir, once->negative ? N_SUB : N_ADD, sum ? sum : mk_cast(ir, T_UINT, total), once->value);
    }
    return sum ? mk_cast(ir, T_INT, sum) : total;
}

/* A scalar for each of them; what they come to stands for the scalar afterwards. */
static void hold_in_scalars(Around *a, const Sums *s, const Node *acc, Vec *out)
{
    Ir *ir = a->ir;
    Node *total = mk_var(ir, acc->sym);
    Node *zero = type_is_float((Type)acc->type) ? mk_float(ir, (Type)acc->type, 0) : mk_int(ir, (Type)acc->type, 0);
    bool first = true;
    for (int i = 0; i < s->sums.count; i++) {
        if (sum_at(s, i)->acc != acc)
            continue;
        Node *held = total;
        Sum sum = *sum_at(s, i);
        if (!first) {
            held = mk_var(ir, sym_new(ir, S_LOCAL, (Type)acc->type, acc->sym->name, acc->sym->loc));
            vec_push(ir->arena, out, mk_decl(ir, held->sym, zero, sum.loc));
            total = mk_binary(ir, sum.negative ? N_SUB : N_ADD, total, held);
            sum.negative = false;
        }
        vec_push(ir->arena, out, nest_of(ir, s, &sum, held));
        first = false;
    }
    total = with_once(a, acc, total);
    if (total->kind != N_VAR) {
        Sym *result = sym_new(ir, S_LOCAL, (Type)acc->type, acc->sym->name, acc->sym->loc);
        for (int i = a->at + 1; i < a->list.count; i++)
            a->list.items[i] = rename_sym(ir, stmt_at(&a->list, i), acc->sym, result);
        vec_push(ir->arena, &a->totals, mk_decl(ir, result, total, acc->loc));
    }
}

static bool is_declared(const Around *a, const Sym *scalar)
{
    bool declared = false;
    for (int i = 0; i < a->at; i++)
        declared = declared || (stmt_at(&a->list, i)->kind == N_DECL && stmt_at(&a->list, i)->sym == scalar);
    return declared;
}

/* ---------------------------------------------------------------- statements */

/* The loops of one scalar's, or one element's, sums. */
static void split_one(Around *a, const Sums *s, Node *acc, Vec *out)
{
    Node *begin = acc->kind == N_VAR ? beginning_of(a, acc->sym) : NULL;
    const bool several = with_once(a, acc, acc) == acc && count_of(s, acc) > 1;
    const int store = begin && several ? store_of(a, s, acc->sym) : -1;
    if (store >= 0) {
        hold_in_element(a, s, acc, begin, store, out);
    } else if (acc->kind == N_VAR) {
        hold_in_scalars(a, s, acc, out);
    } else {
        for (int i = 0; i < s->sums.count; i++)
            if (sum_at(s, i)->acc == acc)
                vec_push(a->ir->arena, out, nest_of(a->ir, s, sum_at(s, i), acc));
        Node *total = with_once(a, acc, acc);
        if (total != acc)
            vec_push(a->ir->arena, out, mk_store(a->ir, acc->sym, acc->nkids, acc->kid, total, N_NONE, acc->loc));
    }
}

/* Offsets of a sum's factors come off if what they come to can be told in front of all loops. */
static void split_offsets(Splitting *x, const Sums *s, Sum *sum, Vec *once)
{
    Ir *ir = x->context->ir;
    const SumChain chain = {x->context, x->opt, &x->around, &s->path};
    Vec shares = {0}, before = {0}, values = {0};
    Sum without = *sum;
    if (!take_offsets(ir, &s->path, &without, &shares))
        return;
    for (int i = 0; i < shares.count; i++) {
        const Share *share = shares.items[i];
        Once *o = arena_alloc(ir->arena, sizeof *o);
        *o = (Once){sum->acc, share_value(&chain, share, &before), share->negative};
        if (!o->value)
            return;
        vec_push(ir->arena, &values, o);
    }
    for (int i = 0; i < values.count; i++)
        vec_push(ir->arena, once, values.items[i]);
    for (int i = 0; i < before.count; i++)
        vec_push(ir->arena, &x->before, before.items[i]);
    *sum = without;
}

/* False: none came off. */
static bool split_all_offsets(Splitting *x, const Sums *s, Vec *once)
{
    for (int i = 0; i < s->sums.count && !x->guarded; i++) /* what stands before all loops would run in any case */
        if (!is_moved(&s->path, sum_at(s, i)->acc))
            split_offsets(x, s, sum_at(s, i), once);
    return once->count > 0;
}

/* Are the scalars that several sums go to, with other names behind the loop, used nowhere else? */
static bool may_hold(const Around *a, const Sums *s)
{
    for (int i = 0; i < s->sums.count; i++) {
        Node *acc = sum_at(s, i)->acc;
        const bool is_one = count_of(s, acc) == 1 && with_once(a, acc, acc) == acc;
        if (acc->kind == N_VAR && !is_one && !is_declared(a, acc->sym))
            return false;
    }
    return true;
}

/* The loops that stand for the one in the list. */
static bool split_loop(Splitting *x, Around *a)
{
    Sums s;
    Vec loops = {0}, list = {0}, once = {0};
    const int before = x->before.count;
    if (!gather_sums(x->context, stmt_at(&a->list, a->at), &s) || reads_sums(&s) || crosses(&s))
        return false;
    Sums chosen = s;
    if (take_choices(a->ir, &chosen) && split_all_offsets(x, &chosen, &once))
        s = chosen;
    else
        split_all_offsets(x, &s, &once);
    const bool joined = join_terms(a->ir, &s);
    a->once = &once;
    a->totals = (Vec){0};
    /* What is a contraction as it stands, stands. */
    if (!may_split(x, &s, joined || once.count > 0) || !may_hold(a, &s) || map_contraction(x->context, x->opt, stmt_at(&a->list, a->at))) {
        x->before.count = before;
        return false;
    }
    for (int i = 0; i < s.sums.count; i++) {
        bool done = false;
        for (int j = 0; j < i; j++)
            done = done || sum_at(&s, j)->acc == sum_at(&s, i)->acc;
        if (!done)
            split_one(a, &s, sum_at(&s, i)->acc, &loops);
    }
    for (int i = 0; i < a->totals.count; i++)
        vec_push(a->ir->arena, &loops, a->totals.items[i]);
    for (int i = 0; i < a->list.count; i++) {
        for (int j = 0; j < loops.count && i == a->at; j++)
            vec_push(a->ir->arena, &list, loops.items[j]);
        if (i != a->at)
            vec_push(a->ir->arena, &list, a->list.items[i]);
    }
    a->list = list;
    a->at += loops.count - 1;
    x->count += s.sums.count;
    return true;
}

static Node *split_in(Splitting *x, Node *n)
{
    Ir *ir = x->context->ir;
    if (n->kind == N_BLOCK) {
        Around a = {.ir = ir};
        for (int i = 0; i < n->nkids; i++)
            vec_push(ir->arena, &a.list, n->kid[i]);
        for (a.at = 0; a.at < a.list.count; a.at++)
            if (stmt_at(&a.list, a.at)->kind != N_FOR || !split_loop(x, &a))
                a.list.items[a.at] = split_in(x, stmt_at(&a.list, a.at));
        return with_kids(ir, n, a.list.count, (Node **)a.list.items);
    }
    const bool guarded = x->guarded;
    x->guarded = guarded || n->kind == N_IF;
    if (n->kind == N_FOR)
        vec_push(ir->arena, &x->around, n);
    for (int i = 0; i < n->nkids && (n->kind == N_FOR || n->kind == N_IF); i++)
        if (!is_expr(n->kid[i]))
            n = with_kid(ir, n, i, split_in(x, n->kid[i]));
    x->around.count -= n->kind == N_FOR;
    x->guarded = guarded;
    return n;
}

Node *split_sums(const NestContext *context, const PlanOptions *opt, Node *stmt, int *count)
{
    Splitting x = {.context = context, .opt = opt};
    Node *split = split_in(&x, mk_block(context->ir, 1, &stmt, stmt->loc));
    vec_push(context->ir->arena, &x.before, split);
    *count = x.count;
    return x.count ? mk_block(context->ir, x.before.count, (Node **)x.before.items, stmt->loc) : stmt;
}
