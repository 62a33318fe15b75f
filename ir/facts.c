#include "ir/facts.h"

#include <string.h>

#include "ir/walk.h"

/* NameTable in use, open addressing. */
struct NameTable {
    struct Slot {
        const char *name; /* NULL: free */
        const Sym *sym;   /* NULL: several symbols have it */
    } *slots;
    int size, used, next_temp;
};

static struct Slot *find(const NameTable *names, const char *name)
{
    uint32_t at = 2166136261u;
    for (const char *c = name; *c; c++)
        at = (at ^ (unsigned char)*c) * 16777619u;
    for (;; at++) {
        struct Slot *slot = &names->slots[at & (uint32_t)(names->size - 1)];
        if (!slot->name || strcmp(slot->name, name) == 0)
            return slot;
    }
}

static void add_name(Arena *arena, NameTable *names, const char *name, const Sym *sym)
{
    if (2 * (names->used + 1) > names->size) {
        NameTable old = *names;
        names->size = old.size ? 2 * old.size : 64;
        names->slots = arena_new_array(arena, struct Slot, names->size);
        for (int i = 0; i < old.size; i++)
            if (old.slots[i].name)
                *find(names, old.slots[i].name) = old.slots[i];
    }
    struct Slot *slot = find(names, name);
    if (!slot->name) {
        *slot = (struct Slot){name, sym};
        names->used++;
    } else if (slot->sym != sym) {
        slot->sym = NULL;
    }
}

static bool collect_name(void *user, Node *n)
{
    Facts *facts = user;
    if (n->sym)
        add_name(facts->ir->arena, facts->names, n->sym->name, n->sym);
    return true;
}

Facts *facts_new(Ir *ir, const Func *f, const Node *body, const LicmOptions *opt)
{
    Facts *facts = arena_alloc(ir->arena, sizeof *facts);
    *facts = (Facts){ir, opt, ranges_new(ir, body), ranks_new(ir, body), arena_alloc(ir->arena, sizeof(NameTable))};
    for (int i = 0; i < f->nparams; i++)
        add_name(ir->arena, facts->names, f->params[i]->name, f->params[i]);
    walk(&(Walker){.pre = collect_name, .user = facts}, (Node *)body);
    return facts;
}

bool name_is_unique(const Facts *facts, const Sym *sym)
{
    const struct Slot *slot = find(facts->names, sym->name);
    return !slot->name || slot->sym == sym;
}

static Sym *fresh(Facts *facts, Type type, const char *stem, int *next, Loc loc)
{
    NameTable *names = facts->names;
    const char *name;
    do
        name = arena_printf(facts->ir->arena, "%s%d", stem, (*next)++);
    while (names->size && find(names, name)->name);
    Sym *sym = sym_new(facts->ir, S_LOCAL, type, name, loc);
    add_name(facts->ir->arena, names, sym->name, sym);
    return sym;
}

Sym *fresh_temp(Facts *facts, Type type, Loc loc)
{
    Sym *sym = fresh(facts, type, "t", &facts->names->next_temp, loc);
    sym->is_const = true;
    return sym;
}

Sym *fresh_like(Facts *facts, const Sym *sym)
{
    int next = 1;
    Sym *copy = fresh(facts, sym->type, sym->name, &next, sym->loc);
    copy->is_const = sym->is_const;
    return copy;
}
