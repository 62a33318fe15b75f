/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packed codes: what the loads' offsets do along k, and what each byte stands for, found by trying all of them. */
#include "plan/contract/device_codes.h"

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/contract/gather.h"
#include "plan/contract/quantized.h"

/* Bytes that are loaded together; of what a buffer of kernels holds whole numbers of high and low halves. */
enum { CHUNK = 16, MOST_HALF = 128 };

/* ---------------------------------------------------------------- offsets */

static Gather *place_of(const Mapping *m, Node *load)
{
    Gather *g = find_gather(m, &(Operand){.value = load});
    return g && g->nconditions == 0 ? g : NULL;
}

static bool same(Ir *ir, Node *a, Node *b)
{
    int64_t difference;
    return poly_const(poly_sub(ir, poly_of(ir, a), poly_of(ir, b)), &difference) && difference == 0;
}

/* Goes through the loops of a role from the innermost one outwards: does each of those that move the offset go on where the one before has
 * ended, the first by `next`, NULL: by anything? Loops that do not move it stand before all that do, or are loop `skipped`. Sets *steps to
 * how many steps share an offset. */
static bool goes_on(const Mapping *m, const Gather *g, Role role, Node *next, int skipped, int64_t *steps)
{
    Ir *ir = m->ir;
    const Contraction *c = m->c;
    bool moved = false;
    *steps = 1;
    for (int i = c->ndims - 1; i >= 0; i--) {
        int64_t extent;
        if (c->dims[i].role != role || i == skipped)
            continue;
        if (is_int(g->move[i], 0)) {
            if (moved || !poly_const(poly_of(ir, c->dims[i].extent), &extent))
                return false;
            *steps *= extent;
            continue;
        }
        if (next && !same(ir, g->move[i], next))
            return false;
        next = ix_mul(ir, g->move[i], c->dims[i].extent);
        moved = true;
    }
    return true;
}

/* The variable of the only loop of k; NULL: there are several. */
static Sym *only_step(const Contraction *c)
{
    Sym *var = NULL;
    int count = 0;
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].role == R_K) {
            var = is_int(c->dims[i].lo, 0) && c->dims[i].step == 1 ? c->dims[i].var : NULL;
            count++;
        }
    return count == 1 ? var : NULL;
}

/* Quotients of a variable by the same constant; what stands for them. */
typedef struct Quotient {
    const Sym *var;
    int64_t by; /* 0: not yet known */
    Node *in_place; /* NULL: the variable */
} Quotient;

static Node *put_quotient(void *user, Node *n)
{
    Quotient *q = user;
    if (n->kind != N_DIV || !is_converted_var(n->kid[0], q->var) || n->kid[1]->kind != N_INT || n->kid[1]->u.i < 2)
        return NULL;
    q->by = q->by ? q->by : n->kid[1]->u.i;
    return n->kid[1]->u.i != q->by ? NULL : q->in_place ? q->in_place : n->kid[0];
}

/* The place of a load whose offset depends on k / *by alone, and moves by one with it; NULL: it does not. */
static Gather *place_by(const Mapping *m, Node *load, int64_t *by)
{
    Ir *ir = m->ir;
    Quotient q = {only_step(m->c), 0, NULL};
    if (!q.var)
        return NULL;
    Node *moved = rewrite(&(Rewriter){.ir = ir, .pre = put_quotient, .user = &q}, load);
    Quotient none = {q.var, q.by, ix_int(ir, 0)};
    Gather *g = q.by && !uses_sym(rewrite(&(Rewriter){.ir = ir, .pre = put_quotient, .user = &none}, load), q.var) ? place_of(m, moved)
                                                                                                                   : NULL;
    *by = q.by;
    for (int i = 0; g && i < m->c->ndims; i++)
        if (m->c->dims[i].role == R_K && !is_int(g->move[i], 1))
            return NULL;
    return g;
}

/* ---------------------------------------------------------------- bytes */

/* The only load of an expression; NULL: there are none, or several. */
typedef struct Loads {
    Node *load;
    int count;
} Loads;

