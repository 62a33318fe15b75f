/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each statement is put where it is reached: behind a branch that jumps, into the other one; behind one that may jump, under a flag. */
#include "gen/front/jumps.h"

#include "gen/front/jump_facts.h"

/* Guards may stand behind each other, and each takes what follows one level deeper. */
enum { MOST_LEVELS = 500 };

/* Statements still to come: these, then those of `then`. */
typedef struct Rest {
    Node *const *stmts;
    int count;
    const struct Rest *then;
} Rest;

typedef struct Jumps {
    Front *front;
    Ir *ir;
    Func *f;
    JumpFacts facts;
    Sym *stop;            /* flag of the loop that is open, set by its breaks; NULL: it has none */
    Sym *skip;            /* flag that `continue` sets while a statement around asks for it, else NULL */
    Sym *over;            /* the same of the `break` of the switch that is open */
    Sym *done;            /* flag that `return` sets; NULL: nothing has asked for it yet */
    Sym *value;           /* what the helper returns, where that is not one expression */
    int asked;            /* statements around that ask for `done` */
    int levels;
} Jumps;

/* The flags that the statements behind one ask, and those of the statements around. */
typedef struct Asked {
    Sym *skip, *over, *outer_skip, *outer_over;
} Asked;

static void lower(Jumps *j, Rest rest, Vec *out);

/* Making statements. */

static void push(Jumps *j, Vec *out, Node *stmt) { vec_push(j->ir->arena, out, stmt); }

static Node *block(Jumps *j, const Vec *stmts, Loc loc) { return mk_block(j->ir, stmts->count, (Node *const *)stmts->items, loc); }

static Sym *local(Jumps *j, Type type, const char *name, Loc loc)
{
    return sym_new(j->ir, S_LOCAL, type, names_fresh(&j->facts.names, name), loc);
}

/* `flag`: NULL where nothing asks. */
static void set(Jumps *j, Sym *flag, Loc loc, Vec *out)
{
    if (flag)
        push(j, out, mk_assign(j->ir, flag, mk_int(j->ir, T_BOOL, 1), N_NONE, loc));
}

/* A flag that is not set yet. */
static Sym *flag(Jumps *j, const char *name, Loc loc, Vec *out)
{
    Sym *s = local(j, T_BOOL, name, loc);
    push(j, out, mk_decl(j->ir, s, mk_int(j->ir, T_BOOL, 0), loc));
    return s;
}

static Sym *done(Jumps *j)
{
    if (!j->done)
        j->done = local(j, T_BOOL, "done", j->f->loc);
    return j->done;
}

/* `cond`, which may be NULL, while `flag` is not set; NULL is no flag. */
static Node *unless(Ir *ir, const Sym *flag, Node *cond)
{
    if (!flag)
        return cond;
    Node *clear = mk_unary(ir, N_LNOT, mk_var(ir, (Sym *)flag));
    return cond && !is_int(cond, 1) ? mk_binary(ir, N_LAND, clear, cond) : clear;
}

static Node *contrary(Ir *ir, Node *e)
{
    static const Kind turned[N_COUNT] = {[N_LT] = N_GE, [N_GE] = N_LT, [N_GT] = N_LE, [N_LE] = N_GT, [N_EQ] = N_NE, [N_NE] = N_EQ};
    if (e->kind == N_LNOT)
        return e->kid[0];
    if (e->kind == N_LAND || e->kind == N_LOR)
        return mk_binary(ir, e->kind == N_LAND ? N_LOR : N_LAND, contrary(ir, e->kid[0]), contrary(ir, e->kid[1]));
    const bool ordered = turned[e->kind] && (type_is_integer((Type)e->kid[0]->type) || e->kind == N_EQ || e->kind == N_NE);
    return ordered ? mk_binary(ir, turned[e->kind], e->kid[0], e->kid[1]) : mk_unary(ir, N_LNOT, e);
}

static void push_if(Jumps *j, const Node *original, Node *then, Node *otherwise, Vec *out)
{
    Node *cond = original->kid[0];
    if (!then->nkids && otherwise) {
        cond = contrary(j->ir, cond);
        then = otherwise;
        otherwise = NULL;
    }
    if (otherwise && !otherwise->nkids)
        otherwise = NULL;
    if (then->nkids)
        push(j, out, mk_if(j->ir, cond, then, otherwise, original->loc));
}

