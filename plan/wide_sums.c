/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at all assignments in loops of each such variable, then gives it another symbol. */
#include "plan/wide_sums.h"

#include "ir/condition.h"
#include "ir/effect.h"
#include "ir/range.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

/* What is known of a narrow variable. */
typedef struct Narrow {
    Sym *sym, *wide; /* wide: NULL as long as it is not decided */
    int reduced;     /* assignments in loops that are reductions, by their lower bits */
    int chosen;      /* or choices among values: extremes */
    int others;      /* assignments in loops that are neither */
} Narrow;

typedef struct Widening {
    Ir *ir;
    Map narrow; /* by symbol id: Narrow, declared so far */
    Map inside; /* by symbol id: declared in the loop that is open */
    const Node *choice; /* the condition of the branch that is open */
    Ranges *ranges;
} Widening;

static Narrow *narrow_of(const Widening *w, const Sym *sym) { return sym ? map_get(&w->narrow, sym->id) : NULL; }

static bool is_narrow(const Sym *sym)
{
    return sym->kind == S_LOCAL && !sym->rank && type_is_integer(sym->type) && type_bits(sym->type) < 32 && !is_shared(sym);
}

/* ---------------------------------------------------------------- forms */

/* The variable, or what stands for it, behind conversions that keep its lower bits. */
static bool is_variable(const Node *e, const Narrow *n)
{
    while (e->kind == N_CAST && type_is_integer((Type)e->type) && type_bits((Type)e->type) >= type_bits(n->sym->type) &&
           ((Type)e->type == T_BOOL) <= (n->sym->type == T_BOOL))
        e = e->kid[0];
    return e->kind == N_VAR && (e->sym == n->sym || e->sym == n->wide);
}

static bool uses_variable(Node *e, const Narrow *n) { return uses_sym(e, n->sym) || (n->wide && uses_sym(e, n->wide)); }

static bool keeps_low_bits(Kind kind, int side, bool truth)
{
    if (truth)
        return kind == N_AND || kind == N_OR || kind == N_XOR;
    return kind == N_ADD || kind == N_MUL || kind == N_AND || kind == N_OR || kind == N_XOR || (kind == N_SUB && side == 0);
}

/* The lower bits of `e`, which has the variable once, by arithmetic on the lower bits of that; NULL: it is something else. Without `make`,
 * `e` itself stands for the answer. */
static Node *low_bits(const Widening *w, Node *e, const Narrow *n, bool make)
{
    Ir *ir = w->ir;
    const bool truth = n->sym->type == T_BOOL;
    if (is_variable(e, n))
        return make ? mk_var(ir, n->wide) : e;
    if (e->kind == N_CAST && (Type)e->type == n->sym->type)
        return low_bits(w, e->kid[0], n, make);
    for (int side = 0; side < 2 && e->nkids == 2 && type_is_integer((Type)e->type) && type_bits((Type)e->type) == 32; side++) {
        Node *other = e->kid[1 - side];
        if (!keeps_low_bits((Kind)e->kind, side, truth) || uses_variable(other, n) || (truth && e->kind != N_OR && !is_truth(other)))
            continue;
        Node *kept = low_bits(w, e->kid[side], n, make);
        if (!kept || !make)
            return kept;
        if (truth && !is_truth(other))
            other = mk_binary(ir, N_NE, other, mk_int(ir, (Type)other->type, 0));
        other = mk_cast(ir, T_UINT, other);
        return mk_binary(ir, (Kind)e->kind, side ? other : kept, side ? kept : other);
    }
    return NULL;
}

/* A value of the variable's type, as an int. */
static bool is_held(const Node *e, const Narrow *n)
{
    const Type type = n->sym->type;
    if (e->kind == N_SEL)
        return is_held(e->kid[1], n) && is_held(e->kid[2], n);
    if (e->kind == N_INT)
        return e->u.i >= type_min(type) && e->u.i <= type_max(type) && type != T_BOOL;
    return (e->kind == N_VAR && e->sym == n->wide) || (e->kind == N_CAST && (Type)e->kid[0]->type == type);
}

/* Takes one of two values, of which one may be the variable. */
static bool is_choice(const Node *e, const Narrow *n)
{
    while (e->kind == N_CAST)
        e = e->kid[0];
    return e->kind == N_SEL && (is_variable(e->kid[1], n) || is_variable(e->kid[2], n));
}

/* ---------------------------------------------------------------- what there is */

