/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a loop that may be cut into blocks is made up: its pieces, their sums, and the loops where these end. */
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/split/running_piece.h"

static Node *stmt_at(const Vec *list, int i) { return list->items[i]; }

/* ---------------------------------------------------------------- loops and bounds */

Node *plus(Ir *ir, Node *e, int64_t c)
{
    const Kind kind = (Kind)e->kind;
    if (kind == N_INT)
        return mk_int(ir, (Type)e->type, e->u.i + c);
    if ((kind == N_ADD || kind == N_SUB) && e->kid[1]->kind == N_INT) {
        c += kind == N_ADD ? e->kid[1]->u.i : -e->kid[1]->u.i;
        e = e->kid[0];
    }
    Node *by = mk_int(ir, (Type)e->type, c < 0 ? -c : c);
    return c == 0 ? e : mk_binary(ir, c < 0 ? N_SUB : N_ADD, e, by);
}

static bool counted_loop(Ir *ir, Node *loop, Counted *out)
{
    Bounds b;
    if (!for_bounds(loop, &b) || !(loop->aux & FOR_DECLARES) || (b.step != 1 && b.step != -1) ||
        (b.var->type != T_INT && b.var->type != T_LONG) || b.lo->type != b.var->type || b.hi->type != b.var->type || has_load(b.lo) ||
        has_load(b.hi))
        return false;
    *out = (Counted){b.var, b.lo, b.hi, b.step < 0, loop->loc};
    if (b.step > 0) {
        out->hi = b.cmp == N_LE ? plus(ir, b.hi, 1) : b.hi;
        return b.cmp == N_LT || b.cmp == N_LE;
    }
    out->lo = b.cmp == N_GT ? plus(ir, b.hi, 1) : b.hi;
    out->hi = plus(ir, b.lo, 1);
    return b.cmp == N_GT || b.cmp == N_GE;
}

bool follows(Ir *ir, Node *bound, const Sym *var, int64_t *c)
{
    return uses_sym(bound, var) && poly_const(poly_sub(ir, poly_of(ir, bound), poly_of(ir, mk_var(ir, (Sym *)var))), c);
}

static bool same_bound(Ir *ir, Node *a, Node *b) { return a == b || poly_equal(poly_of(ir, a), poly_of(ir, b)); }

bool is_beyond(Ir *ir, Node *a, Node *b)
{
    int64_t apart;
    return poly_const(poly_sub(ir, poly_of(ir, a), poly_of(ir, b)), &apart) && apart >= 0;
}

Node *loop_over(Ir *ir, const Counted *c, Node *lo, Node *hi, Node *body)
{
    Node *var = mk_var(ir, c->var);
    return c->down ? mk_for(ir, c->var, plus(ir, hi, -1), mk_binary(ir, N_GE, var, lo), -1, body, true, c->loc)
                   : mk_for(ir, c->var, lo, mk_binary(ir, N_LT, var, hi), 1, body, true, c->loc);
}

/* ---------------------------------------------------------------- pieces */

/* The element that the sum's value goes to: of the only store behind the loop, which is always reached. */
static Node *element_of(Ir *ir, const Piece *p, const Vec *leaf, int from)
{
    Node *store = NULL;
    for (int i = from; i < leaf->count; i++) {
        Node *n = stmt_at(leaf, i);
        if (n->kind == N_STORE && n->sym->type == p->acc->type && !store)
            store = n;
        else if (has_kind(n, N_STORE))
            return NULL;
    }
    for (int d = 0; store && d < store->sym->rank; d++)
        if (has_load(store->kid[d]))
            return NULL;
    return store ? mk_load(ir, store->sym, store->sym->rank, store->kid) : NULL;
}

/* Do the sum, or statements behind it, read scalars that those in front of it have set? Then these would have to be handed over, too. */
static bool hands_more_over(const Piece *p)
{
    for (int i = 0; i < p->before.count; i++) {
        Node *n = stmt_at(&p->before, i);
        if (n->kind == N_STORE)
            continue;
        if (n->kind != N_DECL && n->kind != N_ASSIGN)
            return true;
        if (n->sym != p->acc && uses_sym(p->sum, n->sym))
            return true;
        for (int j = 0; j < p->after.count && n->sym != p->acc; j++)
            if (uses_sym(stmt_at(&p->after, j), n->sym))
                return true;
    }
    return false;
}

