/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kept body's statements and loop headers are in C once a pass has changed them. */
#include "emit/kept_leaf.h"

#include <string.h>

#include "ir/kept_sym.h"

bool keep_made(const Keep *k, const Node *stmt) { return stmt->kind == N_DECL && stmt->sym->id >= k->nsyms && !stmt->sym->spelling; }

static const char *value(Keep *k, const Node *e) { return emit_value(&k->emitter, e); }

static const char *type_of(Keep *k, const Sym *sym)
{
    if (sym->spelling)
        return sym->spelling;
    const char *type = sym->type == T_BOOL && !k->source->other_bool && !k->marks_lines ? "bool" : dialect_type(&k->dialect, sym->type);
    return sym->is_const ? arena_printf(k->ir->arena, "const %s", type) : type;
}

static const char *target_of(Keep *k, const Node *n)
{
    if (n->kind == N_ASSIGN)
        return n->sym->name;
    return emit_expr(&k->emitter, mk_load(k->ir, n->sym, n->nkids - 1, n->kid));
}

static bool text_has(const Keep *k, const Node *stmt, const char *a, const char *b)
{
    const Loc *whole = map_get(&k->source->whole, place_of(stmt));
    if (!whole && stmt->loc.beg) /* in the header of a loop */
        whole = &stmt->loc;
    const char *text = whole ? source_slice(k->ir->arena, k->source, *whole) : "";
    return strstr(text, a) || strstr(text, b);
}

/* `x op= e` computes e's common type with x; otherwise the assignment is written out. */
static const char *compound_text(Keep *k, const Node *n, const char *target)
{
    const Node *operand = n->aux ? compound_operand(n) : NULL;
    const Node *v = stmt_value(n), *op = v->kind == N_CAST && v->kid[0]->kind == n->aux ? v->kid[0] : v;
    if (!operand || op->kind != n->aux)
        return NULL;
    const Node *by = operand->kind == N_CAST ? operand->kid[0] : operand;
    bool one = is_int(by, 1) || (by->kind == N_FLOAT && by->u.f == 1);
    if ((n->aux == N_ADD || n->aux == N_SUB) && one && text_has(k, n, "++", "--"))
        return arena_printf(k->ir->arena, "%s%s", target, n->aux == N_ADD ? "++" : "--");
    bool shift = op->kind == N_SHL || op->kind == N_SHR;
    bool reached = operand->kind == N_CAST && type_common(n->sym->type, operand->kid[0]->type) == (Type)op->type;
    if (!shift && !reached && type_common(n->sym->type, operand->type) != (Type)op->type)
        return NULL;
    const char *right = shift || reached ? value(k, operand) : emit_expr(&k->emitter, operand);
    return arena_printf(k->ir->arena, "%s %s= %s", target, kind_info[n->aux].spelling, right);
}

static const char *write_text(Keep *k, const Node *n)
{
    const char *target = target_of(k, n), *compound = compound_text(k, n, target);
    return compound ? compound : arena_printf(k->ir->arena, "%s = %s", target, value(k, stmt_value(n)));
}

/* The value of a bool as 0 or 1, whatever type it is stored in. */
static const char *truth_text(Keep *k, Node *value)
{
    Node *e = value->kind == N_CAST ? value->kid[0] : value;
    if (!(kind_info[e->kind].flags & F_REL) && e->type != T_BOOL)
        e = mk_binary(k->ir, N_NE, e, type_is_float(e->type) ? mk_float(k->ir, e->type, 0) : mk_int(k->ir, e->type, 0));
    return emit_expr(&k->emitter, e);
}

static const char *decl_text(Keep *k, const Node *n)
{
    bool is_truth = k->source->is_c89 && keep_made(k, n) && n->sym->type == T_BOOL; /* an int there */
    const char *init = n->nkids ? arena_printf(k->ir->arena, " = %s", is_truth ? truth_text(k, n->kid[0]) : value(k, n->kid[0])) : "";
    Text t;
    text_init(&t, k->ir->arena);
    if (sym_declarator(n->sym)) {
        text_printf(&t, "%s%s", sym_declarator(n->sym), init);
        return t.data;
    }
    text_printf(&t, "%s %s", is_truth ? "const int" : type_of(k, n->sym), n->sym->name);
    for (int i = 0; i < n->sym->rank; i++)
        text_printf(&t, "[%s]", n->sym->extent[i] ? emit_expr(&k->emitter, n->sym->extent[i]) : "");
    text_puts(&t, init);
    k->declares_bool |= keep_made(k, n) && n->sym->type == T_BOOL && !is_truth;
    return t.data;
}

