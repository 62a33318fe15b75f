/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bottom-up folding, then statements that do nothing are left out. */
#include "ir/simplify.h"

#include <math.h>

#include "ir/condition.h"
#include "ir/walk.h"

static Node *fold(Ir *ir, Node *n);

/* ---------------------------------------------------------------- constants */

/* `value`'s low bits as a value of the type: what an unsigned type's arithmetic, or a conversion, yields. */
static int64_t wrap(Type type, uint64_t value)
{
    int bits = type_bits(type);
    if (type == T_BOOL)
        return value != 0;
    if (bits == 64)
        return (int64_t)value;
    uint64_t low = value & (((uint64_t)1 << bits) - 1);
    if (type_is_signed(type) && low >> (bits - 1))
        low |= ~(uint64_t)0 << bits;
    return (int64_t)low;
}

static bool in_range(Type type, int64_t value) { return value >= type_min(type) && value <= type_max(type); }

static bool fold_signed(Kind kind, Type type, int64_t a, int64_t b, int64_t *r)
{
    bool overflow = false;
    switch (kind) {
    case N_ADD: overflow = __builtin_add_overflow(a, b, r); break;
    case N_SUB: overflow = __builtin_sub_overflow(a, b, r); break;
    case N_MUL: overflow = __builtin_mul_overflow(a, b, r); break;
    case N_DIV:
    case N_MOD:
        if (b == 0 || (b == -1 && a == type_min(type)))
            return false;
        *r = kind == N_DIV ? a / b : a % b;
        break;
    case N_SHL:
        if (a < 0 || b < 0 || b >= type_bits(type) || a > type_max(type) >> b)
            return false;
        *r = a << b;
        break;
    case N_SHR:
        if (a < 0 || b < 0 || b >= type_bits(type))
            return false;
        *r = a >> b;
        break;
    case N_AND: *r = a & b; break;
    case N_OR: *r = a | b; break;
    case N_XOR: *r = a ^ b; break;
    case N_MIN: *r = a < b ? a : b; break;
    case N_MAX: *r = a > b ? a : b; break;
    default: return false;
    }
    return !overflow && in_range(type, *r);
}

static bool fold_unsigned(Kind kind, Type type, uint64_t a, uint64_t b, int64_t *r)
{
    uint64_t v;
    switch (kind) {
    case N_ADD: v = a + b; break;
    case N_SUB: v = a - b; break;
    case N_MUL: v = a * b; break;
    case N_DIV:
    case N_MOD:
        if (b == 0)
            return false;
        v = kind == N_DIV ? a / b : a % b;
        break;
    case N_SHL:
    case N_SHR:
        if (b >= (uint64_t)type_bits(type))
            return false;
        v = kind == N_SHL ? a << b : a >> b;
        break;
    case N_AND: v = a & b; break;
    case N_OR: v = a | b; break;
    case N_XOR: v = a ^ b; break;
    case N_MIN: v = a < b ? a : b; break;
    case N_MAX: v = a > b ? a : b; break;
    default: return false;
    }
    *r = wrap(type, v);
    return true;
}

static int64_t compare(Kind kind, Type type, int64_t a, int64_t b)
{
    bool less = type_is_signed(type) ? a < b : (uint64_t)a < (uint64_t)b;
    switch (kind) {
    case N_LT: return less;
    case N_LE: return less || a == b;
    case N_GT: return !less && a != b;
    case N_GE: return !less;
    case N_EQ: return a == b;
    default: return a != b;
    }
}

static Node *truth(Ir *ir, bool yes) { return mk_int(ir, T_INT, yes); }

static bool is_comparison(const Node *n)
{
    return n->kind == N_LT || n->kind == N_LE || n->kind == N_GT || n->kind == N_GE || n->kind == N_EQ || n->kind == N_NE;
}

/* ---------------------------------------------------------------- integer arithmetic */

