/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which values are held by a symbol already. An entry ends with the block its symbol is declared in, and when
 * an operand of its expression is written, or a goto may have passed by its making; so one value gets one temporary, and none outlives its value. */
#include "ir/effect.h"
#include "licm/hoist.h"

typedef struct Entry {
    Node *e;
    Sym *sym;
    int level, time;
} Entry;

void open_level(Licm *l)
{
    vec_push(l->facts->ir->scratch, &l->levels, arena_alloc(l->facts->ir->scratch, sizeof(Vec)));
    l->here.level = l->levels.count;
}

void close_level(Licm *l)
{
    const Vec *entries = l->levels.items[--l->levels.count];
    l->here.level = l->levels.count;
    for (int i = 0; i < entries->count; i++) {
        const Entry *entry = entries->items[i];
        if (map_get(&l->available, entry->e->id) == entry)
            *map_at(l->facts->ir->scratch, &l->available, entry->e->id) = NULL;
    }
}

void note_write(Licm *l, const Sym *sym)
{
    void **at = map_at(l->facts->ir->scratch, &l->writes, sym->id);
    if (!*at)
        *at = arena_alloc(l->facts->ir->scratch, sizeof(int));
    *(int *)*at = ++l->time;
}

void make_available(Licm *l, Node *e, Sym *sym, int level)
{
    Entry *entry = arena_alloc(l->facts->ir->scratch, sizeof *entry);
    *entry = (Entry){e, sym, level, l->time};
    *map_at(l->facts->ir->scratch, &l->available, e->id) = entry;
    vec_push(l->facts->ir->scratch, l->levels.items[level - 1], entry);
}

static void note_change(void *user, const Sym *sym) { note_write(user, sym); }

void note_effects(Licm *l, Node *n)
{
    if (is_expr(n) && !(expr_flags(l->facts->ranges, n) & EXPR_CALLS))
        return;
    own_effects(n, note_change, l);
    for (int i = 0; i < n->nkids && is_expr(n->kid[i]); i++)
        note_effects(l, n->kid[i]);
}

static bool is_current(const Licm *l, const Node *e, int time)
{
    const Sym *sources[MOST_SOURCES];
    int n = e->sym && e->sym->kind != S_FUNC ? value_sources(e->sym, sources) : 0;
    for (int i = 0; i < n; i++) {
        const int *written = map_get(&l->writes, sources[i]->id);
        if (written && *written > time)
            return false;
    }
    for (int i = 0; i < e->nkids; i++)
        if (!is_current(l, e->kid[i], time))
            return false;
    return true;
}

Node *available(Licm *l, Node *e, int level)
{
    const Entry *entry = map_get(&l->available, e->id);
    if (!entry || entry->level > level)
        return NULL;
    if (entry->time < l->entered || !is_current(l, e, entry->time)) { /* never again: its making has paid for this look */
        *map_at(l->facts->ir->scratch, &l->available, e->id) = NULL;
        return NULL;
    }
    return read_as(l->facts->ir, entry->sym, e->type);
}
