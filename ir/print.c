/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the tree line by line; names that occur twice get the number of their symbol. */
#include "ir/print.h"

#include <string.h>

#include "ir/walk.h"

static const char *const launched[] = {
#define STAGE(kind, type, name, word, ...) word,
#include "ir/stages.def"
#undef STAGE
};
static const char *const alias_words[] = {[ALIAS_NONE] = "", [ALIAS_NAMED] = "named ", [ALIAS_POINTER] = "pointer "};

/* Its number of lanes is the instruction set's. */
static const char *type_mark(Type type) { return type_is_vector(type) ? "s" : ""; }

static bool names_array(const Node *n)
{
    switch ((Kind)n->kind) {
    case N_VLOAD:
    case N_MEMBER:
    case N_ROW_LOAD:
    case N_ROW_STORE:
    case N_GATHER:
    case N_HEAD:
    case N_VSTORE:
    case N_INTERLEAVE:
    case N_SCATTER:
    case N_PREFETCH:
    case N_TILE: return true;
    default: return false;
    }
}

static void print_expr(Text *out, const Node *n)
{
    if ((Type)n->type != T_INT && n->kind != N_VAR && n->kind != N_LOAD && n->kind != N_REF)
        text_printf(out, "%s%s:", type_spec_name(n->type), type_mark(n->type));
    switch ((Kind)n->kind) {
    case N_INT: text_printf(out, "%lld", (long long)n->u.i); return;
    case N_FLOAT: text_printf(out, "%La", n->u.f); return;
    case N_VAR: text_puts(out, n->sym->name); return;
    case N_LOAD:
    case N_REF:
        text_puts(out, n->sym->name);
        for (int i = 0; i < n->nkids; i++) {
            text_putc(out, '[');
            print_expr(out, n->kid[i]);
            text_putc(out, ']');
        }
        return;
    default: break;
    }
    text_putc(out, '(');
    text_puts(out, n->kind == N_CALL ? n->sym->name : kind_info[n->kind].name);
    if (names_array(n))
        text_printf(out, " %s", n->sym->name);
    if (n->kind == N_MEMBER || n->kind == N_PAIRWISE || n->kind == N_ROW_LOAD || (n->kind == N_GATHER && n->u.i))
        text_printf(out, " %d", (int)n->u.i);
    for (int i = 0; i < n->nkids; i++) {
        text_putc(out, ' ');
        print_expr(out, n->kid[i]);
    }
    text_putc(out, ')');
}

static void print_qualified(Text *out, const Sym *s)
{
    text_printf(out, "%s%s%s%s%s %s", alias_words[s->alias], s->is_volatile ? "volatile " : "", s->is_const ? "const " : "",
                type_spec_name(s->type), type_mark(s->type), s->name);
}

static void print_extents(Text *out, const Sym *s)
{
    for (int i = 0; i < s->rank; i++) {
        text_putc(out, '[');
        if (s->extent[i])
            print_expr(out, s->extent[i]);
        text_putc(out, ']');
    }
}

static void print_assigned(Text *out, const Node *n)
{
    text_puts(out, n->sym->name);
    for (int i = 0; i + 1 < n->nkids; i++) {
        text_putc(out, '[');
        print_expr(out, n->kid[i]);
        text_putc(out, ']');
    }
    if (n->aux) {
        text_printf(out, " %s= ", kind_info[n->aux].spelling);
        print_expr(out, compound_operand(n));
        text_printf(out, " in %s", type_spec_name(stmt_value(n)->kind == N_CAST ? stmt_value(n)->kid[0]->type : stmt_value(n)->type));
    } else {
        text_puts(out, " = ");
        print_expr(out, stmt_value(n));
    }
    text_putc(out, '\n');
}

static void print_loop(Text *out, const Node *n, int indent)
{
    static const char *const forms[] = {[LOOP_FOR] = "for", [LOOP_WHILE] = "while", [LOOP_DO] = "do"};
    text_printf(out, "loop %s%s\n", forms[loop_form(n)], loop_is_unrolled(n) ? " unrolled" : "");
    print_node(out, n->kid[0], indent + 2);
    text_printf(out, "%*swhile ", 2 * indent + 2, "");
    print_expr(out, n->kid[1]);
    text_putc(out, '\n');
    print_node(out, n->kid[2], indent + 2);
    text_printf(out, "%*sbody\n", 2 * indent, "");
    print_node(out, n->kid[3], indent + 1);
}

/* Nests go without a word. */
static void print_launch(Text *out, const Node *n)
{
    const char *word = strcmp(launched[n->aux], "nest") == 0 ? "" : launched[n->aux];
    text_printf(out, "launch %s%s#%lld\n", word, *word ? " " : "", (long long)n->u.i);
}

