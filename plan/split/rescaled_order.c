/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements that store come before all that have to do with the maximum: those of the same iteration, and of others. */
#include "depend/depend.h"
#include "ir/walk.h"
#include "plan/split/rescaled_loop.h"

typedef struct StoreSearch {
    Node *reader;
    bool found;
} StoreSearch;

static bool search_store(void *user, Node *n)
{
    StoreSearch *s = user;
    s->found = s->found || (n->kind == N_STORE && uses_sym(s->reader, n->sym));
    return !is_expr(n);
}

/* Does the first statement store to an array that the other one has to do with? */
static bool stores_for(Node *n, Node *reader)
{
    StoreSearch s = {reader, false};
    walk(&(Walker){.pre = search_store, .user = &s}, n);
    return s.found;
}

/* May `early`, which stores, run before all statements below `n` that are about the maximum, those of other iterations included? */
static bool may_precede(RescaledLoop *r, Node *early, Node *n)
{
    if (has_numbered(r, n)) {
        for (int i = n->kind == N_IF; i < n->nkids; i++)
            if (!may_precede(r, early, n->kid[i]))
                return false;
        return true;
    }
    r->at += n == early; /* what is behind it comes later in any case */
    if (!is_of_update(&r->u, n) || !stores_for(early, n))
        return true;
    return r->at && !carries_dependence(r->ir, r->u.loop, early, n, NULL);
}

/* May all of the first loop's statements run before those of the second one? */
static bool may_divide(RescaledLoop *r, Node *n)
{
    if (has_numbered(r, n)) {
        bool fits = n->kind != N_IF || !reads_array(n->kid[0], NULL) || is_unchanging(r, n->kid[0]);
        for (int i = n->kind == N_IF; fits && i < n->nkids; i++)
            fits = may_divide(r, n->kid[i]);
        return fits;
    }
    r->at = 0;
    return is_of_update(&r->u, n) || !has_kind(n, N_STORE) || may_precede(r, n, r->u.loop->kid[2]);
}

typedef struct LateSearch {
    const RescaledLoop *r;
    bool fits;
} LateSearch;

static bool search_late(void *user, Node *n)
{
    LateSearch *s = user;
    const int *last = n->kind == N_VAR ? map_get(&s->r->written, n->sym->id) : NULL;
    s->fits = s->fits && !(last && *last > s->r->first_update);
    return s->fits;
}

/* Is what the maximum is compared with complete when the first statement about it begins? */
static bool is_complete(const RescaledLoop *r)
{
    LateSearch s = {r, true};
    walk(&(Walker){.pre = search_late, .user = &s}, r->u.x);
    return s.fits;
}

/* Is there an array that an iteration declares and the second loop would need? */
static bool needs_array(const RescaledLoop *r, Node *n)
{
    if (n->kind == N_DECL && n->sym->rank)
        for (int i = 0; i < r->u.loop->kid[2]->nkids; i++) {
            Node *stmt = r->u.loop->kid[2]->kid[i];
            if (stmt != n && is_of_update(&r->u, stmt) && uses_sym(stmt, n->sym))
                return true;
        }
    for (int i = 0; i < n->nkids; i++)
        if (!is_expr(n->kid[i]) && needs_array(r, n->kid[i]))
            return true;
    return false;
}

bool order_permits(RescaledLoop *r)
{
    Node *body = r->u.loop->kid[2];
    return is_complete(r) && may_divide(r, body) && !needs_array(r, body);
}
