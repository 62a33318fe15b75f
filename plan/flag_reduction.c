/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at each loop from outside in: of a scalar that outlives it, every assignment must set the same value, and nothing else read it. */
#include "plan/flag_reduction.h"

#include "depend/inside.h"
#include "ir/condition.h"
#include "ir/effect.h"
#include "ir/range.h"
#include "ir/wrap.h"
#include "ir/walk.h"

/* What a loop does with a scalar. */
typedef struct Flag {
    Sym *sym, *hit; /* hit: is it set? */
    Node *value;    /* to which constant; NULL as long as nothing sets it */
    int explained;  /* occurrences in assignments that do so */
    bool joins;     /* by && or ||: afterwards it is 0 or 1 */
} Flag;

typedef struct Flagging {
    Ir *ir;
    const Func *f;
    Ranges *ranges;
    Vec around; /* loops that are open */
} Flagging;

/* ---------------------------------------------------------------- forms */

static bool is_flag_var(const Node *e, const Sym *sym)
{
    while (e->kind == N_CAST && type_is_integer((Type)e->type))
        e = e->kid[0];
    return e->kind == N_VAR && e->sym == sym;
}

/* Of a && x, (a && x) && y, x && a: x, x && y; *late: it is not always evaluated. NULL: it is no such chain of `op`. */
static Node *joined(Ir *ir, Node *e, Kind op, const Sym *sym, bool *late)
{
    while (e->kind == N_CAST && is_truth(e->kid[0]))
        e = e->kid[0];
    if ((Kind)e->kind != op)
        return NULL;
    Node *a = e->kid[0], *b = e->kid[1];
    if (is_flag_var(a, sym) && !uses_sym(b, sym)) {
        *late = true;
        return b;
    }
    if (is_flag_var(b, sym) && !uses_sym(a, sym))
        return a;
    Node *rest = uses_sym(b, sym) ? NULL : joined(ir, a, op, sym, late);
    return rest ? mk_binary(ir, op, rest, b) : NULL;
}

/* Loads aside, which may leave their arrays: is it undefined for some operands? Sums that overflow have another form. */
static bool search_trap(void *user, Node *n)
{
    bool *found = user;
    const Node *last = n->nkids ? n->kid[n->nkids - 1] : NULL;
    switch ((Kind)n->kind) {
    case N_DIV:
    case N_MOD: *found = *found || (type_is_integer(n->type) && (last->kind != N_INT || last->u.i == 0 || last->u.i == -1)); break;
    case N_SHL:
    case N_SHR: *found = *found || last->kind != N_INT || last->u.i < 0 || last->u.i >= type_bits(n->type); break;
    case N_CAST: *found = *found || (type_is_float(n->kid[0]->type) && type_is_integer(n->type) && n->type != T_BOOL); break;
    case N_CALL: *found = *found || !n->sym->libm || type_is_integer(n->type); break;
    default: break;
    }
    return !*found;
}

/* May it be evaluated in iterations that would not? */
static bool may_be_early(Flagging *g, Node *e)
{
    Node *stmt = NULL, *trial = mk_assign(g->ir, sym_new(g->ir, S_LOCAL, T_INT, "hit", e->loc), e, N_NONE, e->loc);
    bool traps = false;
    walk(&(Walker){.pre = search_trap, .user = &traps}, e);
    if (traps || expr_flags(g->ranges, e) & (EXPR_IMPURE | EXPR_CALLS | EXPR_SHARED))
        return false;
    for (int i = g->around.count - 1; i >= 0; i--) {
        Node *loop = g->around.items[i], *kids[] = {loop->kid[0], loop->kid[1], mk_block(g->ir, 1, &trial, loop->loc)};
        trial = with_kids(g->ir, loop, 3, kids);
    }
    return !perhaps_outside(g->ir, g->f, trial, &stmt);
}

