/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modules, variables and function heads (PTX ISA 5.1, 5.4, 11). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

/* ---- scopes: what a name means ---- */

typedef struct Symbol {
    const char *name;
    const Reg *reg;
    Var *var;
    struct Symbol *next;
} Symbol;

/* The outermost scope of a function, and of a module, may hold thousands of names. */
enum { BUCKETS = 1024 };

static unsigned hash(const char *name)
{
    unsigned h = 5381;
    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h % BUCKETS;
}

void ptx_open(Parser *p)
{
    Scope *scope = ptx_new(sizeof *scope);
    scope->outer = p->scope;
    p->scope = scope;
    Function *f = p->function;
    if (!f)
        return;
    if (f->scope_count == f->scope_room) {
        f->scope_room = f->scope_room ? 2 * f->scope_room : 16;
        f->scope_parent = realloc(f->scope_parent, (size_t)f->scope_room * sizeof *f->scope_parent);
    }
    scope->id = f->scope_count;
    f->scope_parent[f->scope_count++] = scope->outer ? scope->outer->id : -1;
    if (scope->id == 0)
        f->scope_parent[0] = -1;
}

static void declare(Parser *p, const char *name, const Reg *reg, Var *var)
{
    if (!p->scope->symbols)
        p->scope->symbols = ptx_new(BUCKETS * sizeof(Symbol));
    Symbol *bucket = &p->scope->symbols[hash(name)];
    Symbol *s = bucket;
    if (bucket->name) {
        s = ptx_new(sizeof *s);
        s->next = bucket->next;
        bucket->next = s;
    }
    s->name = name;
    s->reg = reg;
    s->var = var;
}

static const Symbol *find(Parser *p, const char *name)
{
    unsigned h = hash(name);
    for (const Scope *scope = p->scope; scope; scope = scope->outer)
        if (scope->symbols)
            for (const Symbol *s = &scope->symbols[h]; s && s->name; s = s->next)
                if (strcmp(s->name, name) == 0)
                    return s;
    return NULL;
}

void ptx_close(Parser *p)
{
    Scope *scope = p->scope;
    p->scope = scope->outer;
    if (scope->symbols) {
        for (int i = 0; i < BUCKETS; i++)
            for (Symbol *s = scope->symbols[i].next, *next; s; s = next) {
                next = s->next;
                free(s);
            }
        free(scope->symbols);
    }
    free(scope);
}

void ptx_declare_var(Parser *p, Var *var) { declare(p, var->name, NULL, var); }

void ptx_declare_reg(Parser *p, Reg *reg) { declare(p, reg->name, reg, NULL); }

Var *ptx_find_var(Parser *p, const char *name)
{
    const Symbol *s = find(p, name);
    return s ? s->var : NULL;
}

const Reg *ptx_find_reg(Parser *p, const char *name)
{
    const Symbol *s = find(p, name);
    return s ? s->reg : NULL;
}

Function *ptx_function(const Module *module, const char *name)
{
    Function *declared = NULL;
    for (Function *f = module->functions; f; f = f->next)
        if (strcmp(f->name, name) == 0) {
            if (f->has_body)
                return f;
            declared = f;
        }
    return declared;
}

/* ---- variables ---- */

TypeWidth ptx_type(const char *type, int *bytes)
{
    static const struct {
        const char *name;
        TypeWidth width;
        int bytes;
    } types[] = {{".pred", T_PRED, 1},  {".b8", T_B8, 1},   {".u8", T_B8, 1},   {".s8", T_B8, 1},    {".b16", T_B16, 2},
                 {".u16", T_B16, 2},    {".s16", T_B16, 2}, {".f16", T_B16, 2}, {".bf16", T_B16, 2}, {".f16x2", T_B32, 4},
                 {".bf16x2", T_B32, 4}, {".b32", T_B32, 4}, {".u32", T_B32, 4}, {".s32", T_B32, 4},  {".f32", T_B32, 4},
                 {".b64", T_B64, 8},    {".u64", T_B64, 8}, {".s64", T_B64, 8}, {".f64", T_B64, 8},  {".b128", T_B128, 16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, type) == 0) {
            *bytes = types[i].bytes;
            return types[i].width;
        }
    *bytes = 0;
    return T_NONE;
}

