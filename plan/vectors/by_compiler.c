/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compilers unroll loops of a few iterations whole, vectorize the loop around them, shuffle elements that are a few apart, and keep narrow
 * integers in narrow lanes. They do not reorder floating-point sums, and have no vectors for most functions. */
#include "plan/vectors/by_compiler.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "depend/reduce.h"
#include "ir/libm.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/vector_loop.h"

enum {
    UNROLLED = 8,    /* iterations of a loop that compilers unroll whole */
    FEW_APART = 64,  /* elements so far apart are shuffled */
    MAINLY = 4       /* one access of so many that are, is enough */
};

/* ---------------------------------------------------------------- what the generator's vectors are like */

typedef struct StrideSearch {
    Ir *ir;
    Node *loop;
    Map computed; /* by symbol id: scalars that the body declares or assigns, but names of places */
    int accesses, strided, apart;
    bool looks_up;
} StrideSearch;

static bool note_computed(void *user, Node *n)
{
    StrideSearch *s = user;
    const bool place = n->kind == N_DECL && n->sym->is_const && n->sym->type == T_INDEX;
    if ((n->kind == N_DECL || n->kind == N_ASSIGN) && !place)
        *map_at(s->ir->arena, &s->computed, n->sym->id) = n;
    return !is_expr(n);
}

static bool search_computed(void *user, Node *n)
{
    StrideSearch *s = user;
    s->looks_up = s->looks_up || n->kind == N_LOAD || (n->kind == N_VAR && map_get(&s->computed, n->sym->id));
    return !s->looks_up;
}

/* Is the subscript computed from elements, or by the iteration? */
static bool looks_up(StrideSearch *s, Node *subscript)
{
    s->looks_up = false;
    walk(&(Walker){.pre = search_computed, .user = s}, subscript);
    return s->looks_up;
}

static bool search_stride(void *user, Node *n)
{
    StrideSearch *s = user;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return true;
    Poly *coef, *rest;
    int64_t stride = 0;
    Sym *var = s->loop->sym;
    const bool affine = poly_affine(s->ir, poly_of(s->ir, n->kid[0]), &var, 1, &coef, &rest), known = affine && poly_const(coef, &stride);
    const bool near = !looks_up(s, n->kid[0]) && (!affine || (known && stride <= FEW_APART && stride >= -FEW_APART));
    s->accesses += !affine || stride != 0;
    s->apart += !near;
    s->strided += near && (stride > 1 || stride < -1) && !is_interleaved(s->ir, s->loop, n);
    return true;
}

static StrideSearch strides_of(Ir *ir, Node *loop, const Map *names)
{
    StrideSearch s = {.ir = ir, .loop = expand_names(ir, names, loop)};
    walk(&(Walker){.pre = note_computed, .user = &s}, s.loop->kid[2]);
    walk(&(Walker){.pre = search_stride, .user = &s}, s.loop->kid[2]);
    return s;
}

void note_vectorized(Ir *ir, VectorizedLoops *loops, Node *loop, int lanes, const Map *names)
{
    const Node *count = trip_count(ir, loop);
    const StrideSearch s = strides_of(ir, loop, names);
    const bool tiny = count && count->kind == N_INT && count->u.i <= lanes;
    loops->all++;
    loops->tiny += tiny;
    loops->strided += !tiny && s.strided * MAINLY >= s.accesses && s.strided;
    loops->apart += s.apart > 0;
}

void note_refused(Ir *ir, VectorizedLoops *loops, Node *loop, bool apart, const Map *names)
{
    const StrideSearch s = strides_of(ir, loop, names);
    loops->refused += !s.apart && (!apart || s.strided);
}

/* ---------------------------------------------------------------- what compilers can do */

typedef struct Suiting {
    Ir *ir;
    bool strict, fits;
    bool rounds; /* by instructions */
    bool loads_narrow, stores_narrow, has_floats, divides;
} Suiting;

static bool is_constant_short(Ir *ir, Node *loop)
{
    const Node *count = trip_count(ir, loop);
    return count && count->kind == N_INT && count->u.i <= UNROLLED;
}

typedef struct LongSearch {
    Ir *ir;
    bool found;
} LongSearch;

static bool search_long(void *user, Node *n)
{
    LongSearch *l = user;
    l->found = l->found || (n->kind == N_FOR && !is_constant_short(l->ir, n));
    return !l->found && !is_expr(n);
}

static bool has_long_loop(Ir *ir, Node *body)
{
    LongSearch l = {ir, false};
    walk(&(Walker){.pre = search_long, .user = &l}, body);
    return l.found;
}

/* A loop that is unrolled, or has loops inside, or iterations that neither have an order nor sum anything up. */
static bool loop_fits(const Suiting *s, Node *loop)
{
    Vec found = {0};
    const char *why;
    return is_constant_short(s->ir, loop) || has_long_loop(s->ir, loop->kid[2]) ||
           (loop->aux & FOR_PARALLEL && find_reductions(s->ir, loop, s->strict, &found, &why) && found.count == 0);
}

static bool is_narrow_integer(Type type) { return type_is_integer(type) && type_bits(type) < 32 && type != T_BOOL; }

static bool search_unsuited(void *user, Node *n)
{
    static const char *const everywhere[] = {"sqrt", "fabs", NULL};
    static const char *const rounding[] = {"rint", "floor", "ceil", "trunc", NULL};
    Suiting *s = user;
    const Type type = n->kind == N_STORE || n->kind == N_LOAD ? n->sym->type : is_expr(n) ? (Type)n->type : T_VOID;
    s->fits = s->fits && !(n->kind == N_CALL && !is_libm_among(n->sym, everywhere) && !(s->rounds && is_libm_among(n->sym, rounding))) &&
              !(type == T_HALF || type == T_BF16 || type_is_fp8(type) || type == T_LDOUBLE);
    if (n->kind == N_FOR)
        s->fits = s->fits && loop_fits(s, n);
    s->loads_narrow = s->loads_narrow || (n->kind == N_LOAD && is_narrow_integer(n->sym->type));
    s->stores_narrow = s->stores_narrow || (n->kind == N_STORE && is_narrow_integer(n->sym->type));
    s->has_floats = s->has_floats || type_is_float(type);
    s->divides = s->divides || ((n->kind == N_DIV || n->kind == N_MOD) && type_is_integer((Type)n->type));
    if (n->kind == N_STORE)
        walk(&(Walker){.pre = search_unsuited, .user = s}, stmt_value(n));
    const bool place = n->kind == N_DECL && n->sym->type == T_INDEX;
    return s->fits && n->kind != N_STORE && n->kind != N_LOAD && !place; /* subscripts are no affair of lanes */
}

const char *compiler_is_better(Ir *ir, Node *body, const VectorizedLoops *loops, VectorSetId set, bool strict)
{
    Suiting s = {.ir = ir, .strict = strict, .rounds = set != SET_PORTABLE, .fits = true};
    walk(&(Walker){.pre = search_unsuited, .user = &s}, body);
    if (!s.fits || (s.divides && !loops->tiny && !loops->strided)) /* by what vectors of the generator can, too */
        return NULL;
    if (loops->all == 0)
        return loops->refused ? "the generator has no vectors for them" : NULL;
    if (loops->tiny == loops->all)
        return "they have fewer iterations than vectors have lanes";
    if (loops->tiny + loops->strided == loops->all)
        return "their elements are a few apart";
    if (s.loads_narrow && s.stores_narrow && !s.has_floats && !loops->apart)
        return "their integers fit narrow lanes";
    return NULL;
}