/* Lists. */

static Node *next(Rest *rest)
{
    while (!rest->count && rest->then)
        *rest = *rest->then;
    if (!rest->count)
        return NULL;
    rest->count--;
    return *rest->stmts++;
}

static bool has_more(Rest rest) { return next(&rest) != NULL; }

/* The statements of `n`. */
static Rest list_of(Node *const *n) { return (*n)->kind == N_BLOCK ? (Rest){(*n)->kid, (*n)->nkids, NULL} : (Rest){n, 1, NULL}; }

/* Those of `n`, then those of `then`, in one scope: where a name meant two things it now means one. */
static Rest joined(Jumps *j, Node *const *n, const Rest *then)
{
    Rest list = list_of(n);
    for (int i = 0; i < list.count; i++) {
        Node *decl = list.stmts[i];
        if (decl->kind == N_DECL && names_has(&j->facts.shared, decl->sym->name))
            decl->sym->name = names_fresh(&j->facts.names, decl->sym->name);
    }
    list.then = then;
    return list;
}

static Node *lower_block(Jumps *j, Rest rest, Loc loc)
{
    Vec stmts = {0};
    if (++j->levels < MOST_LEVELS)
        lower(j, rest, &stmts);
    else if (!j->front->faults.count)
        front_refuse(j->front, R_DEEP, loc, "");
    j->levels--;
    return block(j, &stmts, loc);
}

/* The rest runs only if none of the jumps of `kinds` has been made. */
static void guard(Jumps *j, unsigned kinds, const Asked *asked, Rest rest, Loc loc, Vec *out)
{
    Node *cond = kinds & RETURNS ? unless(j->ir, j->done, NULL) : NULL;
    cond = kinds & CONTINUES ? unless(j->ir, asked->skip, cond) : cond;
    cond = kinds & ENDS_SWITCH ? unless(j->ir, asked->over, cond) : cond;
    cond = kinds & BREAKS ? unless(j->ir, j->stop, cond) : cond;
    push(j, out, mk_if(j->ir, cond, lower_block(j, rest, loc), NULL, loc));
}

/* What stands behind a statement asks whether jumps of `kinds` have been made in it: they set flags until answered() with the result. */
static Asked ask(Jumps *j, unsigned kinds, Loc loc, Vec *out)
{
    Asked asked = {.skip = j->skip, .over = j->over, .outer_skip = j->skip, .outer_over = j->over};
    if (kinds & CONTINUES && !j->skip)
        asked.skip = j->skip = flag(j, "skip", loc, out);
    if (kinds & ENDS_SWITCH && !j->over)
        asked.over = j->over = flag(j, "over", loc, out);
    if (kinds & RETURNS)
        done(j);
    j->asked += (kinds & RETURNS) != 0;
    return asked;
}

static void answered(Jumps *j, unsigned kinds, const Asked *asked)
{
    j->asked -= (kinds & RETURNS) != 0;
    j->skip = asked->outer_skip;
    j->over = asked->outer_over;
}

/* Returns. */

/* The value that the statements return if they do nothing else, or NULL. */
static Node *plain_value(Jumps *j, Rest rest)
{
    Node *n = next(&rest);
    if (!n || n->kind == N_RETURN)
        return n ? n->kid[0] : NULL;
    if (n->kind == N_BLOCK && jumps_of(&j->facts, n) & RETURNS)
        return plain_value(j, (Rest){n->kid, n->nkids, &rest});
    if (n->kind != N_IF)
        return NULL;
    const bool then_goes_on = !(jumps_of(&j->facts, n->kid[1]) & ALWAYS),
               otherwise_goes_on = n->nkids == 2 || !(jumps_of(&j->facts, n->kid[2]) & ALWAYS);
    if (then_goes_on && otherwise_goes_on) /* the rest would be there twice */
        return NULL;
    Node *a = plain_value(j, (Rest){&n->kid[1], 1, &rest});
    Node *b = a ? plain_value(j, n->nkids == 3 ? (Rest){&n->kid[2], 1, &rest} : rest) : NULL;
    return b ? mk_select(j->ir, n->kid[0], a, b) : NULL;
}

