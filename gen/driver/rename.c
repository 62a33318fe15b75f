/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the symbols of an operator, and gives those whose name is taken another one. */
#include "gen/driver/rename.h"

#include <string.h>

#include "emit/reserved.h"
#include "fuse/names.h"
#include "ir/walk.h"

/* What the file calls things of an operator f: f_with, f_args; with micro-kernels or nests also f_run, f_s1_run, f_nest2_run. */
static const char *const of_operators[] = {"args",        "body",
                                           "call",        "check",
                                           "explain",     "explain_with",
                                           "is_short",    "kernel",
                                           "meets",       "options",
                                           "packed",      "packed_explain_with",
                                           "packed_with", "packed_workspace",
                                           "plan",        "prepare",
                                           "quick",       "room",
                                           "short",       "with",
                                           "works",       "workspace",
                                           NULL};
static const char *const of_constants[] = {"key", "layout", "open", "pack", "size", NULL};
static const char *const of_stages[] = {"a",
                                        "ahead_a_batch",
                                        "ahead_a_batches",
                                        "ahead_a_pack",
                                        "ahead_a_room",
                                        "ahead_batch",
                                        "ahead_batches",
                                        "ahead_pack",
                                        "ahead_room",
                                        "at_once",
                                        "b",
                                        "base_a",
                                        "base_b",
                                        "bytes",
                                        "c",
                                        "choose",
                                        "describe",
                                        "epilogue",
                                        "extents",
                                        "finish",
                                        "gather_a",
                                        "gather_b",
                                        "more",
                                        "pack_a",
                                        "pack_b",
                                        "problem",
                                        "row_apart",
                                        "run",
                                        "twins",
                                        "words",
                                        NULL};
static const char *const of_device_stages[] = {"a_ptr",    "apart_a",   "apart_b", "b_ptr",  "best",    "c_ptr",   "fetch",
                                               "finished", "in_ragged", "lines",   "load",   "place_a", "place_b", "ready",
                                               "set",      "share",     "start",   "step_a", "step_b",  "units_b", "units_k",
                                               "units_m",  "units_n",   "usual",   NULL};

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

/* What follows "NAME_" in `text`; NULL: it does not begin so. */
static const char *after(const char *text, const char *name)
{
    const size_t len = strlen(name);
    return strncmp(text, name, len) == 0 && text[len] == '_' ? text + len + 1 : NULL;
}

/* `rest` without "s1_", which is of a contraction, "nest2_" or "ragged3_", or "s1" alone. */
static const char *skip_stage(const char *rest)
{
    const char *p = rest + (*rest == 's');
    for (int kind = STAGE_CONTRACTION + 1; kind < STAGE_KINDS; kind++)
        if (strncmp(rest, stage_info[kind].word, strlen(stage_info[kind].word)) == 0)
            p = rest + strlen(stage_info[kind].word);
    const char *digits = p;
    while (*p >= '0' && *p <= '9')
        p++;
    return digits == rest || p == digits || (*p && *p != '_') ? rest : *p ? p + 1 : p;
}

static bool is_of_constants(const char *rest, const Func *f)
{
    for (int i = 0; i < f->nparams; i++) {
        const char *what = f->params[i]->is_constant ? after(rest, f->params[i]->name) : NULL;
        if (what && is_one_of(what, of_constants))
            return true;
    }
    return false;
}

static bool is_of_operator(const char *text, const char *symbol, const Func *f)
{
    const char *rest = after(text, symbol);
    return rest && (is_one_of(rest, of_operators) || is_of_constants(rest, f));
}

/* Of a stage; stages are called by the operator's name without a prefix. */
static bool is_of_stages(const char *text, const char *name, bool cuda)
{
    const char *rest = after(text, name), *what = rest ? skip_stage(rest) : NULL;
    return what && (!*what || is_one_of(what, of_stages) || (cuda && is_one_of(what, of_device_stages)));
}

static const char *symbol_of(Ir *ir, const EmitOptions *emit, const Func *f)
{
    return arena_printf(ir->arena, "%s%s", emit->prefix, f->name);
}

