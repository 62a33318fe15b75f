/* Which loop's neighbours are neighbours in memory, counted over all accesses. */
#include "plan/nests/interchange.h"

#include "depend/parallel.h"
#include "depend/poly.h"
#include "ir/walk.h"
#include "plan/nests/parts.h"

enum { MOST_LOOPS = 8 };

typedef struct Nest {
    Ir *ir;
    Node *loop[MOST_LOOPS]; /* outermost first */
    int nloops;
    Node *body;
    int cost[MOST_LOOPS];   /* of its iterations' accesses: see access_cost() */
    int turned[MOST_LOOPS][MOST_LOOPS]; /* loads with other steps along the first that go from element to element along the second */
    bool has_loop;
} Nest;

static bool is_rectangular(const Nest *nest, const Node *loop)
{
    for (int i = 0; i < nest->nloops; i++)
        if (uses_sym(loop->kid[0], nest->loop[i]->sym) || uses_sym(loop->kid[1], nest->loop[i]->sym))
            return false;
    return true;
}

static bool collect_loops(Nest *nest, Node *n)
{
    for (Node *loop = only_loop(n); loop; loop = only_loop(loop->kid[2])) {
        Bounds b;
        if (nest->nloops == MOST_LOOPS || !is_rectangular(nest, loop) || !for_bounds(loop, &b) || b.step != 1 ||
            !loop_is_parallel(nest->ir, loop))
            return false;
        nest->loop[nest->nloops++] = loop;
        nest->body = loop->kid[2];
    }
    return nest->nloops > 1;
}

/* By how many elements the access moves along a loop: 0, 1, 2: another number. */
static int step_along(const Nest *nest, const Node *access, Sym *var)
{
    const int rank = access->sym->rank;
    int step = 0;
    for (int d = 0; d < rank; d++) {
        Poly *coef, *rest, *p = poly_of(nest->ir, access->kid[d]);
        if (!poly_uses(p, var))
            continue;
        if (d < rank - 1 || !poly_affine(nest->ir, p, &var, 1, &coef, &rest) || !poly_is(coef, 1))
            return 2;
        step = 1;
    }
    return step;
}

/* What neighbouring iterations pay: nothing for the same element, a share of a vector, or an access of their own, for which a store
 * brings a line that it then does not fill. */
static int access_cost(int step, bool stores) { return step == 0 ? 0 : step == 1 ? 1 : stores ? 32 : 16; }

static bool count_access(void *user, Node *n)
{
    Nest *nest = user;
    int step[MOST_LOOPS];
    nest->has_loop = nest->has_loop || n->kind == N_FOR;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return true;
    for (int i = 0; i < nest->nloops; i++) {
        step[i] = step_along(nest, n, nest->loop[i]->sym);
        nest->cost[i] += access_cost(step[i], n->kind == N_STORE);
    }
    for (int i = 0; n->kind == N_LOAD && i < nest->nloops; i++)
        for (int j = 0; j < nest->nloops; j++)
            nest->turned[i][j] += step[i] == 2 && step[j] == 1;
    return true;
}

/* The loop along which accesses cost least, of equals the innermost. */
static int best_loop(const Nest *nest)
{
    int best = nest->nloops - 1;
    for (int i = nest->nloops - 2; i >= 0; i--)
        if (nest->cost[i] < nest->cost[best])
            best = i;
    return best;
}

/* The loop along which something is read that `across` reads with other steps; -1: none. */
static int other_loop(const Nest *nest, int across)
{
    for (int i = nest->nloops - 1; i >= 0; i--)
        if (nest->turned[across][i])
            return i;
    return -1;
}

static Node *with_body(Ir *ir, Node *loop, Node *body, unsigned flags)
{
    Node *kids[] = {loop->kid[0], loop->kid[1], body};
    Node *n = mk_for(ir, loop->sym, kids[0], kids[1], loop->u.i, kids[2], true, loop->loc);
    n->aux = (uint8_t)(loop->aux | flags);
    return n;
}

Node *interchange(Ir *ir, Node *n)
{
    Nest nest = {.ir = ir};
    if (!collect_loops(&nest, n))
        return n;
    walk(&(Walker){.pre = count_access, .user = &nest}, nest.body);
    if (nest.has_loop)
        return n;
    const int vector = best_loop(&nest), along = other_loop(&nest, vector), last = nest.nloops - 1;
    if (along < 0 && vector == last)
        return n;
    Node *body = nest.body;
    if (along >= 0)
        body = with_body(ir, nest.loop[along], body, 0);
    body = with_body(ir, nest.loop[vector], body, along >= 0 ? FOR_VECTOR : 0);
    for (int i = last; i >= 0; i--)
        if (i != vector && i != along)
            body = with_body(ir, nest.loop[i], body, 0);
    return body;
}