void print_node(Text *out, const Node *n, int indent)
{
    if (is_expr(n)) {
        print_expr(out, n);
        return;
    }
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            print_node(out, n->kid[i], indent);
        return;
    }
    text_printf(out, "%*s", 2 * indent, "");
    switch ((Kind)n->kind) {
    case N_DECL:
        print_qualified(out, n->sym);
        print_extents(out, n->sym);
        if (n->nkids) {
            text_puts(out, " = ");
            print_expr(out, n->kid[0]);
        }
        text_putc(out, '\n');
        break;
    case N_ASSIGN:
    case N_STORE: print_assigned(out, n); break;
    case N_FOR:
        text_printf(out, "for %s%s %s = ", loop_declares(n) ? "" : "outer ", type_spec_name(n->sym->type), n->sym->name);
        print_expr(out, n->kid[0]);
        text_puts(out, " while ");
        print_expr(out, n->kid[1]);
        text_printf(out, " step %lld%s%s%s%s%s%s%s%s%s\n", (long long)n->u.i, loop_is_unrolled(n) ? " unrolled" : "",
                    n->aux & FOR_PARALLEL ? " unordered" : "", n->aux & FOR_VECTOR ? " vector" : "", n->aux & FOR_PEELED ? " border" : "",
                    n->aux & FOR_ROWS ? " rows" : "", n->aux & FOR_BLOCKS ? " blocks" : "", n->aux & FOR_COMBINES ? " combines" : "",
                    n->aux & FOR_FEW ? " few" : "", n->aux & FOR_TILES ? " tiles" : "");
        print_node(out, n->kid[2], indent + 1);
        break;
    case N_LOOP: print_loop(out, n, indent); break;
    case N_BARRIER: text_printf(out, "barrier %s\n", n->sym->name); break;
    case N_IF:
        text_puts(out, "if ");
        print_expr(out, n->kid[0]);
        text_putc(out, '\n');
        print_node(out, n->kid[1], indent + 1);
        if (n->nkids == 3) {
            text_printf(out, "%*selse\n", 2 * indent, "");
            print_node(out, n->kid[2], indent + 1);
        }
        break;
    case N_SWITCH:
        text_puts(out, "switch ");
        print_expr(out, n->kid[0]);
        text_putc(out, '\n');
        print_node(out, n->kid[1], indent + 1);
        break;
    case N_CONTRACT: text_printf(out, "contract #%lld into %s\n", (long long)n->u.i, n->sym->name); break;
    case N_LAUNCH: print_launch(out, n); break;
    default:
        text_puts(out, kind_info[n->kind].name);
        if (names_array(n))
            text_printf(out, " %s", n->sym->name);
        for (int i = 0; i < n->nkids; i++) {
            text_putc(out, ' ');
            print_expr(out, n->kid[i]);
        }
        text_putc(out, '\n');
    }
}

typedef struct TablePrint {
    Text *out;
    Vec seen; /* Sym * */
} TablePrint;

/* The first values of an array of constants, where it is met first. */
static bool print_table(void *user, Node *n)
{
    enum { MOST = 16 };
    TablePrint *p = user;
    const ConstantTable *table = n->sym ? n->sym->table : NULL;
    for (int i = 0; i < p->seen.count; i++)
        if (p->seen.items[i] == n->sym)
            return true;
    if (!table)
        return true;
    vec_push(p->out->arena, &p->seen, n->sym);
    text_puts(p->out, "  table ");
    print_qualified(p->out, n->sym);
    print_extents(p->out, n->sym);
    text_puts(p->out, " =");
    for (int i = 0; i < table->count && i < MOST; i++) {
        text_putc(p->out, ' ');
        print_expr(p->out, table->value[i]);
    }
    text_puts(p->out, table->count > MOST ? " ...\n" : "\n");
    return true;
}

void print_func(Text *out, const Func *f)
{
    text_printf(out, "%s %s %s\n", f->is_kept ? "kept" : f->is_helper ? "helper" : "operator", type_spec_name(f->result), f->name);
    for (int i = 0; i < f->nparams; i++) {
        const Sym *p = f->params[i];
        text_puts(out, "  param ");
        print_qualified(out, p);
        print_extents(out, p);
        if (p->has_range)
            text_printf(out, " in %lld..%lld", (long long)p->lo, (long long)p->hi);
        if (p->has_hint)
            text_printf(out, " hint %lld..%lld", (long long)p->hint_lo, (long long)p->hint_hi);
        text_putc(out, '\n');
    }
    walk(&(Walker){.pre = print_table, .user = &(TablePrint){.out = out}}, f->body);
    print_node(out, f->body, 1);
}

static void print_text(Text *out, const Source *source, const char *what, const Loc *loc)
{
    if (loc)
        text_printf(out, "  %s: %s\n", what, source_slice(out->arena, source, *loc));
}

static void print_places(Text *out, const Source *source, const Node *n)
{
    if (is_expr(n))
        return;
    int key = (int)(n->kind == N_DECL ? n->sym->loc.beg : n->loc.beg);
    if (key) {
        print_text(out, source, "pragma", map_get(&source->pragma, key));
        print_text(out, source, "step", map_get(&source->step, key));
        print_text(out, source, kind_info[n->kind].name, map_get(&source->whole, key));
    }
    for (int i = 0; i < n->nkids; i++)
        print_places(out, source, n->kid[i]);
}

void print_source(Text *out, const Source *source)
{
    for (int i = 0; i < source->functions.count; i++) {
        const KeptFunc *k = source->functions.items[i];
        print_func(out, k->func);
        text_puts(out, "text\n");
        print_places(out, source, k->func->body);
    }
    for (int i = 0; i < source->comments.count; i++)
        print_text(out, source, "comment", source->comments.items[i]);
}