/* for (k) acc op= term, and nothing else; what it sums in is noted. */
static bool sums(Ir *ir, Piece *p, Node *loop)
{
    Node *body = only_statement(loop->kid[2]);
    if (!counted_loop(ir, loop, &p->sum_loop) || (body->kind != N_ASSIGN && body->kind != N_STORE) ||
        (body->aux != N_ADD && body->aux != N_SUB) || !compound_operand(body))
        return false;
    if (body->kind == N_ASSIGN) {
        p->acc = body->sym;
        return true;
    }
    for (int d = 0; d < body->sym->rank; d++)
        if (uses_sym(body->kid[d], loop->sym) || has_load(body->kid[d]))
            return false;
    p->element = mk_load(ir, body->sym, body->sym->rank, body->kid);
    return true;
}

static bool declares(const Vec *list, int to, const Sym *sym)
{
    for (int i = 0; i < to; i++)
        if (stmt_at(list, i)->kind == N_DECL && stmt_at(list, i)->sym == sym)
            return true;
    return false;
}

void leave_sum(Piece *p)
{
    p->after = p->whole;
    p->before = (Vec){0};
    p->sum = p->hand_over = p->take_over = NULL;
}

static Node *load_to_scalar(void *user, Node *n)
{
    const Piece *p = user;
    return n == p->element ? mk_var(p->ir, p->acc) : n;
}

static bool is_to_element(Ir *ir, const Piece *p, Node *n)
{
    return n && n->kind == N_STORE && mk_load(ir, n->sym, n->sym->rank, n->kid) == p->element;
}

/* A sum in the element itself becomes one in a scalar, which what follows reads. */
static void sum_in_scalar(Ir *ir, Piece *p)
{
    Node *store = only_statement(p->sum->kid[2]);
    p->ir = ir;
    p->in_place = true;
    p->acc = sym_new(ir, S_LOCAL, store->sym->type, "sum", store->loc);
    Node *value = rewrite(&(Rewriter){.ir = ir, .post = load_to_scalar, .user = p}, stmt_value(store));
    p->sum = with_kid(ir, p->sum, 2, mk_assign(ir, p->acc, value, (Kind)store->aux, store->loc));
    Node *first = p->before.count ? stmt_at(&p->before, p->before.count - 1) : NULL, *init = p->element;
    if (is_to_element(ir, p, first)) { /* it is stored when it is handed over */
        init = stmt_value(first);
        p->before.count--;
    }
    vec_push(ir->arena, &p->before, mk_decl(ir, p->acc, init, store->loc));
    Node *only = p->after.count == 1 ? stmt_at(&p->after, 0) : NULL;
    if (is_to_element(ir, p, only)) {
        value = rewrite(&(Rewriter){.ir = ir, .post = load_to_scalar, .user = p}, stmt_value(only));
        p->after.items[0] = mk_store(ir, only->sym, only->sym->rank, only->kid, value, N_NONE, only->loc);
        return;
    }
    Vec after = {0};
    vec_push(ir->arena, &after, mk_store(ir, store->sym, store->sym->rank, store->kid, mk_var(ir, p->acc), N_NONE, store->loc));
    for (int i = 0; i < p->after.count; i++)
        vec_push(ir->arena, &after, p->after.items[i]);
    p->after = after;
}

