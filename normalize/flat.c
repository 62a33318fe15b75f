/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through conditions and unfolds their groups. */
#include "normalize/flat.h"

#include "ir/walk.h"

static Node *replace_chain(void *user, Node *n);

static Node *flat(Ir *ir, Node *n) { return rewrite(&(Rewriter){.ir = ir, .pre = replace_chain, .user = ir}, n); }

/* chain op (the operands of e, in order); `chain` is NULL in front of the first. */
static Node *append(Ir *ir, Kind op, Node *chain, Node *e)
{
    if ((Kind)e->kind == op)
        return append(ir, op, append(ir, op, chain, e->kid[0]), e->kid[1]);
    e = flat(ir, e);
    return chain ? mk_binary(ir, op, chain, e) : e;
}

static Node *replace_chain(void *user, Node *n)
{
    bool is_chain = n->kind == N_LAND || n->kind == N_LOR;
    return is_chain ? append(user, (Kind)n->kind, NULL, n) : NULL;
}

Node *flat_chains(Ir *ir, Node *body, const LicmOptions *opt)
{
    return opt->chains == CHAINS_FLAT && opt->mode == LICM_FULL ? flat(ir, body) : body;
}
