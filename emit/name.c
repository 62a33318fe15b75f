/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scopes of names as a stack; a name that is visible already gets the next free number. */
#include "emit/name.h"

#include <string.h>

typedef struct Entry {
    const Sym *sym; /* NULL, as name is: the mark of a scope */
    const char *name;
    struct Entry *below;
} Entry;

struct Names {
    Arena *arena;
    Entry *top;
};

static void push(Names *names, const Sym *sym, const char *name)
{
    Entry *e = arena_alloc(names->arena, sizeof *e);
    e->sym = sym;
    e->name = name;
    e->below = names->top;
    names->top = e;
}

Names *names_new(Arena *arena)
{
    Names *names = arena_alloc(arena, sizeof *names);
    names->arena = arena;
    return names;
}

void names_push(Names *names) { push(names, NULL, NULL); }

void names_pop(Names *names)
{
    while (names->top->sym)
        names->top = names->top->below;
    names->top = names->top->below;
}

static bool is_taken(const Names *names, const char *name)
{
    for (const Entry *e = names->top; e; e = e->below)
        if (e->name && strcmp(e->name, name) == 0)
            return true;
    return false;
}

const char *names_declare(Names *names, const Sym *sym)
{
    const char *name = sym->name;
    for (int i = 1; is_taken(names, name); i++)
        name = arena_printf(names->arena, "%s_%d", sym->name, i);
    push(names, sym, name);
    return name;
}

const char *names_find(const Names *names, const Sym *sym)
{
    for (const Entry *e = names->top; e; e = e->below)
        if (e->sym == sym)
            return e->name;
    return NULL;
}
