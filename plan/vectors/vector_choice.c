/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first iteration in which something is greatest, or least:
 *
 *     for (i) if (x[i] > best) { best = x[i]; place = i; }
 *
 * Each lane keeps the greatest it has seen, and where. Of the lanes with the greatest of all the first place counts; the body is then run
 * once more for it, as it stands. */
#include "ir/walk.h"
#include "plan/vectors/vector_state.h"

typedef struct Choice {
    const Reduction *reduction;
    Sym *held[MOST_COPIES], *at[MOST_COPIES];
} Choice;

static Node *lanes_of(VectorState *s, Type type, int64_t value) { return mk_splat(s->ir, mk_int(s->ir, type, value), s->shape.width); }

/* Nothing but names and the choice, so that running it once more does nothing else. */
static bool is_alone(const VectorState *s, const Node *n, const Node *choice)
{
    if (n->kind != N_BLOCK)
        return n == choice || n->kind == N_DECL || (n->kind == N_ASSIGN && vector_fact(&s->loop, n->sym, OWN));
    for (int i = 0; i < n->nkids; i++)
        if (!is_alone(s, n->kid[i], choice))
            return false;
    return true;
}

static Sym *lane_symbol(VectorState *s, const Sym *like, Type type, const char *name, int copy)
{
    if (s->copies.number > 1)
        name = arena_printf(s->ir->arena, "%s_%d", name, copy);
    return sym_new(s->ir, S_LOCAL, type_vector(type, s->shape.width), name, like->loc);
}

bool vector_begin_choice(VectorState *s, const Reduction *r, Node *runs, Vec *out)
{
    Ir *ir = s->ir;
    const Type type = (Type)r->held->type;
    if (!is_alone(s, s->loop.body, r->choice) || s->loop.var->type != T_INT || type_bits(type) < 32 || type == T_LDOUBLE)
        return vector_refuse(s, "a loop looks for a place, and does other things as well") != NULL;
    if (type_bits(type) == 64 && s->shape.width != LANES_64)
        return vector_refuse(s, "a number of 64 bits changes with the loop") != NULL;
    Choice *c = arena_alloc(ir->arena, sizeof *c);
    c->reduction = r;
    Node *zero = type_is_float(type) ? mk_float(ir, type, 0) : mk_int(ir, type, 0);
    Node *start = r->acc ? r->held : mk_select(ir, runs, r->held, zero); /* an element, which may not exist */
    for (int i = 0; i < s->copies.number; i++) {
        c->held[i] = lane_symbol(s, s->loop.var, type, "held", i);
        c->at[i] = lane_symbol(s, s->loop.var, T_INT, "at", i);
        vec_push(ir->arena, out, mk_decl(ir, c->held[i], mk_splat(ir, start, s->shape.width), r->choice->loc));
        vec_push(ir->arena, out, mk_decl(ir, c->at[i], lanes_of(s, T_INT, INT32_MIN), r->choice->loc));
    }
    vec_push(ir->arena, &s->reductions.choices, c);
    return true;
}

static Choice *choice_of(const LoopReductions *reductions, const Node *n)
{
    for (int i = 0; i < reductions->choices.count; i++)
        if (((Choice *)reductions->choices.items[i])->reduction->choice == n)
            return reductions->choices.items[i];
    return NULL;
}

bool vector_is_choice(const LoopReductions *reductions, const Node *n) { return choice_of(reductions, n) != NULL; }

bool vector_choose(VectorState *s, const Node *n, Vec *out)
{
    Ir *ir = s->ir;
    const Choice *c = choice_of(&s->reductions, n);
    for (int i = 0; i < s->copies.number; i++) {
        Node *value = vector_value(s, c->reduction->value, i), *place = value ? vector_value(s, mk_var(ir, s->loop.var), i) : NULL;
        if (!place)
            return false;
        Node *held = mk_var(ir, c->held[i]), *at = mk_var(ir, c->at[i]);
        Node *better = vector_binary(ir, c->reduction->op == RED_FIRST_GREATEST ? N_GT : N_LT, value, held);
        if (s->copies.count[i])
            better = vector_and(ir, mk_expr(ir, N_FIRST, type_vector(T_MASK, s->shape.width), NULL, 1, &s->copies.count[i], n->loc),
                                better);
        Sym *mask = sym_new(ir, S_LOCAL, (Type)better->type, "better", n->loc);
        mask->is_const = true;
        vec_push(ir->arena, out, mk_decl(ir, mask, better, n->loc));
        Node *of_held[] = {mk_var(ir, mask), value, held}, *of_at[] = {mk_var(ir, mask), place, at};
        vec_push(ir->arena, out, mk_assign(ir, c->held[i], mk_expr(ir, N_SEL, (Type)held->type, NULL, 3, of_held, n->loc), N_NONE, n->loc));
        vec_push(ir->arena, out, mk_assign(ir, c->at[i], mk_expr(ir, N_SEL, (Type)at->type, NULL, 3, of_at, n->loc), N_NONE, n->loc));
    }
    return true;
}

/* The first place among lanes that hold `top`, else INT32_MAX. */
static Node *first_place(VectorState *s, const Choice *c, int copies, Sym *top)
{
    Ir *ir = s->ir;
    Node *first = NULL;
    for (int i = 0; i < copies; i++) {
        Node *has_it = vector_binary(ir, N_EQ, mk_var(ir, c->held[i]), mk_splat(ir, mk_var(ir, top), s->shape.width));
        Node *kids[] = {has_it, mk_var(ir, c->at[i]), lanes_of(s, T_INT, INT32_MAX)};
        Node *place = mk_expr(ir, N_SEL, (Type)kids[1]->type, NULL, 3, kids, (Loc){0, 0});
        first = first ? vector_binary(ir, N_MIN, first, place) : place;
    }
    return mk_fold(ir, RED_LEAST, first);
}

void vector_end_choice(VectorState *s, const Reduction *r, Vec *out)
{
    Ir *ir = s->ir;
    const Choice *c = choice_of(&s->reductions, r->choice);
    const bool greatest = r->op == RED_FIRST_GREATEST;
    const int copies = s->in->copies;
    Node *best = mk_var(ir, c->held[0]);
    for (int i = 1; i < copies; i++)
        best = vector_binary(ir, greatest ? N_MAX : N_MIN, best, mk_var(ir, c->held[i]));
    Sym *top = sym_new(ir, S_LOCAL, (Type)r->held->type, "top", r->choice->loc),
        *place = sym_new(ir, S_LOCAL, T_INT, "place", r->choice->loc);
    Sym *again = sym_new(ir, S_LOCAL, T_INT, s->loop.var->name, r->choice->loc);
    top->is_const = place->is_const = again->is_const = true;
    vec_push(ir->arena, out, mk_decl(ir, top, mk_fold(ir, greatest ? RED_GREATEST : RED_LEAST, best), r->choice->loc));
    vec_push(ir->arena, out, mk_decl(ir, place, first_place(s, c, copies, top), r->choice->loc));
    Node *found = mk_binary(ir, N_LAND, mk_binary(ir, N_GT, mk_var(ir, place), mk_int(ir, T_INT, INT32_MIN)),
                            mk_binary(ir, N_LT, mk_var(ir, place), mk_int(ir, T_INT, INT32_MAX)));
    Node *once[] = {mk_decl(ir, again, mk_var(ir, place), r->choice->loc), rename_sym(ir, s->scalars_body, s->loop.var, again)};
    vec_push(ir->arena, out, mk_if(ir, found, mk_block(ir, 2, once, r->choice->loc), NULL, r->choice->loc));
}
