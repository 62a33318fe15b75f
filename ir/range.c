/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of expressions, with what declarations, loops and conditions around say. */
#include "ir/range.h"

#include "ir/absolute.h"
#include "ir/effect.h"
#include "ir/libm.h"
#include "ir/sym_map.h"
#include "ir/walk.h"

/* Everything written to one symbol. */
typedef struct Written {
    Vec by; /* N_DECL with a value, N_ASSIGN, N_FOR */
    bool pinned;
    bool hidden;         /* opaque text may write it too                      */
    const Node *stepped; /* an N_LOOP whose step ends with an assignment to it */
    enum { UNKNOWN, IN_PROGRESS, KNOWN } state;
    Range range;
} Written;

typedef struct ExprInfo {
    Range range;
    unsigned flags;
} ExprInfo;

struct Ranges {
    Ir *ir;
    Map written; /* by Sym.id: Written  */
    Map exprs;   /* by Node.id: ExprInfo */
};

static const ExprInfo *info_of(Ranges *r, Node *e);

/* Variables. */

static Written *written_to(Ranges *r, const Sym *sym)
{
    void **at = map_at(r->ir->scratch, &r->written, sym->id);
    if (!*at)
        *at = arena_alloc(r->ir->scratch, sizeof(Written));
    return *at;
}

static Node *last_of(const Node *block) { return block->kid[block->nkids - 1]; }

static void collect_named(Ranges *r, const Node *n)
{
    for (int i = 0; i < n->nkids; i++) {
        if (!n->kid[i]->sym)
            continue;
        Written *w = written_to(r, n->kid[i]->sym);
        w->pinned = true;
        w->hidden = w->hidden || n->kind == N_OPAQUE;
    }
}

static bool collect_write(void *user, Node *n)
{
    Ranges *r = user;
    if (is_expr(n))
        return false;
    if ((n->kind == N_DECL && n->nkids) || n->kind == N_ASSIGN || n->kind == N_FOR)
        vec_push(r->ir->scratch, &written_to(r, n->sym)->by, n);
    if (n->kind == N_CONTRACT || n->kind == N_LAUNCH || n->kind == N_OPAQUE)
        collect_named(r, n);
    if (n->kind == N_LOOP && n->kid[2]->nkids && last_of(n->kid[2])->kind == N_ASSIGN)
        written_to(r, last_of(n->kid[2])->sym)->stepped = n;
    return true;
}

Ranges *ranges_new(Ir *ir, const Node *body)
{
    Ranges *r = arena_alloc(ir->scratch, sizeof *r);
    r->ir = ir;
    walk(&(Walker){.pre = collect_write, .user = r}, (Node *)body);
    return r;
}

void range_define(Ranges *r, const Sym *sym, Node *value)
{
    Written *w = written_to(r, sym);
    w->state = KNOWN;
    w->range = type_is_integer(sym->type) ? representable(sym->type, range_of(r, value)) : type_range(sym->type);
    /* The count of writes makes it a let; the statement itself is not looked at any more. */
    vec_push(r->ir->scratch, &w->by, mk_decl(r->ir, (Sym *)sym, value, (Loc){0, 0}));
}

static bool has_hidden_writes(const Ranges *r, const Sym *sym)
{
    const Written *w = map_get(&r->written, sym->id);
    return is_shared(sym) || (w && w->hidden);
}

/* Bounds that say all about what the variable becomes. */
static bool counted_bounds(const Ranges *r, const Node *loop, Bounds *b) { return for_bounds(loop, b) && !has_hidden_writes(r, b->var); }

/* The values a loop gives its variable, in the body and, if the variable outlives it, at its end. */
static Range loop_range(Ranges *r, const Node *loop)
{
    Range whole = type_range(loop->sym->type);
    Bounds b;
    if (!counted_bounds(r, loop, &b))
        return whole;
    Range lo = range_of(r, b.lo), hi = range_of(r, b.hi), all;
    bool up = b.step > 0;
    if ((up && (b.cmp == N_GT || b.cmp == N_GE)) || (!up && (b.cmp == N_LT || b.cmp == N_LE)))
        return whole;
    if (b.cmp == N_NE && (up ? lo.hi > hi.lo : lo.lo < hi.hi))
        return whole; /* it may run past hi, until the variable comes round again */
    if (b.cmp == N_NE && b.step != 1 && b.step != -1)
        return whole;
    Wide inclusive = b.cmp == N_LE || b.cmp == N_GE ? 0 : 1;
    if (up)
        all = (Range){lo.lo, max_wide(lo.lo, hi.hi - inclusive)};
    else
        all = (Range){min_wide(lo.hi, hi.lo + inclusive), lo.hi};
    Range end = {all.lo + min_wide(b.step, 0), all.hi + max_wide(b.step, 0)};
    /* The step may wrap in an unsigned or narrow type; where it would be undefined it does not happen. */
    bool wraps = !type_is_signed(loop->sym->type) || type_promote(loop->sym->type) != loop->sym->type;
    if (wraps && !range_within(end, whole))
        return whole;
    all = loop_declares(loop) ? all : range_hull(range_hull(all, end), lo);
    return (Range){max_wide(all.lo, whole.lo), min_wide(all.hi, whole.hi)};
}

