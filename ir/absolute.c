/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Equal expressions are the same node, so that forms are told by pointers. */
#include "ir/absolute.h"

#include "ir/libm.h"

/* Is `less` the opposite of `more`: -x of x, y - x of x - y? */
static bool is_opposite(const Node *less, const Node *more)
{
    if (less->kind == N_NEG)
        return less->kid[0] == more;
    return less->kind == N_SUB && more->kind == N_SUB && less->kid[0] == more->kid[1] && less->kid[1] == more->kid[0];
}

/* Does a > b, or a >= b, say that `e` is at least 0? */
static bool says_positive(const Node *a, const Node *b, const Node *e)
{
    return (a == e && is_int(b, 0)) || (e->kind == N_SUB && e->kid[0] == a && e->kid[1] == b);
}

Node *absolute_of(const Node *e)
{
    static const char *const family[] = {"abs", "labs", "llabs", NULL};
    if (!type_is_integer(e->type) || !type_is_signed(e->type))
        return NULL;
    if (e->kind == N_CALL)
        return e->nkids == 1 && e->sym->libm && is_libm_among(e->sym, family) ? e->kid[0] : NULL;
    const Node *cond = e->kind == N_SEL ? e->kid[0] : NULL;
    if (!cond || (cond->kind != N_LT && cond->kind != N_LE && cond->kind != N_GT && cond->kind != N_GE))
        return NULL;
    const bool greater = cond->kind == N_GT || cond->kind == N_GE;
    const Node *a = cond->kid[greater ? 0 : 1], *b = cond->kid[greater ? 1 : 0];
    for (int arm = 1; arm <= 2; arm++) {
        Node *one = e->kid[arm], *other = e->kid[3 - arm];
        const Node *more = arm == 1 ? a : b, *less = arm == 1 ? b : a;
        if (says_positive(more, less, one) && (is_opposite(other, one) || is_opposite(one, other)))
            return one;
    }
    return NULL;
}