static void note_assignment(const Widening *w, Node *n)
{
    Narrow *narrow = narrow_of(w, n->sym);
    if (!narrow || map_get(&w->inside, n->sym->id))
        return;
    const bool by_branch = w->choice && uses_sym((Node *)w->choice, n->sym) && !uses_sym(n->kid[0], n->sym);
    if (low_bits(w, n->kid[0], narrow, false) && !is_variable(n->kid[0], narrow))
        narrow->reduced++;
    else if (by_branch || is_choice(n->kid[0], narrow))
        narrow->chosen++;
    else
        narrow->others++;
}

static void note(Widening *w, Node *n, bool in_loop)
{
    const Map inside = w->inside;
    const Node *choice = w->choice;
    if (n->kind == N_DECL && is_narrow(n->sym)) {
        Narrow *narrow = arena_new_array(w->ir->arena, Narrow, 1);
        narrow->sym = n->sym;
        *map_at(w->ir->arena, &w->narrow, n->sym->id) = narrow;
        if (in_loop)
            *map_at(w->ir->arena, &w->inside, n->sym->id) = narrow;
    }
    if (n->kind == N_ASSIGN && in_loop)
        note_assignment(w, n);
    if (n->kind == N_FOR)
        w->inside = (Map){0};
    for (int i = 0; i < n->nkids; i++) {
        w->choice = n->kind == N_IF && i > 0 ? n->kid[0] : choice;
        if (!is_expr(n->kid[i]))
            note(w, n->kid[i], in_loop || n->kind == N_FOR);
    }
    if (n->kind == N_FOR)
        w->inside = inside;
    w->choice = choice;
}

/* ---------------------------------------------------------------- another symbol */

static bool decide(Widening *w, Narrow *n)
{
    if (n->others || !(n->reduced || n->chosen) || (n->reduced && n->chosen))
        return false;
    n->wide = sym_new(w->ir, S_LOCAL, n->reduced ? T_UINT : T_INT, n->sym->name, n->sym->loc);
    return true;
}

/* What is assigned, as the new symbol has it. */
static Node *value_of(const Widening *w, const Narrow *n, Node *value)
{
    Node *low = n->reduced && uses_sym(value, n->wide) ? low_bits(w, value, n, true) : NULL;
    if (low)
        return low;
    Node *whole = value->kind == N_CAST && (Type)value->kid[0]->type == T_INT ? value->kid[0] : NULL;
    if (n->chosen && whole && (is_held(whole, n) || range_within(range_of(w->ranges, whole), type_range(n->sym->type))))
        return whole;
    return mk_cast(w->ir, n->wide->type, mk_cast(w->ir, n->sym->type, value));
}

static Node *widen_post(void *user, Node *n)
{
    const Widening *w = user;
    const Narrow *narrow = narrow_of(w, n->sym);
    if (n->kind == N_CAST && n->kid[0]->kind == N_CAST && n->kid[0]->kid[0]->kind == N_VAR && (Type)n->type == T_INT) {
        /* (int)(uint8_t)m' of an m' that has no other values */
        const Node *var = n->kid[0]->kid[0];
        const bool exact = var->sym->kind == S_LOCAL && (Type)var->type == T_INT && map_get(&w->inside, var->sym->id) == var->sym;
        return exact ? n->kid[0]->kid[0] : n;
    }
    if (!narrow || !narrow->wide)
        return n;
    if (n->kind == N_VAR)
        return mk_cast(w->ir, narrow->sym->type, mk_var(w->ir, narrow->wide));
    if (n->kind == N_DECL)
        return mk_decl(w->ir, narrow->wide, n->nkids ? value_of(w, narrow, n->kid[0]) : NULL, n->loc);
    return n->kind == N_ASSIGN ? mk_assign(w->ir, narrow->wide, value_of(w, narrow, n->kid[0]), N_NONE, n->loc) : n;
}

typedef struct Found {
    Widening *w;
    bool any;
} Found;

static bool decide_declared(void *user, Node *n)
{
    Found *f = user;
    Narrow *narrow = n->kind == N_DECL ? narrow_of(f->w, n->sym) : NULL;
    if (narrow && decide(f->w, narrow)) {
        f->any = true;
        *map_at(f->w->ir->arena, &f->w->inside, narrow->wide->id) = narrow->wide;
    }
    return !is_expr(n);
}

Node *wide_sums(Ir *ir, Node *body)
{
    Widening w = {.ir = ir, .ranges = ranges_new(ir, body)};
    note(&w, body, false);
    w.inside = (Map){0}; /* from here on: the new symbols */
    Found found = {&w, false};
    walk(&(Walker){.pre = decide_declared, .user = &found}, body);
    Node *widened = found.any ? rewrite(&(Rewriter){.ir = ir, .post = widen_post, .user = &w}, body) : body;
    arena_reset(ir->scratch);
    return widened;
}
