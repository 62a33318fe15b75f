/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays that loops touch, and how. */
#include "plan/nests/outputs.h"

#include "ir/sym_map.h"
#include "ir/walk.h"

typedef struct Touched {
    Ir *ir;
    Map loaded, stored; /* by symbol id */
    Vec arrays;         /* in the order in which they come first */
} Touched;

static bool note_touched(void *user, Node *n)
{
    Touched *t = user;
    if (n->kind != N_LOAD && n->kind != N_STORE)
        return true;
    if (!map_get(&t->loaded, n->sym->id) && !map_get(&t->stored, n->sym->id))
        vec_push(t->ir->arena, &t->arrays, n->sym);
    *map_at(t->ir->arena, n->kind == N_LOAD ? &t->loaded : &t->stored, n->sym->id) = n;
    return true;
}

static Touched touched_by(Ir *ir, Node *body)
{
    Touched t = {.ir = ir};
    walk(&(Walker){.pre = note_touched, .user = &t}, body);
    return t;
}

Vec only_stored(Ir *ir, Node *body)
{
    const Touched t = touched_by(ir, body);
    Vec found = {0};
    for (int i = 0; i < t.arrays.count; i++) {
        Sym *array = t.arrays.items[i];
        if (array->kind == S_ARRAY && !map_get(&t.loaded, array->id))
            vec_push(ir->arena, &found, array);
    }
    return found;
}

/* Of arrays, Sym *. */
static Node *bytes_of(Ir *ir, const Vec *arrays)
{
    Node *sum = NULL;
    for (int i = 0; i < arrays->count; i++) {
        const Sym *array = arrays->items[i];
        Node *bytes = mk_float(ir, T_DOUBLE, type_bytes(array->type));
        for (int d = 0; d < array->rank; d++)
            bytes = mk_binary(ir, N_MUL, bytes, mk_cast(ir, T_DOUBLE, array->extent[d]));
        sum = sum ? mk_binary(ir, N_ADD, sum, bytes) : bytes;
    }
    return sum;
}

Node *stored_bytes(Ir *ir, Node *body)
{
    const Vec arrays = only_stored(ir, body);
    return bytes_of(ir, &arrays);
}

static bool is_other(void *user, Node *n)
{
    (void)user;
    return n->kind == N_LOAD || (n->kind == N_VAR && n->sym->kind != S_PARAM);
}

/* Are the extents made of the operator's parameters alone? */
static bool has_known_extents(const Sym *array)
{
    for (int d = 0; d < array->rank; d++)
        if (any_node(array->extent[d], is_other, NULL))
            return false;
    return true;
}

Node *touched_bytes(Ir *ir, Node *body)
{
    const Touched t = touched_by(ir, body);
    Vec known = {0};
    for (int i = 0; i < t.arrays.count; i++)
        if (has_known_extents(t.arrays.items[i]))
            vec_push(ir->arena, &known, t.arrays.items[i]);
    return bytes_of(ir, &known);
}