/* The operand that remains when one is neutral; NULL when none is. */
static Node *neutral(Ir *ir, Node *n)
{
    Node *a = n->kid[0], *b = n->kid[1];
    switch ((Kind)n->kind) {
    case N_ADD:
    case N_OR:
    case N_XOR:
        if (is_int(a, 0))
            return b;
        return is_int(b, 0) ? a : NULL;
    case N_SUB:
    case N_SHL:
    case N_SHR: return is_int(b, 0) ? a : NULL;
    case N_MUL:
        if (is_int(a, 0) || is_int(b, 0))
            return mk_int(ir, (Type)n->type, 0);
        if (is_int(a, 1))
            return b;
        return is_int(b, 1) ? a : NULL;
    case N_DIV: return is_int(b, 1) ? a : NULL;
    case N_MOD: return is_int(b, 1) ? mk_int(ir, (Type)n->type, 0) : NULL;
    case N_AND: return is_int(a, 0) || is_int(b, 0) ? mk_int(ir, (Type)n->type, 0) : a == b ? a : NULL;
    case N_MIN:
    case N_MAX: return a == b ? a : NULL;
    default: return NULL;
    }
}

/* A bound that the other operand of a minimum or maximum cannot pass: max(x, 0) of an unsigned x, say. */
static Node *range_limit(Node *n)
{
    if (n->kind != N_MIN && n->kind != N_MAX)
        return NULL;
    for (int i = 0; i < 2; i++) {
        const Node *c = n->kid[i];
        Type type = (Type)n->type;
        if (c->kind == N_INT && type_bits(type) < 64 && c->u.i == (n->kind == N_MAX ? type_min(type) : type_max(type)))
            return n->kid[1 - i];
    }
    return NULL;
}

static Node *fold_arithmetic(Ir *ir, Node *n)
{
    Type type = (Type)n->type;
    const Node *a = n->kid[0], *b = n->kid[1];
    int64_t r;
    if (!type_is_integer(type))
        return n;
    if (a->kind == N_INT && b->kind == N_INT) {
        bool done = type_is_signed(type) ? fold_signed((Kind)n->kind, type, a->u.i, b->u.i, &r)
                                         : fold_unsigned((Kind)n->kind, type, (uint64_t)a->u.i, (uint64_t)b->u.i, &r);
        if (done)
            return mk_int(ir, type, r);
    }
    Node *instead = neutral(ir, n);
    if (!instead)
        instead = range_limit(n);
    return instead ? instead : n;
}

static Node *fold_negation(Ir *ir, Node *n)
{
    Node *a = n->kid[0];
    Type type = (Type)n->type;
    if (!type_is_integer(type))
        return n;
    if (a->kind == N_INT) {
        if (n->kind == N_BNOT)
            return mk_int(ir, type, wrap(type, ~(uint64_t)a->u.i));
        if (!type_is_signed(type) || a->u.i != type_min(type))
            return mk_int(ir, type, wrap(type, -(uint64_t)a->u.i));
    }
    return a->kind == n->kind ? a->kid[0] : n;
}

/* ---------------------------------------------------------------- conditions */

/* 0 or 1 as && yields it. */
static Node *as_truth(Ir *ir, Node *e)
{
    if (kind_info[e->kind].flags & F_REL)
        return e;
    Type type = (Type)e->type;
    Node *zero = type_is_float(type) ? mk_float(ir, type, 0) : mk_int(ir, type, 0);
    return fold(ir, mk_binary(ir, N_NE, e, zero));
}

static Node *fold_not(Ir *ir, Node *n)
{
    static const Kind opposite[N_COUNT] = {[N_LT] = N_GE, [N_LE] = N_GT, [N_GT] = N_LE, [N_GE] = N_LT, [N_EQ] = N_NE, [N_NE] = N_EQ};
    Node *a = n->kid[0];
    if (a->kind == N_INT)
        return truth(ir, a->u.i == 0);
    if (a->kind == N_LNOT)
        return as_truth(ir, a->kid[0]);
    /* With NaN !(a < b) is not a >= b. */
    if (is_comparison(a) && (type_is_integer(a->kid[0]->type) || a->kind == N_EQ || a->kind == N_NE))
        return mk_binary(ir, opposite[a->kind], a->kid[0], a->kid[1]);
    return n;
}

