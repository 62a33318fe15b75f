/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window's interior and its borders in one loop: of each few vectors it is known whether guards hold for all lanes. */
#include "depend/index.h"
#include "depend/reduce.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"
#include "plan/vectors/vector_state.h"

/* Independent iterations that go up by one. */
static bool begin(VectorState *s, Node *loop, Bounds *b)
{
    Vec reductions = {0};
    const char *why;
    if (!for_bounds(loop, b) || b->step != 1 || b->cmp != N_LT || type_bits(b->var->type) < 32)
        return false;
    if (!find_reductions(s->ir, loop, s->in->strict, &reductions, &why) || reductions.count)
        return false;
    s->here.depth = 1; /* neither of them may run */
    s->loop = vector_facts(s->ir, loop, &reductions);
    return true;
}

/* The border's, before the interior's, before the border's behind it. */
static bool follow_one_another(const Bounds *before, const Bounds *inner, const Bounds *behind)
{
    return before->hi == inner->lo && inner->hi == behind->lo;
}

static Node *guarded_body(VectorState *s, Node *loop, Node *at, Node *end)
{
    Ir *ir = s->ir;
    Node *count[MOST_COPIES];
    Vec all = {0};
    vector_count_lanes(s, at, end, s->in->rest, count, &all);
    Node *body = vector_body(s, loop, s->in->rest, at, ix_int(ir, s->shape.lanes), count);
    if (!body)
        return NULL;
    vec_push(ir->arena, &all, body);
    return mk_block(ir, all.count, (Node **)all.items, loop->loc);
}

/* Of as many vectors as there may be in the interior at a time; fewer of them are done together. */
static Node *guarded_vectors(VectorState *s, Node *loop, Node *at, Node *end, int64_t span)
{
    Ir *ir = s->ir;
    if (s->in->rest == s->in->copies)
        return guarded_body(s, loop, at, end);
    Vec out = {0};
    Sym *each = sym_new(ir, S_LOOP, T_INDEX, loop->sym->name, loop->loc);
    Node *stop = name_index(ir, &out, "stop", ix_min(ir, end, ix_add(ir, at, ix_int(ir, span))));
    Node *body = guarded_body(s, loop, mk_var(ir, each), stop);
    if (!body)
        return NULL;
    vec_push(ir->arena, &out, vector_index_loop(ir, each, at, stop, (int64_t)s->in->rest * s->shape.lanes, body, loop->loc));
    return mk_block(ir, out.count, (Node **)out.items, loop->loc);
}

/* ---------------------------------------------------------------- every second element */

typedef struct Apart {
    Ir *ir;
    Node *stride; /* how far the elements of lanes are apart, a variable; NULL: they are not */
} Apart;

static bool search_apart(void *user, Node *n)
{
    Apart *a = user;
    if (n->kind == N_GATHER && !type_is_vector(n->kid[1]->type) && n->kid[1]->kind != N_INT && !a->stride)
        a->stride = n->kid[1];
    return true;
}

static Node *set_apart(void *user, Node *n)
{
    const Apart *a = user;
    if (n->kind != N_GATHER || n->kid[1] != a->stride)
        return n;
    Node *kids[] = {n->kid[0], ix_int(a->ir, 2), n->nkids > 2 ? n->kid[2] : NULL};
    return mk_expr(a->ir, N_GATHER, (Type)n->type, n->sym, n->nkids, kids, n->loc);
}

/* Strides of 2, which have instructions, are asked for here and not by every load. */
static Node *by_stride(Ir *ir, Node *body)
{
    Apart a = {.ir = ir};
    walk(&(Walker){.pre = search_apart, .user = &a}, body);
    if (!a.stride)
        return body;
    Node *two = rewrite(&(Rewriter){.ir = ir, .post = set_apart, .user = &a}, body);
    return mk_if(ir, mk_binary(ir, N_EQ, a.stride, ix_int(ir, 2)), two, body, body->loc);
}

/* ---------------------------------------------------------------- vectors from where the interior begins */

/* A loop that runs twice: over the border before the interior, and over all behind that. */
typedef struct Sides {
    Sym *side;
    Vec body;
    Node *start, *stop; /* where each begins and ends */
} Sides;

/* Where no vectors fit the interior, the first of the two is empty. */
static Sides sides_of(Ir *ir, Vec *out, Node *lo, Node *from, Node *fits, Node *hi)
{
    Sides s = {.side = sym_new(ir, S_LOOP, T_INDEX, "side", (Loc){0, 0})};
    Node *first = name_index(ir, out, "first", mk_select(ir, fits, ix_max(ir, lo, from), lo)), *behind = mk_var(ir, s.side);
    s.start = name_index(ir, &s.body, "start", mk_select(ir, behind, first, lo));
    s.stop = name_index(ir, &s.body, "stop", mk_select(ir, behind, hi, first));
    return s;
}

static Node *over_sides(Ir *ir, Sides *s, Node *loop)
{
    vec_push(ir->arena, &s->body, loop);
    Node *body = mk_block(ir, s->body.count, (Node **)s->body.items, loop->loc);
    return vector_index_loop(ir, s->side, ix_int(ir, 0), ix_int(ir, 2), 1, body, loop->loc);
}

static Node *at_least(Ir *ir, Node *from, Node *to, int64_t span) { return mk_binary(ir, N_GE, ix_sub(ir, to, from), ix_int(ir, span)); }

Node *vector_window(const VectorInput *in, const VectorShape *shape, Node *const *part)
{
    Ir *ir = in->ir;
    VectorState guarded = {.in = in, .ir = ir, .shape = *shape}, inner = guarded;
    Bounds before, middle, behind;
    Vec out = {0};
    if (!begin(&guarded, part[0], &before) || !begin(&inner, part[1], &middle) || !for_bounds(part[2], &behind) ||
        !follow_one_another(&before, &middle, &behind))
        return NULL;
    const Loc loc = part[1]->loc;
    Node *lo = widen(ir, before.lo), *hi = name_index(ir, &out, "end", widen(ir, behind.hi));
    Node *from = name_index(ir, &out, "inside", widen(ir, middle.lo)), *to = name_index(ir, &out, "outside", widen(ir, middle.hi));
    const int64_t span = (int64_t)in->copies * shape->lanes;
    Sides sides = sides_of(ir, &out, lo, from, at_least(ir, from, to, span), hi);
    Sym *at = sym_new(ir, S_LOOP, T_INDEX, before.var->name, part[0]->loc);
    Node *here = mk_var(ir, at), *whole = vector_body(&inner, part[1], in->copies, here, ix_int(ir, shape->lanes), NULL);
    Node *rest = whole ? guarded_vectors(&guarded, part[0], here, sides.stop, span) : NULL;
    if (!rest)
        return NULL;
    if (in->by_stride)
        whole = by_stride(ir, whole);
    Node *holds = mk_binary(ir, N_LAND, mk_binary(ir, N_GE, here, from), at_least(ir, here, to, span));
    Node *loop = vector_index_loop(ir, at, sides.start, sides.stop, span, mk_if(ir, holds, whole, rest, loc), loc);
    vec_push(ir->arena, &out, over_sides(ir, &sides, loop));
    return mk_block(ir, out.count, (Node **)out.items, loc);
}