static bool is_widened(const Node *e, const Sym *sym)
{
    while (e->kind == N_CAST)
        e = e->kid[0];
    return e->kind == N_VAR && e->sym == sym;
}

/* What `value`, of x's type, adds to x; NULL if it is no such sum. */
static Node *amount_added(Node *value, const Sym *x)
{
    Node *sum = value->kind == N_CAST ? value->kid[0] : value;
    if (sum->kind != N_ADD || !type_is_integer(sum->type))
        return NULL;
    return is_widened(sum->kid[0], x) ? sum->kid[1] : is_widened(sum->kid[1], x) ? sum->kid[0] : NULL;
}

/* From `body`, the values of x in the loop, the step never leads down. */
static bool steps_up(Ranges *r, const Node *assign, Range body)
{
    Node *value = stmt_value(assign), *amount = amount_added(value, assign->sym);
    if (!amount || uses_sym(amount, assign->sym) || range_of(r, amount).lo < 0)
        return false;
    if (value->kind == N_ADD && type_is_signed(value->type)) /* overflow is undefined */
        return true;
    Type sum = value->kind == N_ADD ? value->type : value->kid[0]->type;
    Wide most = min_wide(type_range(sum).hi, type_range(assign->sym->type).hi);
    return body.lo >= 0 && body.hi + range_of(r, amount).hi <= most;
}

/* for (int x = lo; x < hi; ..., x += step) with no other write to x: where the loop has found its condition true,
 * and x is not read elsewhere. */
static bool stepped_range(Ranges *r, const Written *w, const Sym *x, Range *range)
{
    const Node *loop = w->stepped;
    if (!loop || w->by.count != 2 || loop_form(loop) != LOOP_FOR || w->by.items[1] != last_of(loop->kid[2]))
        return false;
    Node *start = w->by.items[0];
    bool declares = false;
    for (int i = 0; i < loop->kid[0]->nkids; i++)
        declares = declares || loop->kid[0]->kid[i] == start;
    Kind cmp;
    Node *hi;
    if (!declares || start->kind != N_DECL || !bound_on(loop->kid[1], x, false, &cmp, &hi) || (cmp != N_LT && cmp != N_LE))
        return false;
    Range lo = range_of(r, start->kid[0]);
    *range = (Range){lo.lo, max_wide(lo.lo, range_of(r, hi).hi - (cmp == N_LT))};
    return steps_up(r, w->by.items[1], *range) && range_within(*range, type_range(x->type));
}

/* Is its first value among what is written? */
static bool has_declaration(const Written *w)
{
    for (int i = 0; i < w->by.count; i++)
        if (((const Node *)w->by.items[i])->kind == N_DECL)
            return true;
    return false;
}

/* Values that writing `value` adds to those of x, which has others: a choice between x and more, as of a maximum, adds the latter. */
static Range range_added(Ranges *r, Node *value, const Sym *x)
{
    Range all = range_empty();
    if (value->kind == N_VAR && value->sym == x)
        return all;
    const bool keeps = value->kind == N_CAST && type_is_integer(value->kid[0]->type) &&
                       range_within(type_range(x->type), type_range(value->type)) &&
                       range_within(type_range(value->kid[0]->type), type_range(value->type));
    if (!uses_sym(value, x) || (value->kind != N_SEL && value->kind != N_MIN && value->kind != N_MAX && !keeps))
        return range_of(r, value);
    for (int i = value->kind == N_SEL; i < value->nkids; i++)
        all = range_hull(all, range_added(r, value->kid[i], x));
    return all;
}

