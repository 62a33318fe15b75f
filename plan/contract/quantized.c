/* The factors of B: one conversion of an integer, whose range narrow.h knows, and the rest. */
#include "plan/contract/quantized.h"

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/contract/narrow.h"

/* Steps of which packed codes come together; a group of steps is made of such. */
enum { UNIT = 8 };

/* ---------------------------------------------------------------- factors */

typedef struct Arrays {
    Sym *one; /* the array that is read */
    int count;
} Arrays;

static bool note_array(void *user, Node *n)
{
    Arrays *a = user;
    if (n->kind == N_LOAD && n->sym != a->one) {
        a->one = n->sym;
        a->count++;
    }
    return true;
}

static Arrays arrays_of(Node *e)
{
    Arrays a = {NULL, 0};
    walk(&(Walker){.pre = note_array, .user = &a}, e);
    return a;
}

static bool is_code(const Node *e) { return e->kind == N_CAST && type_is_integer(e->kid[0]->type) && reads_array(e->kid[0], NULL); }

/* The product of all factors but the code, which goes to *code; false: there are several codes. */
static bool take_factors(Ir *ir, Node *e, Node **code, Node **rest)
{
    if (e->kind == N_MUL)
        return take_factors(ir, e->kid[0], code, rest) && take_factors(ir, e->kid[1], code, rest);
    if (is_code(e)) {
        const bool first = !*code;
        *code = e->kid[0];
        return first;
    }
    *rest = *rest ? mk_binary(ir, N_MUL, *rest, e) : e;
    return true;
}

/* How its codes are packed; false: they have too many values. */
static bool choose_bits(Quantized *q)
{
    int64_t least = -128;
    for (; least < 0 && !fits_between(q->code, least, least + 15); least++)
        ;
    q->bits = fits_between(q->code, least, least + 15) ? 4 : 8;
    q->least = q->bits == 4 ? least : fits_between(q->code, -128, 127) ? -128 : 0;
    return q->bits == 4 || q->least < 0 || fits_between(q->code, 0, 255);
}

/* ---------------------------------------------------------------- groups */

/* Uses of a loop's variable: all of them in quotients by the same number? */
typedef struct Quotients {
    const Sym *var;
    int64_t by;
    bool plain;
} Quotients;

static bool find_quotients(void *user, Node *n)
{
    Quotients *q = user;
    if (n->kind == N_DIV && is_converted_var(n->kid[0], q->var) && n->kid[1]->kind == N_INT && n->kid[1]->u.i > 1) {
        q->plain = q->plain || (q->by && q->by != n->kid[1]->u.i);
        q->by = n->kid[1]->u.i;
        return false;
    }
    q->plain = q->plain || (n->kind == N_VAR && n->sym == q->var);
    return true;
}

/* How many of the loop's iterations, from the first on, share a scale: 1; more; 0: all of them. */
static int64_t shared_by(Node *scale, const LoopDim *dim)
{
    Quotients q = {dim->var, 0, false};
    if (!uses_sym(scale, dim->var))
        return 0;
    walk(&(Walker){.pre = find_quotients, .user = &q}, scale);
    return q.plain || dim->step != 1 || !is_int(dim->lo, 0) ? 1 : q.by;
}

/* Sets q->group: from the innermost loop outwards. False: groups are too small, or no whole number of units. */
static bool find_group(Ir *ir, const Contraction *c, Quantized *q)
{
    int64_t group = 1;
    q->group = 0;
    for (int i = c->ndims - 1; i >= 0 && q->scale; i--) {
        const LoopDim *dim = &c->dims[i];
        int64_t extent;
        if (dim->role != R_K)
            continue;
        const int64_t shared = shared_by(q->scale, dim);
        const bool known = poly_const(poly_of(ir, dim->extent), &extent) && extent > 0;
        const bool is_outermost = i == 0 || c->dims[i - 1].role != R_K;
        if (shared == 0 && known) {
            group *= extent;
            continue;
        }
        if (shared == 0) {
            /* Of unknown length: all there is, if nothing around it has scales of its own. */
            for (int outer = i - 1; outer >= 0 && c->dims[outer].role == R_K; outer--)
                if (uses_sym(q->scale, c->dims[outer].var))
                    return false;
            return true;
        }
        group *= shared;
        q->group = group;
        return group % UNIT == 0 && (shared == 1 || is_outermost || (known && extent % shared == 0));
    }
    return true;
}

/* ---------------------------------------------------------------- */

static bool is_half(const Node *scale) { return scale->kind == N_CAST && scale->kid[0]->kind == N_LOAD && scale->kid[0]->type == T_HALF; }

const Quantized *find_quantized(Ir *ir, const Contraction *c)
{
    Quantized *q = arena_new_array(ir->arena, Quantized, 1);
    if (c->family != FAM_F32 || c->dots != FAM_COUNT || !take_factors(ir, c->b.value, &q->code, &q->scale) || !q->code ||
        type_bits((Type)q->code->type) > 32)
        return NULL;
    const Arrays codes = arrays_of(q->code), scales = q->scale ? arrays_of(q->scale) : (Arrays){NULL, 0};
    q->codes = codes.one;
    q->scales = scales.one;
    if (codes.count != 1 || scales.count > 1 || q->codes == q->scales || !q->codes->is_constant || (q->scales && !q->scales->is_constant))
        return NULL;
    q->halves = q->scale && is_half(q->scale);
    return (q->scales || !q->scale) && choose_bits(q) && find_group(ir, c, q) ? q : NULL;
}