/* What an assignment adds to `hit`, 0 or 1; NULL: it does something else. *value: what the scalar is then. */
static Node *hit_of(Flagging *g, const Node *assign, Node **value, bool *joins)
{
    Ir *ir = g->ir;
    const Sym *sym = assign->sym;
    Node *e = assign->kid[0];
    if (e->kind == N_INT || e->kind == N_FLOAT) {
        *value = e;
        return mk_int(ir, T_INT, 1);
    }
    for (int i = 0; i < 2 && type_is_integer(sym->type); i++) {
        bool late = false;
        Node *rest = joined(ir, e, i ? N_LOR : N_LAND, sym, &late);
        if (!rest || (late && !may_be_early(g, rest)))
            continue;
        *value = mk_int(ir, sym->type, i);
        *joins = true;
        rest = truth_of(wrap_overflow(ir, g->ranges, rest));
        if (i && is_truth(rest))
            return mk_cast(ir, T_INT, rest);
        return i ? mk_binary(ir, N_NE, rest, type_is_float(rest->type) ? mk_float(ir, rest->type, 0) : mk_int(ir, rest->type, 0))
                 : mk_unary(ir, N_LNOT, rest);
    }
    return NULL;
}

/* ---------------------------------------------------------------- one scalar of one loop */

static int occurrences(Node *n, const Sym *sym)
{
    int count = (n->kind == N_VAR || n->kind == N_ASSIGN || n->kind == N_FOR || n->kind == N_DECL) && n->sym == sym;
    for (int i = 0; i < n->nkids; i++)
        count += occurrences(n->kid[i], sym);
    return count;
}

/* Is it assigned together with an extreme, `if (e > s) { s = e; flag = 1; }`? That is a reduction of its own. */
static bool goes_with_extreme(Node *branch, const Node *block, const Node *assign)
{
    for (int i = 0; branch && block->kind == N_BLOCK && i < block->nkids; i++)
        if (block->kid[i] != assign && block->kid[i]->kind == N_ASSIGN && uses_sym(branch->kid[0], block->kid[i]->sym))
            return true;
    return false;
}

/* Notes what statement `n` does with the scalar; *branch: the condition that `n` is an arm of. */
static bool note(Flagging *g, Flag *flag, Node *n, Node *branch)
{
    if (n->kind == N_ASSIGN && n->sym == flag->sym) {
        Node *value = NULL;
        if (!hit_of(g, n, &value, &flag->joins) || (flag->value && value != flag->value))
            return false;
        flag->value = value;
        flag->explained += occurrences(n, flag->sym);
        return true;
    }
    if (n->kind == N_FOR)
        vec_push(g->ir->arena, &g->around, n);
    bool fits = true;
    for (int i = 0; fits && i < n->nkids; i++) {
        Node *kid = n->kid[i];
        if (is_expr(kid))
            continue;
        fits = note(g, flag, kid, n->kind == N_IF ? n : n->kind == N_BLOCK ? branch : NULL);
        fits = fits && !(kid->kind == N_ASSIGN && kid->sym == flag->sym && goes_with_extreme(branch, n, kid));
    }
    if (n->kind == N_FOR)
        g->around.count--;
    return fits;
}

/* Is it 0 or 1 wherever it is assigned? */
static bool stays_truth(Node *n, const Sym *sym)
{
    if ((n->kind == N_ASSIGN || n->kind == N_DECL) && n->sym == sym && n->nkids) {
        const Node *e = n->kid[0];
        return is_truth(e) || (e->kind == N_INT && (e->u.i == 0 || e->u.i == 1));
    }
    if (n->kind == N_FOR && n->sym == sym)
        return false;
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]) && !stays_truth(n->kid[i], sym))
            return false;
    return true;
}

static Node *replace_assignments(Flagging *g, const Flag *flag, Node *n)
{
    Ir *ir = g->ir;
    if (n->kind == N_ASSIGN && n->sym == flag->sym) {
        Node *value;
        bool joins;
        return mk_assign(ir, flag->hit, mk_binary(ir, N_OR, mk_var(ir, flag->hit), hit_of(g, n, &value, &joins)), N_NONE, n->loc);
    }
    Node **kids = arena_new_array(ir->arena, Node *, n->nkids + 1);
    if (n->kind == N_FOR)
        vec_push(ir->arena, &g->around, n);
    for (int i = 0; i < n->nkids; i++)
        kids[i] = is_expr(n->kid[i]) ? n->kid[i] : replace_assignments(g, flag, n->kid[i]);
    if (n->kind == N_FOR)
        g->around.count--;
    return n->nkids ? with_kids(ir, n, n->nkids, kids) : n;
}

