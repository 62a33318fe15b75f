/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves: expressions into temporaries, and whole declarations, in front of the outermost loop they may and
 * should leave. One walk in program order decides everything on the fly. */
#include "licm/hoist.h"
#include "ir/assign.h"
#include "ir/condition.h"
#include "ir/wrap.h"
#include "licm/licm.h"

/* Expressions. */

static Node *hoist_expr(Licm *l, Node *e, Position at);

static Position conditional(Position at)
{
    at.pin = at.depth;
    return at;
}

/* (unsigned)x of an int x, and its like. */
static bool is_made_unsigned(const Node *e)
{
    if (e->kind != N_CAST || !type_is_integer(e->type) || !type_is_integer(e->kid[0]->type))
        return false;
    return !type_is_signed(e->type) && type_is_signed(e->kid[0]->type) && type_bits(e->type) == type_bits(e->kid[0]->type);
}

static bool is_wrapping(const Node *e)
{
    bool arithmetic = e->kind == N_ADD || e->kind == N_SUB || e->kind == N_MUL || e->kind == N_NEG;
    return arithmetic && type_is_integer(e->type) && !type_is_signed(e->type);
}

/* Unsigned arithmetic on signed operands, as (unsigned)a + (unsigned)b. Their temporaries are signed. */
static bool wraps_signed(const Node *e)
{
    for (int i = 0; i < e->nkids; i++)
        if (!is_made_unsigned(e->kid[i]) && !is_wrapping(e->kid[i]) && e->kid[i]->kind != N_INT)
            return false;
    return is_wrapping(e);
}

static Node *hoist_wrap_operand(Licm *l, Node *e, Position at)
{
    Node *held = available(l, e, at.level);
    if (held || !is_made_unsigned(e))
        return held ? held : hoist_expr(l, e, at);
    Node *value = hoist_expr(l, e->kid[0], at);
    return with_kids(l->facts->ir, e, 1, &value);
}

/* The operands of `e`, evaluated where `e` is; guarded ones perhaps not, though the loop is entered. */
static Node *hoist_kids(Licm *l, Node *e, Position at)
{
    enum { ON_STACK = 8 };
    Node *room[ON_STACK];
    Node **kids = e->nkids <= ON_STACK ? room : arena_new_array(l->facts->ir->scratch, Node *, e->nkids);
    bool wraps = wraps_signed(e);
    for (int i = 0; i < e->nkids; i++) {
        bool guarded = kind_info[e->kind].flags & F_LAZY && i > 0;
        kids[i] = wraps ? hoist_wrap_operand(l, e->kid[i], at) : hoist_expr(l, e->kid[i], guarded ? conditional(at) : at);
    }
    return rebuild(l->facts->ir, e, kids);
}

static int place(Licm *l, Node *e, Position at)
{
    if (l->facts->opt->mode == LICM_HALIDE && is_free_for_halide(e))
        return at.depth;
    int depth = profitable_depth(l, e, legal_depth(l, e, at), at.depth);
    if (l->facts->opt->mode != LICM_FULL)
        return depth;
    return hides_step(l, e, at, depth) ? at.depth : rarely_profitable_depth(l, e, depth, at);
}

/* The position in front of loop depth + 1, of something that comes from `at`: it is evaluated no oftener there
 * than the source evaluates it at `at`. */
static Position in_front(const Licm *l, Position at, int depth)
{
    return (Position){depth, at.pin < depth ? at.pin : depth, loop_at(l, depth + 1)->level, at.rare < depth ? at.rare : depth};
}

/* (unsigned)(int)(x + y), x and y unsigned: an operand of wrapping arithmetic. Its temporary is the int. */
static bool is_rewrapped(const Node *e)
{
    const Node *kid = e->kind == N_CAST ? e->kid[0] : NULL;
    return kid && kid->kind == N_CAST && kid->kid[0]->type == e->type && type_is_integer(e->type) && type_is_integer(kid->type) &&
           type_bits(kid->type) == type_bits(e->type) && type_is_signed(kid->type);
}

static bool is_condition(const Node *e) { return kind_info[e->kind].flags & F_REL; }

/* `e` in front of a loop. */
typedef struct Moved {
    Position from;
    int depth;       /* in front of the loop of depth + 1 */
    Node *rewritten; /* its operands moved further out    */
    Node *value;     /* safe from overflow                */
    int cost;
} Moved;

