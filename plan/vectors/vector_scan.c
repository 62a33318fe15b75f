/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of each vector's first lanes by shuffles, to which comes what all vectors before have: only that addition waits for them.
 *
 *     carried = all(s)
 *     for (j = 0; j < n; j += 16) {
 *         sums = scan(load(x + j))
 *         s_0 = sums + carried
 *         carried = carried + last(sums)
 *         store(y + j, s_0)
 *     }
 *     s = greatest(carried), which all lanes are */
#include "plan/vectors/vector_state.h"

static Node *vocabulary_call(Ir *ir, const char *name, Node *vector)
{
    Sym *function = sym_new(ir, S_FUNC, T_VOID, name, (Loc){0, 0});
    return mk_expr(ir, N_CALL, (Type)vector->type, function, 1, &vector, (Loc){0, 0});
}

bool vector_begin_scan(VectorState *s, Vec *out)
{
    Ir *ir = s->ir;
    Sym *acc = s->scan.scan.acc;
    if (s->shape.width != LANES_32)
        return vector_refuse(s, "prefix sums are among elements of 64 bits") != NULL;
    s->scan.carried = sym_new(ir, S_LOCAL, type_vector(acc->type, s->shape.width), "carried", acc->loc);
    vec_push(ir->arena, out, mk_decl(ir, s->scan.carried, mk_splat(ir, mk_var(ir, acc), s->shape.width), acc->loc));
    if (type_is_float(acc->type))
        *s->in->reorders = true;
    return true;
}

void vector_scan(VectorState *s, Sym *const *copies, Node *const *values, Loc loc, Vec *out)
{
    Ir *ir = s->ir;
    for (int c = 0; c < s->copies.number; c++) {
        const Type type = (Type)values[c]->type, element = type_element(type);
        Node *zero = mk_splat(ir, type_is_float(element) ? mk_float(ir, element, 0) : mk_int(ir, element, 0), s->shape.width);
        Node *term = s->copies.count[c] ? vector_select(ir, vector_first_lanes(s, c), values[c], zero) : values[c];
        Sym *sums = sym_new(ir, S_LOCAL, copies[c]->type, "sums", loc);
        Node *carried = mk_var(ir, s->scan.carried);
        sums->is_const = true;
        vec_push(ir->arena, out, mk_decl(ir, sums, vocabulary_call(ir, "scan", term), loc));
        vec_push(ir->arena, out, mk_decl(ir, copies[c], vector_binary(ir, N_ADD, mk_var(ir, sums), carried), loc));
        Node *next = vector_binary(ir, N_ADD, carried, vocabulary_call(ir, "last", mk_var(ir, sums)));
        vec_push(ir->arena, out, mk_assign(ir, s->scan.carried, next, N_NONE, loc));
    }
}

void vector_end_scan(VectorState *s, Vec *out)
{
    Ir *ir = s->ir;
    Sym *acc = s->scan.scan.acc;
    vec_push(ir->arena, out, mk_assign(ir, acc, mk_fold(ir, RED_GREATEST, mk_var(ir, s->scan.carried)), N_NONE, acc->loc));
}