/* ---------------------------------------------------------------- loops */

typedef struct Assigned {
    Arena *arena;
    Vec syms, declared;
} Assigned;

static bool holds(const Vec *syms, const Sym *sym)
{
    for (int i = 0; i < syms->count; i++)
        if (syms->items[i] == sym)
            return true;
    return false;
}

static bool note_assigned(void *user, Node *n)
{
    Assigned *a = user;
    if (n->kind == N_DECL)
        vec_push(a->arena, &a->declared, n->sym);
    if (n->kind == N_ASSIGN && n->sym->kind == S_LOCAL && !is_shared(n->sym) && !holds(&a->syms, n->sym))
        vec_push(a->arena, &a->syms, n->sym);
    return !is_expr(n);
}

static Node *inside(Flagging *g, Node *n);

/* The loop, with what stands before and behind it, in `out`. */
static void of_loop(Flagging *g, Node *loop, Vec *out)
{
    Ir *ir = g->ir;
    Assigned a = {.arena = ir->arena};
    Vec behind = {0};
    walk(&(Walker){.pre = note_assigned, .user = &a}, loop);
    for (int i = 0; i < a.syms.count; i++) {
        Flag flag = {.sym = a.syms.items[i]};
        if (holds(&a.declared, flag.sym) || !note(g, &flag, loop, NULL) || flag.explained != occurrences(loop, flag.sym))
            continue;
        if (flag.joins && flag.sym->type != T_BOOL && !stays_truth(g->f->body, flag.sym))
            continue;
        flag.hit = sym_new(ir, S_LOCAL, T_INT, "hit", loop->loc);
        loop = replace_assignments(g, &flag, loop);
        Node *set = mk_assign(ir, flag.sym, flag.value, N_NONE, loop->loc);
        vec_push(ir->arena, out, mk_decl(ir, flag.hit, mk_int(ir, T_INT, 0), loop->loc));
        vec_push(ir->arena, &behind, mk_if(ir, mk_var(ir, flag.hit), mk_block(ir, 1, &set, loop->loc), NULL, loop->loc));
    }
    vec_push(ir->arena, &g->around, loop);
    Node *kids[] = {loop->kid[0], loop->kid[1], inside(g, loop->kid[2])};
    g->around.count--;
    vec_push(ir->arena, out, with_kids(ir, loop, 3, kids));
    for (int i = 0; i < behind.count; i++)
        vec_push(ir->arena, out, behind.items[i]);
}

static Node *inside(Flagging *g, Node *n)
{
    Vec out = {0};
    if (n->kind == N_FOR) {
        of_loop(g, n, &out);
    } else if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            if (n->kid[i]->kind == N_FOR)
                of_loop(g, n->kid[i], &out);
            else
                vec_push(g->ir->arena, &out, inside(g, n->kid[i]));
        return mk_block(g->ir, out.count, (Node **)out.items, n->loc);
    } else if (n->kind == N_IF) {
        Node *kids[3] = {n->kid[0], NULL, NULL};
        for (int i = 1; i < n->nkids; i++)
            kids[i] = inside(g, n->kid[i]);
        return with_kids(g->ir, n, n->nkids, kids);
    }
    return out.count == 0 ? n : out.count == 1 ? out.items[0] : mk_block(g->ir, out.count, (Node **)out.items, n->loc);
}

Node *reduce_flags(Ir *ir, const Func *f)
{
    Flagging g = {.ir = ir, .f = f, .ranges = ranges_new(ir, f->body)};
    Node *body = inside(&g, f->body);
    arena_reset(ir->scratch);
    return body;
}
