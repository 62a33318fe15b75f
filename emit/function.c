/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An IR function's parameters, the fields of the args struct that its body uses, and the body's text. */
#include "emit/function.h"

#include <string.h>

#include "emit/table.h"
#include "ir/walk.h"

static void add_field(Ir *ir, const Dialect *d, Names *names, LinearMap *linear, Fields *fields, Sym *sym, bool is_const)
{
    Field *f = &fields->items[fields->count++];
    const char *type = sym->spelling ? sym->spelling : dialect_type(d, sym->type);
    f->sym = sym;
    f->flat = sym->rank ? linear_sym(ir, linear, sym) : sym;
    f->name = names_declare(names, sym);
    f->type = arena_printf(ir->arena, "%s%s %s", sym->rank && is_const ? "const " : "", type, sym->rank ? "*" : "");
}

static int count_captured(const Stages *stages)
{
    int n = 0;
    for (int i = 0; i < stages->first[STAGE_KINDS]; i++)
        n += stages->items[i]->ncaptured;
    return n;
}

const char *function_field(const Fields *fields, const Sym *sym)
{
    for (int i = 0; i < fields->count; i++)
        if (fields->items[i].sym == sym)
            return fields->items[i].name;
    return NULL;
}

static void add_captured(Ir *ir, const Dialect *d, Names *names, LinearMap *linear, Fields *fields, Sym *sym)
{
    if (!function_field(fields, sym))
        add_field(ir, d, names, linear, fields, sym, !sym->rank);
}

typedef struct TableSearch {
    Ir *ir;
    Fields *fields;
} TableSearch;

static bool note_table(void *user, Node *n)
{
    const TableSearch *s = user;
    if (!n->sym || !n->sym->table)
        return true;
    for (int i = 0; i < s->fields->tables.count; i++)
        if (s->fields->tables.items[i] == n->sym)
            return true;
    vec_push(s->ir->arena, &s->fields->tables, n->sym);
    return true;
}

Fields function_fields(Ir *ir, const Dialect *d, const Plan *plan, LinearMap *linear)
{
    Fields fields = {.count = 0};
    const Func *f = plan->func;
    fields.items = arena_new_array(ir->arena, Field, f->nparams + plan->ntemporaries + count_captured(&plan->stages) + 2);
    Names *names = names_new(ir->arena);
    for (int i = 0; i < f->nparams; i++)
        add_field(ir, d, names, linear, &fields, f->params[i], f->params[i]->is_const);
    for (int i = 0; i < plan->ntemporaries; i++)
        add_field(ir, d, names, linear, &fields, plan->temporaries[i].array, false);
    for (int i = 0; i < plan->stages.first[STAGE_KINDS]; i++)
        for (int j = 0; j < plan->stages.items[i]->ncaptured; j++)
            add_captured(ir, d, names, linear, &fields, plan->stages.items[i]->captured[j]);
    if (f->packed)
        add_field(ir, d, names, linear, &fields, f->packed, false);
    walk(&(Walker){.pre = note_table, .user = &(TableSearch){ir, &fields}}, plan->source);
    for (int i = 0; i < fields.tables.count; i++)
        fields.tables.items[i] = linear_sym(ir, linear, fields.tables.items[i]);
    return fields;
}

static void note(FunctionText *t, Map *map, const Sym *sym) { *map_at(t->emitter.ir->arena, map, sym->id) = (void *)sym; }

/* A contraction's statement names its output, but its text does not. A captured scalar is the body's own local in the body that declares it. */
static bool note_body(void *user, Node *n)
{
    FunctionText *t = user;
    if (n->sym && n->kind != N_CONTRACT)
        note(t, &t->used, n->sym);
    if (n->kind == N_DECL || (n->kind == N_FOR && n->aux))
        note(t, &t->local, n->sym);
    return true;
}

static bool note_also(void *user, Node *n)
{
    FunctionText *t = user;
    if (n->sym)
        note(t, &t->used, n->sym);
    return true;
}

/* One walk, however many fields there are. */
static void find_symbols(FunctionText *t)
{
    const FunctionSpec *spec = t->spec;
    for (int i = 0; i < spec->nparams; i++)
        note(t, &t->local, spec->params[i]);
    walk(&(Walker){.pre = note_body, .user = t}, spec->body);
    for (int i = 0; i < spec->nalso; i++)
        if (spec->also[i])
            walk(&(Walker){.pre = note_also, .user = t}, spec->also[i]);
}

static bool is_used(const FunctionText *t, const Sym *flat) { return map_get(&t->used, flat->id) != NULL; }

/* Behind the one before it if that is of the same type. */
static void unpack_scalar(FunctionText *t, const char *type, const char *init)
{
    enum { COLUMNS = 136 };
    const size_t last = json_array_size(t->unpack);
    const char *before = last ? json_string_value(json_array_get(t->unpack, last - 1)) : "";
    const size_t length = strlen(before);
    Arena *arena = t->emitter.ir->arena;
    const bool begins = strncmp(before, type, strlen(type)) == 0;
    /* "unsigned " also begins "unsigned short a = ...": a name and its value must follow. */
    const char *behind = begins ? before + strlen(type) + strcspn(before + strlen(type), " ") : "";
    if (strncmp(behind, " = ", 3) == 0 && before[strlen(type)] != '*' && length + strlen(init) < COLUMNS)
        json_array_set_new(t->unpack, last - 1, json_string(arena_printf(arena, "%.*s, %s", (int)length - 1, before, init)));
    else
        json_array_append_new(t->unpack, json_string(arena_printf(arena, "%s%s", type, init)));
}

