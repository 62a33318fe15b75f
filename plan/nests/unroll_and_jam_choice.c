/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loops have rows worth doing together: the innermost independent ones around such as are vectorized over windows, which have loops of
 * their own. A row of these has borders, and perhaps few vectors; where the lanes have windows side by side (the channels of an image)
 * there are as a rule enough, and rows pay only when they load elements that are the same in all, as weights are. */
#include "depend/parallel.h"
#include "ir/sym_map.h"
#include "ir/walk.h"
#include "plan/nests/unroll_and_jam.h"

enum { FEW_ACCESSES = 8 }; /* in the loop that is vectorized: of more, the rows would fill the registers */

typedef struct Choosing {
    Ir *ir;
    Node *loop;
    Map values; /* by symbol id: what integers that the body declares stand for */
    Vec inner; /* variables of loops that are not vectorized */
    int vectors, accesses;
    Sym *lane; /* of the loop that does */
    bool fits;
    bool shares; /* rows load the same elements, or reach into one another's, */
    bool same; /* the same ones */
    bool slides; /* windows slide along the lanes */
} Choosing;

static bool is_map(Ir *ir, Node *n) { return n->kind == N_FOR && n->aux & FOR_PARALLEL && loop_is_parallel(ir, n); }

static Node *expand(void *user, Node *n)
{
    const Choosing *c = user;
    Node *value = n->kind == N_VAR ? map_get(&c->values, n->sym->id) : NULL;
    return value ? rewrite(&(Rewriter){.ir = c->ir, .post = expand, .user = user}, value) : n;
}

static bool uses_inner(const Choosing *c, Node *e)
{
    for (int i = 0; i < c->inner.count; i++)
        if (uses_sym(e, c->inner.items[i]))
            return true;
    return false;
}

/* Elements that all rows load, or rows that reach into one another's; windows that slide along the lanes. */
static void look_at_load(Choosing *c, Node *load)
{
    bool same = true;
    for (int i = 0; i < load->nkids; i++) {
        Node *e = rewrite(&(Rewriter){.ir = c->ir, .post = expand, .user = c}, load->kid[i]);
        const bool row = uses_sym(e, c->loop->sym), inner = uses_inner(c, e);
        same = same && !row;
        c->shares = c->shares || (row && inner);
        c->slides = c->slides || (inner && uses_sym(e, c->lane));
    }
    c->shares = c->shares || same;
    c->same = c->same || same;
}

static bool look_inside(void *user, Node *n)
{
    Choosing *c = user;
    c->accesses += n->kind == N_LOAD || n->kind == N_STORE;
    if (n->kind == N_DECL && n->nkids && n->sym->rank == 0 && type_is_integer(n->sym->type))
        *map_at(c->ir->arena, &c->values, n->sym->id) = n->kid[0];
    if (n->kind == N_FOR)
        vec_push(c->ir->arena, &c->inner, n->sym);
    if (n->kind == N_LOAD && c->inner.count)
        look_at_load(c, n);
    c->fits = c->fits && !(n->kind == N_FOR && is_map(c->ir, n)) && !(n->kind == N_DECL && n->sym->rank);
    return c->fits;
}

static bool search_vectors(void *user, Node *n)
{
    Choosing *c = user;
    if (!is_map(c->ir, n))
        return c->fits && !is_expr(n);
    c->fits = c->fits && !(n->aux & FOR_VECTOR);
    c->inner.count = 0;
    c->lane = n->sym;
    walk(&(Walker){.pre = look_inside, .user = c}, n->kid[2]);
    c->vectors += c->inner.count > 0;
    return false;
}

static Node *mark(void *user, Node *n)
{
    Choosing c = {.ir = user, .loop = n, .fits = true};
    Bounds b;
    if (n->kind != N_FOR || !is_map(c.ir, n) || !for_bounds(n, &b) || b.step != 1 || b.cmp != N_LT || !type_is_signed(b.var->type) ||
        type_bits(b.var->type) < 32)
        return n;
    walk(&(Walker){.pre = search_vectors, .user = &c}, n->kid[2]);
    if (!c.fits || !c.shares || !(c.slides || c.same) || c.vectors != 1 || c.accesses > FEW_ACCESSES)
        return n;
    Node *marked = mk_for(c.ir, n->sym, n->kid[0], n->kid[1], n->u.i, n->kid[2], true, n->loc);
    marked->aux = (uint16_t)(n->aux | FOR_ROWS);
    return marked;
}

Node *mark_rows(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = mark, .user = ir}, body); }
