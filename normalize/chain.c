/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chains of associative integer operations: taken apart, sorted by rank (stable), members of equal rank
 * grouped, the groups folded from the left. Every prefix up to some rank is then a subtree:
 *
 *     i + n*4 + j - 1 + m     ->   n*4 + m + j + i - 1      (m, n: 0; j: 1; i: 2)
 *
 * Floating-point operations are not associative and make no chains. A change of type ends a chain.
 *
 * Immediates have rank 0 but are gathered into one: in a sum it comes last, so that expressions that differ
 * only in it share everything else (const_pos_low: it joins the lowest rank); elsewhere it joins the
 * lowest-ranked group, behind its members.
 */
#include "normalize/norm.h"

#include "ir/wrap.h"

typedef struct Chain {
    Norm *norm;
    Kind kind; /* N_ADD for sums */
    Type type;
    Vec terms; /* Term */
    Wide immediate;
    int nimmediates;
    int nimpure, ncalls, nreads; /* terms with effects, with calls, without but reading what calls may change */
    bool distributes, distributed; /* products of sums may be taken apart; one was */
    bool wrap;                     /* build with unsigned arithmetic */
    bool fails;                    /* the immediates overflow: leave the chain alone */
} Chain;

bool is_sum(const Node *e) { return type_is_integer(e->type) && (e->kind == N_ADD || e->kind == N_SUB || e->kind == N_NEG); }

bool is_product(const Node *e)
{
    unsigned both = F_COMM | F_ASSOC;
    return type_is_integer(e->type) && (kind_info[e->kind].flags & both) == both && e->kind != N_ADD;
}

static bool continues(const Chain *c, const Node *e)
{
    if ((Type)e->type != c->type)
        return false;
    return c->kind == N_ADD ? is_sum(e) : (Kind)e->kind == c->kind;
}

/* Taking apart. */

/* `v`, which becomes an integer of a type: its low bits. */
static Wide converted(Wide v, Type type)
{
    Range whole = type_range(type);
    Wide modulus = (Wide)1 << type_bits(type), above = (v - whole.lo) % modulus;
    return whole.lo + (above < 0 ? above + modulus : above);
}

static bool is_arithmetic(const Chain *c) { return c->kind == N_ADD || c->kind == N_MUL; }

/* A constant, perhaps below conversions; `masks`: ~7, too. */
static bool is_constant(const Node *e, bool masks)
{
    while ((e->kind == N_CAST && type_is_integer(e->type) && e->type != T_BOOL) || (e->kind == N_BNOT && masks))
        e = e->kid[0];
    return e->kind == N_INT;
}

/* In arithmetic ~7 is a constant like others; among bits it is a mask. */
static bool is_immediate(const Chain *c, const Node *e) { return is_constant(e, is_arithmetic(c)); }

/* To the type of a sum -4 is converted by adding it: (unsigned)-4 takes 4 away. */
static Wide value_of(const Chain *c, Node *immediate)
{
    if (immediate->kind == N_INT)
        return range_of(c->norm->facts->ranges, immediate).lo;
    Wide v = value_of(c, immediate->kid[0]);
    if (immediate->kind == N_BNOT)
        return converted(~v, immediate->type);
    bool is_added = c->kind == N_ADD && !type_is_signed(c->type) && (Type)immediate->type == c->type;
    return is_added ? v : converted(v, immediate->type);
}

static Wide combine(Kind kind, Wide a, Wide b)
{
    switch (kind) {
    case N_AND: return a & b;
    case N_OR: return a | b;
    case N_XOR: return a ^ b;
    case N_MIN: return a < b ? a : b;
    case N_MAX: return a < b ? b : a;
    default: return a + b;
    }
}