static Node *fold_logic(Ir *ir, Node *n)
{
    bool is_and = n->kind == N_LAND;
    for (int i = 0; i < 2; i++) {
        const Node *c = n->kid[i];
        if (c->kind != N_INT)
            continue;
        if ((c->u.i != 0) == is_and) /* the neutral one */
            return as_truth(ir, n->kid[1 - i]);
        return truth(ir, !is_and);
    }
    return n;
}

static Node *fold_select(Node *n)
{
    if (n->kid[0]->kind == N_INT)
        return n->kid[n->kid[0]->u.i ? 1 : 2];
    return n->kid[1] == n->kid[2] ? n->kid[1] : n;
}

/* ---------------------------------------------------------------- conversions */

/* Significand bits and least exponent of a floating type, as frexp counts. */
static bool float_holds(Type type, long double value)
{
    int digits = type == T_HALF ? 11 : type == T_BF16 ? 8 : type == T_FLOAT ? 24 : type == T_DOUBLE ? 53 : 64;
    int top = type == T_HALF ? 16 : type == T_DOUBLE ? 1024 : type == T_LDOUBLE ? 16384 : 128;
    int bottom = type == T_HALF ? -13 : type == T_DOUBLE ? -1021 : type == T_LDOUBLE ? -16381 : -125;
    int exponent;
    if (value == 0)
        return true;
    if (!isfinite(value) || type_is_fp8(type)) /* the greatest e4m3 are NaNs */
        return false;
    long double significand = ldexpl(frexpl(value, &exponent), digits);
    return exponent <= top && exponent >= bottom && significand == truncl(significand);
}

/* The float whose conversion this is; NULL: of none. */
static Node *float_of(Ir *ir, Node *e)
{
    if (e->kind == N_CAST && e->kid[0]->type == T_FLOAT)
        return e->kid[0];
    return e->kind == N_FLOAT && float_holds(T_FLOAT, e->u.f) ? mk_float(ir, T_FLOAT, e->u.f) : NULL;
}

/* (double)x < 0.25 is x < 0.25f: conversions that round nothing keep the order, and NaNs. */
static Node *compare_floats(Ir *ir, Node *n)
{
    Node *a = n->kid[0], *b = n->kid[1];
    if (a->type != T_DOUBLE || (a->kind != N_CAST && b->kind != N_CAST))
        return n;
    a = float_of(ir, a);
    b = float_of(ir, b);
    return a && b ? mk_binary(ir, (Kind)n->kind, a, b) : n;
}

/* A truth value beside a number: (a < b) != 0 is a < b; (a < b) == -1, of which compilers warn, never holds. */
static Node *compare_truth(Ir *ir, Node *n)
{
    const bool left = n->kid[0]->kind == N_INT;
    Node *a = n->kid[left], *number = n->kid[!left];
    const Type type = (Type)a->type;
    bool holds[2];
    if (number->kind != N_INT || !is_truth(a))
        return n;
    for (int i = 0; i < 2; i++)
        holds[i] = left ? compare((Kind)n->kind, type, number->u.i, i) : compare((Kind)n->kind, type, i, number->u.i);
    if (holds[0] == holds[1])
        return truth(ir, holds[0]);
    return holds[1] && kind_info[a->kind].flags & F_REL ? a : n;
}

