/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs that stay as they are in memory. Where both members of what is stored are computed alike, lanes need not be taken apart:
 *
 *     y_re = y_re + (a_re * x_re - a_im * x_im)
 *     y_im = y_im + (a_re * x_im + a_im * x_re)     =>   y = y + sub_add(a_re * x, a_im * swap(x))
 *
 * of two vectors of memory, each with half of the pairs. sub_add() takes away in even lanes, and adds in odd ones. Rounds as the two do. */
#include "depend/index.h"
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

enum { NEVER = 1000, MOST_STEPS = 512, MOST_MEMBERS = 32 };

/* Two variables, of first and of second members, and the same interleaved, by halves. */
typedef struct InterleavedName {
    const Sym *member[2];
    Sym *half[2];
} InterleavedName;

typedef struct Interleaving {
    VectorState *s;
    int steps; /* which orders of operands are tried takes */
} Interleaving;

/* ---------------------------------------------------------------- leaves */

static const InterleavedName *name_of(const Interleaving *w, const Node *n)
{
    return n->kind == N_VAR ? map_get(&w->s->scalars.interleaved, n->sym->id) : NULL;
}

/* Which member of something that is there by pairs? *of: of what. -1: none. */
static int member_of(const Interleaving *w, const Node *n, const void **of)
{
    const InterleavedName *name = name_of(w, n);
    *of = name;
    if (name)
        return n->sym == name->member[1];
    if (n->kind != N_MEMBER || n->nkids > 1 || n->u.i >= NARROW_GROUP)
        return -1;
    *of = n->kid[0]; /* two arrays' elements have one subscript, too: same_source() */
    return (int)n->u.i;
}

static bool is_leaf(const Node *n)
{
    return n->kind == N_VAR || n->kind == N_MEMBER || n->kind == N_VLOAD || n->kind == N_SPLAT || n->nkids == 0;
}

/* Members of the same pairs, which are first[0] and second[1] of them. */
static bool same_source(const Interleaving *w, const Node *a, const Node *b, int *first, int *second)
{
    const void *of_a, *of_b;
    *first = member_of(w, a, &of_a);
    *second = member_of(w, b, &of_b);
    return *first >= 0 && *second >= 0 && a->kind == b->kind && of_a == of_b && (a->kind == N_VAR || vector_share_bytes(a->sym, b->sym));
}

static int leaf_cost(const Interleaving *w, const Node *a, const Node *b)
{
    int first, second;
    if (a->kind == N_SPLAT && b->kind == N_SPLAT)
        return 0;
    if (same_source(w, a, b, &first, &second))
        return !(first == 0 && second == 1);
    return is_leaf(a) && is_leaf(b) ? 1 + (a->kind == N_MEMBER) + (b->kind == N_MEMBER) : NEVER;
}

static Node *pairwise(const Interleaving *w, Pairwise how, Node *a, Node *b)
{
    Node *kids[] = {a, b};
    return mk_pairwise(w->s->ir, how, (Type)a->type, b ? 2 : 1, kids);
}

static Node *interleave_leaf(const Interleaving *w, Node *a, Node *b, int half)
{
    Ir *ir = w->s->ir;
    int first, second;
    if (a->kind == N_SPLAT && a == b)
        return a;
    if (!same_source(w, a, b, &first, &second))
        return pairwise(w, half && a->kind != N_SPLAT ? PAIR_HIGH : PAIR_LOW, a, b);
    const InterleavedName *name = name_of(w, a);
    Node *plain = name
                      ? mk_var(ir, name->half[half])
                      : mk_vload(ir, a->sym, ix_add(ir, a->kid[0], ix_int(ir, (int64_t)half * w->s->shape.lanes)), NULL, w->s->shape.width);
    if (first == second)
        return pairwise(w, first ? PAIR_ODDS : PAIR_EVENS, plain, NULL);
    return first ? pairwise(w, PAIR_SWAP, plain, NULL) : plain;
}

/* ---------------------------------------------------------------- operators */

static bool commutes(const Node *n) { return n->kind == N_ADD || n->kind == N_MUL; }