/* The symbols of one function, each once, and their names. */
typedef struct Symbols {
    Ir *ir;
    Vec list;
    bool *seen; /* by id */
    Names names;
} Symbols;

static void note_symbol(Symbols *s, Sym *sym)
{
    if (!sym || sym->kind == S_FUNC || s->seen[sym->id])
        return;
    s->seen[sym->id] = true;
    vec_push(s->ir->arena, &s->list, sym);
    names_add(&s->names, sym->name);
}

static void note_node(void *user, Node *n) { note_symbol(user, n->sym); }

static bool can_be(const char *name, const Program *program, const char *symbol, const Func *f)
{
    return !name_is_reserved(name, program->cuda) && !is_of_operator(name, symbol, f) && !is_of_stages(name, f->name, program->cuda);
}

static const char *plain_name(Ir *ir, const Program *program, const char *name)
{
    return name_is_reserved(name, program->cuda) ? arena_printf(ir->arena, "x_%s", name) : name;
}

/* The struct's own name and those of its members: a caller knows them by the header alone. */
static void rename_struct(Ir *ir, const Program *program, const StructType *type)
{
    StructType *s = (StructType *)type;
    s->tag = plain_name(ir, program, s->tag);
    for (int i = 0; i < s->nmembers; i++) {
        Member *m = (Member *)&s->members[i];
        m->name = plain_name(ir, program, m->name);
        if (m->inner)
            rename_struct(ir, program, m->inner);
    }
}

void rename_symbols(Ir *ir, const Options *opt, const Program *program, Func *f)
{
    const char *symbol = symbol_of(ir, &opt->emit, f);
    Symbols s = {.ir = ir, .seen = arena_new_array(ir->arena, bool, ir->nsyms + 1)};
    names_init(&s.names, ir->arena);
    for (int i = 0; i < f->nparams; i++) {
        note_symbol(&s, whole_param(f->params[i]));
        note_symbol(&s, f->params[i]);
        if (whole_param(f->params[i])->elements)
            rename_struct(ir, program, whole_param(f->params[i])->elements);
    }
    walk(&(Walker){.post = note_node, .user = &s}, f->body);
    for (int i = 0; i < s.list.count; i++) {
        Sym *sym = s.list.items[i];
        if (can_be(sym->name, program, symbol, f))
            continue;
        const char *name = name_begins_reserved(sym->name, program->cuda) ? arena_printf(ir->arena, "x_%s", sym->name) : sym->name;
        while (names_has(&s.names, name) || !can_be(name, program, symbol, f))
            name = arena_printf(ir->arena, "%s_", name);
        names_add(&s.names, name);
        sym->name = name;
    }
}

static bool has_stages(const Operator *op) { return contraction_count(op->plan) || device_nest_count(op->plan); }

static const char *advice(Ir *ir, const EmitOptions *emit, const char *name)
{
    return arena_printf(ir->arena, "give it another name, or put another beginning in front of all symbols: with %s it is my_%s%s",
                        *emit->prefix ? arena_printf(ir->arena, "--prefix=my_%s", emit->prefix) : "--prefix=my_", emit->prefix, name);
}

void check_names(Ir *ir, const Options *opt, const Program *program)
{
    const int n = program->noperators;
    const char **symbols = arena_new_array(ir->arena, const char *, n + 1);
    for (int i = 0; i < n; i++)
        symbols[i] = symbol_of(ir, &opt->emit, program->unit->funcs[i]);
    for (int i = 0; i < n; i++) {
        const Func *f = program->unit->funcs[i];
        const char *why = name_is_taken(symbols[i], program->cuda);
        if (why)
            diag_error(ir->diag, f->loc, advice(ir, &opt->emit, f->name), "no operator can be called '%s': that %s", symbols[i], why);
        for (int j = 0; j < n; j++)
            if (is_of_operator(symbols[i], symbols[j], program->unit->funcs[j]) ||
                (has_stages(&program->operators[j]) && is_of_stages(symbols[i], program->unit->funcs[j]->name, program->cuda)))
                diag_error(ir->diag, f->loc, "give one of the two another name",
                           "'%s' is what the file calls something of the operator '%s'", symbols[i], program->unit->funcs[j]->name);
    }
}
