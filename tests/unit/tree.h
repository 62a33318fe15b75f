/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees for unit tests: parsed from spec text, and compared. */
#ifndef MIKGEN_TESTS_UNIT_TREE_H
#define MIKGEN_TESTS_UNIT_TREE_H

#include <string.h>

#include "gen/front/spec.h"
#include "ir/print.h"
#include "ir/sym_map.h"

typedef struct Tree {
    Arena *arena;
    Ir *ir;
} Tree;

static inline Tree tree_new(void)
{
    Arena *arena = arena_new();
    return (Tree){arena, ir_new(arena, NULL)};
}

/* The first operator of the text. */
static inline Func *tree_parse(Tree t, const char *name, const char *text)
{
    t.ir->diag = diag_new(t.arena, name, text, strlen(text), stderr);
    Unit *unit = spec_parse(t.ir, name, text, strlen(text));
    return unit ? unit->funcs[0] : NULL;
}

static inline const char *tree_text(Tree t, const Func *f)
{
    Text out;
    text_init(&out, t.arena);
    print_func(&out, f);
    return out.data;
}

/* Are `a` and `b` equal up to the names of what they declare, the order of neighbouring declarations, blocks of
 * one statement, and conversions of truth values where only truth matters? */
typedef struct Match {
    Arena *arena;
    Map syms; /* Sym.id in b: Sym in a */
} Match;

static inline const Node *match_skip(const Node *e, bool truth)
{
    while (e->kind == N_BLOCK && e->nkids == 1 && e->kid[0]->kind != N_DECL)
        e = e->kid[0];
    while (truth && e->kind == N_CAST && e->kid[0]->type == T_BOOL)
        e = e->kid[0];
    return e;
}

static inline bool match_asks_truth(const Node *n, int kid)
{
    bool first = n->kind == N_SEL || n->kind == N_IF || (n->kind == N_CAST && n->type == T_BOOL);
    return n->kind == N_LAND || n->kind == N_LOR || n->kind == N_LNOT || (first && kid == 0);
}

static bool match_node(Match *m, const Node *a, const Node *b);

static inline bool match_decl(Match *m, const Node *a, const Node *b)
{
    if (a->kind != N_DECL || a->nkids != b->nkids || a->sym->type != b->sym->type || a->sym->rank != b->sym->rank)
        return false;
    if (a->nkids && !match_node(m, a->kid[0], b->kid[0]))
        return false;
    *map_at(m->arena, &m->syms, b->sym->id) = a->sym;
    return true;
}

/* Declarations i .. end-1 of block `b` in any order in `a`. */
static inline bool match_decls(Match *m, const Node *a, const Node *b, int i, int end)
{
    bool *used = arena_new_array(m->arena, bool, end);
    for (int k = i; k < end; k++) {
        int q = i;
        while (q < end && (used[q] || !match_decl(m, a->kid[q], b->kid[k])))
            q++;
        if (q == end)
            return false;
        used[q] = true;
    }
    return true;
}

static inline bool match_block(Match *m, const Node *a, const Node *b)
{
    for (int i = 0, end; i < b->nkids; i = end) {
        end = i + 1;
        if (b->kid[i]->kind != N_DECL) {
            if (!match_node(m, a->kid[i], b->kid[i]))
                return false;
            continue;
        }
        while (end < b->nkids && b->kid[end]->kind == N_DECL)
            end++;
        if (!match_decls(m, a, b, i, end))
            return false;
    }
    return true;
}

static inline bool match_payload(Match *m, const Node *a, const Node *b)
{
    if (a->kind == N_FOR)
        *map_at(m->arena, &m->syms, b->sym->id) = a->sym;
    if (a->sym && a->sym->kind == S_FUNC)
        return b->sym->kind == S_FUNC && strcmp(a->sym->name, b->sym->name) == 0;
    if (a->sym && (!b->sym || map_get(&m->syms, b->sym->id) != a->sym))
        return false;
    if (a->kind == N_FLOAT)
        return a->u.f == b->u.f;
    return (a->kind != N_INT && a->kind != N_FOR) || a->u.i == b->u.i;
}

static bool match_node(Match *m, const Node *a, const Node *b)
{
    a = match_skip(a, false), b = match_skip(b, false);
    if (a->kind == N_INT && b->kind == N_NEG && b->kid[0]->kind == N_INT)
        return a->type == b->type && a->u.i == -b->kid[0]->u.i;
    if (a->kind != b->kind || a->type != b->type || a->nkids != b->nkids || a->aux != b->aux)
        return false;
    if (a->kind == N_BLOCK)
        return match_block(m, a, b);
    if (a->kind == N_DECL)
        return match_decl(m, a, b);
    if (!match_payload(m, a, b))
        return false;
    for (int i = 0; i < a->nkids; i++) {
        bool truth = match_asks_truth(b, i);
        if (!match_node(m, match_skip(a->kid[i], truth), match_skip(b->kid[i], truth)))
            return false;
    }
    return true;
}

static inline bool tree_equal(Tree t, const Func *a, const Func *b)
{
    Match m = {.arena = t.arena};
    if (a->nparams != b->nparams)
        return false;
    for (int i = 0; i < a->nparams; i++)
        *map_at(t.arena, &m.syms, b->params[i]->id) = a->params[i];
    return match_node(&m, a->body, b->body);
}

#endif