/* {1, 2, {3, generic(x)+4}}: nested braces are rows, which follow each other here as in memory. */
static void initial_values(Parser *p, Var *var, int bytes, size_t *offset)
{
    if (ptx_accept(p, "{")) {
        while (!p->failed && !ptx_accept(p, "}")) {
            initial_values(p, var, bytes, offset);
            ptx_accept(p, ",");
        }
        return;
    }
    Init *init = ptx_new(sizeof *init);
    Operand number = {0};
    init->offset = *offset;
    init->size = bytes;
    if (ptx_number(p, &number)) {
        init->value = (uint64_t)number.value;
        if (number.kind == O_F64 && bytes == 4) {
            double d;
            float f;
            memcpy(&d, &number.value, sizeof d);
            f = (float)d;
            uint32_t bits;
            memcpy(&bits, &f, sizeof f);
            init->value = bits;
        }
    } else {
        init->is_generic = ptx_accept(p, "generic");
        bool parenthesis = ptx_accept(p, "(");
        init->symbol = ptx_word(p);
        if (!init->symbol)
            ptx_error(p, "expected an initial value");
        if (parenthesis)
            ptx_expect(p, ")");
        if (ptx_accept(p, "+"))
            init->value = (uint64_t)ptx_integer(p);
    }
    init->next = var->inits;
    var->inits = init;
    *offset += (size_t)bytes;
}

Var *ptx_variable(Parser *p, Space space, bool is_extern)
{
    Var *var = ptx_new(sizeof *var);
    var->space = space;
    var->is_extern = is_extern;
    int bytes = 0, lanes = 1;
    for (;;) {
        const char *word = ptx_word(p);
        if (!word) {
            ptx_error(p, "expected a variable");
            return var;
        }
        if (strcmp(word, ".align") == 0)
            var->align = (size_t)ptx_integer(p);
        else if (strcmp(word, ".ptr") == 0 || strcmp(word, ".global") == 0 || strcmp(word, ".shared") == 0 || strcmp(word, ".const") == 0 ||
                 strcmp(word, ".local") == 0 || strcmp(word, ".attribute") == 0)
            continue; /* of a parameter: what its pointer points to */
        else if (word[0] == '.' && word[1] == 'v')
            lanes = word[2] - '0';
        else if (word[0] == '.') {
            if (ptx_type(word, &bytes) == T_NONE)
                ptx_error(p, "unknown type %s", word);
        } else {
            var->name = word;
            break;
        }
        if (ptx_accept(p, "(")) { /* .attribute(.managed) */
            while (!p->failed && !ptx_accept(p, ")"))
                if (!ptx_word(p))
                    ptx_integer(p);
        }
    }
    size_t count = (size_t)lanes;
    while (ptx_accept(p, "[")) {
        if (ptx_accept(p, "]")) {
            count = 0;
            break;
        }
        count *= (size_t)ptx_integer(p);
        ptx_expect(p, "]");
    }
    var->size = count * (size_t)bytes;
    var->is_dynamic = count == 0 && space == SPACE_SHARED;
    if (var->align == 0)
        var->align = (size_t)(bytes * lanes);
    if (ptx_accept(p, "=")) {
        size_t offset = 0;
        initial_values(p, var, bytes, &offset);
        if (var->size < offset)
            var->size = offset;
    }
    return var;
}

/* ---- functions ---- */

static Var *parameters(Parser *p)
{
    Var *first = NULL, **last = &first;
    while (!p->failed && !ptx_accept(p, ")")) {
        if (ptx_accept(p, ".reg"))
            ptx_error(p, "parameters in registers are not supported");
        ptx_expect(p, ".param");
        *last = ptx_variable(p, SPACE_PARAM, false);
        last = &(*last)->next;
        ptx_accept(p, ",");
    }
    return first;
}

/* The layout of an entry's parameters (5.1.6.1): in order, each at its alignment. */
static size_t lay_out(Var *params)
{
    size_t size = 0;
    for (Var *v = params; v; v = v->next) {
        size = (size + v->align - 1) / v->align * v->align;
        v->address = size;
        size += v->size;
    }
    return size;
}

static void three(Parser *p, int *numbers)
{
    for (int i = 0; i < 3; i++)
        numbers[i] = i == 0 || ptx_accept(p, ",") ? (int)ptx_integer(p) : 1;
}

static void performance_directives(Parser *p, Function *f)
{
    for (;;) {
        if (ptx_accept(p, ".maxntid"))
            three(p, f->max_threads);
        else if (ptx_accept(p, ".reqntid"))
            three(p, f->required_threads);
        else if (ptx_accept(p, ".reqnctapercluster"))
            three(p, f->cluster);
        else if (ptx_accept(p, ".explicitcluster"))
            f->needs_cluster = true;
        else if (ptx_accept(p, ".minnctapersm"))
            f->min_blocks = (int)ptx_integer(p);
        else if (ptx_accept(p, ".maxnreg"))
            f->max_registers = (int)ptx_integer(p);
        else if (ptx_accept(p, ".maxnctapersm") || ptx_accept(p, ".maxclusterrank"))
            ptx_integer(p);
        else if (!ptx_accept(p, ".noreturn") && !ptx_accept(p, ".blocksareclusters"))
            return;
    }
}

