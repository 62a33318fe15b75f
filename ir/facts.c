/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of a body: which are free, which are hidden somewhere. */
#include "ir/facts.h"

#include <string.h>

#include "ir/sym_map.h"
#include "ir/walk.h"
#include "ir/wrap.h"

/* A name in use. */
typedef struct Name {
    const char *text;   /* NULL: free */
    const Sym *first;   /* the first symbol met that has it; NULL: none of the function's */
    const Sym *visible; /* while scopes are walked: the one that it means now */
    bool is_shared;     /* by several symbols */
    int next_like;      /* where fresh_like goes on */
} Name;

/* Open addressing. */
struct NameTable {
    Name *names;
    int size, used, next_temp;
    Map declared; /* by Sym.id: Sym of a shared name that the function declares */
    Map hidden;   /* by Sym.id: Sym that is hidden somewhere in its scope       */
};

static Name *find(const NameTable *table, const char *text)
{
    uint32_t at = 2166136261u;
    for (const char *c = text; *c; c++)
        at = (at ^ (unsigned char)*c) * 16777619u;
    for (;; at++) {
        Name *name = &table->names[at & (uint32_t)(table->size - 1)];
        if (!name->text || strcmp(name->text, text) == 0)
            return name;
    }
}

/* The name, entered if it is new; valid until the next call. */
static Name *enter(Arena *arena, NameTable *table, const char *text)
{
    if (2 * (table->used + 1) > table->size) {
        NameTable old = *table;
        table->size = old.size ? 2 * old.size : 64;
        table->names = arena_new_array(arena, Name, table->size);
        for (int i = 0; i < old.size; i++)
            if (old.names[i].text)
                *find(table, old.names[i].text) = old.names[i];
    }
    Name *name = find(table, text);
    table->used += !name->text;
    name->text = text;
    return name;
}

static void enter_symbol(Facts *facts, const Sym *sym)
{
    Name *name = enter(facts->ir->scratch, facts->names, sym->name);
    if (!name->first)
        name->first = sym;
    name->is_shared = name->is_shared || name->first != sym;
}

/* A symbol stands in many places. */
typedef struct Collect {
    Facts *facts;
    Map seen; /* Sym.id */
} Collect;

static bool collect_name(void *user, Node *n)
{
    Collect *c = user;
    if (n->sym && !map_get(&c->seen, n->sym->id)) {
        *map_at(c->facts->ir->scratch, &c->seen, n->sym->id) = n->sym;
        enter_symbol(c->facts, n->sym);
    }
    return true;
}

/* Scopes. */

typedef struct Hidden {
    const char *name;
    const Sym *by_now; /* what the name meant before */
} Hidden;

static void declare(Facts *f, Vec *scope, const Sym *sym)
{
    Name *name = find(f->names, sym->name);
    if (!name->is_shared)
        return;
    *map_at(f->ir->scratch, &f->names->declared, sym->id) = (void *)sym;
    if (name->visible)
        *map_at(f->ir->scratch, &f->names->hidden, name->visible->id) = (void *)name->visible;
    Hidden *hidden = arena_alloc(f->ir->scratch, sizeof *hidden);
    *hidden = (Hidden){sym->name, name->visible};
    vec_push(f->ir->scratch, scope, hidden);
    name->visible = sym;
}

/* A block, and a loop with what it declares. */
static void find_hidden(Facts *f, Vec *scope, Node *n)
{
    if (is_expr(n))
        return;
    Vec own = {0}, *inner = n->kind == N_BLOCK || is_loop(n) ? &own : scope;
    if (n->kind == N_DECL || loop_declares(n))
        declare(f, inner, n->sym);
    for (int i = 0; i < n->nkids; i++) {
        bool is_init = n->kind == N_LOOP && i == 0;
        for (int k = 0; is_init && k < n->kid[0]->nkids; k++)
            find_hidden(f, inner, n->kid[0]->kid[k]);
        if (!is_init)
            find_hidden(f, inner, n->kid[i]);
    }
    while (own.count) {
        const Hidden *hidden = own.items[--own.count];
        find(f->names, hidden->name)->visible = hidden->by_now;
    }
}

