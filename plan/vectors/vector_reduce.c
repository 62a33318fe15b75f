/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a loop reduces: a vector for each copy, which start from what changes nothing, and in the end go into the scalar. */
#include <math.h>

#include "ir/libm.h"
#include "plan/vectors/vector_state.h"

/* Lanes start from it; NULL: from what the scalar is worth, which may be counted more than once. */
static Node *neutral(Ir *ir, const Reduction *r)
{
    const Type t = r->acc->type;
    switch (r->op) {
    case RED_SUM: return type_is_float(t) ? mk_float(ir, t, -0.0L) : mk_int(ir, t, 0);
    case RED_PRODUCT: return type_is_float(t) ? mk_float(ir, t, 1) : mk_int(ir, t, 1);
    case RED_OR:
    case RED_XOR: return mk_int(ir, t, 0);
    case RED_AND: return type_is_signed(t) ? mk_int(ir, t, -1) : mk_unary(ir, N_BNOT, mk_int(ir, t, 0));
    default: return NULL;
    }
}

static bool is_known(ReduceOp op)
{
    return op == RED_SUM || op == RED_PRODUCT || op == RED_OR || op == RED_XOR || op == RED_AND || op == RED_GREATEST || op == RED_LEAST ||
           op == RED_FMAX || op == RED_FMIN;
}

bool vector_begin_reductions(VectorState *s, const Vec *reductions, Vec *out)
{
    Ir *ir = s->ir;
    for (int i = 0; i < reductions->count; i++) {
        const Reduction *r = reductions->items[i];
        if (r->choice) {
            if (!vector_begin_choice(s, r, s->reductions.runs, out))
                return false;
            continue;
        }
        if (!is_known(r->op))
            return vector_refuse(s, "a reduction has no vectors") != NULL;
        if (type_bits(r->acc->type) == 64 && s->shape.width != LANES_64)
            return vector_refuse(s, "a number of 64 bits changes with the loop") != NULL;
        Varying *v = arena_alloc(ir->arena, sizeof *v);
        v->outlives = true;
        v->number = s->in->numbers && map_get(s->in->numbers, r->acc->id);
        const NarrowAcc *acc = s->narrow ? map_get(&s->narrow->reduced, r->acc->id) : NULL;
        const Type type = acc ? vector_narrow_scalar(s, r->acc) : type_vector(r->acc->type, s->shape.width);
        Node *start = neutral(ir, r);
        start = acc ? vector_narrow_start(s, acc) : mk_splat(ir, start ? start : mk_var(ir, r->acc), s->shape.width);
        for (int c = 0; c < s->copies.number; c++) {
            const char *name = s->copies.number > 1 ? arena_printf(ir->arena, "%s_%d", r->acc->name, c)
                                                    : arena_printf(ir->arena, "%ss", r->acc->name);
            v->copy[c] = sym_new(ir, S_LOCAL, type, name, r->acc->loc);
            vec_push(ir->arena, out, mk_decl(ir, v->copy[c], start, r->acc->loc));
        }
        *map_at(ir->arena, &s->scalars.varying, r->acc->id) = v;
        if (type_is_float(r->acc->type))
            *s->in->reorders = true;
    }
    return true;
}

static Sym *extreme_function(Ir *ir, const Reduction *r)
{
    const bool is_double = r->acc->type == T_DOUBLE;
    const char *name = r->op == RED_FMAX ? (is_double ? "fmax" : "fmaxf") : is_double ? "fmin" : "fminf";
    return libm_function(ir, name, r->acc->loc);
}

/* What combines vectors: of extremes their own operation where all are numbers. */
static Node *combined(Ir *ir, const Reduction *r, bool number, Node *a, Node *b)
{
    static const Kind kinds[RED_COUNT] = {
        [RED_SUM] = N_ADD,      [RED_PRODUCT] = N_MUL, [RED_AND] = N_AND,  [RED_OR] = N_OR,   [RED_XOR] = N_XOR,
        [RED_GREATEST] = N_MAX, [RED_LEAST] = N_MIN,   [RED_FMAX] = N_MAX, [RED_FMIN] = N_MIN};
    Node *kids[] = {a, b};
    if ((r->op == RED_FMAX || r->op == RED_FMIN) && !number)
        return mk_expr(ir, N_CALL, (Type)a->type, extreme_function(ir, r), 2, kids, r->acc->loc);
    return vector_binary(ir, kinds[r->op], a, b);
}

void vector_end_reductions(VectorState *s, const Vec *reductions, Vec *out)
{
    Ir *ir = s->ir;
    for (int i = 0; i < reductions->count; i++) {
        const Reduction *r = reductions->items[i];
        if (r->choice) {
            vector_end_choice(s, r, out);
            continue;
        }
        const Varying *v = map_get(&s->scalars.varying, r->acc->id);
        Node *all[MOST_COPIES], *acc = mk_var(ir, r->acc);
        for (int c = 0; c < s->in->copies; c++)
            all[c] = mk_var(ir, v->copy[c]);
        for (int n = s->in->copies; n > 1; n = (n + 1) / 2) /* by halves */
            for (int c = 0; c < n / 2; c++)
                all[c] = combined(ir, r, v->number, all[c], all[c + (n + 1) / 2]);
        if (s->narrow && r->op != RED_SUM) {
            vector_narrow_end(s, map_get(&s->narrow->reduced, r->acc->id), all[0], out);
            continue;
        }
        const ReduceOp op = !v->number ? r->op : r->op == RED_FMAX ? RED_GREATEST : r->op == RED_FMIN ? RED_LEAST : r->op;
        Node *folded = mk_fold(ir, op, all[0]);
        Node *value = neutral(ir, r) ? combined(ir, r, v->number, acc, folded) : folded;
        vec_push(ir->arena, out, mk_assign(ir, r->acc, value, N_NONE, r->acc->loc));
    }
}