static void add_immediate(Chain *c, Wide v, bool negative)
{
    v = negative ? -v : v;
    Wide modulus = (Wide)1 << type_bits(c->type);
    bool is_signed = type_is_signed(c->type);
    if (c->nimmediates++ == 0)
        c->immediate = v;
    else if (c->kind == N_MUL && is_signed)
        c->immediate *= v;
    else if (c->kind == N_MUL)
        c->immediate = (Wide)(((unsigned __int128)c->immediate * (unsigned __int128)v) % (unsigned __int128)modulus);
    else
        c->immediate = combine(c->kind, c->immediate, v);
    if (!is_signed)
        c->immediate %= modulus; /* a sum keeps its sign: n - 1u stays what it is */
    else if (!range_within((Range){c->immediate, c->immediate}, type_range(c->type))) {
        c->fails = true;
        c->immediate = 0;
    }
}

static void add_term(Chain *c, Node *e, bool negative)
{
    unsigned flags = expr_flags(c->norm->facts->ranges, e);
    c->nimpure += (flags & EXPR_IMPURE) != 0;
    c->ncalls += (flags & EXPR_CALLS) != 0;
    c->nreads += !(flags & EXPR_CALLS) && flags & (EXPR_LOADS | EXPR_SHARED);
    Term *t = arena_alloc(c->norm->facts->ir->scratch, sizeof *t);
    *t = (Term){e, negative};
    vec_push(c->norm->facts->ir->scratch, &c->terms, t);
}

/* Terms whose order makes a difference. */
static bool has_ordered_terms(const Chain *c) { return c->nimpure > 1 || (c->ncalls > 0 && c->nreads > 0); }

/* (unsigned)(int)u is u; but around arithmetic such a detour says that it is a chain of its own. */
static Node *without_detour(Node *e)
{
    Node *same = (Node *)there_and_back(e);
    return same->kind == N_VAR || same->kind == N_LOAD ? same : e;
}

/* `normal`: the terms are in normal form already. */
static void collect(Chain *c, Node *e, bool negative, bool normal)
{
    if (continues(c, e)) {
        bool minus = e->kind == N_SUB || e->kind == N_NEG;
        collect(c, e->kid[0], negative != (e->kind == N_NEG), normal);
        if (e->nkids == 2)
            collect(c, e->kid[1], negative != minus, normal);
        return;
    }
    if (is_immediate(c, e)) {
        add_immediate(c, value_of(c, e), negative);
        return;
    }
    Node *term = normal ? e : without_detour(norm_expr(c->norm, e));
    if (!normal && (continues(c, term) || is_immediate(c, term))) {
        collect(c, term, negative, true);
        return;
    }
    Vec several = {0};
    if (c->distributes && take_apart_product(c->norm, term, &several)) {
        c->distributed = true;
        for (int i = 0; i < several.count; i++) {
            const Term *t = several.items[i];
            collect(c, t->e, negative != t->negative, true);
        }
        return;
    }
    add_term(c, term, negative);
}

/* Folding. */

static Node *operation(const Chain *c, Kind kind, Node *a, Node *b)
{
    Ir *ir = c->norm->facts->ir;
    if (c->wrap)
        return wrapped_op(ir, kind, a, b);
    return b ? mk_binary(ir, kind, a, b) : mk_unary(ir, kind, a);
}

/* A running sign instead of a unary minus: -n - j + i becomes i - (n + j). */
static Term fold(const Chain *c, Term sum, Term next)
{
    if (!sum.e || !next.e)
        return sum.e ? sum : next;
    if (c->kind != N_ADD || sum.negative == next.negative)
        return (Term){operation(c, c->kind, sum.e, next.e), sum.negative};
    if (next.negative)
        return (Term){operation(c, N_SUB, sum.e, next.e), false};
    return (Term){operation(c, N_SUB, next.e, sum.e), false};
}

