/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is rounded stays a float until then. */
#include "plan/vectors/low_integers.h"

#include "ir/libm.h"
#include "ir/walk.h"

/* The function of floats to integral floats that comes before the conversion; NULL: it is no such value. */
static const char *rounding_of(const Node *wide)
{
    static const char *const nearest[] = {"lrint", "llrint", NULL}, *const away[] = {"lround", "llround", NULL};
    const bool calls = wide->kind == N_CALL;
    if ((!calls && wide->kind != N_CAST) || !type_is_integer(wide->type) || !type_is_signed(wide->type) || type_bits(wide->type) != 64 ||
        wide->kid[0]->type != T_FLOAT)
        return NULL;
    return !calls ? "truncf" : is_libm_among(wide->sym, nearest) ? "rintf" : is_libm_among(wide->sym, away) ? "roundf" : NULL;
}

static Node *name_low(void *user, Node *n)
{
    Ir *ir = user;
    const bool keeps_few = n->kind == N_CAST && type_is_integer(n->type) && n->type != T_BOOL && type_bits(n->type) <= 32;
    const char *rounding = keeps_few ? rounding_of(n->kid[0]) : NULL;
    if (!rounding)
        return n;
    Node *integral = mk_call(ir, libm_function(ir, rounding, n->loc), 1, &n->kid[0]->kid[0]);
    Node *low = mk_expr(ir, N_LOW_INT, T_INT, NULL, 1, &integral, n->loc);
    return n->type == T_INT ? low : mk_cast(ir, n->type, low);
}

Node *name_low_integers(Ir *ir, Node *body) { return rewrite(&(Rewriter){.ir = ir, .post = name_low, .user = ir}, body); }
