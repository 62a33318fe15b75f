/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Renames the loop's variable, and says what it is when the loop ends. */
#include "plan/own_counters.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/range.h"
#include "ir/walk.h"

/* A loop as it becomes, and what `var` is then: the loop's own variable and `offset`, which is not 0 of loops that count by what they
 * test. */
typedef struct Counted {
    Node *loop;
    Sym *own;
    int64_t offset;
} Counted;

typedef struct Owning {
    Ir *ir;
    Ranges *ranges;
} Owning;

/* ---------------------------------------------------------------- sums of one type */

/* e + k in C's arithmetic of `type`, which wraps if that does. */
static Node *plus(Ir *ir, Type type, Node *e, int64_t k)
{
    const Type wide = type_promote(type);
    Node *sum = e->kind == N_CAST && (Type)e->kid[0]->type == wide && wide != type ? e->kid[0] : e;
    const bool undoes = (sum->kind == N_ADD || sum->kind == N_SUB) && is_int(sum->kid[1], sum->kind == N_ADD ? -k : k);
    if (k == 0)
        return e;
    if (undoes && (Type)sum->type == wide) {
        Node *rest = sum->kid[0];
        return mk_cast(ir, type, rest->kind == N_CAST && (Type)rest->kid[0]->type == type ? rest->kid[0] : rest);
    }
    if (e->kind == N_INT && type_is_signed(type))
        return mk_int(ir, type, e->u.i + k);
    return mk_cast(ir, type, mk_binary(ir, k > 0 ? N_ADD : N_SUB, mk_cast(ir, wide, e), mk_int(ir, wide, k > 0 ? k : -k)));
}

/* `e` is the variable and a number, in the variable's type. */
static bool is_offset(const Node *e, const Sym *var, int64_t *k)
{
    const Node *sum = e->kind == N_CAST && (Type)e->type == var->type ? e->kid[0] : e;
    if ((Type)e->type != var->type || (sum->kind != N_ADD && sum->kind != N_SUB) || sum->kid[1]->kind != N_INT)
        return false;
    const Node *of = sum->kid[0]->kind == N_CAST ? sum->kid[0]->kid[0] : sum->kid[0];
    *k = sum->kind == N_ADD ? sum->kid[1]->u.i : -sum->kid[1]->u.i;
    if (!type_is_signed((Type)sum->type) && type_bits((Type)sum->type) == 32)
        *k = (int32_t)*k;
    return of->kind == N_VAR && of->sym == var && (*k == 1 || *k == -1);
}

/* ---------------------------------------------------------------- counting by what is tested */

typedef struct Tested {
    Node *value, *by;
} Tested;

static Node *put_tested(void *user, Node *n)
{
    const Tested *t = user;
    return n == t->value ? t->by : n;
}

/* The operand of comparison `cond` that is the variable one step back; NULL: there is none. */
static Node *tested_value(const Node *cond, const Sym *var, int64_t *k)
{
    if (cond->nkids != 2 || !(kind_info[cond->kind].flags & F_REL))
        return NULL;
    Node *e = cond->kid[0];
    while (e->kind == N_CAST && (Type)e->type != var->type)
        e = e->kid[0];
    return is_offset(e, var, k) ? e : NULL;
}

/* Of an unsigned variable that counts down to 0: var > 0 instead of var != 0. */
static Node *above_zero(Ir *ir, Node *cond, const Sym *var, int64_t step)
{
    if (cond->kind != N_NE || type_is_signed(var->type) || step != -1)
        return cond;
    const Node *bound = cond->kid[1], *value = cond->kid[0];
    while (bound->kind == N_CAST)
        bound = bound->kid[0];
    while (value->kind == N_CAST)
        value = value->kid[0];
    return is_int(bound, 0) && value->kind == N_VAR && value->sym == var ? mk_binary(ir, N_GT, cond->kid[0], cond->kid[1]) : cond;
}

/* `loop` over what its condition tests; false: that is its variable. */
static bool count_by_tested(Ir *ir, Node *loop, Counted *c)
{
    const Type type = loop->sym->type;
    int64_t k = 0;
    Node *value = tested_value(loop->kid[1], loop->sym, &k);
    if (!value)
        return false;
    c->own = sym_new(ir, S_LOOP, type, loop->sym->name, loop->sym->loc);
    c->offset = -k;
    Tested tested = {value, mk_var(ir, c->own)};
    Node *cond = rewrite(&(Rewriter){.ir = ir, .post = put_tested, .user = &tested}, loop->kid[1]);
    cond = above_zero(ir, cond, c->own, loop->u.i);
    Node *body = substitute(ir, loop->kid[2], loop->sym, plus(ir, type, mk_var(ir, c->own), c->offset));
    c->loop = mk_for(ir, c->own, plus(ir, type, loop->kid[0], k), cond, loop->u.i, body, true, loop->loc);
    return !uses_sym(cond, loop->sym);
}

/* ---------------------------------------------------------------- the value behind the loop */

static bool is_changed(void *user, Node *n)
{
    Node *body = user;
    return n->kind == N_CALL || (n->sym && (n->kind == N_VAR || n->kind == N_LOAD) && writes_sym(body, n->sym));
}

/* Whether `e` has the same value behind the loop with that body. */
static bool stays(Node *e, Node *body) { return !any_node(e, is_changed, body); }

