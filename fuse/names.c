/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A number behind a name until nothing in the operator is called so. */
#include "fuse/names.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct NameEntry {
    const char *name;
    int next; /* the suffix to try next for names made from this one */
};

void names_init(Names *names, Arena *arena)
{
    *names = (Names){.arena = arena, .size = 64};
    names->table = arena_new_array(arena, struct NameEntry, names->size);
}

/* The entry of `name`, or the free one where it belongs. */
static struct NameEntry *find(const Names *names, const char *name)
{
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    for (uint32_t at = hash;; at++) {
        struct NameEntry *e = &names->table[at & (uint32_t)(names->size - 1)];
        if (!e->name || strcmp(e->name, name) == 0)
            return e;
    }
}

static void grow(Names *names)
{
    Names bigger = {.arena = names->arena, .size = names->size * 2, .used = names->used};
    bigger.table = arena_new_array(names->arena, struct NameEntry, bigger.size);
    for (int i = 0; i < names->size; i++)
        if (names->table[i].name)
            *find(&bigger, names->table[i].name) = names->table[i];
    *names = bigger;
}

void names_add(Names *names, const char *name)
{
    struct NameEntry *e = find(names, name);
    if (e->name)
        return;
    e->name = name;
    e->next = 1;
    if (++names->used * 2 > names->size)
        grow(names);
}

bool names_has(const Names *names, const char *name) { return find(names, name)->name != NULL; }

/* `name` without the suffix that an earlier names_fresh gave it. */
static const char *stem(Arena *arena, const char *name)
{
    size_t end = strlen(name);
    while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9')
        end--;
    return end > 1 && name[end] && name[end - 1] == '_' ? arena_strndup(arena, name, end - 1) : name;
}

const char *names_fresh(Names *names, const char *base)
{
    const char *name = base;
    if (find(names, name)->name) {
        base = stem(names->arena, base);
        names_add(names, base);
    }
    while (find(names, name)->name)
        name = arena_printf(names->arena, "%s_%d", base, find(names, base)->next++);
    names_add(names, name);
    return name;
}