static Range sym_range(Ranges *r, const Sym *sym)
{
    Range whole = type_range(sym->type);
    Range declared = sym->has_range ? (Range){sym->lo, sym->hi} : whole;
    Written *w = r ? map_get(&r->written, sym->id) : NULL;
    if (!type_is_integer(sym->type) || is_shared(sym) || !w)
        return declared;
    if (w->hidden)
        return whole;
    if (!w->by.count && !w->state)
        return declared;
    if (w->state == KNOWN)
        return w->range;
    if (w->state == IN_PROGRESS)
        return whole; /* it is written from its own value */
    w->state = IN_PROGRESS;
    if (stepped_range(r, w, sym, &w->range)) {
        w->state = KNOWN;
        return w->range;
    }
    Range all = sym->kind == S_PARAM ? declared : range_empty();
    const bool declared_here = has_declaration(w);
    for (int i = 0; i < w->by.count; i++) {
        Node *n = w->by.items[i];
        Range added = n->kind == N_FOR ? loop_range(r, n) : declared_here ? range_added(r, stmt_value(n), sym) : range_of(r, stmt_value(n));
        all = range_hull(all, added);
    }
    w->state = KNOWN;
    return w->range = range_within(all, whole) ? all : whole;
}

bool is_let(const Ranges *r, const Sym *sym)
{
    const Written *w = map_get(&r->written, sym->id);
    return w && sym->rank == 0 && sym->kind == S_LOCAL && w->by.count == 1 && ((Node *)w->by.items[0])->kind == N_DECL &&
           !has_hidden_writes(r, sym);
}

bool is_immutable(const Ranges *r, const Sym *sym)
{
    const Written *w = map_get(&r->written, sym->id);
    int writes = w ? w->by.count : 0;
    if (sym->rank > 0 || has_hidden_writes(r, sym))
        return false;
    if (writes == 1 && sym->kind == S_LOOP)
        return loop_declares(w->by.items[0]);
    return writes == 0 || is_let(r, sym);
}

bool is_pinned(const Ranges *r, const Sym *sym)
{
    const Written *w = map_get(&r->written, sym->id);
    return sym->is_spelled || (w && w->pinned);
}

bool runs_at_least_once(Ranges *r, const Node *loop)
{
    Bounds b;
    if (loop->kind == N_LOOP && loop_form(loop) == LOOP_DO)
        return true;
    if (!counted_bounds(r, loop, &b))
        return false;
    Range lo = range_of(r, b.lo), hi = range_of(r, b.hi);
    switch (b.cmp) {
    case N_LT: return lo.hi < hi.lo;
    case N_LE: return lo.hi <= hi.lo;
    case N_GT: return lo.lo > hi.hi;
    case N_GE: return lo.lo >= hi.hi;
    default: return lo.hi < hi.lo || lo.lo > hi.hi;
    }
}

/* Expressions. */

static bool in_bounds(Ranges *r, const Node *load)
{
    for (int i = 0; i < load->nkids; i++) {
        Node *extent = load->sym->extent ? load->sym->extent[i] : NULL;
        if (!extent || !range_within(range_of(r, load->kid[i]), (Range){0, range_of(r, extent).lo - 1}))
            return false;
    }
    return true;
}

static bool divides_safely(Range a, Range b, Type type)
{
    if (b.lo <= 0 && b.hi >= 0)
        return false;
    bool minus_one = b.lo <= -1 && -1 <= b.hi;
    return !(minus_one && type_is_signed(type) && a.lo <= type_range(type).lo);
}

/* May this node, by itself, trap? */
static bool traps(Ranges *r, const Node *e)
{
    switch ((Kind)e->kind) {
    case N_LOAD: return !in_bounds(r, e);
    case N_DIV:
    case N_MOD: return type_is_integer(e->type) && !divides_safely(range_of(r, e->kid[0]), range_of(r, e->kid[1]), e->type);
    case N_SHL:
    case N_SHR: return !range_within(range_of(r, e->kid[1]), (Range){0, type_bits(e->type) - 1});
    case N_CAST: /* out of range it is undefined, and raises an exception where those are on */
        return type_is_float(e->kid[0]->type) && type_is_integer(e->type) && e->type != T_BOOL;
    case N_CALL: /* a function we do not know, however pure; and the abs family overflows for the least value */
        return !e->sym->libm || (type_is_integer(e->type) && e->nkids == 1 && type_is_integer(e->kid[0]->type) &&
                                 range_of(r, e->kid[0]).lo <= type_range(e->type).lo);
    default: return false;
    }
}

/* Every integer within it is a number of the floating-point type. */
static Range exact_in(Type type)
{
    const Wide most = (Wide)1 << (type == T_LDOUBLE ? 64 : type == T_DOUBLE ? 53 : type == T_FLOAT ? 24 : 0);
    return (Range){-most, most};
}