/* The statements of an innermost loop, or of the root, of which one loop may sum. */
static void add_leaf(const Running *r, Piece *p, const Vec *leaf)
{
    Ir *ir = r->context->ir;
    int at = -1, loops = 0;
    for (int i = 0; i < leaf->count; i++)
        if (has_kind(stmt_at(leaf, i), N_FOR)) {
            loops++;
            at = stmt_at(leaf, i)->kind == N_FOR ? i : at;
        }
    p->turn = -1;
    p->whole = *leaf;
    bool fits = at >= 0 && loops == 1 && sums(ir, p, stmt_at(leaf, at));
    if (fits && p->acc)
        fits = declares(leaf, at, p->acc) && (p->element = element_of(ir, p, leaf, at + 1)) != NULL;
    for (int i = 0; i < leaf->count; i++)
        vec_push(ir->arena, fits && i < at ? &p->before : &p->after, leaf->items[i]);
    if (!fits)
        return;
    p->sum = stmt_at(leaf, at);
    p->after = (Vec){0};
    for (int i = at + 1; i < leaf->count; i++)
        vec_push(ir->arena, &p->after, leaf->items[i]);
    if (hands_more_over(p))
        leave_sum(p);
    if (!p->sum)
        return;
    if (!p->acc)
        sum_in_scalar(ir, p);
    p->hand_over = mk_store(ir, p->element->sym, p->element->nkids, p->element->kid, mk_var(ir, p->acc), N_NONE, p->sum->loc);
    p->take_over = mk_decl(ir, p->acc, p->element, p->sum->loc);
}

/* Loops around loops, down to the innermost one but for a sum. */
static bool add_nest(Running *r, Node *loop)
{
    Ir *ir = r->context->ir;
    Piece *p = &r->piece[r->npieces++];
    for (;;) {
        if (p->nloops == PIECE_LOOPS || !counted_loop(ir, loop, &p->loop[p->nloops++]))
            return false;
        Vec list = statements(ir, loop->kid[2]);
        Piece sum = {0};
        if (list.count == 1 && stmt_at(&list, 0)->kind == N_FOR && !sums(ir, &sum, stmt_at(&list, 0))) {
            loop = stmt_at(&list, 0);
            continue;
        }
        add_leaf(r, p, &list);
        return true;
    }
}

/* ---------------------------------------------------------------- turns */

const Counted *turn_loop(const Running *r, const Piece *p) { return p->turn < 0 ? &r->root : &p->loop[p->turn]; }

/* Finds the loop at whose variable the piece's sum ends, or, running down, begins behind it; false: there is none. */
static bool find_turn(const Running *r, Piece *p)
{
    Ir *ir = r->context->ir;
    for (p->turn = p->nloops - 1; p->turn >= -1; p->turn--) {
        const Counted *loop = turn_loop(r, p);
        int64_t c;
        if (follows(ir, loop->down ? p->sum_loop.lo : p->sum_loop.hi, loop->var, &c))
            return c == (loop->down ? 1 : 0);
    }
    return false;
}

bool depends_on_loops(const Running *r, const Piece *p, Node *e)
{
    bool depends = uses_sym(e, r->root.var);
    for (int i = 0; i < p->nloops; i++)
        depends = depends || uses_sym(e, p->loop[i].var);
    return depends;
}

/* A turn's bound is the least or the greatest turn, or moves with the root: 0 or 1 beyond its variable. */
static bool bound_fits(const Running *r, Node *bound, Node *whole)
{
    int64_t c;
    if (r->split && follows(r->context->ir, bound, r->root.var, &c))
        return c == 0 || c == 1;
    return !uses_sym(bound, r->root.var) && same_bound(r->context->ir, bound, whole);
}

static bool turn_fits(const Running *r, const Piece *p)
{
    Ir *ir = r->context->ir;
    const Counted *turn = turn_loop(r, p);
    if (p->turn >= 0 && (!bound_fits(r, turn->lo, r->lo) || !bound_fits(r, turn->hi, r->hi) || (r->split && (turn->down || r->root.down))))
        return false;
    if (turn->down != turn_loop(r, &r->piece[0])->down)
        return false;
    if (!p->sum)
        return true;
    Node *fixed = turn->down ? p->sum_loop.hi : p->sum_loop.lo;
    return !depends_on_loops(r, p, fixed) && (turn->down ? is_beyond(ir, fixed, r->hi) : is_beyond(ir, r->lo, fixed));
}

