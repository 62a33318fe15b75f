/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the second loop on: it starts with 0, and statements behind it read the total. */
#include "plan/split/sum_fission.h"

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
    walk(&(Walker){.pre = search_adding, .user = &a}, loop);
    return a.only_adds && a.uses > 0;
}

/* ---------------------------------------------------------------- */

/* Scalars that the statements declare, of types that contractions sum in, in their order. */
static Vec scalars_of(Ir *ir, const Vec *list)
{
    Vec out = {0};
    for (int i = 0; i < list->count; i++) {
        const Node *n = stmt_at(list, i);
        if (n->kind == N_DECL && !n->sym->rank && (n->sym->type == T_FLOAT || n->sym->type == T_DOUBLE || n->sym->type == T_INT))
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

void separate_sums(Ir *ir, Vec *list)
{
    const Vec scalars = scalars_of(ir, list);
    for (int i = 0; i < scalars.count; i++) {
        Sym *sym = scalars.items[i];
        bool summed = false;
        for (int at = 0; at < list->count; at++) {
            Node *n = stmt_at(list, at);
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