/* The condition that a bool is made of; `e` itself otherwise. */
static Node *without_bool(Node *e) { return e->kind == N_CAST && e->type == T_BOOL && is_condition(e->kid[0]) ? e->kid[0] : e; }

/* From here on `sym`, declared in front of the loop, is `e`. */
static void define_in_front(Licm *l, Node *e, const Moved *m, Sym *sym)
{
    Loop *loop = loop_at(l, m->depth + 1);
    Def *def = arena_alloc(l->facts->ir->scratch, sizeof *def);
    *def = (Def){.sym = sym, .value = without_bool(m->value), .unwrapped = without_bool(m->rewritten)};
    vec_push(l->facts->ir->scratch, &loop->defs, def);
    rank_let(l->facts->ranks, sym, m->depth);
    Node *forms[] = {e, m->rewritten, m->value};
    for (int i = 0; i < 3; i++) {
        make_available(l, forms[i], sym, loop->level);
        make_available(l, without_bool(forms[i]), sym, loop->level);
    }
}

/* The temporary that holds `e` in front of the loop from here on. */
static Sym *hold(Licm *l, Node *e, const Moved *m)
{
    Sym *temp = fresh_temp(l->facts, is_condition(e) ? T_BOOL : (Type)e->type, e->loc.beg ? e->loc : l->stmt->loc);
    range_define(l->facts->ranges, temp, e);
    define_in_front(l, e, m, temp);
    return temp;
}

/* `e`, about to be made safe from overflow, with temporaries in the place of operands of signed arithmetic that are unsigned already: read
 * again they would be a part of the arithmetic around them. */
static Node *hold_wrapped(Licm *l, Node *e, const Moved *m)
{
    if (!(expr_flags(l->facts->ranges, e) & EXPR_OVERFLOWS))
        return e;
    Node **kids = arena_new_array(l->facts->ir->scratch, Node *, e->nkids);
    for (int i = 0; i < e->nkids; i++) {
        kids[i] = hold_wrapped(l, e->kid[i], m);
        if (!is_signed_arithmetic(e) || !is_wrapped_op(kids[i]))
            continue;
        Node *held = available(l, kids[i], in_front(l, m->from, m->depth).level);
        Moved own = {.from = m->from, .depth = m->depth, .rewritten = kids[i], .value = safe_from_overflow(l->facts, kids[i])};
        kids[i] = held ? held : read_as(l->facts->ir, hold(l, kids[i], &own), kids[i]->type);
    }
    return with_kids(l->facts->ir, e, e->nkids, kids);
}

/* Rewrites `e` to be evaluated in front of a loop. NULL if it is to be given a symbol there; otherwise what it
 * becomes: the symbol that holds it already, or, if it does not pay, `e` with its operands moved. */
static Node *prepare(Licm *l, Node *e, Moved *m)
{
    Position front = in_front(l, m->from, m->depth);
    Node *held = available(l, e, front.level);
    m->cost = -1;
    if (!held) {
        l->parts++;
        m->rewritten = hoist_kids(l, e, front);
        l->parts--;
        int cost = cost_of(l, m->rewritten);
        if (cost < l->facts->opt->threshold) {
            note_rejected(l, e, m->from, cost);
            return m->rewritten;
        }
        held = available(l, m->rewritten, front.level);
        m->value = m->rewritten;
        if (!held && needs_wrapping(l, e, m->from, m->depth)) {
            m->rewritten = hold_wrapped(l, m->rewritten, m);
            m->value = safe_from_overflow(l->facts, m->rewritten);
            held = available(l, m->value, front.level);
        }
        m->cost = held ? -1 : cost;
    }
    note_moved(l, e, m->from, m->depth, m->cost);
    return held;
}

/* `e` stays, its operands may move. Once a symbol holds the part that trapped, the rest may move after all. */
static Node *hoist_in_place(Licm *l, Node *e, Position at)
{
    Node *rewritten = hoist_kids(l, e, at);
    if (rewritten->nkids == 0 || expr_flags(l->facts->ranges, rewritten) == expr_flags(l->facts->ranges, e)) {
        note_stayed(l, e, at);
        return rewritten;
    }
    return hoist_expr(l, rewritten, at);
}