/* The first positive member comes to the front; `last`, if any, stays behind the others. */
static Term fold_group(const Chain *c, int n, const int *members, Term last)
{
    Term *const *terms = (Term *const *)c->terms.items;
    int first = 0;
    while (first < n && terms[members[first]]->negative)
        first++;
    Term group = {NULL, false};
    if (first < n)
        group = *terms[members[first]];
    else if (!last.negative)
        group = last, last.e = NULL;
    for (int i = 0; i < n; i++)
        if (i != first)
            group = fold(c, group, *terms[members[i]]);
    return fold(c, group, last);
}

static bool is_neutral(const Chain *c)
{
    Range all = type_range(c->type);
    switch (c->kind) {
    case N_ADD:
    case N_OR:
    case N_XOR: return c->immediate == 0;
    case N_MUL: return c->immediate == 1;
    case N_AND: return c->immediate == (type_is_signed(c->type) ? -1 : all.hi);
    case N_MIN: return c->immediate == all.hi;
    default: return c->immediate == all.lo;
    }
}

/* The immediate as a term; none if it does nothing. */
static Term immediate_term(const Chain *c)
{
    if (c->nimmediates == 0 || (c->terms.count && is_neutral(c)))
        return (Term){NULL, false};
    Wide v = c->immediate;
    bool negative = c->kind == N_ADD && v < 0 && -v <= type_range(c->type).hi && c->terms.count;
    v = negative ? -v : v;
    if (v < 0 && !type_is_signed(c->type))
        v += (Wide)1 << type_bits(c->type);
    return (Term){mk_int(c->norm->facts->ir, c->type, (int64_t)(uint64_t)v), negative};
}

static Node *construct(const Chain *c)
{
    Arena *arena = c->norm->facts->ir->scratch;
    int n = c->terms.count;
    int *rank = arena_new_array(arena, int, n), *order = arena_new_array(arena, int, n);
    for (int i = 0; i < n; i++)
        rank[i] = rank_of(c->norm->facts->ranks, ((Term *)c->terms.items[i])->e);
    rank_sort(arena, n, rank, order);
    Term immediate = immediate_term(c), none = {NULL, false}, all = none;
    bool at_end = c->kind == N_ADD && !c->norm->facts->opt->const_pos_low;
    for (int i = 0, end; i < n; i = end) {
        for (end = i; end < n && rank[order[end]] == rank[order[i]];)
            end++;
        all = fold(c, all, fold_group(c, end - i, order + i, i == 0 && !at_end ? immediate : none));
    }
    if (at_end || n == 0)
        all = fold(c, all, immediate);
    return all.negative ? operation(c, N_NEG, all.e, NULL) : all.e;
}

/* Rule O. */

static Range term_range(const Chain *c, int i)
{
    Ranges *r = c->norm->facts->ranges;
    if (i == c->terms.count)
        return (Range){c->immediate, c->immediate};
    const Term *t = c->terms.items[i];
    Range range = range_of(r, t->e);
    return t->negative ? (Range){-range.hi, -range.lo} : range;
}

/* No partial result of any order, negated or not, leaves the type. */
static bool every_order_fits(const Chain *c)
{
    Wide below = 0, above = 0, magnitude = 1, most = type_range(c->type).hi;
    for (int i = 0; i < c->terms.count + (c->nimmediates > 0); i++) {
        Range t = term_range(c, i);
        Wide size = -t.lo > t.hi ? -t.lo : t.hi;
        below += t.lo < 0 ? t.lo : 0;
        above += t.hi > 0 ? t.hi : 0;
        if (c->kind == N_MUL && size > 1)
            magnitude = size > most ? most + 1 : magnitude * size;
        if (magnitude > most)
            return false;
    }
    return c->kind == N_MUL || (-most <= below && above <= most);
}

static bool can_overflow(const Chain *c)
{
    return is_arithmetic(c) && type_is_signed(c->type) && c->type != T_INDEX && c->norm->facts->opt->overflow != OVERFLOW_ASSUME;
}

static int count_terms(const Chain *c) { return c->terms.count + (immediate_term(c).e != NULL); }

/* One operation computes the value of the whole chain, which the source computes too. (Two negative terms make
 * two operations.) */