/* What all turns lie between. */
static bool find_turns(Running *r)
{
    r->lo = r->root.lo;
    r->hi = r->root.hi;
    r->split = false;
    for (int i = 0; i < r->npieces; i++) {
        const Counted *turn = turn_loop(r, &r->piece[i]);
        r->split = r->split || turn == &r->root || uses_sym(turn->lo, r->root.var) || uses_sym(turn->hi, r->root.var);
    }
    if (!r->split) {
        r->lo = turn_loop(r, &r->piece[0])->lo;
        r->hi = turn_loop(r, &r->piece[0])->hi;
        if (depends_on_loops(r, &r->piece[0], r->lo) || depends_on_loops(r, &r->piece[0], r->hi))
            return false;
    }
    for (int i = 0; i < r->npieces; i++)
        if (!turn_fits(r, &r->piece[i]))
            return false;
    return true;
}

/* Is each scalar that the root's statements set declared in the same innermost loop? */
typedef struct Scalars {
    Vec declared;
    Ir *ir;
    bool fit;
} Scalars;

static bool note_scalar(void *user, Node *n)
{
    Scalars *s = user;
    if (n->kind == N_DECL) {
        vec_push(s->ir->arena, &s->declared, n->sym);
        s->fit = s->fit && !n->sym->rank;
    }
    bool found = n->kind != N_ASSIGN;
    for (int i = 0; !found && i < s->declared.count; i++)
        found = s->declared.items[i] == n->sym;
    s->fit = s->fit && found && (n->kind != N_FOR || n->aux & FOR_DECLARES);
    return !is_expr(n);
}

static bool piece_uses(const Piece *p, const Sym *sym)
{
    bool uses = p->sum && uses_sym(p->sum, sym);
    for (int i = 0; i < p->before.count; i++)
        uses = uses || uses_sym(stmt_at(&p->before, i), sym);
    for (int i = 0; i < p->after.count; i++)
        uses = uses || uses_sym(stmt_at(&p->after, i), sym);
    return uses;
}

static bool scalars_stay(Ir *ir, const Running *r)
{
    bool fit = true;
    for (int i = 0; i < r->npieces; i++) {
        const Piece *p = &r->piece[i];
        Scalars s = {.ir = ir, .fit = true};
        const Walker w = {.pre = note_scalar, .user = &s};
        for (int at = 0; at < p->before.count; at++)
            walk(&w, stmt_at(&p->before, at));
        for (int at = 0; at < p->after.count; at++)
            walk(&w, stmt_at(&p->after, at));
        fit = fit && s.fit;
        for (int d = 0; d < s.declared.count; d++)
            for (int other = 0; other < r->npieces; other++)
                fit = fit && (other == i || !piece_uses(&r->piece[other], s.declared.items[d]));
    }
    return fit;
}

/* The root's body, statements without loops being one piece with the sum among them; false: it has another form. */
static bool find_pieces_of(Running *r)
{
    Ir *ir = r->context->ir;
    const Vec list = statements(ir, r->source->kid[2]);
    Vec leaf = {0};
    for (int i = 0; i <= list.count; i++) {
        Node *n = i < list.count ? stmt_at(&list, i) : NULL;
        Piece sum = {0};
        const bool nest = n && n->kind == N_FOR && !sums(ir, &sum, n);
        if (n && !nest)
            vec_push(ir->arena, &leaf, n);
        if ((nest || !n) && leaf.count) {
            if (r->npieces == PIECES)
                return false;
            add_leaf(r, &r->piece[r->npieces++], &leaf);
            leaf = (Vec){0};
        }
        if (nest && (r->npieces == PIECES || !add_nest(r, n)))
            return false;
    }
    return true;
}

bool has_sums(const Running *r)
{
    bool found = false;
    for (int i = 0; i < r->npieces; i++)
        found = found || r->piece[i].sum;
    return found;
}

bool find_running(const NestContext *context, Node *loop, int block, Running *r)
{
    *r = (Running){.context = context, .source = loop, .block = block};
    if (has_stage(loop) || !counted_loop(context->ir, loop, &r->root) || !find_pieces_of(r) || !scalars_stay(context->ir, r))
        return false;
    for (int i = 0; i < r->npieces; i++)
        if (r->piece[i].sum && !find_turn(r, &r->piece[i])) {
            leave_sum(&r->piece[i]);
            r->piece[i].turn = -1;
        }
    return has_sums(r) && find_turns(r) && r->lo->kind == N_INT && r->lo->u.i >= 0;
}