static Node *hoist_expr(Licm *l, Node *e, Position at)
{
    if (e->kind == N_VAR) {
        Sym *renamed = map_get(&l->renamed, e->sym->id);
        return renamed ? mk_var(l->facts->ir, renamed) : e;
    }
    if (e->nkids == 0)
        return e;
    int depth = is_rewrapped(e) ? at.depth : place(l, e, at);
    if (depth >= at.depth) {
        Node *held = available(l, e, at.level);
        return held ? held : hoist_in_place(l, e, at);
    }
    Moved m = {.from = at, .depth = depth};
    Node *instead = prepare(l, e, &m);
    if (instead)
        return instead;
    return read_as(l->facts->ir, hold(l, e, &m), e->type);
}

/* Statements. */

static Node *hoist_body(Licm *l, Node *body);
static void hoist_stmt(Licm *l, Stmts *out, Node *s);

/* Users of `sym` read `held`, if that is a plain variable: a declaration as a mere copy would pin them. */
static bool replace_let(Licm *l, const Sym *sym, Node *held)
{
    if (held->kind != N_VAR || !is_immutable(l->facts->ranges, held->sym) || !is_never_hidden(l->facts, held->sym))
        return false;
    *map_at(l->facts->ir->scratch, &l->renamed, sym->id) = held->sym;
    rank_let(l->facts->ranks, sym, rank_of(l->facts->ranks, held));
    return true;
}

/* The symbol that a declaration has in front of the loop: where other things have its name, another one. */
static Sym *moved_symbol(Licm *l, const Node *decl)
{
    if (is_sole_name(l->facts, decl->sym))
        return decl->sym;
    Sym *sym = fresh_like(l->facts, decl->sym);
    range_define(l->facts->ranges, sym, decl->kid[0]);
    *map_at(l->facts->ir->scratch, &l->renamed, decl->sym->id) = sym;
    return sym;
}

static void hoist_let(Licm *l, Stmts *out, Node *s)
{
    Moved m = {.from = l->here, .depth = place(l, s->kid[0], l->here)};
    bool leaves = m.depth < l->here.depth;
    Node *init = leaves ? prepare(l, s->kid[0], &m) : hoist_expr(l, s->kid[0], l->here);
    if (!init) {
        rank_let(l->facts->ranks, s->sym, m.depth);
        define_in_front(l, s->kid[0], &m, moved_symbol(l, s)); /* the declaration moves as a whole */
        return;
    }
    if (replace_let(l, s->sym, init))
        return;
    rank_let(l->facts->ranks, s->sym, l->here.depth); /* its place is its rank now */
    stmts_add(out, with_kids(l->facts->ir, s, 1, &init));
}

static void hoist_decl(Licm *l, Stmts *out, Node *s)
{
    bool is_movable = s->nkids && is_let(l->facts->ranges, s->sym) && !is_pinned(l->facts->ranges, s->sym);
    if (is_movable && l->facts->opt->mode == LICM_FULL) {
        hoist_let(l, out, s);
        return;
    }
    if (s->nkids) {
        Node *init = hoist_expr(l, s->kid[0], l->here);
        if (is_movable && init != s->kid[0] && replace_let(l, s->sym, init))
            return;
        s = with_kids(l->facts->ir, s, 1, &init);
    }
    if (is_let(l->facts->ranges, s->sym))
        rank_let(l->facts->ranks, s->sym, l->here.depth);
    stmts_add(out, s);
}

static void hoist_assign(Licm *l, Stmts *out, Node *s)
{
    Node **subscripts = arena_new_array(l->facts->ir->scratch, Node *, s->nkids);
    for (int i = 0; i + 1 < s->nkids; i++)
        subscripts[i] = hoist_expr(l, s->kid[i], l->here);
    Node *right = hoist_expr(l, right_operand(s), l->here);
    stmts_add(out, with_right_operand(l->facts->ir, s, subscripts, right));
}

/* What follows, as far as the innermost loop's body goes, may not be reached though that is entered. */
static void pin(Licm *l) { l->here.pin = l->here.depth; }

static void stop(Licm *l)
{
    l->stops++;
    pin(l);
}

/* To be called before the expressions of `flags` in `n` are rewritten: values that they may change are not to
 * be used again in them, and nothing that may trap passes their effects. */
static void meet_effects(Licm *l, Node *n, unsigned flags)
{
    if (flags & EXPR_IMPURE)
        pin(l);
    if (flags & EXPR_CALLS) {
        note_effects(l, n);
        l->stops++;
    }
}

/* What a loop is left with. */
typedef struct Outside {
    Position position;
    int jumps, stops;
} Outside;