static Node *fold_comparison(Ir *ir, Node *n)
{
    Node *a = n->kid[0], *b = n->kid[1];
    Type type = (Type)a->type;
    if (!type_is_integer(type)) /* NaN */
        return compare_floats(ir, n);
    if (a->kind == N_INT && b->kind == N_INT)
        return truth(ir, compare((Kind)n->kind, type, a->u.i, b->u.i));
    if (a == b)
        return truth(ir, n->kind == N_LE || n->kind == N_GE || n->kind == N_EQ);
    return compare_truth(ir, n);
}

/* float and double literals convert as the compiler would; half and bf16 only where nothing is rounded. */
static Node *literal_to_float(Ir *ir, Node *n, long double value)
{
    Type type = (Type)n->type;
    if (type == T_FLOAT)
        return mk_float(ir, type, (float)value);
    if (type == T_DOUBLE)
        return mk_float(ir, type, (double)value);
    return float_holds(type, value) ? mk_float(ir, type, value) : n;
}

static Node *fold_literal_cast(Ir *ir, Node *n)
{
    const Node *a = n->kid[0];
    Type type = (Type)n->type, from = (Type)a->type;
    if (a->kind == N_INT && type_is_integer(type))
        return mk_int(ir, type, wrap(type, (uint64_t)a->u.i));
    if (a->kind == N_INT)
        return literal_to_float(ir, n, type_is_signed(from) ? (long double)a->u.i : (long double)(uint64_t)a->u.i);
    if (type_is_float(type))
        return isfinite(a->u.f) ? literal_to_float(ir, n, a->u.f) : n;
    if (type == T_BOOL)
        return mk_int(ir, type, a->u.f != 0);
    /* Out of range is undefined: whatever the compiler does, let it. */
    if (!(a->u.f > -9e18L && a->u.f < 9e18L) || !in_range(type, (int64_t)a->u.f))
        return n;
    return mk_int(ir, type, (int64_t)a->u.f);
}

/* Does every value of `from` exist in `to`? */
static bool widens(Type from, Type to)
{
    if (type_is_integer(from) && type_is_integer(to) && to != T_BOOL) {
        bool low = type_is_signed(to) || !type_is_signed(from);
        return low && (type_bits(to) > type_bits(from) || (type_bits(to) == type_bits(from) && type_is_signed(to) == type_is_signed(from)));
    }
    if (!type_is_float(from) || !type_is_float(to) || from == T_E5M2) /* whose infinities become finite on the way back */
        return false;
    return from == to || (to >= T_FLOAT && from < to);
}

static Node *fold_cast(Ir *ir, Node *n)
{
    Node *a = n->kid[0];
    Type type = (Type)n->type;
    if (a->kind == N_INT || a->kind == N_FLOAT)
        return fold_literal_cast(ir, n);
    if (a->kind != N_CAST)
        return n;
    Node *x = a->kid[0];
    Type middle = (Type)a->type, from = (Type)x->type;
    if (from == type && widens(from, middle))
        return x;
    bool integers = type_is_integer(type) && type_is_integer(middle) && type_is_integer(from);
    /* What the middle type keeps, or what the last one drops anyway. */
    if (integers && type != T_BOOL && middle != T_BOOL && (widens(from, middle) || type_bits(middle) >= type_bits(type)))
        return fold(ir, mk_cast(ir, type, x));
    return n;
}

/* ---------------------------------------------------------------- statements */

static bool is_empty(const Node *n) { return n->kind == N_BLOCK && n->nkids == 0; }

static Node *fold_if(Ir *ir, Node *n)
{
    Node *cond = n->kid[0], *otherwise = n->nkids == 3 && !is_empty(n->kid[2]) ? n->kid[2] : NULL;
    if (cond->kind == N_INT)
        return cond->u.i ? n->kid[1] : otherwise;
    if (is_empty(n->kid[1]))
        return otherwise ? mk_if(ir, fold(ir, mk_unary(ir, N_LNOT, cond)), otherwise, NULL, n->loc) : NULL;
    return otherwise || n->nkids == 2 ? n : mk_if(ir, cond, n->kid[1], NULL, n->loc);
}