/* Once per Ir: a file has as many functions as it likes. */
static const NameTable *reserved_names(Ir *ir)
{
    if (!ir->reserved_table && ir->reserved) {
        ir->reserved_table = arena_alloc(ir->arena, sizeof(NameTable));
        for (int i = 0; ir->reserved[i]; i++)
            enter(ir->arena, ir->reserved_table, ir->reserved[i]);
    }
    return ir->reserved_table;
}

/* Functions, types and structs that only the text of statements names: a variable of that name must not move to
 * where it would hide them. */
static void enter_other_names(Facts *facts)
{
    static const Sym other = {.id = -1};
    const char *const *names = facts->func->other_names;
    for (int i = 0; names && names[i]; i++)
        enter(facts->ir->scratch, facts->names, names[i])->first = &other;
}

static void collect_names(Facts *facts)
{
    const Func *f = facts->func;
    Collect c = {.facts = facts};
    facts->names = arena_alloc(facts->ir->scratch, sizeof(NameTable));
    enter_other_names(facts);
    for (int i = 0; i < f->nparams; i++)
        enter_symbol(facts, f->params[i]);
    walk(&(Walker){.pre = collect_name, .user = &c}, facts->body);
    if (!facts->exact)
        return;
    Vec whole = {0};
    for (int i = 0; i < f->nparams; i++)
        declare(facts, &whole, f->params[i]);
    find_hidden(facts, &whole, facts->body);
}

static NameTable *names_of(Facts *facts)
{
    if (!facts->names)
        collect_names(facts);
    return facts->names;
}

Facts *facts_new(Ir *ir, const Func *f, Node *body, const LicmOptions *opt)
{
    Facts *facts = arena_alloc(ir->scratch, sizeof *facts);
    Ranges *ranges = ranges_new(ir, body);
    *facts = (Facts){.ir = ir, .opt = opt, .ranges = ranges, .ranks = ranks_new(ir, ranges, body), .func = f, .body = body};
    facts->exact = f->is_kept;
    return facts;
}

static bool is_free(Facts *facts, const char *text)
{
    const NameTable *reserved = reserved_names(facts->ir);
    if (reserved && reserved->used && find(reserved, text)->text)
        return false;
    return !facts->names->used || !find(facts->names, text)->text;
}

Sym *fresh_temp(Facts *facts, Type type, Loc loc)
{
    names_of(facts);
    const char *name;
    do
        name = arena_printf(facts->ir->scratch, "t%d", facts->names->next_temp++);
    while (!is_free(facts, name));
    Sym *sym = sym_new(facts->ir, S_LOCAL, type, name, loc);
    sym->is_const = true;
    enter_symbol(facts, sym);
    return sym;
}

bool is_sole_name(Facts *facts, const Sym *sym) { return !facts->exact || !find(names_of(facts), sym->name)->is_shared; }

bool is_never_hidden(Facts *facts, const Sym *sym)
{
    const NameTable *names = names_of(facts);
    return is_sole_name(facts, sym) || (map_get(&names->declared, sym->id) && !map_get(&names->hidden, sym->id));
}

Sym *fresh_like(Facts *facts, const Sym *sym)
{
    const char *name;
    int *count = &find(names_of(facts), sym->name)->next_like;
    do
        name = arena_printf(facts->ir->scratch, "%s_%d", sym->name, 2 + (*count)++);
    while (!is_free(facts, name));
    Sym *other = sym_new(facts->ir, sym->kind, sym->type, name, sym->loc);
    int id = other->id;
    name = other->name;
    *other = *sym;
    other->id = id;
    other->name = name;
    enter_symbol(facts, other);
    return other;
}

Node *safe_from_overflow(Facts *f, Node *e)
{
    return wrap_overflow(f->ir, f->ranges, f->opt->const_pos_low ? e : constants_last(f->ir, f->ranges, e));
}