/* The smaller or larger of two, as far as that is not known. */
static Node *nearest(const Owning *o, Node *a, Node *b, bool smaller)
{
    const Range first = range_of(o->ranges, a), second = range_of(o->ranges, b);
    if (smaller ? first.hi <= second.lo : first.lo >= second.hi)
        return a;
    if (smaller ? second.hi <= first.lo : second.lo >= first.hi)
        return b;
    return mk_binary(o->ir, smaller ? N_MIN : N_MAX, a, b);
}

/* Of unsigned numbers of 64 bits. */
static Node *last_unsigned(const Owning *o, const Bounds *b)
{
    Ir *ir = o->ir;
    const Type type = b->var->type;
    const int64_t stride = b->step > 0 ? b->step : -b->step;
    Node *hi = mk_cast(ir, type, b->hi);
    if (b->cmp == N_NE)
        return hi;
    if (b->cmp == N_LE || b->cmp == N_GE)
        return NULL;
    if (stride == 1)
        return nearest(o, b->lo, hi, b->step < 0);
    Node *to = mk_binary(ir, N_MAX, hi, b->lo), *by = mk_int(ir, type, stride);
    Node *way = mk_binary(ir, N_SUB, to, b->step > 0 ? b->lo : hi), *rest = mk_binary(ir, N_MOD, way, by);
    Node *more = mk_cast(ir, type, mk_binary(ir, N_NE, rest, mk_int(ir, type, 0)));
    Node *trips = mk_binary(ir, N_ADD, mk_binary(ir, N_DIV, way, by), more);
    return mk_binary(ir, b->step > 0 ? N_ADD : N_SUB, b->lo, mk_binary(ir, N_MUL, trips, by));
}

/* The value with which the variable of `loop` leaves it; NULL: not known. */
static Node *last_value(const Owning *o, Node *loop)
{
    Ir *ir = o->ir;
    Bounds b;
    if (!for_bounds(loop, &b) || !trip_count(ir, loop) || !stays(b.hi, loop->kid[2]) || !stays(b.lo, loop->kid[2]))
        return NULL;
    if (type_bits(b.var->type) == 64 && !type_is_signed(b.var->type))
        return (Type)b.lo->type == b.var->type ? last_unsigned(o, &b) : NULL;
    Node *lo = widen(ir, b.lo), *hi = widen(ir, b.hi), *value;
    if (b.cmp == N_NE)
        value = hi;
    else if (b.step == 1)
        value = nearest(o, lo, ix_add(ir, hi, ix_int(ir, b.cmp == N_LE)), false);
    else if (b.step == -1)
        value = nearest(o, lo, ix_sub(ir, hi, ix_int(ir, b.cmp == N_GE)), true);
    else
        value = ix_add(ir, lo, ix_mul(ir, trip_count(ir, loop), ix_int(ir, b.step)));
    return mk_cast(ir, b.var->type, value);
}

/* ---------------------------------------------------------------- all loops */

/* The loop over a variable of its own, where its own one is of an outer scope. */
static Node *renamed(Ir *ir, Node *loop, Sym *own)
{
    Node *var = mk_var(ir, own), *cond = substitute(ir, loop->kid[1], loop->sym, var);
    return mk_for(ir, own, loop->kid[0], cond, loop->u.i, substitute(ir, loop->kid[2], loop->sym, var), true, loop->loc);
}

/* Pushes what loop `n` becomes, and what its variable is then; false, and pushes nothing, where it stays. */
static bool make_own(const Owning *o, Node *n, Vec *out)
{
    Ir *ir = o->ir;
    Bounds b;
    Node *cond = above_zero(ir, n->kid[1], n->sym, n->u.i);
    const bool declares = loop_declares(n), signs = cond != n->kid[1];
    Node *loop = with_kids(ir, n, 3, (Node *[]){n->kid[0], cond, n->kid[2]}), *last = NULL;
    Counted c = {.loop = loop, .own = n->sym};
    const bool tested = count_by_tested(ir, loop, &c);
    if (!tested && declares && !signs)
        return false;
    if (!tested) {
        c = (Counted){.own = sym_new(ir, S_LOOP, n->sym->type, n->sym->name, n->sym->loc)};
        c.loop = renamed(ir, loop, c.own);
    }
    c.loop->aux |= n->aux;
    if (!for_bounds(c.loop, &b) || (!declares && !(last = last_value(o, c.loop))))
        return false;
    vec_push(ir->arena, out, c.loop);
    if (last)
        vec_push(ir->arena, out, mk_assign(ir, n->sym, plus(ir, n->sym->type, last, c.offset), N_NONE, n->loc));
    return true;
}

static Node *own_in_block(void *user, Node *n)
{
    const Owning *o = user;
    Vec out = {0};
    bool changed = false;
    if (n->kind != N_BLOCK)
        return n;
    for (int i = 0; i < n->nkids; i++) {
        const bool made = n->kid[i]->kind == N_FOR && make_own(o, n->kid[i], &out);
        changed = changed || made;
        if (!made)
            vec_push(o->ir->arena, &out, n->kid[i]);
    }
    return changed ? mk_block(o->ir, out.count, (Node *const *)out.items, n->loc) : n;
}

Node *own_counters(Ir *ir, Node *body)
{
    Owning owning = {ir, ranges_new(ir, body)};
    Node *owned = rewrite(&(Rewriter){.ir = ir, .post = own_in_block, .user = &owning}, body);
    arena_reset(ir->scratch);
    return owned;
}
