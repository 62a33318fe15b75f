/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes chains of && and || apart, sorts what may change places, puts them together again. */
#include "ir/condition.h"

#include "ir/sym_map.h"

Node *truth_of(Node *e)
{
    while (e->kind == N_CAST && e->kid[0]->type == T_BOOL)
        e = e->kid[0];
    return e;
}

bool is_truth(const Node *e)
{
    while (e->kind == N_CAST && e->type != T_BOOL && type_is_integer(e->type) && type_is_integer(e->kid[0]->type))
        e = e->kid[0];
    return e->type == T_BOOL || kind_info[e->kind].flags & F_REL || is_int(e, 0) || is_int(e, 1);
}

static Node *zero(Ir *ir, Type type) { return type_is_float(type) ? mk_float(ir, type, 0) : mk_int(ir, type, 0); }

Node *truth_value(Facts *f, Node *e)
{
    if (kind_info[e->kind].flags & F_REL)
        return e;
    return e->type == T_BOOL ? mk_cast(f->ir, T_INT, e) : mk_binary(f->ir, N_NE, e, zero(f->ir, e->type));
}

Node *negation(Facts *f, Node *e)
{
    switch ((Kind)e->kind) {
    case N_LNOT: return truth_of(e->kid[0]);
    case N_EQ: return mk_binary(f->ir, N_NE, e->kid[0], e->kid[1]);
    case N_NE: return mk_binary(f->ir, N_EQ, e->kid[0], e->kid[1]);
    case N_LT:
    case N_LE:
        if (type_is_integer(e->kid[0]->type) && !order_matters(f->ranges, e->kid[0], e->kid[1]))
            return mk_binary(f->ir, e->kind == N_LT ? N_LE : N_LT, e->kid[1], e->kid[0]);
        break;
    default: break;
    }
    return mk_unary(f->ir, N_LNOT, e);
}

void condition_operands(Facts *f, Kind op, Node *e, Vec *out)
{
    if ((Kind)e->kind != op) {
        vec_push(f->ir->scratch, out, e);
        return;
    }
    condition_operands(f, op, truth_of(e->kid[0]), out);
    condition_operands(f, op, truth_of(e->kid[1]), out);
}

/* Rules B2 and B3: how far left each operand may go, as the rank to sort by. An operand that moves to where it
 * was not evaluated before must not trap there, and must not overflow: it is replaced by its wrapping form. */
static void effective_ranks(Facts *f, int n, Node **operands, int *rank)
{
    int before = 0; /* highest effective rank so far */
    for (int i = 0; i < n; i++) {
        Node *e = operands[i];
        rank[i] = rank_of(f->ranks, e);
        if (rank[i] < before) {
            unsigned flags = expr_flags(f->ranges, e);
            bool keep = f->opt->overflow == OVERFLOW_KEEP && flags & EXPR_OVERFLOWS;
            bool raises = flags & EXPR_RAISES && f->opt->fp != FP_SPECULATIVE;
            if (flags & EXPR_TRAPS || raises || keep) /* may rely on everything to its left */
                rank[i] = before;
            else if (wraps_conditions(f->opt))
                operands[i] = safe_from_overflow(f, e);
        }
        before = rank[i] > before ? rank[i] : before;
    }
}

static Node *append(Facts *f, Kind op, Node *chain, Node *e) { return chain && e ? mk_binary(f->ir, op, chain, e) : chain ? chain : e; }

/* `chain`, perhaps NULL, followed by `n` operands without effects, sorted. */
static Node *append_sorted(Facts *f, Kind op, Node *chain, int n, Node **operands)
{
    int *rank = arena_new_array(f->ir->scratch, int, n), *order = arena_new_array(f->ir->scratch, int, n);
    effective_ranks(f, n, operands, rank);
    rank_sort(f->ir->scratch, n, rank, order);
    Map seen_operands = {0};
    for (int i = 0; i < n;) {
        int of = rank[order[i]];
        Node *group = NULL;
        for (; i < n && rank[order[i]] == of; i++) {
            Node *e = operands[order[i]];
            void **seen = map_at(f->ir->scratch, &seen_operands, e->id);
            if (!*seen) /* a duplicate's first copy is evaluated before it, in this group or an earlier one */
                group = append(f, op, group, e);
            *seen = e;
        }
        chain = append(f, op, chain, group);
    }
    return chain;
}

/* Rule B1: nothing passes an operand with effects, to which exceptions belong where floating-point expressions stay. */
static bool is_fence(Facts *f, Node *e)
{
    return expr_flags(f->ranges, e) & (f->opt->fp == FP_NONE ? EXPR_IMPURE | EXPR_RAISES : EXPR_IMPURE);
}

Node *condition_chain(Facts *f, Kind op, int n, Node *const *given)
{
    Vec operands = {0};
    for (int i = 0; i < n; i++)
        condition_operands(f, op, truth_of(given[i]), &operands);
    Node **all = (Node **)operands.items, *chain = NULL;
    for (int i = 0, end; i < operands.count; i = end) {
        end = i;
        while (end < operands.count && !is_fence(f, all[end]))
            end++;
        if (end > i)
            chain = append_sorted(f, op, chain, end - i, all + i);
        else
            chain = append(f, op, chain, all[end++]);
    }
    return chain;
}
