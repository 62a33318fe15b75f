/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of each candidate, for whoever asked. */
#include "licm/hoist.h"

/* Where an expression was noted last. */
typedef struct Noted {
    const Node *stmt;
    int from;
} Noted;

static bool is_wanted(Licm *l, Node *e, Position at)
{
    return l->facts->opt->notes && e->nkids > 0 && !is_immediate(e) && rank_of(l->facts->ranks, e) < at.depth;
}

/* The same expression in the same statement is one place. */
static bool is_new(Licm *l, Node *e, Position at)
{
    void **noted = map_at(l->facts->ir->scratch, &l->noted, e->id);
    Noted *n = *noted;
    if (n && n->stmt == l->stmt && n->from == at.depth)
        return false;
    n = *noted = arena_alloc(l->facts->ir->scratch, sizeof *n);
    *n = (Noted){l->stmt, at.depth};
    return true;
}

/* What keeps `e` from leaving further loops than down to `depth`; NULL: it may change in the next. */
static const char *held_by(Licm *l, Node *e, Position at, int depth)
{
    const LicmOptions *opt = l->facts->opt;
    unsigned flags = expr_flags(l->facts->ranges, e);
    if (flags & EXPR_IMPURE)
        return "impure";
    if (flags & EXPR_LOADS && !opt->loads_proven)
        return "loads";
    if (flags & EXPR_FLOAT && opt->fp == FP_NONE)
        return "float";
    if (depth == rank_of(l->facts->ranks, e))
        return NULL;
    int legal = legal_depth(l, e, at);
    if (legal < depth && l->facts->opt->mode == LICM_FULL && hides_step(l, e, at, profitable_depth(l, e, legal, at.depth)))
        return "step";
    if (legal < depth && depth == at.rare)
        return "rare";
    if (legal < depth)
        return "small";
    if (legal == barrier_depth(l->facts->ranks) && !opt->barrier_legal)
        return "barrier";
    return flags & EXPR_TRAPS ? "traps" : flags & EXPR_RAISES && opt->fp == FP_EXACT ? "exception" : "overflow";
}

static void add_note(Licm *l, LicmNote note)
{
    LicmNote *copy = arena_alloc(l->facts->ir->arena, sizeof *copy);
    *copy = note;
    vec_push(l->facts->ir->arena, l->facts->opt->notes, copy);
}

void note_stayed(Licm *l, Node *e, Position at)
{
    if (is_wanted(l, e, at) && !l->is_repeated && !l->parts && is_new(l, e, at))
        add_note(
            l,
            (LicmNote){.e = e, .stmt = (Node *)l->stmt, .from = at.depth, .to = at.depth, .cost = -1, .rule = held_by(l, e, at, at.depth)});
}

void note_rejected(Licm *l, Node *e, Position at, int cost)
{
    if (is_wanted(l, e, at) && !l->is_repeated && !l->parts && is_new(l, e, at))
        add_note(l, (LicmNote){.e = e, .stmt = (Node *)l->stmt, .from = at.depth, .to = at.depth, .cost = cost, .rule = "cost"});
}

void note_moved(Licm *l, Node *e, Position at, int depth, int cost)
{
    if (is_wanted(l, e, at) && is_new(l, e, at))
        add_note(l, (LicmNote){.e = e,
                               .stmt = (Node *)l->stmt,
                               .from = at.depth,
                               .to = depth,
                               .cost = cost,
                               .loop = loop_at(l, depth + 1)->stmt,
                               .rule = held_by(l, e, at, depth)});
}
