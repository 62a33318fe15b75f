/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the second loop on: it starts with 0, and statements behind it read the total. */
#include "plan/split/sum_fission.h"

#include "ir/branch.h"
#include "ir/walk.h"

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

/* ---------------------------------------------------------------- what a loop adds up */

typedef struct Adding {
    const Sym *sym;
    int uses;
    bool only_adds;
} Adding;

static bool is_sum_of(const Node *n, const Sym *sym)
{
    Node *term = n->kind == N_ASSIGN && n->sym == sym && (n->aux == N_ADD || n->aux == N_SUB) ? compound_operand(n) : NULL;
    return term && !uses_sym(term, sym);
}

static bool search_adding(void *user, Node *n)
{
    Adding *a = user;
    if (is_sum_of(n, a->sym)) {
        a->uses++;
        return false;
    }
    a->only_adds = a->only_adds && n->sym != a->sym;
    return a->only_adds;
}

/* Does the loop touch the scalar, and only to add to it? */
static bool only_adds_to(Node *loop, const Sym *sym)
{
    Adding a = {sym, 0, true};
    if (!uses_sym(loop, sym))
        return false;
    walk(&(Walker){.pre = search_adding, .user = &a}, loop);
    return a.only_adds && a.uses > 0;
}

/* ---------------------------------------------------------------- their order */

/* Loops that do nothing but add to the scalar. */
static bool is_nest_of_sum(Node *n, const Sym *sym)
{
    while (n->kind == N_FOR)
        n = only_statement(n->kid[2]);
    return is_sum_of(n, sym);
}

static bool search_variable(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD && !n->sym->is_const && !n->sym->table;
}

/* Does it read an array that the operator may store to? */
static bool reads_variable(Node *n) { return any_node(n, search_variable, NULL); }

/* Sums over constant arrays come first. Then a loop over time may leave them to a loop of their own, and what follows the others need
 * not wait. Only sums that stand side by side change places; each of the two kinds keeps its order. */
static void order_sums(Ir *ir, Vec *list, const Sym *sym)
{
    for (int i = 0; i < list->count; i++) {
        Vec others = {0};
        int to = i;
        for (; i < list->count && stmt_at(list, i)->kind == N_FOR && is_nest_of_sum(stmt_at(list, i), sym); i++) {
            if (reads_variable(stmt_at(list, i)))
                vec_push(ir->arena, &others, list->items[i]);
            else
                list->items[to++] = list->items[i];
        }
        for (int j = 0; j < others.count; j++)
            list->items[to++] = others.items[j];
    }
}

/* ---------------------------------------------------------------- their scalars */

typedef struct Added {
    Ir *ir;
    Map known; /* by symbol id: the symbol, if a loop adds to it */
} Added;

static bool note_added(void *user, Node *n)
{
    Added *a = user;
    if (n->kind == N_ASSIGN && (n->aux == N_ADD || n->aux == N_SUB))
        *map_at(a->ir->arena, &a->known, n->sym->id) = n->sym;
    return !is_expr(n);
}

/* Scalars that the statements declare and loops among them add to, of types that contractions sum in, in their order. Each costs a pass
 * over all statements, so the others are left out. */
static Vec scalars_of(Ir *ir, const Vec *list)
{
    Vec out = {0};
    Added added = {.ir = ir};
    for (int i = 0; i < list->count; i++)
        if (stmt_at(list, i)->kind == N_FOR)
            walk(&(Walker){.pre = note_added, .user = &added}, stmt_at(list, i));
    for (int i = 0; i < list->count; i++) {
        const Node *n = stmt_at(list, i);
        if (n->kind == N_DECL && map_get(&added.known, n->sym->id) && !n->sym->rank &&
            (n->sym->type == T_FLOAT || n->sym->type == T_DOUBLE || n->sym->type == T_INT))
            vec_push(ir->arena, &out, n->sym);
    }
    return out;
}

/* The scalar's later sums: those of the loop that is statement `at`. What is read behind it is the total, which is returned. */
static Sym *sum_apart(Ir *ir, Vec *list, int at, Sym *sym)
{
    const Loc loc = stmt_at(list, at)->loc;
    Node *zero = type_is_float(sym->type) ? mk_float(ir, sym->type, 0) : mk_int(ir, sym->type, 0);
    Sym *part = sym_new(ir, S_LOCAL, sym->type, sym->name, sym->loc), *total = sym_new(ir, S_LOCAL, sym->type, sym->name, sym->loc);
    Vec out = {0};
    for (int i = 0; i < list->count; i++) {
        if (i == at)
            vec_push(ir->arena, &out, mk_decl(ir, part, zero, loc));
        vec_push(ir->arena, &out, i < at ? stmt_at(list, i) : rename_sym(ir, stmt_at(list, i), sym, i == at ? part : total));
        if (i == at)
            vec_push(ir->arena, &out, mk_decl(ir, total, mk_binary(ir, N_ADD, mk_var(ir, sym), mk_var(ir, part)), loc));
    }
    *list = out;
    return total;
}

/* From statement `at` on, which gives it a value, the scalar is another one, which is returned. */
static Sym *start_anew(Ir *ir, Vec *list, int at, Sym *sym)
{
    Node *begin = stmt_at(list, at);
    Sym *next = sym_new(ir, S_LOCAL, sym->type, sym->name, sym->loc);
    list->items[at] = mk_decl(ir, next, begin->kid[0], begin->loc);
    for (int i = at + 1; i < list->count; i++)
        list->items[i] = rename_sym(ir, stmt_at(list, i), sym, next);
    return next;
}

void separate_sums(Ir *ir, Vec *list)
{
    const Vec scalars = scalars_of(ir, list);
    for (int i = 0; i < scalars.count; i++) {
        Sym *sym = scalars.items[i];
        bool summed = false;
        order_sums(ir, list, sym);
        for (int at = 0; at < list->count; at++) {
            Node *n = stmt_at(list, at);
            if (summed && n->kind == N_ASSIGN && n->sym == sym && !uses_sym(n->kid[0], sym)) {
                sym = start_anew(ir, list, at, sym);
                summed = false;
            }
            if (n->kind != N_FOR || !only_adds_to(n, sym))
                continue;
            if (summed) {
                sym = sum_apart(ir, list, at, sym);
                at += 2;
            }
            summed = true;
        }
    }
}