static bool is_one_operation(const Chain *c, const Node *built)
{
    return count_terms(c) <= 2 && (built->kind != N_NEG || !is_sum(built->kid[0]));
}

static Term signed_term(const Chain *c, Node *e, bool negative)
{
    bool minus = c->kind == N_ADD && e->kind == N_NEG;
    return minus ? (Term){e->kid[0], !negative} : (Term){e, negative};
}

static bool is_negative(const Term *t) { return t->e->kind == N_INT ? t->negative != (t->e->u.i < 0) : t->negative; }

/* -a - b: each way to write it may overflow where another does not; so it keeps a negation the source has. */
static Node *both_negative(const Chain *c, Node *e, Node **kids)
{
    Ir *ir = c->norm->facts->ir;
    Ranks *r = c->norm->facts->ranks;
    bool second = kids[0]->kind != N_NEG || (kids[1]->kind == N_NEG && rank_of(r, kids[1]) < rank_of(r, kids[0]));
    Node *negation = kids[second], *other = kids[!second];
    bool has_opposite = other->kind == N_NEG || other->u.i > type_range(c->type).lo;
    if (e->kind != N_ADD || !has_opposite)
        return with_kids(ir, e, 2, kids);
    return operation(c, N_SUB, negation, other->kind == N_NEG ? other->kid[0] : mk_int(ir, c->type, -other->u.i));
}

static bool is_zero(const Chain *c, Node *e) { return is_immediate(c, e) && value_of(c, e) == 0; }

/* The chain as it was written, its terms in normal form. */
static Node *as_written(const Chain *c, Node *e)
{
    if (!continues(c, e))
        return norm_expr(c->norm, e);
    Node *kids[2];
    for (int i = 0; i < e->nkids; i++)
        kids[i] = as_written(c, e->kid[i]);
    if (c->kind == N_ADD && e->nkids == 2 && is_zero(c, kids[1])) /* alone, it would go */
        return kids[0];
    if (e->kind == N_ADD && is_zero(c, kids[0]))
        return kids[1];
    return with_kids(c->norm->facts->ir, e, e->nkids, kids);
}

/* Licm takes it out of the loop around as a whole, and wraps it there: its terms must be in order. */
static bool leaves_loop(const Chain *c, Node *e)
{
    Ranks *r = c->norm->facts->ranks;
    return rank_of(r, e) < ranks_depth(r);
}

static Node *nearly_as_written(const Chain *c, Node *e);

static Node *operand_as_written(const Chain *c, Node *e)
{
    if (!continues(c, e) || leaves_loop(c, e))
        return norm_expr(c->norm, e);
    Node *written = nearly_as_written(c, e); /* once the arms of a choice in it are the same it may leave the loop after all */
    return leaves_loop(c, written) ? norm_expr(c->norm, written) : written;
}

/* The same, but the operands of a commutative operation perhaps in the other order: still the same operations
 * on the same values. */
static Node *nearly_as_written(const Chain *c, Node *e)
{
    Node *kids[2] = {NULL, NULL};
    for (int i = 0; i < e->nkids; i++)
        kids[i] = operand_as_written(c, e->kid[i]);
    if (kids[0]->kind == N_INT && (e->nkids == 1 || kids[1]->kind == N_INT))
        return norm_expr(c->norm, e); /* an immediate */
    if (e->nkids == 1)
        return with_kids(c->norm->facts->ir, e, 1, kids);
    Chain two = {.norm = c->norm, .kind = c->kind, .type = c->type};
    Term terms[2] = {signed_term(c, kids[0], false), signed_term(c, kids[1], e->kind == N_SUB)};
    if (c->kind == N_ADD && is_negative(&terms[0]) && is_negative(&terms[1]))
        return both_negative(&two, e, kids);
    for (int i = 0; i < 2; i++)
        if (terms[i].e->kind == N_INT)
            add_immediate(&two, value_of(&two, terms[i].e), terms[i].negative);
        else
            vec_push(c->norm->facts->ir->scratch, &two.terms, &terms[i]);
    return construct(&two);
}