/* Where a statement that holds no other stands in the file; of a declaration that a pass made, where its value stood. */
static Loc place_in_file(const Keep *k, const Node *n)
{
    if (keep_made(k, n))
        return n->sym->loc;
    const Loc *whole = map_get(&k->source->whole, place_of(n));
    return whole ? *whole : n->loc;
}

static const char *leaf_text(Keep *k, const Node *n)
{
    switch ((Kind)n->kind) {
    case N_DECL: return decl_text(k, n);
    case N_ASSIGN:
    case N_STORE: return write_text(k, n);
    case N_EVAL: return emit_expr(&k->emitter, n->kid[0]);
    case N_RETURN: return n->nkids ? arena_printf(k->ir->arena, "return %s", value(k, n->kid[0])) : "return";
    case N_BREAK: return "break";
    case N_CONTINUE: return "continue";
    case N_BARRIER: return arena_printf(k->ir->arena, "%s()", n->sym->name);
    default: internal_error("keep: %s is no statement of a kept function", kind_info[n->kind].name);
    }
}

const char *keep_leaf(Keep *k, const Node *n)
{
    const Loc around = k->emitter.place;
    k->emitter.place = place_in_file(k, n);
    const char *text = leaf_text(k, n);
    k->emitter.place = around;
    return text;
}

/* Several statements of a `for` header, without a semicolon; NULL if C has no text for them. */
static const char *list_text(Keep *k, const Node *block)
{
    Text t;
    text_init(&t, k->ir->arena);
    for (int i = 0; i < block->nkids; i++) {
        const Node *n = block->kid[i];
        bool same_type = n->kind == N_DECL && i && block->kid[0]->kind == N_DECL && !n->sym->rank &&
                         strcmp(type_of(k, n->sym), type_of(k, block->kid[0]->sym)) == 0;
        if (i && (n->kind == N_DECL || block->kid[0]->kind == N_DECL) && !same_type)
            return NULL;
        const char *text = keep_leaf(k, n);
        text_printf(&t, "%s%s", i ? ", " : "", same_type ? text + strlen(type_of(k, n->sym)) + 1 : text);
    }
    return t.data;
}

static const char *step_text(Keep *k, const Node *n)
{
    const Loc *written = map_get(&k->source->step, place_of(n));
    if (written)
        return source_slice(k->ir->arena, k->source, *written);
    long long step = (long long)n->u.i;
    if (step == 1 || step == -1)
        return arena_printf(k->ir->arena, "%s%s", step == 1 ? "++" : "--", n->sym->name);
    return arena_printf(k->ir->arena, "%s %s= %lld", n->sym->name, step > 0 ? "+" : "-", step > 0 ? step : -step);
}

static const char *counted_header(Keep *k, const Node *n)
{
    const Node *lo = n->kid[0];
    const char *start = "";
    if (n->aux & FOR_DECLARES)
        start = arena_printf(k->ir->arena, "%s %s = %s", type_of(k, n->sym), n->sym->name, value(k, lo));
    else if (lo->kind != N_VAR || lo->sym != n->sym)
        start = arena_printf(k->ir->arena, "%s = %s", n->sym->name, value(k, lo));
    return arena_printf(k->ir->arena, "for (%s; %s; %s)", start, emit_condition(&k->emitter, n->kid[1]), step_text(k, n));
}

/* "for (...)" or "while (...)". */
static const char *loop_text(Keep *k, const Node *n)
{
    if (n->kind == N_FOR)
        return counted_header(k, n);
    const char *cond = emit_condition(&k->emitter, n->kid[1]);
    if (loop_form(n) != LOOP_FOR)
        return arena_printf(k->ir->arena, "while (%s)", cond);
    const char *init = list_text(k, n->kid[0]), *step = list_text(k, n->kid[2]);
    if (!init || !step)
        internal_error("keep: a for header of declarations of different types");
    return arena_printf(k->ir->arena, "for (%s; %s; %s)", init, n->kid[1]->kind == N_INT && n->kid[1]->u.i ? "" : cond, step);
}

const char *keep_header(Keep *k, const Node *n)
{
    const char *word = n->kind == N_IF                                   ? "if"
                       : n->kind == N_SWITCH                             ? "switch"
                       : n->kind == N_LOOP && loop_form(n) == LOOP_WHILE ? "while"
                                                                         : "for";
    const Loc header = header_at(k->source, n->loc.beg, word);
    k->emitter.place = header.beg ? header : n->loc;
    const char *text = n->kind == N_IF       ? arena_printf(k->ir->arena, "if (%s)", emit_condition(&k->emitter, n->kid[0]))
                       : n->kind == N_SWITCH ? arena_printf(k->ir->arena, "switch (%s)", emit_expr(&k->emitter, n->kid[0]))
                                             : loop_text(k, n);
    k->emitter.place = (Loc){0, 0};
    return text;
}