static Outside enter_loop(Licm *l, const Node *s)
{
    Outside outside = {l->here, l->jumps, l->stops};
    Loop *loop = arena_alloc(l->facts->ir->scratch, sizeof *loop);
    loop->stmt = s;
    loop->level = l->here.level;
    loop->is_small = is_small_loop(l->facts, s);
    vec_push(l->facts->ir->scratch, &l->loops, loop);
    ranks_enter(l->facts->ranks, s);
    const Vec *modified = loop_modifies(l->facts->ranks, s);
    for (int i = 0; i < modified->count; i++)
        note_write(l, modified->items[i]); /* by an earlier trip */
    l->here.depth++;
    return outside;
}

static void leave_loop(Licm *l, const Outside *outside, Stmts *out)
{
    ranks_leave(l->facts->ranks);
    const Loop *loop = l->loops.items[--l->loops.count];
    l->here = outside->position;
    l->jumps = outside->jumps;
    if (l->stops != outside->stops)
        pin(l);
    emit_defs(l, loop, out);
}

/* The condition is evaluated whenever the loop is reached, the body perhaps never. */
static Node *hoist_loop_condition(Licm *l, Node *cond)
{
    meet_effects(l, cond, expr_flags(l->facts->ranges, cond));
    return truth_of(hoist_expr(l, cond, l->here));
}

static void hoist_for(Licm *l, Stmts *out, Node *s)
{
    Node *kids[3];
    kids[0] = hoist_expr(l, s->kid[0], l->here);
    Outside outside = enter_loop(l, s);
    kids[1] = hoist_loop_condition(l, s->kid[1]);
    if (!runs_at_least_once(l->facts->ranges, s))
        pin(l);
    kids[2] = hoist_body(l, s->kid[2]);
    leave_loop(l, &outside, out);
    stmts_add(out, with_kids(l->facts->ir, s, 3, kids));
}

/* Declarations of a loop's start stay with it. */
static Node *hoist_init(Licm *l, Node *init)
{
    Stmts *list = stmts_new(l->facts, false);
    for (int i = 0; i < init->nkids; i++) {
        Node *s = init->kid[i], *value;
        if (s->kind != N_DECL || s->nkids == 0) {
            hoist_stmt(l, list, s);
            continue;
        }
        meet_effects(l, s, expr_flags(l->facts->ranges, s->kid[0]));
        value = hoist_expr(l, s->kid[0], l->here);
        stmts_add(list, with_kids(l->facts->ir, s, 1, &value));
        note_effects(l, s);
    }
    return stmts_block(list, init);
}

/* A loop of which nobody knows whether it ends. */
static void hoist_loop(Licm *l, Stmts *out, Node *s)
{
    Node *kids[4];
    kids[0] = hoist_init(l, s->kid[0]);
    Outside outside = enter_loop(l, s);
    bool body_first = loop_form(s) == LOOP_DO;
    if (body_first)
        kids[3] = hoist_body(l, s->kid[3]);
    kids[1] = hoist_loop_condition(l, s->kid[1]);
    pin(l);
    if (!body_first)
        kids[3] = hoist_body(l, s->kid[3]);
    pin(l);
    kids[2] = hoist_body(l, s->kid[2]);
    l->stops++;
    leave_loop(l, &outside, out);
    stmts_add(out, with_kids(l->facts->ir, s, 4, kids));
}

static void hoist_if(Licm *l, Stmts *out, Node *s)
{
    Node *cond = truth_of(hoist_expr(l, s->kid[0], l->here));
    Position outside = l->here;
    int exits = l->jumps + l->stops;
    l->here = conditional(l->here);
    if (outside.depth > 0 && loop_at(l, outside.depth)->stmt->kind == N_LOOP)
        l->here.rare = outside.depth;
    Node *then = hoist_body(l, s->kid[1]);
    Node *otherwise = s->nkids == 3 ? hoist_body(l, s->kid[2]) : NULL;
    l->here = outside;
    if (l->jumps + l->stops != exits)
        pin(l);
    Node *kids[] = {cond, then, otherwise};
    stmts_add(out, with_kids(l->facts->ir, s, s->nkids, kids));
}

