/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements. */
#include "emit/expr.h"

#include <string.h>

#include "emit/vector.h"
#include "ir/walk.h"

static void line(Emitter *e, int indent, const char *text) { text_printf(e->out, "%*s%s\n", 4 * indent, "", text); }

#define LINE(e, indent, ...) line((e), (indent), arena_printf((e)->ir->arena, __VA_ARGS__))

/* "[W][3]": all but the first ones. */
static const char *emit_extents(Emitter *e, const Sym *array, int first)
{
    Text text;
    text_init(&text, e->ir->arena);
    for (int i = first; i < array->rank; i++)
        text_printf(&text, "[%s]", emit_expr(e, array->extent[i]));
    return text.data;
}

static const char *declarator(Emitter *e, const Sym *sym, const char *name, bool qualify_const, bool shaped)
{
    const char *type = sym->elements               ? arena_printf(e->ir->arena, "struct %s", sym->elements->tag)
                       : sym->spelling             ? sym->spelling
                       : type_is_vector(sym->type) ? vector_type(e, sym->type)
                                                   : dialect_type(e->dialect, sym->type);
    const char *constness = qualify_const ? "const " : "";
    if (sym->rank == 0)
        return arena_printf(e->ir->arena, "%s%s %s", constness, type, name);
    if (sym->kind == S_LOCAL_ARRAY && sym->extent[0])
        return arena_printf(e->ir->arena, "%s %s%s", type, name, emit_extents(e, sym, 0));
    if (shaped && sym->rank > 1)
        return arena_printf(e->ir->arena, "%s%s (*%s%s%s)%s", constness, type, sym->is_restrict ? e->dialect->restrict_word : "",
                            sym->is_restrict && *name ? " " : "", name, emit_extents(e, sym, 1));
    return arena_printf(e->ir->arena, "%s%s *%s%s%s", constness, type, sym->is_restrict ? e->dialect->restrict_word : "",
                        sym->is_restrict ? " " : "", name);
}

const char *emit_declarator(Emitter *e, const Sym *sym, const char *name, bool qualify_const)
{
    return declarator(e, sym, name, qualify_const, false);
}

const char *emit_shaped_declarator(Emitter *e, const Sym *sym, const char *name, bool qualify_const)
{
    return declarator(e, sym, name, qualify_const, true);
}

/* What a declared scalar begins as. Compilers that see through a sum of scalars warn when it is too large for a narrow type: the
 * conversion is written then. */
static const char *initial_value(Emitter *e, const Node *value)
{
    const Node *inner = value->kind == N_CAST ? value->kid[0] : value;
    const bool narrows = !e->kept && inner->nkids > 1 && value->type != T_BOOL && type_is_integer(value->type) &&
                         type_is_integer(inner->type) && type_bits(value->type) < 32 && type_bits(value->type) < type_bits(inner->type);
    return narrows ? emit_expr(e, value) : emit_value(e, value);
}

static void emit_decl(Emitter *e, const Node *n, int indent)
{
    /* The initial value is printed first: it cannot mean the new name. */
    const char *init = n->nkids ? initial_value(e, n->kid[0]) : NULL;
    const char *name = names_declare(e->names, n->sym);
    const char *what = emit_declarator(e, n->sym, name, n->sym->is_const && n->nkids); /* else its value comes behind it */
    if (init)
        LINE(e, indent, "%s = %s;", what, init);
    else if (n->sym->rank)
        LINE(e, indent, "%s;", what);
    else /* compilers cannot always see that a later loop assigns it */
        LINE(e, indent, "%s = 0;", what);
}

static bool declares_vector(const Node *n) { return n->kind == N_DECL && n->nkids && n->sym->rank == 0 && type_is_vector(n->sym->type); }

