/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block by block: the loops of a block, what stands between two of them, and accumulators in front of them. */
#include "plan/loop_rerolling.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/assign.h"
#include "ir/walk.h"

enum { MOST_COPIES = 16 };

typedef struct Rerolling {
    Ir *ir;
    bool strict;
} Rerolling;

/* An unrolled loop as it becomes. */
typedef struct Rolled {
    Node *loop;
    Node *end;               /* where its variable ends, T_INDEX */
    Node *high;              /* the unrolled loop's bound */
    int copies;
    Sym *first;              /* accumulator of the first copy */
    Sym *sums[MOST_COPIES];  /* of the copies behind it */
    int nsums;
} Rolled;

/* ---------------------------------------------------------------- copies of a body */

/* The same statement or expression, sums of integers in any form. */
static bool are_same(Ir *ir, Node *a, Node *b)
{
    if (a == b)
        return true;
    const bool integers = is_expr(a) && is_expr(b) && a->type == b->type && type_is_integer(a->type);
    if (integers && poly_equal(poly_of(ir, a), poly_of(ir, b)))
        return true;
    bool same = a->kind == b->kind && a->type == b->type && a->aux == b->aux && a->sym == b->sym && a->nkids == b->nkids && a->nkids &&
                !is_loop(a) && a->kind != N_DECL;
    for (int i = 0; same && i < a->nkids; i++)
        same = are_same(ir, a->kid[i], b->kid[i]);
    return same;
}

static Node *shifted(Ir *ir, Node *n, Sym *var, int64_t by)
{
    const Type type = type_promote(var->type);
    Node *sum = mk_binary(ir, N_ADD, mk_cast(ir, type, mk_var(ir, var)), mk_int(ir, type, by));
    return substitute(ir, n, var, mk_cast(ir, var->type, sum));
}

/* Does the body consist of so many copies, each an iteration further? */
static bool has_copies(Ir *ir, Node *body, Sym *var, int copies)
{
    const int each = body->nkids / copies;
    bool same = body->nkids && body->nkids % copies == 0;
    for (int j = 1; same && j < copies; j++)
        for (int i = 0; same && i < each; i++)
            same = are_same(ir, shifted(ir, body->kid[i], var, j), body->kid[j * each + i]);
    return same;
}

static bool adds_to_scalar(const Node *n) { return n->kind == N_ASSIGN && n->aux == N_ADD; }

/* Likewise of sum += term, copies with a sum of their own. Fills r->sums. */
static bool has_sums(Ir *ir, Node *body, Sym *var, Rolled *r)
{
    bool same = body->nkids == r->copies && adds_to_scalar(body->kid[0]);
    r->first = body->nkids ? body->kid[0]->sym : NULL;
    for (int j = 1; same && j < r->copies; j++) {
        Node *kid = body->kid[j], *first = body->kid[0];
        same = adds_to_scalar(kid) && kid->sym != first->sym && kid->sym->type == first->sym->type &&
               stmt_value(kid)->kind == stmt_value(first)->kind && stmt_value(kid)->type == stmt_value(first)->type &&
               are_same(ir, shifted(ir, right_operand(first), var, j), right_operand(kid));
        for (int i = 0; same && i < r->nsums; i++)
            same = r->sums[i] != kid->sym;
        r->sums[r->nsums++] = kid->sym;
    }
    for (int j = 0; same && j < r->copies; j++)
        same = !uses_sym(right_operand(body->kid[j]), body->kid[0]->sym);
    for (int i = 0; same && i < r->nsums; i++)
        for (int j = 0; same && j < r->copies; j++)
            same = !uses_sym(right_operand(body->kid[j]), r->sums[i]);
    return same;
}

/* ---------------------------------------------------------------- one loop */