static void function(Parser *p, bool is_entry)
{
    Function *f = ptx_new(sizeof *f);
    f->is_entry = is_entry;
    if (!is_entry && ptx_accept(p, "("))
        f->returns = parameters(p);
    f->name = ptx_word(p);
    if (!f->name) {
        ptx_error(p, "expected a function's name");
        return;
    }
    if (ptx_accept(p, "("))
        f->params = parameters(p);
    f->param_size = lay_out(f->params);
    lay_out(f->returns);
    performance_directives(p, f);
    f->next = p->module->functions;
    p->module->functions = f;
    if (ptx_accept(p, ";") || !ptx_accept(p, "{"))
        return;
    f->has_body = true;
    p->function = f;
    ptx_open(p);
    for (Var *v = f->params; v; v = v->next)
        ptx_declare_var(p, v);
    for (Var *v = f->returns; v; v = v->next)
        ptx_declare_var(p, v);
    ptx_body(p);
    ptx_close(p);
    p->function = NULL;
}

static Space space_named(const char *word)
{
    return strcmp(word, ".global") == 0   ? SPACE_GLOBAL
           : strcmp(word, ".const") == 0  ? SPACE_CONST
           : strcmp(word, ".shared") == 0 ? SPACE_SHARED
                                          : SPACE_GENERIC;
}

static void target(Parser *p)
{
    const char *name = ptx_word(p);
    if (!name || strncmp(name, "sm_", 3) != 0) {
        ptx_error(p, "unknown target");
        return;
    }
    char *end;
    p->module->target = (int)strtol(name + 3, &end, 10);
    p->module->is_specific = *end == 'a' || *end == 'f';
    while (ptx_accept(p, ","))
        ptx_word(p);
}

static void top_level(Parser *p)
{
    bool is_extern = false;
    for (;;) {
        const char *word = ptx_word(p);
        if (!word) {
            if (p->at < p->end && *p->at)
                ptx_error(p, "unexpected \"%.20s\"", p->at);
            return;
        }
        if (strcmp(word, ".version") == 0) {
            Operand v = {0};
            ptx_number(p, &v);
            double d;
            memcpy(&d, &v.value, sizeof d);
            p->module->version = (int)(d * 10 + 0.5);
            return;
        }
        if (strcmp(word, ".target") == 0) {
            target(p);
            return;
        }
        if (strcmp(word, ".address_size") == 0) {
            ptx_integer(p);
            return;
        }
        if (strcmp(word, ".file") == 0 || strcmp(word, ".loc") == 0) {
            ptx_skip_line(p);
            return;
        }
        if (strcmp(word, ".section") == 0) {
            while (p->at < p->end && *p->at != '}') {
                p->line += *p->at == '\n';
                p->at++;
            }
            ptx_expect(p, "}");
            return;
        }
        if (strcmp(word, ".extern") == 0)
            is_extern = true;
        if (strcmp(word, ".extern") == 0 || strcmp(word, ".visible") == 0 || strcmp(word, ".weak") == 0 || strcmp(word, ".common") == 0)
            continue;
        if (strcmp(word, ".entry") == 0 || strcmp(word, ".func") == 0) {
            function(p, strcmp(word, ".entry") == 0);
            return;
        }
        Space space = space_named(word);
        if (space == SPACE_GENERIC) {
            ptx_error(p, "unknown directive %s", word);
            return;
        }
        Var *var = ptx_variable(p, space, is_extern);
        ptx_expect(p, ";");
        if (p->failed)
            return;
        var->next = p->module->vars;
        p->module->vars = var;
        ptx_declare_var(p, var);
        return;
    }
}

void ptx_line(const Module *module, int line, char *text, size_t size)
{
    const char *at = module->text;
    while (--line > 0 && (at = strchr(at, '\n')))
        at++;
    if (!at)
        at = "";
    at += strspn(at, " \t");
    size_t length = strcspn(at, "\n");
    snprintf(text, size, "%.*s", length < size ? (int)length : (int)size - 1, at);
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
}

Module *ptx_parse(const char *text, size_t length, const char *source, char *error, size_t error_size)
{
    Module *module = ptx_new(sizeof *module);
    module->source = source;
    const char *copy = ptx_copy(text, length);
    Parser p = {.at = copy, .end = copy + strlen(copy), .line = 1, .module = module, .error = error, .error_size = error_size};
    ptx_open(&p);
    for (ptx_skip(&p); p.at < p.end && !p.failed; ptx_skip(&p))
        top_level(&p);
    while (p.scope)
        ptx_close(&p);
    module->text = copy;
    return p.failed ? NULL : module;
}