/* a - b with c + d. */
static bool is_sub_add(const Node *a, const Node *b) { return a->kind == N_SUB && b->kind == N_ADD; }
static bool is_add_sub(const Node *a, const Node *b) { return a->kind == N_ADD && b->kind == N_SUB; }

static bool is_alike(const Node *a, const Node *b)
{
    const Kind k = (Kind)a->kind;
    if (a->type != b->type || a->nkids != b->nkids || is_leaf(a) || is_leaf(b))
        return false;
    if (is_sub_add(a, b) || is_add_sub(a, b))
        return type_is_float(type_element((Type)a->type));
    return a->kind == b->kind && (k == N_ADD || k == N_SUB || k == N_MUL || k == N_DIV || k == N_NEG);
}

/* One of two floats is negative: which? -1: neither, or both. */
static int negative_one(const Node *a, const Node *b)
{
    if ((a->kind == N_NEG) == (b->kind == N_NEG) || a->type != b->type || !type_is_float(type_element((Type)a->type)))
        return -1;
    return b->kind == N_NEG;
}

static Node *positive(Node *n) { return n->kind == N_NEG ? n->kid[0] : n; }

static int cost_of(Interleaving *w, Node *a, Node *b);

/* With b's operands the other way round? */
static bool is_turned(Interleaving *w, Node *a, Node *b, int *cost)
{
    const int straight = cost_of(w, a->kid[0], b->kid[0]) + cost_of(w, a->kid[1], b->kid[1]);
    *cost = straight;
    if (!commutes(b) || straight == 0)
        return false;
    const int turned = cost_of(w, a->kid[0], b->kid[1]) + cost_of(w, a->kid[1], b->kid[0]);
    *cost = turned < straight ? turned : straight;
    return turned < straight;
}

/* Shuffles for each of the halves; NEVER or more: it cannot be. */
static int cost_of(Interleaving *w, Node *a, Node *b)
{
    int cost;
    if (++w->steps > MOST_STEPS)
        return NEVER;
    if (negative_one(a, b) >= 0)
        return cost_of(w, positive(a), positive(b));
    if (!is_alike(a, b))
        return leaf_cost(w, a, b);
    if (a->nkids == 1)
        return cost_of(w, a->kid[0], b->kid[0]);
    is_turned(w, a, b, &cost);
    return cost < NEVER ? cost : NEVER;
}

static Node *interleave(Interleaving *w, Node *a, Node *b, int half);

/* -0 - x is -x, and -0 + y is y. */
static Node *interleave_signs(Interleaving *w, Node *a, Node *b, int half)
{
    Ir *ir = w->s->ir;
    Node *zero = mk_splat(ir, mk_float(ir, type_element((Type)a->type), -0.0L), w->s->shape.width);
    Node *turned = pairwise(w, PAIR_SUB_ADD, zero, interleave(w, positive(a), positive(b), half));
    return negative_one(a, b) == 0 ? turned : mk_expr(ir, N_NEG, (Type)a->type, NULL, 1, &turned, a->loc);
}

static Node *interleave(Interleaving *w, Node *a, Node *b, int half)
{
    Ir *ir = w->s->ir;
    int cost;
    if (negative_one(a, b) >= 0)
        return interleave_signs(w, a, b, half);
    if (!is_alike(a, b))
        return interleave_leaf(w, a, b, half);
    Node *left = NULL, *right = NULL;
    if (a->nkids == 1) {
        left = interleave(w, a->kid[0], b->kid[0], half);
        return mk_expr(ir, (Kind)a->kind, (Type)a->type, NULL, 1, &left, a->loc);
    }
    const int turned = is_turned(w, a, b, &cost);
    left = interleave(w, a->kid[0], b->kid[turned], half);
    right = interleave(w, a->kid[1], b->kid[1 - turned], half);
    if (is_sub_add(a, b))
        return pairwise(w, PAIR_SUB_ADD, left, right);
    if (is_add_sub(a, b))
        return pairwise(w, PAIR_SUB_ADD, left, mk_expr(ir, N_NEG, (Type)a->type, NULL, 1, &right, a->loc));
    return vector_binary(ir, (Kind)a->kind, left, right);
}

/* ---------------------------------------------------------------- does it pay? */

