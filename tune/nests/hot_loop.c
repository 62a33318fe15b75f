/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/nests/hot_loop.h"

#include "ir/sym_map.h"
#include "ir/walk.h"

enum { CALL_REGISTERS = 4 }; /* that a vectorized function needs besides */

static bool in_registers(int type)
{
    return type != T_VOID && (type_is_vector((Type)type) ? type_element((Type)type) != T_MASK : type_is_float((Type)type));
}

/* In order, without blocks and branches. */
static void flatten(Arena *arena, Node *n, Vec *out)
{
    if (n->kind != N_BLOCK && n->kind != N_IF) {
        vec_push(arena, out, n);
        return;
    }
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]))
            flatten(arena, n->kid[i], out);
}

/* ---------------------------------------------------------------- what lives how long */

typedef struct Life {
    int first, last; /* statements: behind the one that makes it, to the last that reads it */
    bool throughout;
} Life;

typedef struct Lives {
    Arena *arena;
    Map syms, nodes; /* by id: Life * */
    Map written;     /* by symbol id: what assigns, declares or stores to it */
    Map declared;    /* by symbol id: where it is declared */
    Vec all;         /* Life * */
    int statement;
} Lives;

static Life *life_of(Lives *l, Map *map, int id)
{
    Life **at = (Life **)map_at(l->arena, map, id);
    if (!*at) {
        *at = arena_alloc(l->arena, sizeof **at);
        (*at)->first = l->statement + 1;
        vec_push(l->arena, &l->all, *at);
    }
    (*at)->last = l->statement;
    return *at;
}

static bool changes(const Lives *l, const Node *e)
{
    bool yes = e->sym && map_get(&l->written, e->sym->id);
    for (int i = 0; i < e->nkids && !yes; i++)
        yes = changes(l, e->kid[i]);
    return yes;
}

static bool is_element(const Node *n)
{
    return n->kind == N_LOAD || n->kind == N_VLOAD || n->kind == N_MEMBER || n->kind == N_ROW_LOAD || n->kind == N_GATHER ||
           n->kind == N_SPLAT;
}

/* Notes what it reads; returns how many registers it needs besides. */
static int need_of(Lives *l, Node *e)
{
    int most = 0, least = 0; /* of its operands */
    if (!in_registers(e->type) && e->kind != N_FIRST && e->nkids == 0)
        return 0;
    if (e->kind == N_VAR) {
        Life *life = life_of(l, &l->syms, e->sym->id);
        life->throughout = !map_get(&l->declared, e->sym->id);
        return 0;
    }
    if (is_element(e)) {
        const bool constant = !changes(l, e);
        if (in_registers(e->type))
            life_of(l, &l->nodes, e->id)->throughout = constant;
        return !constant;
    }
    for (int i = 0; i < e->nkids; i++) {
        const int need = need_of(l, e->kid[i]);
        least = need > most ? most : need > least ? need : least;
        most = need > most ? need : most;
    }
    const int own = most == least ? most + 1 : most;
    return e->kind == N_CALL ? own + CALL_REGISTERS : own > 0 ? own : in_registers(e->type);
}

static void note_written(Lives *l, const Vec *statements)
{
    for (int i = 0; i < statements->count; i++) {
        Node *n = statements->items[i];
        if (n->sym && n->kind != N_PREFETCH)
            *map_at(l->arena, &l->written, n->sym->id) = n;
        if (n->kind == N_TILE)
            *map_at(l->arena, &l->written, n->kid[0]->sym->id) = n;
        if (n->kind == N_DECL)
            *map_at(l->arena, &l->declared, n->sym->id) = n;
    }
}

/* What the statement has computed, from the next one on. */
static void note_made(Lives *l, const Node *n)
{
    if ((n->kind != N_DECL && n->kind != N_ASSIGN) || n->sym->rank || !in_registers(n->sym->type))
        return;
    life_of(l, &l->syms, n->sym->id)->throughout = !map_get(&l->declared, n->sym->id);
}

static int most_alive(const Lives *l, const int *need, int count)
{
    int *change = arena_new_array(l->arena, int, count + 2), most = 0, alive = 0;
    for (int i = 0; i < l->all.count; i++) {
        const Life *life = l->all.items[i];
        if (!life->throughout && life->first > life->last)
            continue; /* the statement has it among what it needs */
        change[life->throughout ? 0 : life->first]++;
        change[life->throughout ? count : life->last + 1]--;
    }
    for (int i = 0; i < count; i++) {
        alive += change[i];
        most = alive + need[i] > most ? alive + need[i] : most;
    }
    return most;
}

int registers_needed(Arena *arena, const Node *loop, Node *body)
{
    Lives l = {.arena = arena};
    Vec statements = {0};
    if (loop)
        *map_at(arena, &l.written, loop->sym->id) = (Node *)loop;
    flatten(arena, body, &statements);
    note_written(&l, &statements);
    int *need = arena_new_array(arena, int, statements.count + 1);
    for (int i = 0; i < statements.count; i++) {
        Node *n = statements.items[i];
        l.statement = i;
        for (int k = 0; k < n->nkids && n->kind != N_FOR; k++) {
            const int own = need_of(&l, n->kid[k]);
            need[i] = own > need[i] ? own : need[i];
        }
        note_made(&l, n);
    }
    return most_alive(&l, need, statements.count);
}

/* ---------------------------------------------------------------- what is carried */

CarriedChains carried_by(Arena *arena, Node *body)
{
    CarriedChains c = {0};
    Map declared = {0}, updates = {0};
    Vec statements = {0};
    flatten(arena, body, &statements);
    for (int i = 0; i < statements.count; i++) {
        Node *n = statements.items[i];
        if (n->kind == N_DECL)
            *map_at(arena, &declared, n->sym->id) = n;
        if (n->kind != N_ASSIGN || n->sym->type == T_INDEX || map_get(&declared, n->sym->id) || !uses_sym(stmt_value(n), n->sym))
            continue;
        int **count = (int **)map_at(arena, &updates, n->sym->id);
        if (!*count) {
            *count = arena_alloc(arena, sizeof **count);
            c.chains++;
        }
        ++**count;
        c.updates = **count > c.updates ? **count : c.updates;
    }
    return c;
}