/* Rolls a loop up; false: it has no copies. */
static bool roll(const Rerolling *s, Node *n, Rolled *r)
{
    Ir *ir = s->ir;
    Bounds b;
    if (!loop_declares(n) || !for_bounds(n, &b) || b.step < 2 || b.step > MOST_COPIES || b.cmp != N_LT || !type_is_signed(b.var->type))
        return false;
    Node *body = n->kid[2], *trips = trip_count(ir, n);
    *r = (Rolled){.copies = (int)b.step, .high = b.hi};
    if (body->kind != N_BLOCK || !trips || writes_sym(body, b.var))
        return false;
    const bool plain = has_copies(ir, body, b.var, r->copies);
    if (!plain && (s->strict || !has_sums(ir, body, b.var, r)))
        return false;
    if (plain)
        r->nsums = 0;
    const Poly *length = poly_sub(ir, poly_of(ir, b.hi), poly_of(ir, b.lo));
    const bool whole = poly_remainder(length, b.step) == 0;
    r->end = whole ? widen(ir, b.hi) : ix_add(ir, widen(ir, b.lo), ix_mul(ir, trips, ix_int(ir, b.step)));
    Node *condition = whole ? n->kid[1] : mk_binary(ir, N_LT, mk_cast(ir, T_INDEX, mk_var(ir, b.var)), r->end);
    Node *once = mk_block(ir, body->nkids / r->copies, body->kid, body->loc);
    r->loop = mk_for(ir, b.var, b.lo, condition, 1, once, true, n->loc);
    return true;
}

/* Is the rolled loop's end at most `high`, or does it not run at all? */
static bool ends_before(Ir *ir, const Rolled *r, Node *high)
{
    const Type type = type_promote(high->type);
    Node *wide = mk_cast(ir, type, high), *by = mk_int(ir, type, r->copies);
    const Poly *end = poly_of(ir, r->end), *step = poly_int(ir, r->copies), *all = poly_of(ir, high);
    if (poly_is(poly_sub(ir, all, poly_of(ir, r->high)), r->copies - 1))
        return true;
    return is_int(r->loop->kid[0], 0) && (poly_equal(end, poly_mul(ir, step, poly_of(ir, mk_binary(ir, N_DIV, wide, by)))) ||
                                          poly_equal(end, poly_sub(ir, all, poly_of(ir, mk_binary(ir, N_MOD, wide, by)))));
}

/* Takes the loop over the rest in; false: `n` is another loop. `from`: the value of its first iteration. */
static bool take_rest(Ir *ir, Rolled *r, Node *n, Node *from)
{
    Bounds b;
    Node *loop = r->loop;
    if (!loop_declares(n) || !for_bounds(n, &b) || b.step != 1 || b.cmp != N_LT || b.var->type != loop->sym->type)
        return false;
    Node *body = substitute(ir, n->kid[2], b.var, mk_var(ir, loop->sym)), *own = loop->kid[2];
    bool same = body->kind == N_BLOCK && body->nkids == own->nkids && poly_equal(poly_of(ir, from), poly_of(ir, r->end)) &&
                ends_before(ir, r, b.hi);
    for (int i = 0; same && i < own->nkids; i++)
        same = are_same(ir, own->kid[i], body->kid[i]);
    if (same)
        r->loop = mk_for(ir, loop->sym, loop->kid[0], substitute(ir, n->kid[1], b.var, mk_var(ir, loop->sym)), 1, own, true, loop->loc);
    return same;
}

/* ---------------------------------------------------------------- sums of several accumulators */

/* The statements behind the rolled loop, which adds to the first sum what others had: these may only be added to it. */
typedef struct Merging {
    Ir *ir;
    Sym *first;
    Sym *sums[MOST_COPIES]; /* that are not in the first one yet */
    int nsums;
    Node *add;              /* of all of them and the first */
} Merging;

static bool is_zero(const Node *e)
{
    while (e->kind == N_CAST)
        e = e->kid[0];
    return is_int(e, 0) || (e->kind == N_FLOAT && e->u.f == 0);
}

static int merging_index(const Merging *m, const Sym *sym)
{
    for (int i = 0; i < m->nsums; i++)
        if (m->sums[i] == sym)
            return i;
    return -1;
}

