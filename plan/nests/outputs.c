/* Stored, and nowhere loaded. */
#include "plan/nests/outputs.h"

#include "ir/sym_map.h"
#include "ir/walk.h"

typedef struct Outputs {
    Ir *ir;
    Map loaded; /* by symbol id */
    Vec stored;
} Outputs;

static bool note_output(void *user, Node *n)
{
    Outputs *o = user;
    if (n->kind == N_LOAD)
        *map_at(o->ir->arena, &o->loaded, n->sym->id) = n;
    for (int i = 0; n->kind == N_STORE && i < o->stored.count; i++)
        if (o->stored.items[i] == n->sym)
            return true;
    if (n->kind == N_STORE && n->sym->kind == S_ARRAY)
        vec_push(o->ir->arena, &o->stored, n->sym);
    return true;
}

Vec only_stored(Ir *ir, Node *body)
{
    Outputs o = {.ir = ir};
    Vec found = {0};
    walk(&(Walker){.pre = note_output, .user = &o}, body);
    for (int i = 0; i < o.stored.count; i++)
        if (!map_get(&o.loaded, ((Sym *)o.stored.items[i])->id))
            vec_push(ir->arena, &found, o.stored.items[i]);
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

static bool find_other(void *user, Node *n)
{
    bool *found = user;
    *found = *found || n->kind == N_LOAD || (n->kind == N_VAR && n->sym->kind != S_PARAM);
    return !*found;
}

/* Are the extents made of the operator's parameters alone? */
static bool has_known_extents(const Sym *array)
{
    bool other = false;
    for (int d = 0; d < array->rank; d++)
        walk(&(Walker){.pre = find_other, .user = &other}, array->extent[d]);
    return !other;
}

typedef struct Touched {
    Ir *ir;
    Map seen; /* by symbol id */
    Vec arrays;
} Touched;

static bool note_touched(void *user, Node *n)
{
    Touched *t = user;
    if ((n->kind == N_LOAD || n->kind == N_STORE) && !map_get(&t->seen, n->sym->id) && has_known_extents(n->sym)) {
        *map_at(t->ir->arena, &t->seen, n->sym->id) = n;
        vec_push(t->ir->arena, &t->arrays, n->sym);
    }
    return true;
}

Node *touched_bytes(Ir *ir, Node *body)
{
    Touched t = {.ir = ir};
    walk(&(Walker){.pre = note_touched, .user = &t}, body);
    return bytes_of(ir, &t.arrays);
}
