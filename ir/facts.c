#include "ir/facts.h"

#include <string.h>

#include "ir/map.h"
#include "ir/walk.h"

/* Names in use, open addressing; NULL: free. */
struct NameTable {
    const char **names;
    int size, used, next_temp;
};

static const char **find(const NameTable *table, const char *name)
{
    uint32_t at = 2166136261u;
    for (const char *c = name; *c; c++)
        at = (at ^ (unsigned char)*c) * 16777619u;
    for (;; at++) {
        const char **slot = &table->names[at & (uint32_t)(table->size - 1)];
        if (!*slot || strcmp(*slot, name) == 0)
            return slot;
    }
}

/* True if it is new. */
static bool add_name(Arena *arena, NameTable *table, const char *name)
{
    if (2 * (table->used + 1) > table->size) {
        NameTable old = *table;
        table->size = old.size ? 2 * old.size : 64;
        table->names = arena_new_array(arena, const char *, table->size);
        for (int i = 0; i < old.size; i++)
            if (old.names[i])
                *find(table, old.names[i]) = old.names[i];
    }
    const char **slot = find(table, name);
    if (*slot)
        return false;
    *slot = name;
    table->used++;
    return true;
}

/* A symbol stands in many places. */
typedef struct Collect {
    Facts *facts;
    Map seen; /* Sym.id */
} Collect;

static bool collect_name(void *user, Node *n)
{
    Collect *c = user;
    Arena *arena = c->facts->ir->arena;
    if (n->sym && !map_get(&c->seen, n->sym->id)) {
        *map_at(arena, &c->seen, n->sym->id) = n->sym;
        add_name(arena, c->facts->names, n->sym->name);
    }
    return true;
}

static void collect_names(Facts *facts)
{
    Collect c = {.facts = facts};
    facts->names = arena_alloc(facts->ir->arena, sizeof(NameTable));
    for (int i = 0; i < facts->func->nparams; i++)
        add_name(facts->ir->arena, facts->names, facts->func->params[i]->name);
    walk(&(Walker){.pre = collect_name, .user = &c}, facts->body);
}

Facts *facts_new(Ir *ir, const Func *f, Node *body, const LicmOptions *opt)
{
    Facts *facts = arena_alloc(ir->arena, sizeof *facts);
    *facts = (Facts){ir, opt, ranges_new(ir, body), ranks_new(ir, body), f, body, NULL};
    return facts;
}

Sym *fresh_temp(Facts *facts, Type type, Loc loc)
{
    if (!facts->names)
        collect_names(facts);
    const char *name;
    do
        name = arena_printf(facts->ir->arena, "t%d", facts->names->next_temp++);
    while (!add_name(facts->ir->arena, facts->names, name));
    Sym *sym = sym_new(facts->ir, S_LOCAL, type, name, loc);
    sym->is_const = true;
    return sym;
}