/* Members of the same structs that the body stores together, by either's name. */
static bool is_distinct(const FunctionText *t, const Fields *fields, const Field *f)
{
    if (!t->spec->assumed_distinct || !f->sym->whole || f->sym->is_const ||
        !(has_kind(t->spec->body, N_INTERLEAVE) || has_kind(t->spec->body, N_ROW_STORE)))
        return t->spec->assumed_distinct;
    for (int i = 0; i < fields->count; i++)
        if (&fields->items[i] != f && fields->items[i].sym->whole == f->sym->whole && is_used(t, fields->items[i].flat))
            return false;
    return true;
}

static void unpack_field(FunctionText *t, const Fields *fields, const Field *f)
{
    const FunctionSpec *spec = t->spec;
    Emitter *e = &t->emitter;
    if (!is_used(t, f->flat) || map_get(&t->local, f->flat->id))
        return;
    const char *name = names_declare(e->names, f->flat);
    const bool distinct = f->sym->rank && is_distinct(t, fields, f);
    bool is_const = f->sym->rank ? f->sym->is_const : !writes_sym(spec->body, f->flat);
    const char *type = f->sym->spelling ? f->sym->spelling : dialect_type(e->dialect, f->sym->type);
    const char *text;
    if (f->sym->rank && spec->aligned)
        text = arena_printf(e->ir->arena, "%s%s *%s %s = (%s%s *)__builtin_assume_aligned(args->%s, 16);", is_const ? "const " : "", type,
                            e->dialect->restrict_word, name, is_const ? "const " : "", type, f->name);
    else if (f->sym->rank)
        text = arena_printf(e->ir->arena, "%s%s *%s%s%s = args%s%s;", is_const ? "const " : "", type,
                            distinct ? e->dialect->restrict_word : "", distinct ? " " : "", name, spec->by_value ? "." : "->", f->name);
    else {
        unpack_scalar(t, arena_printf(e->ir->arena, "%s%s ", is_const ? "const " : "", type),
                      arena_printf(e->ir->arena, "%s = args%s%s;", name, spec->by_value ? "." : "->", f->name));
        return;
    }
    json_array_append_new(t->unpack, json_string(text));
}

FunctionText function_begin(Ir *ir, const Dialect *d, Uses *uses, const Fields *fields, const FunctionSpec *spec)
{
    FunctionText t = {.spec = spec, .params = json_array(), .unpack = json_array()};
    t.emitter = (Emitter){.ir = ir, .dialect = d, .names = names_new(ir->arena), .uses = uses};
    find_symbols(&t);
    if (spec->args_param)
        json_array_append_new(t.params, json_string(spec->args_param));
    for (int i = 0; i < fields->count; i++)
        unpack_field(&t, fields, &fields->items[i]);
    text_init(&t.tables, ir->arena);
    for (int i = 0; i < fields->tables.count; i++)
        if (is_used(&t, fields->tables.items[i]))
            table_unpack(&t.emitter, fields->tables.items[i], spec->assumed_distinct, &t.tables);
    for (int i = 0; i < spec->nparams; i++) {
        const Sym *p = spec->params[i];
        const char *name = names_declare(t.emitter.names, p);
        Sym declared = *p;
        declared.is_restrict = !p->whole && (p->is_restrict || (!spec->args_param && spec->assumed_distinct));
        json_array_append_new(
            t.params, json_string((spec->args_param ? emit_declarator : emit_shaped_declarator)(&t.emitter, &declared, name, p->is_const)));
    }
    return t;
}

const char *function_unused(FunctionText *t)
{
    Text out;
    text_init(&out, t->emitter.ir->arena);
    if (t->spec->args_param && json_array_size(t->unpack) == 0)
        text_puts(&out, "    (void)args;\n");
    for (int i = 0; i < t->spec->nparams; i++)
        if (!uses_sym(t->spec->body, t->spec->params[i]))
            text_printf(&out, "    (void)%s;\n", names_find(t->emitter.names, t->spec->params[i]));
    return out.data;
}

json_t *function_finish(FunctionText *t, const char *lead, const char *tail)
{
    Text body;
    text_init(&body, t->emitter.ir->arena);
    t->emitter.out = &body;
    text_puts(&body, t->tables.size ? t->tables.data : "");
    if (lead)
        text_puts(&body, lead);
    emit_stmt(&t->emitter, t->spec->body, 1);
    if (tail)
        text_puts(&body, tail);
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:s}", "qualifiers", t->spec->qualifiers, "result", t->spec->result, "name", t->spec->name,
                     "params", t->params, "unpack", t->unpack, "body", body.data);
}