static bool find_load(void *user, Node *n)
{
    Loads *l = user;
    if (n->kind == N_LOAD) {
        l->count += !l->load || l->load != n;
        l->load = n;
        return false;
    }
    return true;
}

static Node *only_load(Node *e)
{
    Loads l = {NULL, 0};
    walk(&(Walker){.pre = find_load, .user = &l}, e);
    return l.count == 1 ? l.load : NULL;
}

/* The value of an expression of integer constants; false: it is none, or not that of the type. */
static bool evaluate(const Node *e, int64_t *out)
{
    const Type type = (Type)e->type;
    int64_t x = 0, y = 0;
    if (!type_is_integer(type) || type_bits(type) > 32 || e->nkids > 2 || (e->nkids > 0 && !evaluate(e->kid[0], &x)) ||
        (e->nkids > 1 && !evaluate(e->kid[1], &y)))
        return false;
    switch (e->kind) {
    case N_INT: *out = e->u.i; break;
    case N_CAST: *out = x; break;
    case N_ADD: *out = x + y; break;
    case N_SUB: *out = x - y; break;
    case N_MUL: *out = x * y; break;
    case N_AND: *out = x & y; break;
    case N_SHR:
        if (x < 0 || y < 0 || y > 31)
            return false;
        *out = x >> y;
        break;
    case N_MOD:
        if (x < 0 || y < 1)
            return false;
        *out = x % y;
        break;
    default: return false;
    }
    const int bits = type_bits(type) - type_is_signed(type);
    return *out < (int64_t)1 << bits && *out >= (type_is_signed(type) ? -((int64_t)1 << bits) : 0);
}

typedef struct Trial {
    const Node *load;
    Node *value;
} Trial;

static Node *put_value(void *user, Node *n)
{
    const Trial *t = user;
    return n == t->load ? t->value : NULL;
}

/* A code of a byte: `digit` is the variable that chooses one of two; `pairs`: by its parity. Both NULL: there is but one. */
typedef struct Choice {
    Node *code;
    const Node *load;
    Sym *digit;
    bool pairs;
} Choice;

/* The code that a byte has for one value of the digit; false: it is no constant. */
static bool code_of(Ir *ir, const Choice *x, int byte, int digit, int64_t *out)
{
    Trial t = {x->load, mk_int(ir, (Type)x->load->type, byte)};
    Node *e = rewrite(&(Rewriter){.ir = ir, .pre = put_value, .user = &t}, x->code);
    if (x->digit) /* of pairs, any step of this parity: the load is gone */
        e = substitute(ir, e, x->digit, mk_int(ir, x->digit->type, x->pairs ? 2 + digit : digit));
    return evaluate(e, out);
}

/* Are codes what all bytes have in so many bits, plus the same number each? */
static bool is_as_packed(Ir *ir, const Choice *x, DeviceCodes *d)
{
    int64_t least, value;
    const int first = d->is_signed ? -128 : 0;
    if (!code_of(ir, x, 0, 0, &least) || least < -(1 << 20) || least > 1 << 20)
        return false;
    for (int digit = 0; digit < 8 / d->bits; digit++)
        for (int byte = first; byte < first + 256; byte++) {
            const int bits = d->bits == 8 ? byte : (byte >> 4 * digit) & 15;
            if (!code_of(ir, x, byte, digit, &value) || value != least + bits)
                return false;
        }
    d->least = (int)least;
    return true;
}

/* The loop of k that does not move the bytes: of two iterations, whose steps are the halves of a byte. -1: there is none. */
static int find_digit(const Mapping *m, const Gather *bytes)
{
    const Contraction *c = m->c;
    int found = -1;
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].role == R_K && is_int(bytes->move[i], 0) && is_int(c->dims[i].extent, 2) && is_int(c->dims[i].lo, 0) &&
            c->dims[i].step == 1)
            found = i;
    return found;
}

