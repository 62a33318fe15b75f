/* SPDX-License-Identifier: GPL-3.0-or-later */
/* B taken apart: one conversion of an integer, whose range narrow.h knows, or of a half, or bf16, and what is the same for groups. */
#include "plan/contract/quantized.h"

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/contract/narrow.h"

/* Steps of which packed codes come together; a group of steps is made of such. */
enum { UNIT = 8 };

/* ---------------------------------------------------------------- groups */

static int64_t common_divisor(int64_t a, int64_t b) { return b ? common_divisor(b, a % b) : a; }

/* Uses of a loop's variable: all of them in quotients? Of what the divisors are multiples. */
typedef struct Quotients {
    const Sym *var;
    int64_t by;
    bool plain;
} Quotients;

static bool find_quotients(void *user, Node *n)
{
    Quotients *q = user;
    if (n->kind == N_DIV && is_converted_var(n->kid[0], q->var) && n->kid[1]->kind == N_INT && n->kid[1]->u.i > 1) {
        q->by = common_divisor(q->by, n->kid[1]->u.i);
        return false;
    }
    q->plain = q->plain || (n->kind == N_VAR && n->sym == q->var);
    return true;
}

/* How many of the loop's iterations, from the first on, share a value: 1; more; 0: all of them. */
static int64_t shared_by(Node *value, const LoopDim *dim)
{
    Quotients q = {dim->var, 0, false};
    if (!uses_sym(value, dim->var))
        return 0;
    walk(&(Walker){.pre = find_quotients, .user = &q}, value);
    return q.plain || dim->step != 1 || !is_int(dim->lo, 0) ? 1 : q.by;
}

/* Sets *steps to how many share a value, 0: all; from the innermost loop outwards. False: too few, or no whole number of units. */
static bool find_group(Ir *ir, const Contraction *c, Node *value, int64_t *steps)
{
    int64_t group = 1;
    *steps = 0;
    for (int i = c->ndims - 1; i >= 0; i--) {
        const LoopDim *dim = &c->dims[i];
        int64_t extent;
        if (dim->role != R_K)
            continue;
        const int64_t shared = shared_by(value, dim);
        const bool known = poly_const(poly_of(ir, dim->extent), &extent) && extent > 0;
        const bool is_outermost = i == 0 || c->dims[i - 1].role != R_K;
        if (shared == 0 && known) {
            group *= extent;
            continue;
        }
        if (shared == 0) {
            /* Of unknown length: all there is, if nothing around it has scales of its own. */
            for (int outer = i - 1; outer >= 0 && c->dims[outer].role == R_K; outer--)
                if (uses_sym(value, c->dims[outer].var))
                    return false;
            return true;
        }
        group *= shared;
        *steps = group;
        return group % UNIT == 0 && (shared == 1 || is_outermost || (known && extent % shared == 0));
    }
    return true;
}

/* ---------------------------------------------------------------- codes and what they share */

/* What has been found so far, from the code outwards. */
typedef struct Apart {
    Ir *ir;
    const Contraction *c;
    Quantized *q;
    int zeros, scales; /* of how many numbers they are made */
    bool whole;        /* zero points are integers */
} Apart;

static bool is_shared(const Apart *a, Node *e)
{
    int64_t group;
    return find_group(a->ir, a->c, e, &group);
}

/* Does it read arrays of which groups do not share the elements? */
static bool has_code(const Apart *a, Node *e) { return reads_array(e, NULL) && !is_shared(a, e); }

/* What is done before an offset is added is a scale, what is done after it a factor. */
static void scale_by(Apart *a, Node *by)
{
    Node **scale = &a->q->shared[a->q->shared[SHARED_OFFSET] ? SHARED_FACTOR : SHARED_SCALE];
    *scale = *scale ? mk_binary(a->ir, N_MUL, *scale, by) : by;
    a->scales++;
}

static Node *with_sign(const Apart *a, Kind kind, Node *by) { return kind == N_ADD ? by : mk_unary(a->ir, N_NEG, by); }

/* Adds (N_ADD) a number to zero points, or subtracts (N_SUB) it. */
static void move_zero(Apart *a, Kind kind, Node *by, bool whole)
{
    Node **zero = &a->q->shared[SHARED_ZERO];
    *zero = *zero ? mk_binary(a->ir, kind, *zero, by) : with_sign(a, kind, by);
    a->whole = whole && (a->zeros == 0 || a->whole);
    a->zeros++;
}

static Kind opposite(Kind kind) { return kind == N_ADD ? N_SUB : N_ADD; }

/* Is the integer exact as a float, as are sums with several such ones, beside 2^23, too? */
static bool is_exact(const Node *e) { return type_bits((Type)e->type) <= 32 && fits_between(e, -(1 << 20), 1 << 20); }

/* Is it such a one, converted? */
static bool is_whole(const Node *e) { return e->kind == N_CAST && type_is_integer(e->kid[0]->type) && is_exact(e->kid[0]); }