/* A vector, and in the same line those behind it in the block that are like it: copies of the same scalar. Returns how many. */
static int emit_vectors(Emitter *e, const Node *block, int at, int indent)
{
    enum { COLUMNS = 140 };
    const Sym *first = block->kid[at]->sym;
    const char *init = emit_value(e, block->kid[at]->kid[0]);
    const char *text = arena_printf(e->ir->arena, "%s = %s", emit_declarator(e, first, names_declare(e->names, first), first->is_const),
                                    init);
    int next = at + 1;
    for (; next < block->nkids && declares_vector(block->kid[next]); next++) {
        const Sym *sym = block->kid[next]->sym;
        init = emit_value(e, block->kid[next]->kid[0]);
        const size_t columns = 4 * (size_t)indent + strlen(text) + strlen(", _1 = ;") + strlen(sym->name) + strlen(init);
        if (sym->type != first->type || sym->is_const != first->is_const || columns > COLUMNS)
            break;
        text = arena_printf(e->ir->arena, "%s, %s = %s", text, names_declare(e->names, sym), init);
    }
    LINE(e, indent, "%s;", text);
    return next - at;
}

static const char *emit_target(Emitter *e, const Node *n)
{
    const char *name = names_find(e->names, n->sym);
    if (!name)
        internal_error("emit: %s is assigned where it is not declared", n->sym->name);
    if (n->kind == N_ASSIGN)
        return name;
    return emit_expr(e, mk_load(e->ir, n->sym, n->nkids - 1, n->kid));
}

/* `x op= e` may be printed when C computes it in the type the tree says: never in half or bf16, which C has as their bits. */
static bool compound_is_exact(const Node *n)
{
    const Node *value = stmt_value(n), *op = value->kind == N_CAST && value->kid[0]->kind == n->aux ? value->kid[0] : value;
    if (!n->aux || op->kind != n->aux || is_narrow_float(n->sym->type) || is_narrow_float(op->type))
        return false;
    bool shift = op->kind == N_SHL || op->kind == N_SHR;
    if (n->sym->type == T_BOOL && (op->kind == N_MUL || op->kind == N_SHL)) /* as a truth value: != 0 */
        return false;
    Type right = op->kid[1]->type;
    return shift || type_common(n->sym->type, right) == (Type)op->type;
}

static void emit_write(Emitter *e, const Node *n, int indent)
{
    const char *target = emit_target(e, n);
    const Node *operand = n->aux ? compound_operand(n) : NULL;
    if (!operand || !compound_is_exact(n)) {
        LINE(e, indent, "%s = %s;", target, emit_value(e, stmt_value(n)));
        return;
    }
    if ((n->aux == N_ADD || n->aux == N_SUB) && is_int(operand, 1))
        LINE(e, indent, "%s%s;", target, n->aux == N_ADD ? "++" : "--");
    else
        LINE(e, indent, "%s %s= %s;", target, kind_info[n->aux].spelling, emit_expr(e, operand));
}

/* `limit`: braces of the nested statement are the caller's. */
static void emit_body(Emitter *e, const Node *n, int indent)
{
    names_push(e->names);
    emit_stmt(e, n, indent);
    names_pop(e->names);
}

/* Of one line, as what no braces need be put around. */
static bool is_line(const Node *n)
{
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    return n->kind == N_ASSIGN || n->kind == N_STORE || n->kind == N_VSTORE || n->kind == N_INTERLEAVE || n->kind == N_ROW_STORE ||
           n->kind == N_SCATTER || n->kind == N_TILE || n->kind == N_PREFETCH || n->kind == N_RETURN;
}

/* The loop's variable counts for nothing: compilers say so. */
static bool is_while(const Node *n)
{
    return n->aux & FOR_DECLARES && n->kid[0]->kind == N_INT && !uses_sym(n->kid[1], n->sym) && !uses_sym(n->kid[2], n->sym);
}

static void emit_while(Emitter *e, const Node *n, int indent)
{
    const bool is_single = is_line(n->kid[2]);
    LINE(e, indent, "while (%s)%s", emit_condition(e, n->kid[1]), is_single ? "" : " {");
    emit_body(e, n->kid[2], indent + 1);
    if (!is_single)
        line(e, indent, "}");
}

