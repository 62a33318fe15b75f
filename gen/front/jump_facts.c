/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One walk for names and variables, one for jumps. */
#include "gen/front/jump_facts.h"

#include <string.h>

#include "gen/front/jumps.h"

typedef struct Collecting {
    Ir *ir;
    Func *f;
    JumpFacts facts;
} Collecting;

/* What is below a statement. */

static unsigned kinds_of(Collecting *c, const Node *n);

static unsigned kinds_of_branches(Collecting *c, const Node *n)
{
    const unsigned then = kinds_of(c, n->kid[1]), otherwise = n->nkids == 3 ? kinds_of(c, n->kid[2]) : 0;
    return ((then | otherwise) & ~(unsigned)ALWAYS) | (then & otherwise & ALWAYS);
}

static unsigned kinds_of_list(Collecting *c, const Node *n)
{
    unsigned kinds = 0;
    for (int i = 0; i < n->nkids; i++)
        kinds |= kinds_of(c, n->kid[i]);
    const unsigned ended = n->aux == BLOCK_TURN ? CONTINUES : n->aux == BLOCK_SWITCH ? ENDS_SWITCH : 0;
    return kinds & ended ? kinds & ~(ended | ALWAYS) : kinds;
}

static unsigned kinds_of(Collecting *c, const Node *n)
{
    unsigned kinds = 0;
    switch ((Kind)n->kind) {
    case N_BREAK: kinds = (n->aux == BREAK_SWITCH ? ENDS_SWITCH : BREAKS) | ALWAYS | HAS_JUMP; break;
    case N_CONTINUE: kinds = CONTINUES | ALWAYS | HAS_JUMP; break;
    case N_RETURN: kinds = RETURNS | ALWAYS | HAS_JUMP; break;
    case N_BLOCK: kinds = kinds_of_list(c, n); break;
    case N_IF: kinds = kinds_of_branches(c, n); break;
    case N_FOR: kinds = kinds_of(c, n->kid[2]) & (RETURNS | HAS_JUMP); break;
    default: break;
    }
    *map_at(c->ir->arena, &c->facts.kinds, n->id) = (void *)(uintptr_t)kinds;
    return kinds;
}

/* Names and loop variables. */

/* The place of an operator's value keeps its name, which the spec does not know. */
static void note_name(Collecting *c, Sym *sym)
{
    if (c->f->returned && strcmp(sym->name, c->f->returned->name) == 0)
        sym->name = names_fresh(&c->facts.names, sym->name);
    else if (names_has(&c->facts.names, sym->name))
        names_add(&c->facts.shared, sym->name);
    names_add(&c->facts.names, sym->name);
}

static void note_parameters(Collecting *c)
{
    const Func *f = c->f;
    names_init(&c->facts.names, c->ir->arena);
    names_init(&c->facts.shared, c->ir->arena);
    for (int i = 0; i < f->nparams; i++)
        if (f->params[i] != f->returned)
            names_add(&c->facts.names, f->params[i]->name);
    if (f->returned)
        f->returned->name = names_fresh(&c->facts.names, f->returned->name);
}

/* `open`: by symbol's id, how many loops over it are open. */
static void note_variables(Collecting *c, Node *n, Map *open)
{
    if (n->kind == N_VAR && !map_get(open, n->sym->id))
        *map_at(c->ir->arena, &c->facts.outside, n->sym->id) = n->sym;
    if (n->kind == N_DECL || (n->kind == N_FOR && n->aux & FOR_DECLARES))
        note_name(c, n->sym);
    for (int i = 0; i < n->nkids; i++) {
        if (n->kind == N_FOR && i == 1)
            *map_at(c->ir->arena, open, n->sym->id) = n->sym;
        note_variables(c, n->kid[i], open);
    }
    if (n->kind == N_FOR)
        *map_at(c->ir->arena, open, n->sym->id) = NULL;
}

JumpFacts jump_facts(Ir *ir, Func *f)
{
    Collecting c = {.ir = ir, .f = f};
    Map open = {0};
    note_parameters(&c);
    note_variables(&c, f->body, &open);
    kinds_of(&c, f->body);
    return c.facts;
}