/* What is in it may run. Nothing that is made in one of its blocks is there in another one. */
static void hoist_switch(Licm *l, Stmts *out, Node *s)
{
    Node *value = hoist_expr(l, s->kid[0], l->here);
    Position outside = l->here;
    int exits = l->jumps + l->stops;
    l->here = conditional(l->here);
    Node *body = hoist_body(l, s->kid[1]);
    l->here = outside;
    if (l->jumps + l->stops != exits)
        pin(l);
    stmts_add(out, with_kids(l->facts->ir, s, 2, (Node *[]){value, body}));
}

static void hoist_operands(Licm *l, Stmts *out, Node *s)
{
    Node **kids = arena_new_array(l->facts->ir->scratch, Node *, s->nkids);
    for (int i = 0; i < s->nkids; i++)
        kids[i] = hoist_expr(l, s->kid[i], l->here);
    stmts_add(out, with_kids(l->facts->ir, s, s->nkids, kids));
}

/* The call stays one. */
static void hoist_eval(Licm *l, Stmts *out, Node *s)
{
    Node *call = hoist_kids(l, s->kid[0], l->here);
    stmts_add(out, with_kids(l->facts->ir, s, 1, &call));
}

static void hoist_leaf(Licm *l, Stmts *out, Node *s)
{
    switch ((Kind)s->kind) {
    case N_DECL: hoist_decl(l, out, s); break;
    case N_ASSIGN:
    case N_STORE: hoist_assign(l, out, s); break;
    case N_EVAL: hoist_eval(l, out, s); break;
    case N_OPAQUE:
    case N_CONTRACT: stmts_add(out, s); break;
    default: hoist_operands(l, out, s);
    }
    note_effects(l, s);
    if (s->kind == N_OPAQUE && s->aux & OPAQUE_LABEL)
        l->entered = ++l->time;
    if (s->kind == N_BREAK || s->kind == N_CONTINUE)
        l->jumps++, pin(l);
    if (s->kind == N_RETURN || (s->kind == N_OPAQUE && s->aux != OPAQUE_CASE))
        stop(l);
}

/* Of the expressions that the statement evaluates first, or at all. */
static unsigned flags_of_operands(Licm *l, const Node *s)
{
    unsigned flags = 0;
    int n = s->kind == N_IF || s->kind == N_FOR ? 1 : s->nkids;
    for (int i = 0; i < n && is_expr(s->kid[i]); i++)
        flags |= expr_flags(l->facts->ranges, s->kid[i]);
    return flags;
}

static void hoist_stmt(Licm *l, Stmts *out, Node *s)
{
    unsigned flags = s->kind == N_OPAQUE ? 0 : flags_of_operands(l, s);
    int pin_before = l->here.pin, stops = l->stops;
    const Node *outer = l->stmt;
    l->stmt = s;
    meet_effects(l, s, flags);
    switch ((Kind)s->kind) {
    case N_BLOCK: stmts_add(out, hoist_body(l, s)); break;
    case N_FOR: hoist_for(l, out, s); break;
    case N_LOOP: hoist_loop(l, out, s); break;
    case N_IF: hoist_if(l, out, s); break;
    case N_SWITCH: hoist_switch(l, out, s); break;
    default:
        hoist_leaf(l, out, s);
        if (l->stops == stops && s->kind != N_BREAK && s->kind != N_CONTINUE)
            l->here.pin = pin_before;
    }
    l->stmt = outer;
}

static Node *hoist_body(Licm *l, Node *body)
{
    Stmts *list = stmts_new(l->facts, false);
    open_level(l);
    if (body->kind == N_BLOCK)
        for (int i = 0; i < body->nkids; i++)
            hoist_stmt(l, list, body->kid[i]);
    else
        hoist_stmt(l, list, body);
    close_level(l);
    return stmts_body(list, body);
}

static Node *hoist_all(Ir *ir, const Func *f, Node *body, const LicmOptions *opt, bool is_repeated)
{
    Licm l = {.facts = facts_new(ir, f, body, opt), .is_repeated = is_repeated};
    body = hoist_body(&l, body);
    arena_reset(ir->scratch);
    return body;
}

Node *licm(Ir *ir, const Func *f, Node *body, const LicmOptions *opt)
{
    if (opt->mode == LICM_OFF)
        return body;
    Node *before = unswitch_loops(ir, f, body, opt);
    for (bool is_repeated = false;; is_repeated = true) {
        Node *after = hoist_all(ir, f, before, opt, is_repeated);
        /* A declaration that left may leave an `if` alone in its loop: rare, and one moves out each time. */
        before = unswitch_loops(ir, f, after, opt);
        if (before == after)
            return after;
    }
}