/* Variables of the first sum and the others in `n`; in_sum: only those that N_ADD of N_ADD joins. */
static int count_sums(const Merging *m, const Node *n, bool in_sum)
{
    if (n->kind == N_VAR)
        return n->sym == m->first || merging_index(m, n->sym) >= 0;
    int count = 0;
    for (int i = 0; i < n->nkids && (!in_sum || n->kind == N_ADD); i++)
        count += count_sums(m, n->kid[i], in_sum);
    return count;
}

static bool find_add(void *user, Node *n)
{
    Merging *m = user;
    if (n->kind == N_ADD && !m->add && count_sums(m, n, true) == m->nsums + 1)
        m->add = n;
    return !m->add;
}

static Node *without_sums(void *user, Node *n)
{
    const Merging *m = user;
    for (int i = 0; n->kind == N_ADD && i < 2; i++)
        if (n->kid[i]->kind == N_VAR && merging_index(m, n->kid[i]->sym) >= 0)
            return n->kid[1 - i];
    return n;
}

static bool uses_sums(const Merging *m, Node *n)
{
    bool uses = uses_sym(n, m->first);
    for (int i = 0; i < m->nsums && !uses; i++)
        uses = uses_sym(n, m->sums[i]);
    return uses;
}

/* Does the statement do no more to the sums than to add to the first one? */
static bool adds_to_first(const Merging *m, Node *n)
{
    if (n->kind == N_ASSIGN && n->sym == m->first)
        return n->aux == N_ADD && !uses_sums(m, right_operand(n));
    if (n->kind != N_FOR && n->kind != N_BLOCK && n->kind != N_IF)
        return !uses_sums(m, n);
    bool adds = true;
    for (int i = 0; i < n->nkids && adds; i++)
        adds = is_expr(n->kid[i]) ? !uses_sums(m, n->kid[i]) : adds_to_first(m, n->kid[i]);
    return adds;
}

/* A statement in which the first sum is all of them; NULL: they are not added to each other there. */
static Node *with_first(Merging *m, Node *n)
{
    const int added = n->kind == N_ASSIGN && n->sym == m->first && n->aux == N_ADD && right_operand(n)->kind == N_VAR
                          ? merging_index(m, right_operand(n)->sym)
                          : -1;
    if (added >= 0) {
        m->sums[added] = m->sums[--m->nsums];
        return mk_block(m->ir, 0, NULL, n->loc);
    }
    if (!m->nsums || adds_to_first(m, n))
        return n;
    m->add = NULL;
    if ((n->kind != N_ASSIGN && n->kind != N_STORE && n->kind != N_DECL) || (n->kind == N_ASSIGN && n->sym == m->first && n->aux) ||
        (n->kind == N_ASSIGN && merging_index(m, n->sym) >= 0) || count_sums(m, n, false) != m->nsums + 1)
        return NULL;
    walk(&(Walker){.pre = find_add, .user = m}, n);
    Node *left = m->add ? rewrite(&(Rewriter){.ir = m->ir, .post = without_sums, .user = m}, n) : NULL;
    /* x = x, which adding nothing has left */
    const bool nothing = left && left->kind == N_ASSIGN && left->kid[0]->kind == N_VAR && left->kid[0]->sym == left->sym;
    if (left && n->kind == N_ASSIGN && n->sym == m->first)
        m->nsums = 0;
    return nothing ? mk_block(m->ir, 0, NULL, n->loc) : left;
}

static bool declares(Node *const *kids, int n, const Sym *sym)
{
    bool found = false;
    for (int i = 0; i < n; i++)
        found = found || (kids[i]->kind == N_DECL && kids[i]->sym == sym);
    return found;
}