/* `value`: NULL in functions without one. */
static void leave(Jumps *j, Node *value, Loc loc, Vec *out)
{
    if (value && !j->levels) {
        push(j, out, mk_return(j->ir, value, loc));
        return;
    }
    if (value && !j->value)
        j->value = local(j, j->f->result, "value", j->f->loc);
    if (value)
        push(j, out, mk_assign(j->ir, j->value, value, N_NONE, loc));
    if (j->asked)
        set(j, done(j), loc, out);
}

/* Statements. */

/* Neither branch always jumps: what follows both depends on flags. */
static void lower_forked(Jumps *j, Node *n, Rest rest, Vec *out)
{
    const unsigned kinds = jumps_of(&j->facts, n);
    const Rest then = list_of(&n->kid[1]), otherwise = n->nkids == 3 ? list_of(&n->kid[2]) : (Rest){0};
    const Asked asked = ask(j, kinds, n->loc, out);
    Node *first = lower_block(j, then, n->kid[1]->loc), *second = lower_block(j, otherwise, n->loc);
    push_if(j, n, first, second, out);
    answered(j, kinds, &asked);
    guard(j, kinds, &asked, rest, n->loc, out);
}

static void lower_if(Jumps *j, Node *n, Rest rest, Vec *out)
{
    const bool more = has_more(rest), has_else = n->nkids == 3;
    const bool then_jumps = jumps_of(&j->facts, n->kid[1]) & ALWAYS, else_jumps = has_else && jumps_of(&j->facts, n->kid[2]) & ALWAYS;
    if (more && !then_jumps && !else_jumps) {
        lower_forked(j, n, rest, out);
        return;
    }
    const Rest then = else_jumps && !then_jumps ? joined(j, &n->kid[1], &rest) : list_of(&n->kid[1]);
    Rest otherwise = then_jumps ? rest : (Rest){0};
    if (has_else)
        otherwise = then_jumps && !else_jumps ? joined(j, &n->kid[2], &rest) : list_of(&n->kid[2]);
    Node *first = lower_block(j, then, n->kid[1]->loc);
    push_if(j, n, first, lower_block(j, otherwise, n->loc), out);
}

/* v = v - step, where a loop over v has been left by break. */
static Node *set_back(Jumps *j, const Node *loop, const Sym *stop)
{
    Ir *ir = j->ir;
    const Type type = loop->sym->type, wide = type_promote(type);
    Node *before = mk_binary(ir, N_SUB, mk_cast(ir, wide, mk_var(ir, loop->sym)), mk_int(ir, wide, loop->u.i));
    Node *assign = mk_assign(ir, loop->sym, mk_cast(ir, type, before), N_NONE, loop->loc);
    return mk_if(ir, mk_var(ir, (Sym *)stop), mk_block(ir, 1, &assign, loop->loc), NULL, loop->loc);
}

static void lower_for(Jumps *j, Node *n, Vec *out)
{
    Sym *const stop = j->stop, *const skip = j->skip, *const over = j->over;
    const bool returns = jumps_of(&j->facts, n) & RETURNS;
    j->stop = jumps_of(&j->facts, n->kid[2]) & BREAKS ? flag(j, "stop", n->loc, out) : NULL;
    j->skip = j->over = NULL;
    j->asked += returns;
    Node *body = lower_block(j, list_of(&n->kid[2]), n->kid[2]->loc);
    j->asked -= returns;
    Node *cond = unless(j->ir, j->stop, unless(j->ir, returns ? done(j) : NULL, n->kid[1]));
    push(j, out, with_kids(j->ir, n, 3, (Node *[]){n->kid[0], cond, body}));
    if (j->stop && !(n->aux & FOR_DECLARES) && map_get(&j->facts.outside, n->sym->id))
        push(j, out, set_back(j, n, j->stop));
    j->stop = stop;
    j->skip = skip;
    j->over = over;
}

/* A block, perhaps one to whose end jumps lead: those need no flag to get there. */
static Node *lower_in_block(Jumps *j, Node *n)
{
    Sym *const skip = j->skip, *const over = j->over;
    j->skip = n->aux == BLOCK_TURN ? NULL : j->skip;
    j->over = n->aux == BLOCK_SWITCH ? NULL : j->over;
    Node *inside = lower_block(j, (Rest){n->kid, n->nkids, NULL}, n->loc);
    j->skip = skip;
    j->over = over;
    return inside;
}

