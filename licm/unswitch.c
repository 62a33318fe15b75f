/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hoist-if: an `if` that is all a loop does, and the part of its condition that does not change in the loop.
 *
 *     for x: if (p && q(x)) S   ->   if (p) for x: if (q(x)) S
 *
 * Loops are not duplicated, so an `if` with an else stays. */
#include "ir/condition.h"
#include "licm/hoist.h"

/* The operand may be evaluated once, in front of the loop. */
static bool may_leave(Facts *f, Node *operand, bool runs)
{
    unsigned flags = expr_flags(f->ranges, operand);
    if (rank_of(f->ranks, operand) >= ranks_depth(f->ranks) || flags & (EXPR_LOADS | EXPR_IMPURE))
        return false;
    if (flags & EXPR_FLOAT && f->opt->fp == FP_NONE)
        return false;
    bool raises = flags & EXPR_RAISES && f->opt->fp != FP_SPECULATIVE;
    bool harmless = !(flags & EXPR_TRAPS) && !raises && !(flags & EXPR_OVERFLOWS && f->opt->overflow == OVERFLOW_KEEP);
    return runs || harmless;
}

static void note_branch(const Facts *f, Node *cond, Node *branch, const Node *loop)
{
    if (!f->opt->notes)
        return;
    LicmNote *note = arena_alloc(f->ir->arena, sizeof *note);
    int depth = ranks_depth(f->ranks);
    *note = (LicmNote){.e = cond, .stmt = branch, .from = depth, .to = depth - 1, .cost = -1, .loop = loop, .is_branch = true};
    vec_push(f->ir->arena, f->opt->notes, note);
}

/* Seen from inside the loop: ranks are those of its body. */
static Node *unswitch(Facts *f, Node *loop)
{
    /* A variable that outlives the loop would keep its old value, and so would what its start changes. */
    if (!loop_declares(loop) || expr_flags(f->ranges, loop->kid[0]) & EXPR_IMPURE)
        return loop;
    if (is_small_loop(f, loop) && f->opt->small != SMALL_CONDITIONS)
        return loop;
    if (barrier_depth(f->ranks) == ranks_depth(f->ranks))
        return loop;
    Node *branch = only_statement(loop->kid[2]);
    if (branch->kind != N_IF || branch->nkids != 2)
        return loop;
    bool runs = runs_at_least_once(f->ranges, loop);
    Vec operands = {0};
    condition_operands(f, N_LAND, branch->kid[0], &operands);
    int leading = 0;
    for (; leading < operands.count && may_leave(f, operands.items[leading], runs); leading++)
        if (!runs && wraps_conditions(f->opt))
            operands.items[leading] = safe_from_overflow(f, operands.items[leading]);
    if (leading == 0)
        return loop;
    Node **all = (Node **)operands.items;
    Node *body = branch->kid[1];
    if (leading < operands.count) {
        Node *rest = condition_chain(f, N_LAND, operands.count - leading, all + leading);
        body = with_kids(f->ir, branch, 2, (Node *[]){rest, body});
    }
    Node *inner = with_kids(f->ir, loop, 3, (Node *[]){loop->kid[0], loop->kid[1], body});
    Node *outer = condition_chain(f, N_LAND, leading, all);
    note_branch(f, outer, branch, loop);
    return mk_if(f->ir, outer, inner, NULL, branch->loc);
}

static Node *unswitch_stmt(Facts *f, Node *s);

static Node *unswitch_body(Facts *f, Node *body)
{
    Stmts *list = stmts_new(f, true);
    if (body->kind == N_BLOCK)
        for (int i = 0; i < body->nkids; i++)
            stmts_add(list, unswitch_stmt(f, body->kid[i]));
    else
        stmts_add(list, unswitch_stmt(f, body));
    return stmts_body(list, body);
}

static Node *unswitch_stmt(Facts *f, Node *s)
{
    switch ((Kind)s->kind) {
    case N_BLOCK: return unswitch_body(f, s);
    case N_DECL:
        if (s->nkids && is_let(f->ranges, s->sym))
            rank_let(f->ranks, s->sym, rank_of(f->ranks, s->kid[0]));
        return s;
    case N_IF: {
        Node *otherwise = s->nkids == 3 ? unswitch_body(f, s->kid[2]) : NULL;
        return if_statement(f, s, s->kid[0], unswitch_body(f, s->kid[1]), otherwise);
    }
    case N_FOR: {
        ranks_enter(f->ranks, s);
        Node *kids[] = {s->kid[0], s->kid[1], unswitch_body(f, s->kid[2])};
        Node *result = unswitch(f, with_kids(f->ir, s, 3, kids));
        ranks_leave(f->ranks);
        return result;
    }
    case N_LOOP: {
        ranks_enter(f->ranks, s);
        Node *kids[] = {s->kid[0], s->kid[1], s->kid[2], unswitch_body(f, s->kid[3])};
        ranks_leave(f->ranks);
        return with_kids(f->ir, s, 4, kids);
    }
    case N_SWITCH: return with_kids(f->ir, s, 2, (Node *[]){s->kid[0], unswitch_body(f, s->kid[1])});
    default: return s;
    }
}

Node *unswitch_loops(Ir *ir, const Func *f, Node *body, const LicmOptions *opt)
{
    if (opt->mode != LICM_FULL || opt->no_unswitch)
        return body;
    body = unswitch_body(facts_new(ir, f, body, opt), body);
    arena_reset(ir->scratch);
    return body;
}
