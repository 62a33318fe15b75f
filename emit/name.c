/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scopes of names as a stack; a name that is visible already gets the next free number. */
#include "emit/name.h"

#include <stdlib.h>
#include <string.h>

#include "ir/sym_map.h"

/* A name that is or was visible. */
typedef struct Word {
    const char *text; /* NULL: free */
    int visible;      /* so many times */
    int taken;        /* with all numbers from 1 to this one it is visible */
} Word;

typedef struct Entry {
    const Sym *sym; /* NULL, as name is: the mark of a scope */
    const char *name;
    struct Entry *hidden; /* the symbol's entry before this one */
    struct Entry *below;
} Entry;

struct Names {
    Arena *arena;
    Entry *top;
    Map of_sym; /* by Sym.id: Entry */
    Word *words; /* open addressing */
    int size, used;
};

static Word *find_word(const Names *names, const char *text, size_t length)
{
    uint32_t at = 2166136261u;
    for (size_t i = 0; i < length; i++)
        at = (at ^ (unsigned char)text[i]) * 16777619u;
    for (;; at++) {
        Word *word = &names->words[at & (uint32_t)(names->size - 1)];
        if (!word->text || (strncmp(word->text, text, length) == 0 && !word->text[length]))
            return word;
    }
}

/* The word, entered if it is new; valid until the next call. */
static Word *enter_word(Names *names, const char *text)
{
    if (2 * (names->used + 1) > names->size) {
        const Names old = *names;
        names->size = 2 * old.size;
        names->words = arena_new_array(names->arena, Word, names->size);
        for (int i = 0; i < old.size; i++)
            if (old.words[i].text)
                *find_word(names, old.words[i].text, strlen(old.words[i].text)) = old.words[i];
    }
    Word *word = find_word(names, text, strlen(text));
    names->used += !word->text;
    word->text = text;
    return word;
}

static void push(Names *names, const Sym *sym, const char *name)
{
    Entry *e = arena_alloc(names->arena, sizeof *e);
    e->sym = sym;
    e->name = name;
    e->below = names->top;
    names->top = e;
    if (!sym)
        return;
    enter_word(names, name)->visible++;
    void **of_sym = map_at(names->arena, &names->of_sym, sym->id);
    e->hidden = *of_sym;
    *of_sym = e;
}

Names *names_new(Arena *arena)
{
    Names *names = arena_alloc(arena, sizeof *names);
    names->arena = arena;
    names->size = 64;
    names->words = arena_new_array(arena, Word, names->size);
    return names;
}

void names_push(Names *names) { push(names, NULL, NULL); }

/* The name is free again; if it is another one with a number, that number of the other is. */
static void free_name(Names *names, const char *name)
{
    if (--find_word(names, name, strlen(name))->visible)
        return;
    const char *number = strrchr(name, '_');
    const int value = number ? atoi(number + 1) : 0;
    Word *base = value > 0 ? find_word(names, name, (size_t)(number - name)) : NULL;
    if (base && base->text && base->taken >= value)
        base->taken = value - 1;
}

void names_pop(Names *names)
{
    for (; names->top->sym; names->top = names->top->below) {
        free_name(names, names->top->name);
        *map_at(names->arena, &names->of_sym, names->top->sym->id) = names->top->hidden;
    }
    names->top = names->top->below;
}

static bool is_taken(const Names *names, const char *name)
{
    const Word *word = find_word(names, name, strlen(name));
    return word->text && word->visible;
}

const char *names_declare(Names *names, const Sym *sym)
{
    const char *name = sym->name;
    if (is_taken(names, name)) {
        int i = enter_word(names, sym->name)->taken;
        do
            name = arena_printf(names->arena, "%s_%d", sym->name, ++i);
        while (is_taken(names, name));
        enter_word(names, sym->name)->taken = i;
    }
    push(names, sym, name);
    return name;
}

const char *names_find(const Names *names, const Sym *sym)
{
    const Entry *e = map_get(&names->of_sym, sym->id);
    return e ? e->name : NULL;
}
