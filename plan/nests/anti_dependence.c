/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One dimension of the array tells in which iteration an element is stored. */
#include "plan/nests/anti_dependence.h"

#include "depend/poly.h"
#include "ir/walk.h"

typedef struct Reads {
    Ir *ir;
    Node *loop, *store;
    int reads, writes;
    bool behind; /* the store is done */
    bool fits;
} Reads;

/* Iterations from the one that reads to the one that stores the element, in the dimension `d`. False: that is no constant. */
static bool iterations_until(const Reads *r, const Node *load, int d, int64_t *count)
{
    Poly *coef, *rest, *other, *shift;
    int64_t step, distance;
    Sym *var = r->loop->sym;
    if (!poly_affine(r->ir, poly_of(r->ir, r->store->kid[d]), &var, 1, &coef, &rest) || !poly_const(coef, &step) || step == 0 ||
        !poly_affine(r->ir, poly_of(r->ir, load->kid[d]), &var, 1, &other, &shift) || !poly_equal(coef, other) ||
        !poly_const(poly_sub(r->ir, shift, rest), &distance) || distance % step != 0)
        return false;
    *count = distance / step;
    return true;
}

static bool is_stored_later(const Reads *r, const Node *load)
{
    int64_t count;
    for (int d = 0; d < r->store->sym->rank; d++)
        if (iterations_until(r, load, d, &count))
            return r->behind ? count > 0 : count >= 0;
    return false;
}

static bool look_at(void *user, Node *n)
{
    Reads *r = user;
    r->writes += n->kind == N_STORE && n->sym == r->store->sym;
    if (n->kind == N_LOAD && n->sym == r->store->sym) {
        r->reads++;
        r->fits = r->fits && is_stored_later(r, n);
    }
    return r->fits;
}

/* Do the names in the store's subscripts, but for the loop's variable, stay as they are? */
static bool search_change(void *user, Node *n)
{
    Reads *r = user;
    if (n->kind == N_LOAD || (n->kind == N_VAR && n->sym != r->loop->sym))
        r->fits = r->fits && !writes_sym(r->loop->kid[2], n->sym);
    return r->fits;
}

bool has_anti_dependences(Ir *ir, Node *loop, Node *store)
{
    Reads r = {.ir = ir, .loop = loop, .store = store, .fits = true};
    const Node *body = loop->kid[2];
    for (int d = 0; d < store->sym->rank; d++)
        walk(&(Walker){.pre = search_change, .user = &r}, store->kid[d]);
    for (int i = 0; i < body->nkids && r.fits; i++) {
        walk(&(Walker){.pre = look_at, .user = &r}, body->kid[i]);
        r.behind = r.behind || body->kid[i] == store;
    }
    return r.fits && r.reads > 0 && r.writes == 1;
}
