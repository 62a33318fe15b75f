/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divergent loops: an inner loop that ends elsewhere in each lane runs as long as some lane's does. A mask says which lanes are still in it, and
 * only these get new values. Loops that compute alone, or with elements that do not change in them: others would be gathered. */
#include "depend/index.h"
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

static bool is_written(void *user, Node *n)
{
    Node *loop = user;
    return n->kind == N_LOAD || (n->kind == N_VAR && (n->sym == loop->sym || writes_sym(loop, n->sym)));
}

static bool is_no_computation(void *user, Node *n)
{
    const bool moves = n->kind == N_LOAD && (n->nkids != 1 || any_node(n->kid[0], is_written, user));
    return moves || n->kind == N_STORE || n->kind == N_CONTRACT || n->kind == N_LAUNCH || n->kind == N_FOR;
}

/* Only `while` loops count in a variable that nothing reads. */
static bool is_read(const Node *loop)
{
    return !loop_declares(loop) || uses_sym(loop->kid[1], loop->sym) || uses_sym(loop->kid[2], loop->sym);
}

static bool computes_alone(const VectorState *s, Node *loop)
{
    const Type type = loop->sym->type;
    const bool counts = type_is_integer(type) && type_bits(type) == 32;
    return !s->narrow && !s->scan.carried && (counts || !is_read(loop)) && !any_node(loop->kid[1], is_no_computation, loop) &&
           !any_node(loop->kid[2], is_no_computation, loop);
}

/* Lanes that go on: of those that are in the loop, or come to it, the ones where its condition holds. NULL: refused. */
static Node *going_on(VectorState *s, Node *loop, int copy)
{
    Node *mask = vector_mask(s, loop->kid[1], copy), *counted = NULL;
    if (s->copies.count[copy] && !s->here.counted[copy])
        counted = vector_first_lanes(s, copy);
    return mask ? vector_and(s->ir, s->here.where[copy], vector_and(s->ir, counted, mask)) : NULL;
}

bool vector_divergent_loop(VectorState *s, Node *n, Vec *out)
{
    Ir *ir = s->ir;
    const bool reads = is_read(n);
    Sym *active[MOST_COPIES], *turn = sym_new(ir, S_LOOP, T_INDEX, "turn", n->loc);
    Node *outer[MOST_COPIES], *some = NULL;
    bool counted[MOST_COPIES];
    Vec body = {0};
    if (!computes_alone(s, n))
        return vector_refuse(s, "an inner loop ends elsewhere in each iteration") != NULL;
    Node *begin = loop_declares(n) ? mk_decl(ir, n->sym, n->kid[0], n->loc) : mk_assign(ir, n->sym, n->kid[0], N_NONE, n->loc);
    if (reads && !vector_stmt(s, begin, out))
        return false;
    const LaneBranch branch = s->here.branch;
    s->here.branch = (LaneBranch){.out = &body};
    s->here.depth++;
    for (int c = 0; c < s->copies.number; c++) {
        Node *mask = going_on(s, n, c);
        if (!mask)
            return false;
        outer[c] = s->here.where[c];
        counted[c] = s->here.counted[c];
        active[c] = sym_new(ir, S_LOCAL, (Type)mask->type, "active", n->loc);
        vec_push(ir->arena, out, mk_decl(ir, active[c], mask, n->loc));
        s->here.where[c] = s->here.branch.taken[c] = mk_var(ir, active[c]);
        s->here.counted[c] = s->here.counted[c] || s->copies.count[c];
        some = some ? mk_expr(ir, N_OR, (Type)mask->type, NULL, 2, (Node *[]){some, mk_var(ir, active[c])}, n->loc) : mk_var(ir, active[c]);
    }
    Node *next = mk_binary(ir, N_ADD, mk_var(ir, n->sym), mk_int(ir, n->sym->type, n->u.i));
    bool fits = vector_stmt(s, n->kid[2], &body) && (!reads || vector_stmt(s, mk_assign(ir, n->sym, next, N_NONE, n->loc), &body));
    for (int c = 0; fits && c < s->copies.number; c++) {
        Node *mask = going_on(s, n, c);
        fits = mask != NULL;
        if (fits)
            vec_push(ir->arena, &body, mk_assign(ir, active[c], mask, N_NONE, n->loc));
    }
    for (int c = 0; c < s->copies.number; c++) {
        s->here.where[c] = outer[c];
        s->here.counted[c] = counted[c];
    }
    s->here.depth--;
    s->here.branch = branch;
    Node *goes = mk_binary(ir, N_LAND, mk_binary(ir, N_GE, mk_var(ir, turn), ix_int(ir, 0)), mk_any(ir, some));
    Node *all = mk_block(ir, body.count, (Node **)body.items, n->loc);
    vec_push(ir->arena, out, mk_for(ir, turn, ix_int(ir, 0), goes, 1, all, true, n->loc));
    return fits;
}