/* A block or a branch out of which no jump leads, perhaps with jumps in it. */
static Node *lower_inside(Jumps *j, Node *n)
{
    Node *kids[3] = {n->kid[0]};
    if (n->kind == N_BLOCK)
        return lower_in_block(j, n);
    for (int i = 1; i < n->nkids; i++)
        kids[i] = lower_block(j, (Rest){&n->kid[i], 1, NULL}, n->kid[i]->loc);
    return with_kids(j->ir, n, n->nkids, kids);
}

/* A switch out of which jumps lead besides its own, and what follows it. */
static void lower_switch(Jumps *j, Node *n, Rest rest, Vec *out)
{
    const unsigned kinds = jumps_of(&j->facts, n) & LEAVES;
    if (!has_more(rest)) {
        push(j, out, lower_in_block(j, n));
        return;
    }
    const Asked asked = ask(j, kinds, n->loc, out);
    push(j, out, lower_in_block(j, n));
    answered(j, kinds, &asked);
    guard(j, kinds, &asked, rest, n->loc, out);
}

/* A statement that jumps may leave, and what follows it. */
static void lower_jumping(Jumps *j, Node *n, Rest rest, Vec *out)
{
    switch ((Kind)n->kind) {
    case N_BREAK: set(j, n->aux == BREAK_SWITCH ? j->over : j->stop, n->loc, out); return;
    case N_CONTINUE: set(j, j->skip, n->loc, out); return;
    case N_RETURN: leave(j, n->nkids ? n->kid[0] : NULL, n->loc, out); return;
    case N_IF: lower_if(j, n, rest, out); return;
    case N_FOR: lower_for(j, n, out); break;
    default:
        if (n->aux == BLOCK_SWITCH) {
            lower_switch(j, n, rest, out);
            return;
        }
        if (n->aux != BLOCK_TURN) {
            lower(j, joined(j, &n, &rest), out);
            return;
        }
        push(j, out, lower_in_block(j, n));
    }
    if (has_more(rest))
        guard(j, jumps_of(&j->facts, n) & LEAVES, &(Asked){0}, rest, n->loc, out);
}

static void lower(Jumps *j, Rest rest, Vec *out)
{
    for (;;) {
        const Rest all = rest;
        Node *n = next(&rest);
        if (!n)
            return;
        const unsigned kinds = jumps_of(&j->facts, n);
        if (!(kinds & HAS_JUMP)) {
            push(j, out, n);
        } else if (kinds & LEAVES) {
            Node *value = j->f->result != T_VOID && kinds & RETURNS ? plain_value(j, all) : NULL;
            if (value)
                leave(j, value, n->loc, out);
            else
                lower_jumping(j, n, rest, out);
            return;
        } else if (n->kind == N_FOR) {
            lower_for(j, n, out);
        } else {
            push(j, out, lower_inside(j, n));
        }
    }
}

/* What is returned by value gets its place; what is used everywhere is declared in front of everything. */
static void settle_body(Jumps *j)
{
    Ir *ir = j->ir;
    Func *f = j->f;
    Vec inner = {0}, all = {0};
    lower(j, list_of(&f->body), &inner);
    const Node *last = inner.count ? inner.items[inner.count - 1] : NULL;
    if (j->done)
        push(j, &all, mk_decl(ir, j->done, mk_int(ir, T_BOOL, 0), f->loc));
    if (j->value) { /* of flags a compiler does not see that one path is taken */
        Node *zero = type_is_float(f->result) ? mk_float(ir, f->result, 0) : mk_int(ir, f->result, 0);
        push(j, &all, mk_decl(ir, j->value, j->done ? zero : NULL, f->loc));
    }
    for (int i = 0; i < inner.count; i++)
        push(j, &all, inner.items[i]);
    if (j->value && !(last && last->kind == N_RETURN))
        push(j, &all, mk_return(ir, mk_var(ir, j->value), f->loc));
    f->body = block(j, &all, f->body->loc);
}

void settle_jumps(Front *front, Func *f)
{
    Jumps j = {.front = front, .ir = front->ir, .f = f};
    j.facts = jump_facts(j.ir, f);
    if ((f->result != T_VOID || f->returned) && !(jumps_of(&j.facts, f->body) & ALWAYS))
        front_refuse(front, R_NO_RETURN, f->loc, f->name);
    else
        settle_body(&j);
}