static void emit_for(Emitter *e, const Node *n, int indent)
{
    const char *lo = emit_value(e, n->kid[0]);
    names_push(e->names);
    const char *name = n->aux ? names_declare(e->names, n->sym) : names_find(e->names, n->sym);
    const char *start = n->aux ? emit_declarator(e, n->sym, name, false) : name;
    int64_t step = n->u.i;
    const char *advance = step == 1    ? arena_printf(e->ir->arena, "%s++", name)
                          : step == -1 ? arena_printf(e->ir->arena, "%s--", name)
                          : step > 0   ? arena_printf(e->ir->arena, "%s += %lld", name, (long long)step)
                                       : arena_printf(e->ir->arena, "%s -= %llu", name, -(unsigned long long)step);
    const bool is_single = is_line(n->kid[2]), begins_there = strcmp(start, lo) == 0; /* where the variable is already */
    const char *init = begins_there ? "" : arena_printf(e->ir->arena, "%s = %s", start, lo);
    LINE(e, indent, "for (%s; %s; %s)%s", init, emit_condition(e, n->kid[1]), advance, is_single ? "" : " {");
    emit_body(e, n->kid[2], indent + 1);
    if (!is_single)
        line(e, indent, "}");
    names_pop(e->names);
}

static void emit_if(Emitter *e, const Node *n, int indent, const char *lead)
{
    const bool is_single = !*lead && is_line(n->kid[1]) && (n->nkids == 2 || is_line(n->kid[2]));
    LINE(e, indent, "%sif (%s)%s", lead, emit_condition(e, n->kid[0]), is_single ? "" : " {");
    emit_body(e, n->kid[1], indent + 1);
    if (n->nkids == 3) {
        const Node *other = n->kid[2];
        while (other->kind == N_BLOCK && other->nkids == 1)
            other = other->kid[0];
        if (other->kind == N_IF) {
            emit_if(e, other, indent, "} else ");
            return;
        }
        line(e, indent, is_single ? "else" : "} else {");
        emit_body(e, other, indent + 1);
    }
    if (!is_single)
        line(e, indent, "}");
}

static void emit_block(Emitter *e, const Node *n, int indent)
{
    for (int i = 0; i < n->nkids; i++) {
        const Node *kid = n->kid[i];
        if (declares_vector(kid)) {
            i += emit_vectors(e, n, i, indent) - 1;
        } else if (kid->kind == N_BLOCK && !e->set) { /* a scope of its own; in vectorized functions names are told apart without */
            line(e, indent, "{");
            emit_body(e, kid, indent + 1);
            line(e, indent, "}");
        } else {
            emit_stmt(e, kid, indent);
        }
    }
}

void emit_stmt(Emitter *e, const Node *n, int indent)
{
    switch ((Kind)n->kind) {
    case N_BLOCK: emit_block(e, n, indent); break;
    case N_DECL: emit_decl(e, n, indent); break;
    case N_ASSIGN:
    case N_STORE: emit_write(e, n, indent); break;
    case N_TILE: LINE(e, indent, "%s;", vector_tile(e, n)); break;
    case N_ROW_STORE: LINE(e, indent, "%s;", vector_row_store(e, n)); break;
    case N_SCATTER:
    case N_INTERLEAVE:
    case N_VSTORE: LINE(e, indent, "%s;", vector_store(e, n)); break;
    case N_PREFETCH: LINE(e, indent, "%s;", vector_prefetch(e, n)); break;
    case N_FOR: (is_while(n) ? emit_while : emit_for)(e, n, indent); break;
    case N_IF: emit_if(e, n, indent, ""); break;
    case N_RETURN:
        if (n->nkids)
            LINE(e, indent, "return %s;", emit_value(e, n->kid[0]));
        else
            line(e, indent, "return;");
        break;
    case N_BARRIER: LINE(e, indent, "%s();", n->sym->name); break;
    case N_CONTRACT:
    case N_LAUNCH:
        if (!e->stage_call)
            internal_error("emit: a stage where none can run");
        e->stage_call(e, n, indent, e->user);
        break;
    default: internal_error("emit: %s is no statement that C has", kind_info[n->kind].name);
    }
}