/* What is left of an integer when those that groups share, which it is the sum of with others, have become zero points. */
static Node *take_integer(Apart *a, Node *e)
{
    if ((e->kind != N_ADD && e->kind != N_SUB) || !is_exact(e->kid[0]) || !is_exact(e->kid[1]))
        return e;
    if (reads_array(e->kid[1], NULL) && is_shared(a, e->kid[1])) {
        move_zero(a, opposite((Kind)e->kind), mk_cast(a->ir, T_FLOAT, e->kid[1]), true);
        return take_integer(a, e->kid[0]);
    }
    Node *code = e->kid[1]->kind == N_INT ? take_integer(a, e->kid[0]) : e->kid[0];
    return code == e->kid[0] ? e : mk_binary(a->ir, (Kind)e->kind, code, e->kid[1]);
}

/* Of floats. Numbers that are added one after the other are one only where their sum is exact. */
static bool add(Apart *a, Kind kind, Node *by)
{
    enum { most = 4 };
    Node **shared = a->q->shared;
    const bool whole = is_whole(by);
    if (!shared[SHARED_SCALE] && !shared[SHARED_OFFSET] && (a->zeros == 0 || (whole && a->whole && a->zeros < most))) {
        move_zero(a, opposite(kind), by, whole);
        return true;
    }
    if (shared[SHARED_OFFSET] || a->scales > 1)
        return false;
    shared[SHARED_OFFSET] = with_sign(a, kind, by);
    return true;
}

static bool is_16_bits(const Node *e) { return e->kind == N_LOAD && (e->type == T_HALF || e->type == T_BF16); }

/* From the code outwards; false: there are several of them, or something else is done to it. */
static bool take_apart(Apart *a, Node *e)
{
    if (e->kind == N_MUL || e->kind == N_ADD || e->kind == N_SUB) {
        const int at = has_code(a, e->kid[1]);
        Node *other = e->kid[!at];
        if (has_code(a, other) || (at && e->kind == N_SUB) || !take_apart(a, e->kid[at]))
            return false;
        if (e->kind != N_MUL)
            return add(a, (Kind)e->kind, other);
        scale_by(a, other);
        return true;
    }
    if (e->kind != N_CAST || !(type_is_integer(e->kid[0]->type) || is_16_bits(e->kid[0])))
        return false;
    a->q->code = is_16_bits(e->kid[0]) ? e->kid[0] : take_integer(a, e->kid[0]);
    return true;
}

/* How its codes are packed; false: they have too many values, or are as large as what kernels want and need it for few rows. */
static bool choose_bits(const Contraction *c, Quantized *q)
{
    q->bits = 16;
    if (is_16_bits(q->code))
        return c->a.in_place;
    if (type_bits((Type)q->code->type) > 32)
        return false;
    for (q->bits = 4; q->bits <= 6; q->bits++)
        for (q->least = -128; q->least <= 0; q->least++)
            if (fits_between(q->code, q->least, q->least + (1 << q->bits) - 1))
                return true;
    q->bits = 8;
    q->least = fits_between(q->code, -128, 127) ? -128 : 0;
    return q->least < 0 || fits_between(q->code, 0, 255);
}

/* Steps that share all there is to share. */
static bool choose_group(const Apart *a)
{
    int64_t group;
    a->q->group = 0;
    for (int i = 0; i < SHARED_COUNT; i++)
        if (a->q->shared[i]) {
            if (!find_group(a->ir, a->c, a->q->shared[i], &group))
                return false;
            a->q->group = common_divisor(a->q->group, group);
        }
    return a->q->group % UNIT == 0;
}

static bool is_half(const Node *e) { return e && e->kind == N_CAST && e->kid[0]->kind == N_LOAD && e->kid[0]->type == T_HALF; }

static bool is_changing(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD && !n->sym->is_constant && !n->sym->table;
}

/* How what codes share is packed. */
static void choose_bytes(const Apart *a)
{
    Quantized *q = a->q;
    for (int i = 0; i < SHARED_COUNT; i++)
        q->bytes[i] = !q->shared[i] ? 0 : is_half(q->shared[i]) ? 2 : 4;
    const Node *zero = q->shared[SHARED_ZERO];
    if (!zero || !is_whole(zero))
        return;
    q->least_zero = fits_between(zero->kid[0], 0, 255) ? 0 : -128;
    if (q->least_zero == 0 || fits_between(zero->kid[0], -128, 127))
        q->bytes[SHARED_ZERO] = 1;
}

/* The bits are known. */
static CodeKind kind_of(const Apart *a)
{
    const Quantized *q = a->q;
    if (q->shared[SHARED_OFFSET])
        return q->shared[SHARED_ZERO] || (q->bits < 8 && q->least != 0) ? CODE_ZEROS_OFFSETS : CODE_OFFSETS;
    if (!q->shared[SHARED_ZERO])
        return CODE_PLAIN;
    return a->whole && !is_16_bits(q->code) ? CODE_WHOLE_ZEROS : CODE_ZEROS;
}

const Quantized *take_quantized(Ir *ir, const Contraction *c)
{
    Quantized *q = arena_new_array(ir->arena, Quantized, 1);
    Apart a = {.ir = ir, .c = c, .q = q};
    if (c->family != FAM_F32 || c->dots != FAM_COUNT || !has_code(&a, c->b.value) || !take_apart(&a, c->b.value))
        return NULL;
    if (!choose_bits(c, q) || !choose_group(&a))
        return NULL;
    choose_bytes(&a);
    q->kind = kind_of(&a);
    return q;
}

const Quantized *find_quantized(Ir *ir, const Contraction *c)
{
    return any_node(c->b.value, is_changing, NULL) ? NULL : take_quantized(ir, c);
}
