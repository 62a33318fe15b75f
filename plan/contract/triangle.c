/* Which loops run over triangles, and which stores go to the mirrored element. */
#include "plan/contract/triangle.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/walk.h"

/* ---------------------------------------------------------------- loops */

/* The one loop around that the bounds change with; NULL: there are several. */
static const NestLoop *bounding_loop(const Nest *nest, const NestLoop *added)
{
    const NestLoop *found = NULL;
    for (int i = 0; i < nest->nloops; i++) {
        if (!uses_sym(added->lo, nest->loop[i].var) && !uses_sym(added->extent, nest->loop[i].var))
            continue;
        if (found)
            return NULL;
        found = &nest->loop[i];
    }
    return found;
}

static bool is_affine(Ir *ir, const Poly *p, Sym *var, int64_t *by, Poly **rest)
{
    Poly *coef;
    return poly_affine(ir, p, &var, 1, &coef, rest) && poly_const(coef, by);
}

bool triangle_as_square(Nest *nest, NestLoop *added, Node *loop)
{
    Ir *ir = nest->ir;
    const NestLoop *around = bounding_loop(nest, added);
    Poly *first, *trip;
    int64_t grows, shrinks, margin;
    if (!around || added->step != 1 || around->step != 1 || !is_affine(ir, added->first, around->var, &grows, &first) ||
        !is_affine(ir, added->trip, around->var, &shrinks, &trip))
        return false;
    const bool upper = grows == 1 && shrinks == -1;
    if (!upper && !(grows == 0 && shrinks == 1))
        return false;
    trip = upper ? poly_sub(ir, trip, around->least) : poly_add(ir, trip, around->most);
    if (!poly_const(poly_sub(ir, trip, around->trip), &margin) || margin > 0)
        return false;
    if (upper)
        vec_push(ir->arena, &nest->guards, mk_binary(ir, N_GE, mk_var(ir, added->var), added->lo));
    else
        vec_push(ir->arena, &nest->guards, env_eval(nest->env, loop->kid[1]));
    nest->squares++;
    added->lo = substitute(ir, added->lo, around->var, around->lo);
    added->first = upper ? poly_add(ir, first, around->least) : first;
    added->trip = trip;
    added->extent = ix_max(ir, poly_node(ir, trip), ix_int(ir, 0));
    added->least = added->first;
    added->most = poly_sub(ir, poly_add(ir, added->first, trip), poly_int(ir, 1));
    return true;
}

/* ---------------------------------------------------------------- copies */

bool stores_copy(Env *env, Node *stmt)
{
    if (stmt->kind != N_STORE || stmt->aux != N_NONE || !env->element || stmt->sym != env->out)
        return false;
    Node *value = env_eval(env, stmt_value(stmt));
    bool same = true, fits = !env->failed && !reads_array(value, env->out);
    for (int d = 0; fits && d < stmt->sym->rank; d++) {
        Node *sub = env_eval(env, stmt->kid[d]);
        fits = !env->failed && !has_load(sub);
        same = same && poly_equal(poly_of(env->ir, sub), poly_of(env->ir, env->sub[d]));
    }
    return fits && !same;
}

typedef struct Search {
    const Nest *nest;
    bool ordered;
} Search;

static bool is_outer(const Nest *nest, const Sym *var)
{
    for (int i = 0; i < nest->nloops; i++)
        if (nest->loop[i].var == var)
            return !nest->loop[i].reduction;
    return false;
}

static bool search_ordered(void *user, Node *n)
{
    Search *s = user;
    s->ordered = s->ordered || (n->kind == N_FOR && is_outer(s->nest, n->sym) && !loop_is_parallel(s->nest->ir, n));
    return !s->ordered && !is_expr(n);
}

bool copies_are_apart(const Nest *nest, Node *loop)
{
    Search s = {nest, reads_array(nest->product, nest->out)};
    for (int i = 0; i < nest->guards.count; i++)
        s.ordered = s.ordered || reads_array(nest->guards.items[i], nest->out);
    walk(&(Walker){.pre = search_ordered, .user = &s}, loop);
    return !s.ordered;
}