typedef struct Members {
    const Node *found[MOST_MEMBERS];
    int count;
} Members;

static bool note_member(void *user, Node *n)
{
    Members *m = user;
    bool known = n->kind != N_MEMBER || m->count == MOST_MEMBERS;
    for (int i = 0; !known && i < m->count; i++)
        known = m->found[i] == n;
    if (!known)
        m->found[m->count++] = n;
    return true;
}

/* Loads of members, each of which takes a shuffle. */
static int members_of(Node *a, Node *b)
{
    Members m = {.count = 0};
    walk(&(Walker){.pre = note_member, .user = &m}, a);
    walk(&(Walker){.pre = note_member, .user = &m}, b);
    return m.count;
}

bool vector_store_interleaved(VectorState *s, Sym *array, Node *first, Node *const *both, Loc loc, Vec *out)
{
    Interleaving w = {.s = s};
    enum { STORE = 2 }; /* shuffles that putting members together takes */
    const int cost = cost_of(&w, both[0], both[1]);
    if (cost >= NEVER || 2 * cost > STORE + members_of(both[0], both[1]))
        return false;
    Node *half[2];
    for (int h = 0; h < 2; h++) {
        w.steps = 0;
        half[h] = interleave(&w, both[0], both[1], h);
    }
    for (int h = 0; h < 2; h++)
        vec_push(s->ir->arena, out,
                 mk_vstore(s->ir, array, ix_add(s->ir, first, ix_int(s->ir, (int64_t)h * s->shape.lanes)), half[h], NULL, loc));
    return true;
}

/* ---------------------------------------------------------------- names */

static bool search_source(void *user, Node *n)
{
    const Map *interleaved = user;
    return n->kind == N_MEMBER || (n->kind == N_VAR && map_get(interleaved, n->sym->id));
}

static bool has_sources(const Map *interleaved, Node *n) { return any_node(n, search_source, (void *)interleaved); }

/* The declarations of the two, if they stand last. */
static bool last_two(int ncopies, Sym *const *copies, Sym *const *others, int copy, const Vec *out, int last, const Node **decl)
{
    for (int m = 0; m < 2; m++) {
        const int at = last - (2 - m) * ncopies + copy;
        decl[m] = at < 0 ? NULL : out->items[at];
        if (!decl[m] || decl[m]->kind != N_DECL || decl[m]->sym != (m ? others : copies)[copy])
            return false;
    }
    return true;
}

/* "z" of z_re and z_im: as far as the two names agree. */
static const char *common_name(Arena *arena, const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    while (length && a[length - 1] == '_')
        length--;
    return length ? arena_printf(arena, "%.*s", (int)length, a) : "both";
}

void vector_name_interleaved(VectorState *s, Sym *const *copies, Sym *const *others, Vec *out)
{
    Ir *ir = s->ir;
    const int last = out->count;
    for (int c = 0; c < s->copies.number; c++) {
        const Node *decl[2];
        Interleaving w = {.s = s};
        if (!last_two(s->copies.number, copies, others, c, out, last, decl) || vector_part(s, c) ||
            map_get(&s->scalars.interleaved, decl[0]->sym->id) || !has_sources(&s->scalars.interleaved, decl[0]->kid[0]) ||
            !has_sources(&s->scalars.interleaved, decl[1]->kid[0]) || cost_of(&w, decl[0]->kid[0], decl[1]->kid[0]) >= NEVER)
            continue;
        InterleavedName *name = arena_alloc(ir->arena, sizeof *name);
        for (int h = 0; h < 2; h++) {
            w.steps = 0;
            name->member[h] = decl[h]->sym;
            name->half[h] = sym_new(ir, S_LOCAL, decl[0]->sym->type, common_name(ir->arena, decl[0]->sym->name, decl[1]->sym->name),
                                    decl[0]->loc);
            name->half[h]->is_const = true;
            vec_push(ir->arena, out, mk_decl(ir, name->half[h], interleave(&w, decl[0]->kid[0], decl[1]->kid[0], h), decl[0]->loc));
        }
        for (int m = 0; m < 2; m++)
            *map_at(ir->arena, &s->scalars.interleaved, decl[m]->sym->id) = name;
    }
}