/* x & ~13 & 7 is x & 2: side by side, as the terms of one rank will stand, they would be read as that number. */
static void join_masks(Chain *c)
{
    int masks = 0, left = 0;
    for (int i = 0; i < c->terms.count; i++)
        masks += is_constant(((const Term *)c->terms.items[i])->e, true);
    if (masks + c->nimmediates < 2)
        return;
    for (int i = 0; i < c->terms.count; i++) {
        Term *t = c->terms.items[i];
        if (is_constant(t->e, true))
            add_immediate(c, value_of(c, t->e), t->negative);
        else
            c->terms.items[left++] = t;
    }
    c->terms.count = left;
}

static Chain chain_of(Norm *n, Kind kind, Node *e, bool distributes)
{
    Chain c = {.norm = n, .kind = kind, .type = (Type)e->type, .distributes = distributes};
    collect(&c, e, false, false);
    join_masks(&c);
    bool spoilt = c.fails || has_ordered_terms(&c) || (can_overflow(&c) && !every_order_fits(&c));
    return c.distributed && spoilt ? chain_of(n, kind, e, false) : c;
}

/* -a - 5, for which -(a + 5) would be two operations: -5 - a, which computes the chain's own value in one. */
static Node *immediate_first(const Chain *c)
{
    const Term *only = c->terms.count == 1 ? c->terms.items[0] : NULL;
    if (c->kind != N_ADD || !only || !only->negative || c->immediate >= 0)
        return NULL;
    Ir *ir = c->norm->facts->ir;
    return mk_binary(ir, N_SUB, mk_int(ir, c->type, (int64_t)c->immediate), only->e);
}

/* None of the operations of the chain, of which one operand is an immediate, stands to the right of another. */
static bool is_left_nested(const Chain *c, const Node *e)
{
    int operations = 0;
    for (; continues(c, e); e = e->kid[0])
        operations++;
    return operations == c->terms.count;
}

/* Sorted and grouped by rank they are what they are: the ranks never fall, and only the lowest has several members. */
static bool terms_are_in_order(const Chain *c)
{
    Ranks *r = c->norm->facts->ranks;
    int lowest = rank_of(r, ((Term *)c->terms.items[0])->e), before = lowest;
    for (int i = 1; i < c->terms.count; i++) {
        int rank = rank_of(r, ((Term *)c->terms.items[i])->e);
        if (rank < before || (rank == before && rank > lowest)) /* a group of its own */
            return false;
        before = rank;
    }
    return true;
}

/* A sum whose other terms stand in order: i*n + 16 + j leaves the loop over j as well, and as signed arithmetic lets a compiler see
 * that subscripts are consecutive. */
static bool only_immediate_moves(const Chain *c, const Node *e)
{
    bool moves_one = c->kind == N_ADD && c->nimmediates == 1 && !c->norm->facts->opt->const_pos_low;
    bool begins_positive = !((Term *)c->terms.items[0])->negative;
    return moves_one && !c->distributed && begins_positive && is_left_nested(c, e) && terms_are_in_order(c);
}

/* How many terms are invariant in the loop around. */
static int count_invariant(const Chain *c)
{
    Ranks *r = c->norm->facts->ranks;
    int count = 0;
    for (int i = 0; i < c->terms.count; i++)
        count += rank_of(r, ((Term *)c->terms.items[i])->e) < ranks_depth(r);
    return count;
}

/* Of a chain that changes in the loop around. In unsigned arithmetic, which wraps, a compiler cannot tell what the next iteration adds: it
 * sees no consecutive subscripts any more, and makes no vectors. */
static bool steps_in_loop(const Chain *c, Place place)
{
    const Ranks *r = c->norm->facts->ranks;
    int depth = ranks_depth(r);
    return place != PLACE_VALUE && c->norm->facts->opt->shows_steps && depth > 0 && rank_is_innermost(r, depth);
}