/* Drops what an accumulator begins with in front of the loop at `at`; false: that is not 0 alone. */
static bool drop_beginning(Ir *ir, Node **kids, int at, const Sym *sum)
{
    bool begins = false;
    for (int i = 0; i < at; i++) {
        if (!uses_sym(kids[i], sum) && !((kids[i]->kind == N_DECL || kids[i]->kind == N_ASSIGN) && kids[i]->sym == sum))
            continue;
        if ((kids[i]->kind != N_DECL && kids[i]->kind != N_ASSIGN) || kids[i]->sym != sum || kids[i]->aux ||
            (kids[i]->nkids && !is_zero(kids[i]->kid[0])))
            return false;
        begins = begins || kids[i]->nkids;
        kids[i] = mk_block(ir, 0, NULL, kids[i]->loc);
    }
    return begins;
}

/* Drops the other accumulators of the loop at `at` from the statements of its block; false: they are more than parts of the first. */
static bool drop_sums(Ir *ir, Node **kids, int n, int at, const Rolled *r)
{
    Merging m = {.ir = ir, .first = r->first, .nsums = r->nsums};
    Node **left = arena_new_array(ir->arena, Node *, n);
    for (int i = 0; i < n; i++)
        left[i] = kids[i];
    left[at] = r->loop;
    for (int i = 0; i < r->nsums; i++) {
        m.sums[i] = r->sums[i];
        if (!declares(kids, at, r->sums[i]) || !drop_beginning(ir, left, at, r->sums[i]))
            return false;
    }
    for (int i = at + 1; i < n; i++)
        if (!(left[i] = with_first(&m, left[i])))
            return false;
    if (m.nsums && !declares(kids, at, m.first)) /* somebody reads the first one behind the block */
        return false;
    for (int i = at + 1; i < n; i++)
        for (int k = 0; k < r->nsums; k++)
            if (uses_sym(left[i], r->sums[k]) || writes_sym(left[i], r->sums[k]))
                return false;
    for (int i = 0; i < n; i++)
        kids[i] = left[i];
    return true;
}

/* ---------------------------------------------------------------- blocks */

/* Rolls the loop at `at` up, with the one over the rest behind it. */
static bool roll_at(const Rerolling *s, Node **kids, int n, int at)
{
    Ir *ir = s->ir;
    Rolled r;
    if (kids[at]->kind != N_FOR || !roll(s, kids[at], &r) || (r.nsums && !drop_sums(ir, kids, n, at, &r)))
        return false;
    kids[at] = r.loop;
    int next = at + 1;
    Node *from = NULL;
    if (next < n && kids[next]->kind == N_ASSIGN && !kids[next]->aux && next + 1 < n) { // the variable behind the loop
        from = kids[next]->kid[0];
        next++;
    }
    if (next < n && kids[next]->kind == N_FOR) {
        Node *first = kids[next]->kid[0];
        const bool by_name = from && first->kind == N_VAR && first->sym == kids[next - 1]->sym;
        if ((!from || by_name) && take_rest(ir, &r, kids[next], by_name ? from : first)) {
            kids[at] = r.loop;
            kids[next] = mk_block(ir, 0, NULL, kids[next]->loc);
        }
    }
    return true;
}

static Node *roll_block(void *user, Node *n)
{
    const Rerolling *s = user;
    if (n->kind != N_BLOCK)
        return n;
    Node **kids = arena_new_array(s->ir->arena, Node *, n->nkids + 1);
    bool changed = false;
    int left = 0;
    for (int i = 0; i < n->nkids; i++)
        kids[i] = n->kid[i];
    for (int i = 0; i < n->nkids; i++)
        changed = roll_at(s, kids, n->nkids, i) || changed;
    for (int i = 0; changed && i < n->nkids; i++)
        if (kids[i]->kind != N_BLOCK || kids[i]->nkids)
            kids[left++] = kids[i];
    return changed ? mk_block(s->ir, left, kids, n->loc) : n;
}

Node *reroll_loops(Ir *ir, Node *body, bool strict)
{
    Rerolling s = {ir, strict};
    return rewrite(&(Rewriter){.ir = ir, .post = roll_block, .user = &s}, body);
}
