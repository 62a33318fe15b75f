/* Finds an element that every iteration updates and nothing else touches, and moves it in front of the loop. */
#include "plan/scalar_replace.h"

#include "depend/carry.h"
#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"

enum { MAX_PATH = 6 };

typedef struct Replacement {
    Ir *ir;
    Node *loop;
    bool *changes; /* per symbol id: declared, assigned or stored to in the loop */
    Node *store;   /* the first one, and the loops around it, the outermost first */
    Node *path[MAX_PATH];
    int npath;
    bool fits;
    Sym *scalar;
} Replacement;

static bool note_change(void *user, Node *n)
{
    Replacement *h = user;
    if (n->kind == N_DECL || n->kind == N_ASSIGN || n->kind == N_STORE || n->kind == N_FOR)
        h->changes[n->sym->id] = true;
    return !is_expr(n);
}

static bool note_varying(void *user, Node *n)
{
    Replacement *h = user;
    if ((n->kind == N_VAR || n->kind == N_LOAD) && h->changes[n->sym->id])
        h->fits = false;
    return h->fits;
}

static bool is_fixed(Replacement *h, Node *e)
{
    h->fits = true;
    walk(&(Walker){.pre = note_varying, .user = h}, e);
    return h->fits;
}

static bool see_store(void *user, Node *n)
{
    bool *found = user;
    *found = *found || n->kind == N_STORE;
    return !*found && !is_expr(n);
}

static bool has_store(Node *n)
{
    bool found = false;
    walk(&(Walker){.pre = see_store, .user = &found}, n);
    return found;
}

/* Steps into a loop on the way to the store. */
static bool enter(Replacement *h, Node *n)
{
    Node *trip = n->aux && h->npath < MAX_PATH ? trip_count_of_running(h->ir, n) : NULL;
    if (!trip || !is_fixed(h, n->kid[0]) || !is_fixed(h, trip)) /* asked again behind the loop */
        return false;
    h->path[h->npath++] = n;
    return true;
}

/* A store that every iteration of the loop and of the loops in it reaches; its array has one in no other place. */
static bool find_store(Replacement *h, Node *n, bool *several)
{
    switch ((Kind)n->kind) {
    case N_STORE:
        *several = *several || h->store;
        h->store = n;
        return true;
    case N_FOR: return !has_store(n) || (enter(h, n) && find_store(h, n->kid[2], several));
    case N_BLOCK:
        for (int i = 0; i < n->nkids; i++)
            if (n->kid[i]->kind == N_STORE || n->kid[i]->kind == N_FOR || n->kid[i]->kind == N_BLOCK)
                if (!find_store(h, n->kid[i], several))
                    return false;
        return true;
    default: return true;
    }
}

static bool same_place(const Replacement *h, Node *const *a, Node *const *b)
{
    for (int d = 0; d < h->store->sym->rank; d++)
        if (!poly_equal(poly_of(h->ir, a[d]), poly_of(h->ir, b[d])))
            return false;
    return true;
}

static bool may_replace(Replacement *h)
{
    bool several = false;
    if (!find_store(h, h->loop, &several) || !h->store || several || !reads_array(h->loop, h->store->sym))
        return false;
    for (int d = 0; d < h->store->sym->rank; d++)
        if (!is_fixed(h, h->store->kid[d]))
            return false;
    return !touched_otherwise(h->ir, h->loop, h->store);
}

static Node *replaced_post(void *user, Node *n)
{
    Replacement *h = user;
    if (n->kind == N_LOAD && n->sym == h->store->sym && same_place(h, n->kid, h->store->kid))
        return mk_var(h->ir, h->scalar);
    if (n->kind == N_STORE && n->loc.beg == h->store->loc.beg && n->sym == h->store->sym)
        return mk_assign(h->ir, h->scalar, stmt_value(n), (Kind)n->aux, n->loc);
    return n;
}

static Node *guarded(const Replacement *h, Node *stmt)
{
    Node *cond = NULL;
    for (int i = h->npath - 1; i >= 0; i--) {
        Node *runs = mk_binary(h->ir, N_GT, trip_count_of_running(h->ir, h->path[i]), ix_int(h->ir, 0));
        cond = cond ? mk_binary(h->ir, N_LAND, runs, cond) : runs;
    }
    return mk_if(h->ir, cond, stmt, NULL, stmt->loc);
}

static Node *replace_pre(void *user, Node *n)
{
    Ir *ir = user;
    if (is_expr(n))
        return n;
    if (n->kind != N_FOR)
        return NULL;
    Replacement h = {.ir = ir, .loop = n, .changes = arena_new_array(ir->scratch, bool, ir->nsyms + 1)};
    walk(&(Walker){.pre = note_change, .user = &h}, n);
    if (!may_replace(&h))
        return NULL;
    const Sym *array = h.store->sym;
    h.scalar = sym_new(ir, S_LOCAL, array->type, "held", h.store->loc);
    Node *element = mk_load(ir, h.store->sym, array->rank, h.store->kid), *sub[16];
    if (array->rank > 16)
        return NULL;
    for (int d = 0; d < array->rank; d++)
        sub[d] = h.store->kid[d];
    Node *stmts[] = {mk_decl(ir, h.scalar, NULL, n->loc), guarded(&h, mk_assign(ir, h.scalar, element, N_NONE, n->loc)),
                     rewrite(&(Rewriter){.ir = ir, .post = replaced_post, .user = &h}, n),
                     guarded(&h, mk_store(ir, h.store->sym, array->rank, sub, mk_var(ir, h.scalar), N_NONE, n->loc))};
    return mk_block(ir, 4, stmts, n->loc);
}

Node *replace_elements(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .pre = replace_pre, .user = ir}, body); }