/* The sum in `long long`, which no sum of ints leaves, wherever the text is compiled: `long` may be as narrow as int. */
static Node *in_long_long(const Chain *c)
{
    Ir *ir = c->norm->facts->ir;
    Chain wide = *c;
    wide.type = T_LLONG;
    wide.terms = (Vec){0};
    for (int i = 0; i < c->terms.count; i++) {
        Term *t = arena_alloc(ir->scratch, sizeof *t);
        *t = *(Term *)c->terms.items[i];
        t->e = mk_cast(ir, T_LLONG, t->e);
        vec_push(ir->scratch, &wide.terms, t);
    }
    return construct(&wide);
}

/* A term that is unsigned arithmetic already, and would be taken for several terms where the result is read again. */
static bool has_wrapped_term(const Chain *c)
{
    for (int i = 0; i < c->terms.count; i++)
        if (is_wrapped_op(((Term *)c->terms.items[i])->e))
            return true;
    return false;
}

/* No other order lets more of it leave the loop around. */
static bool exposes_nothing(const Chain *c) { return c->norm->facts->exact && c->nimmediates < 2 && count_invariant(c) < 2; }

/* A chain that might newly overflow, and perhaps exposes something. */
static Node *regrouped(Chain *c, Place place, const Node *e, Node *written)
{
    bool varies = count_invariant(c) < c->terms.count;
    if (exposes_nothing(c) || (varies && only_immediate_moves(c, e)) || has_wrapped_term(c))
        return written;
    if (varies && steps_in_loop(c, place))
        return c->kind == N_ADD && c->type == T_INT && place == PLACE_SUBSCRIPT ? in_long_long(c) : written;
    c->wrap = true;
    return construct(c);
}

/* Unsigned arithmetic on values of int throughout: signed arithmetic that has been made safe from overflow, or might have been. */
static bool is_of_signed(const Node *e)
{
    if (!type_is_integer(e->type) || type_is_signed(e->type) || e->type == T_BOOL)
        return false;
    if (e->kind == N_CAST) {
        Type from = e->kid[0]->type;
        return there_and_back(e) == e && type_is_integer(from) && (type_is_signed(from) || type_bits(from) < type_bits(e->type));
    }
    bool all = e->kind == N_ADD || e->kind == N_SUB || e->kind == N_MUL || e->kind == N_NEG;
    for (int i = 0; i < e->nkids && all; i++)
        all = is_of_signed(e->kid[i]);
    return all || e->kind == N_INT;
}

static Node *norm_chain(Norm *n, Kind kind, Place place, Node *e)
{
    bool is_wrapped = is_of_signed(e); /* as a signed chain that may overflow it is not distributed */
    Chain c = chain_of(n, kind, e, kind == N_ADD && !is_wrapped);
    bool stays = (keeps_arithmetic(n->facts->opt) || (c.nimmediates == 0 && exposes_nothing(&c))) && is_wrapped;
    if (c.fails || has_ordered_terms(&c) || stays)
        return as_written(&c, e);
    Node *built = construct(&c);
    if (built == e || !can_overflow(&c) || is_one_operation(&c, built) || every_order_fits(&c))
        return built;
    Node *one_operation = c.nimmediates > 1 ? immediate_first(&c) : NULL;
    if (one_operation)
        return one_operation;
    if (keeps_arithmetic(n->facts->opt))
        return as_written(&c, e);
    Node *written = nearly_as_written(&c, e);
    bool gains = count_terms(&c) > 2; /* -a - b into -(a + b) exposes nothing */
    return built == written || !gains ? written : regrouped(&c, place, e, written);
}

Node *norm_sum(Norm *n, Place place, Node *e) { return norm_chain(n, N_ADD, place, e); }

Node *norm_product(Norm *n, Node *e) { return norm_chain(n, (Kind)e->kind, n->place, e); }
