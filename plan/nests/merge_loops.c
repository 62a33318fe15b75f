/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Division gives the variables back: once for each iteration of both. */
#include "plan/nests/merge_loops.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/nests/loop_utils.h"

/* The third loop; NULL: there is none, or its bounds depend on the others. */
static Node *third_loop(const HostNest *nest)
{
    Node *first = only_statement(nest->loops->body), *second = first->kind == N_FOR ? only_statement(first->kid[2]) : NULL;
    Node *third = second && second->kind == N_FOR ? only_statement(second->kid[2]) : NULL;
    Bounds b;
    const bool fits = third && third->kind == N_FOR && nest->cut.loops == 2 && first->sym == nest->cut.var[0] &&
                      second->sym == nest->cut.var[1] && third->aux & FOR_PARALLEL && for_bounds(third, &b) && b.step == 1 &&
                      b.cmp == N_LT && type_is_signed(b.var->type) && type_bits(b.var->type) >= 32;
    for (int i = 0; fits && i < 2; i++)
        if (uses_sym(third->kid[i], first->sym) || uses_sym(third->kid[i], second->sym))
            return NULL;
    return fits ? third : NULL;
}

bool loops_can_merge(const HostNest *nest) { return third_loop(nest) != NULL; }

/* The loop's variable in iteration `t`, declared; *body: with it. */
static Node *declared(Ir *ir, Node *loop, Node *t, Node **body)
{
    Bounds b;
    for_bounds(loop, &b);
    Sym *var = sym_new(ir, S_LOCAL, loop->sym->type, loop->sym->name, loop->loc);
    var->is_const = true;
    *body = rename_sym(ir, *body, loop->sym, var);
    return mk_decl(ir, var, mk_cast(ir, var->type, t), loop->loc);
}

void merge_outer_loops(Ir *ir, HostNest *nest)
{
    Node *third = third_loop(nest), *first = only_statement(nest->loops->body), *second = only_statement(first->kid[2]);
    Sym *const *params = nest->loops->params;
    Sym *both = sym_new(ir, S_LOOP, T_INDEX, arena_printf(ir->arena, "%s_%s", first->sym->name, second->sym->name), first->loc);
    Node *at = mk_var(ir, both), *inner = nest->cut.count[1];
    nest->plain = NULL;
    nest->cut.count[0] = ix_mul(ir, nest->cut.count[0], inner);
    nest->cut.count[1] = trip_count_of_running(ir, third);
    nest->cut.var[0] = both;
    nest->cut.var[1] = third->sym;
    Node *body = some_iterations(ir, third, mk_var(ir, params[2]), mk_var(ir, params[3]), third->kid[2]);
    Node *stmts[3];
    stmts[0] = declared(ir, first, ix_div(ir, at, inner), &body);
    stmts[1] = declared(ir, second, ix_mod(ir, at, inner), &body);
    stmts[2] = body;
    Node *cond = mk_binary(ir, N_LT, at, mk_var(ir, params[1]));
    Node *loop = mk_for(ir, both, mk_var(ir, params[0]), cond, 1, mk_block(ir, 3, stmts, first->loc), true, first->loc);
    loop->aux = (uint16_t)(loop->aux | FOR_PARALLEL);
    nest->loops->body = mk_block(ir, 1, &loop, first->loc);
}