/* Bytes that are neighbours along columns, and of which steps are the same way apart. */
static bool lie_across(const Mapping *m, const Gather *bytes)
{
    int64_t shared[2];
    return goes_on(m, bytes, R_N, ix_int(m->ir, 1), -1, &shared[0]) && goes_on(m, bytes, R_K, NULL, -1, &shared[1]) && shared[0] == 1 &&
           shared[1] == 1;
}

/* How far the high halves' steps are behind the low ones': the loops inside the digit's. 0: not known, or no whole chunks. */
static int half_of(const Mapping *m, int digit)
{
    const Contraction *c = m->c;
    int64_t inside = 1, extent;
    for (int i = digit + 1; i < c->ndims; i++) {
        if (c->dims[i].role != R_K)
            continue;
        if (!poly_const(poly_of(m->ir, c->dims[i].extent), &extent) || extent < 1 || inside * extent > 1 << 16)
            return 0;
        inside *= extent;
    }
    return inside == 1 || (inside % CHUNK == 0 && MOST_HALF % inside == 0) ? (int)inside : 0;
}

/* ---------------------------------------------------------------- scales */

/* A load of float or half, as a float. */
static Node *scale_load(Node *e)
{
    Node *load = e->kind == N_CAST && e->type == T_FLOAT ? e->kid[0] : e;
    return load->kind == N_LOAD && (load->type == T_FLOAT || load->type == T_HALF) ? load : NULL;
}

/* Steps of a chunk lie in one group. */
static bool take_scales(const Mapping *m, Node *scale, DeviceCodes *d)
{
    if (!scale)
        return true;
    Node *load = scale_load(scale);
    const int64_t unit = d->bits == 8 ? CHUNK : d->half == 1 ? 2 * CHUNK : 2 * d->half;
    bool moves = false;
    if (!load)
        return false;
    d->scales = place_by(m, load, &d->group);
    if (d->scales)
        return d->group % unit == 0;
    d->group = 0;
    d->scales = place_of(m, load);
    if (!d->scales)
        return false;
    for (int i = 0; i < m->c->ndims; i++)
        moves = moves || (m->c->dims[i].role == R_K && !is_int(d->scales->move[i], 0));
    if (!moves)
        return true;
    return goes_on(m, d->scales, R_K, ix_int(m->ir, 1), -1, &d->group) && d->group % unit == 0;
}

const DeviceCodes *find_device_codes(const Mapping *m)
{
    Ir *ir = m->ir;
    const Contraction *c = m->c;
    const Quantized *q = c->a.gather ? NULL : take_quantized(ir, c);
    Node *load = q && q->bits <= 8 && q->kind == CODE_PLAIN ? only_load(q->code) : NULL;
    if (!load || (load->type != T_UCHAR && load->type != T_SCHAR))
        return NULL;
    DeviceCodes *d = arena_new_array(ir->arena, DeviceCodes, 1);
    Choice x = {.code = q->code, .load = load};
    int64_t shared;
    d->bits = 8;
    d->is_signed = load->type == T_SCHAR;
    d->bytes = place_by(m, load, &shared);
    if (d->bytes && shared == 2) {
        x.digit = only_step(c);
        x.pairs = true;
        d->bits = 4;
        d->half = 1;
    } else {
        d->bytes = place_of(m, load);
        const int digit = d->bytes ? find_digit(m, d->bytes) : -1;
        if (digit >= 0) {
            x.digit = c->dims[digit].var;
            d->bits = 4;
            d->half = half_of(m, digit);
        }
        if (!d->bytes || (digit >= 0 && d->half == 0))
            return NULL;
        d->across = digit < 0 && lie_across(m, d->bytes);
        if (!d->across && (!goes_on(m, d->bytes, R_K, ix_int(ir, 1), digit, &shared) || shared != 1))
            return NULL;
    }
    if (d->across && q->shared[SHARED_SCALE])
        return NULL;
    return is_as_packed(ir, &x, d) && take_scales(m, q->shared[SHARED_SCALE], d) ? d : NULL;
}