/* Functions that neither raise exceptions, signaling NaNs apart, nor set errno. */
static bool is_quiet_function(const Sym *sym)
{
    static const char *const names[] = {"fabs", "copysign", "fmin", "fmax", "nearbyint", NULL};
    return is_libm_among(sym, names);
}

/* May this node, which has a floating-point operand or value, raise an exception by itself, signaling NaNs apart? libm's functions may set
 * errno, too. */
static bool raises(Ranges *r, const Node *e)
{
    switch ((Kind)e->kind) {
    case N_ADD:
    case N_SUB:
    case N_MUL:
    case N_DIV: return type_is_float(e->type);
    case N_LT:
    case N_LE:
    case N_GT:
    case N_GE: return type_is_float(e->kid[0]->type); /* of a NaN */
    case N_CAST:
        if (!type_is_float(e->type))
            return type_is_float(e->kid[0]->type) && e->type != T_BOOL;
        return type_is_float(e->kid[0]->type) ? type_bits(e->type) <= type_bits(e->kid[0]->type)
                                              : !range_within(range_of(r, e->kid[0]), exact_in(e->type));
    case N_CALL: return e->sym->libm && !is_quiet_function(e->sym);
    default: return false;
    }
}

bool is_signed_arithmetic(const Node *e)
{
    bool arithmetic = e->kind == N_ADD || e->kind == N_SUB || e->kind == N_MUL || e->kind == N_NEG || e->kind == N_SHL;
    return arithmetic && type_is_integer(e->type) && type_is_signed(e->type) && e->type != T_INDEX;
}

static Range value_range(Ranges *r, const Node *e);

static Range operand_range(Ranges *r, const Node *e, int i)
{
    if (i >= e->nkids)
        return (Range){0, 0};
    return r ? info_of(r, e->kid[i])->range : value_range(NULL, e->kid[i]);
}

/* What a let stands for; other expressions themselves. */
static const Node *value_of(const Ranges *r, const Node *e)
{
    return r && e->kind == N_VAR && is_let(r, e->sym) ? stmt_value(((Written *)map_get(&r->written, e->sym->id))->by.items[0]) : e;
}

static Range range_by(Ranges *r, const Node *e) { return r ? info_of(r, (Node *)e)->range : value_range(NULL, e); }

/* x * p + y * (k - p) of a p from 0 to k: k times a number between x and y. */
static bool blend_range(Ranges *r, const Node *e, Range *range)
{
    const Node *a = e->kid[0], *b = e->kid[e->nkids - 1];
    for (int i = 0; e->kind == N_ADD && a->kind == N_MUL && b->kind == N_MUL && i < 8; i++) {
        const Node *first = i & 4 ? b : a, *second = i & 4 ? a : b, *p = first->kid[i & 1], *rest = value_of(r, second->kid[i >> 1 & 1]);
        const Node *k = rest->kind == N_SUB ? rest->kid[0] : NULL;
        if (!k || k->kind != N_INT || rest->kid[1] != p || k->u.i < 0 || !range_within(range_by(r, p), (Range){0, k->u.i}))
            continue;
        const Range between = range_hull(range_by(r, first->kid[1 - (i & 1)]), range_by(r, second->kid[1 - (i >> 1 & 1)]));
        *range = (Range){between.lo * k->u.i, between.hi * k->u.i};
        return true;
    }
    return false;
}

static Range operation_range(Ranges *r, const Node *e)
{
    Range blend;
    if (e->nkids && blend_range(r, e, &blend))
        return blend;
    return exact_range(e->kind, e->type, operand_range(r, e, 0), operand_range(r, e, 1));
}

bool may_overflow(Ranges *r, const Node *e) { return is_signed_arithmetic(e) && !range_within(operation_range(r, e), type_range(e->type)); }

/* Of an integer that becomes another one: modulo 2^n a sum or product is what it would be without bounds. */
static Range range_before_cast(Ranges *r, const Node *cast)
{
    const Node *from = cast->kid[0];
    const bool wraps = from->kind == N_ADD || from->kind == N_SUB || from->kind == N_MUL;
    return wraps && type_bits(cast->type) == type_bits(from->type) ? operation_range(r, from) : operand_range(r, cast, 0);
}