/* A loop that never runs, or does nothing, leaves its variable behind if that was not its own. */
static Node *fold_for(Ir *ir, Node *n)
{
    Bounds b;
    bool never = is_int(n->kid[1], 0);
    if (for_bounds(n, &b) && b.lo->kind == N_INT && b.hi->kind == N_INT && b.lo->type == b.hi->type)
        never = never || !compare(b.cmp, (Type)b.lo->type, b.lo->u.i, b.hi->u.i);
    if (never)
        return n->aux ? NULL : mk_assign(ir, n->sym, n->kid[0], N_NONE, n->loc);
    return n->aux && is_empty(n->kid[2]) && for_bounds(n, &b) ? NULL : n;
}

static bool declares(const Node *block)
{
    for (int i = 0; i < block->nkids; i++)
        if (block->kid[i]->kind == N_DECL)
            return true;
    return false;
}

/* A block among statements dissolves when that widens no declaration's scope. */
static Node *fold_block(Ir *ir, Node *n)
{
    bool nested = false;
    for (int i = 0; i < n->nkids; i++)
        nested = nested || (n->kid[i]->kind == N_BLOCK && (n->nkids == 1 || !declares(n->kid[i])));
    if (!nested)
        return n;
    Vec out = {0};
    for (int i = 0; i < n->nkids; i++) {
        Node *kid = n->kid[i];
        if (kid->kind != N_BLOCK || (n->nkids > 1 && declares(kid))) {
            vec_push(ir->arena, &out, kid);
            continue;
        }
        for (int j = 0; j < kid->nkids; j++)
            vec_push(ir->arena, &out, kid->kid[j]);
    }
    return mk_block(ir, out.count, (Node **)out.items, n->loc);
}

/* `x op= e` stays one only while its value is x op e. */
static Node *fold_write(Ir *ir, Node *n)
{
    Node *value = stmt_value(n), *operation = value->kind == N_CAST && value->kind != n->aux ? value->kid[0] : value;
    if (n->kind == N_ASSIGN && value->kind == N_VAR && value->sym == n->sym)
        return NULL;
    if (!n->aux || operation->kind == n->aux)
        return n;
    if (n->kind == N_ASSIGN)
        return mk_assign(ir, n->sym, value, N_NONE, n->loc);
    return mk_store(ir, n->sym, n->nkids - 1, n->kid, value, N_NONE, n->loc);
}

static Node *fold(Ir *ir, Node *n)
{
    switch ((Kind)n->kind) {
    case N_ADD:
    case N_SUB:
    case N_MUL:
    case N_DIV:
    case N_MOD:
    case N_SHL:
    case N_SHR:
    case N_AND:
    case N_OR:
    case N_XOR:
    case N_MIN:
    case N_MAX: return fold_arithmetic(ir, n);
    case N_NEG:
    case N_BNOT: return fold_negation(ir, n);
    case N_LT:
    case N_LE:
    case N_GT:
    case N_GE:
    case N_EQ:
    case N_NE: return fold_comparison(ir, n);
    case N_LNOT: return fold_not(ir, n);
    case N_LAND:
    case N_LOR: return fold_logic(ir, n);
    case N_SEL: return fold_select(n);
    case N_CAST: return fold_cast(ir, n);
    case N_IF: return fold_if(ir, n);
    case N_FOR: return fold_for(ir, n);
    case N_BLOCK: return fold_block(ir, n);
    case N_ASSIGN:
    case N_STORE: return fold_write(ir, n);
    default: return n;
    }
}

static Node *fold_post(void *user, Node *n) { return fold(user, n); }

Node *simplify(Ir *ir, Node *n)
{
    Node *result = rewrite(&(Rewriter){.ir = ir, .post = fold_post, .user = ir}, n);
    return result ? result : mk_block(ir, 0, NULL, n->loc);
}