/* (a + (b - 1)) / b of a positive b, a quotient that is rounded up: it lies between a and 0. */
static bool rounds_up(Ranges *r, const Node *e)
{
    if (e->kind != N_DIV || e->kid[0]->kind != N_ADD || e->kid[0]->kid[1]->kind != N_SUB || operand_range(r, e, 1).lo < 1)
        return false;
    const Node *less = e->kid[0]->kid[1];
    return less->kid[0] == e->kid[1] && is_int(less->kid[1], 1);
}

/* Of |of|; the greatest may be one more than its type has, where C leaves open what comes. */
static Range absolute_range(Ranges *r, const Node *e, Node *of)
{
    const Range all = r ? info_of(r, of)->range : value_range(NULL, of);
    const Wide least = all.lo > 0 ? all.lo : all.hi < 0 ? -all.hi : 0;
    return representable(e->type, (Range){least, max_wide(-all.lo, all.hi)});
}

/* `r` NULL: nothing is known of what is written. */
static Range value_range(Ranges *r, const Node *e)
{
    Range whole = type_range(e->type);
    if (!type_is_integer(e->type))
        return whole;
    if (kind_info[e->kind].flags & F_REL)
        return (Range){0, 1};
    Node *of = absolute_of(e);
    if (of)
        return absolute_range(r, e, of);
    switch ((Kind)e->kind) {
    case N_INT: {
        bool big = e->u.i < 0 && !type_is_signed(e->type); /* 64-bit unsigned values are kept as their bits */
        Wide v = big ? (Wide)(uint64_t)e->u.i : (Wide)e->u.i;
        return (Range){v, v};
    }
    case N_VAR: return sym_range(r, e->sym);
    case N_LOAD:
    case N_CALL: return whole;
    case N_POPCOUNT: return (Range){0, type_bits(e->type)};
    case N_CAST: {
        if (!type_is_integer(e->kid[0]->type))
            return whole;
        const Range from = range_before_cast(r, e);
        return range_within(from, whole) ? from : whole;
    }
    case N_SEL: return range_hull(operand_range(r, e, 1), operand_range(r, e, 2));
    case N_DIV:
        if (rounds_up(r, e)) {
            const Range whole_part = operand_range(r, e->kid[0], 0);
            return (Range){min_wide(whole_part.lo, 0), max_wide(whole_part.hi, 0)};
        }
        return representable(e->type, operation_range(r, e));
    default: return representable(e->type, operation_range(r, e));
    }
}

/* Those of its flags that do not depend on ranges. */
static unsigned own_flags(const Node *e)
{
    unsigned flags = type_is_float(e->type) ? EXPR_FLOAT : 0;
    switch ((Kind)e->kind) {
    case N_VAR: return flags | (is_shared(e->sym) ? EXPR_SHARED : 0) | (e->sym->is_volatile ? EXPR_IMPURE : 0);
    case N_LOAD: return flags | EXPR_LOADS | (e->sym->is_volatile ? EXPR_IMPURE : 0);
    case N_REF: return flags | EXPR_LOADS; /* the function that it is given to reads it */
    case N_CALL: return flags | (is_impure_call(e) ? EXPR_IMPURE | EXPR_CALLS : 0);
    default: return flags;
    }
}

static const ExprInfo *info_of(Ranges *r, Node *e)
{
    ExprInfo *known = map_get(&r->exprs, e->id);
    if (known)
        return known;
    unsigned flags = own_flags(e);
    for (int i = 0; i < e->nkids; i++)
        flags |= info_of(r, e->kid[i])->flags;
    if (traps(r, e))
        flags |= EXPR_TRAPS;
    if (may_overflow(r, e))
        flags |= EXPR_OVERFLOWS;
    if (flags & EXPR_FLOAT && raises(r, e))
        flags |= EXPR_RAISES;
    ExprInfo *info = arena_alloc(r->ir->scratch, sizeof *info);
    info->flags = flags;
    info->range = value_range(r, e);
    *map_at(r->ir->scratch, &r->exprs, e->id) = info;
    return info;
}

Range range_of(Ranges *r, Node *e) { return info_of(r, e)->range; }

Range range_by_types(const Node *e) { return value_range(NULL, e); }

unsigned expr_flags(Ranges *r, Node *e) { return info_of(r, e)->flags; }

bool order_matters(Ranges *r, Node *a, Node *b)
{
    unsigned x = expr_flags(r, a), y = expr_flags(r, b), reads = EXPR_LOADS | EXPR_SHARED | EXPR_IMPURE;
    return (x & EXPR_CALLS && y & reads) || (y & EXPR_CALLS && x & reads) || (x & y & EXPR_IMPURE);
}
