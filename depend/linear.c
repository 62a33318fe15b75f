/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Row-major offsets in the place of subscripts; rows and strides keep names where loops are to see them. */
#include "depend/linear.h"

#include <string.h>

#include "depend/index.h"
#include "depend/poly.h"
#include "ir/walk.h"

Node *array_elements(Ir *ir, const Sym *array)
{
    Node *product = ix_int(ir, 1);
    for (int i = 0; i < array->rank; i++)
        product = ix_mul(ir, product, widen(ir, array->extent[i]));
    return product;
}

static bool has_constant_size(const Sym *array)
{
    for (int i = 0; i < array->rank; i++)
        if (!array->extent[i] || array->extent[i]->kind != N_INT)
            return false;
    return true;
}

static bool has_known_size(const Sym *array)
{
    bool known = true;
    for (int i = 0; i < array->rank; i++)
        known = known && array->extent[i];
    return known;
}

/* As Sym.multiples has them; NULL: the number of elements is not known. */
static unsigned short multiples_of(Ir *ir, Node *total)
{
    unsigned found = 0;
    for (int n = 2; total && n <= 8; n++)
        found |= (unsigned)(poly_remainder(poly_of(ir, total), n) == 0) << n;
    return (unsigned short)found;
}

Sym *linear_sym(Ir *ir, LinearMap *map, Sym *array)
{
    if (array->rank <= 1)
        return array;
    if (array->id >= map->size) {
        int size = 2 * array->id + 16;
        Sym **flat = arena_new_array(ir->arena, Sym *, size);
        if (map->size)
            memcpy(flat, map->flat, sizeof(Sym *) * (size_t)map->size);
        map->flat = flat;
        map->size = size;
    }
    if (!map->flat[array->id]) {
        /* A local array of constant size may still be declared, so its size has to stay known. */
        bool sized = array->kind == S_LOCAL_ARRAY && has_constant_size(array);
        Node *extent = sized ? array_elements(ir, array) : NULL;
        Sym *flat = sym_new_array(ir, array->kind, array->type, array->name, 1, &extent, array->loc);
        flat->spelling = array->spelling;
        flat->is_const = array->is_const;
        flat->is_restrict = array->is_restrict;
        flat->table = array->table;
        flat->whole = array->whole;
        flat->total = has_known_size(array) ? array_elements(ir, array) : NULL;
        flat->multiples = multiples_of(ir, flat->total);
        map->flat[array->id] = flat;
    }
    return map->flat[array->id];
}

/* Row-major offset of an element: ((i0 * e1 + i1) * e2 + i2) ... */
static Node *offset(Ir *ir, const Sym *array, Node *const *sub)
{
    Node *at = widen(ir, sub[0]);
    for (int i = 1; i < array->rank; i++)
        at = ix_add(ir, ix_mul(ir, at, widen(ir, array->extent[i])), widen(ir, sub[i]));
    return at;
}

static bool search_long(void *user, Node *n)
{
    (void)user;
    return n->kind == N_CAST && type_bits(n->kid[0]->type) > 32;
}

/* Numbers of which even one alone, times a stride, might overflow. */
static bool is_long(Node *sum) { return any_node(sum, search_long, NULL); }

/* Summand by summand, of numbers of 32 bits. */
static Node *times(Ir *ir, Node *sum, Node *stride)
{
    if (is_long(sum))
        return ix_mul(ir, sum, stride);
    if (sum->kind == N_ADD)
        return ix_add(ir, times(ir, sum->kid[0], stride), times(ir, sum->kid[1], stride));
    if (sum->kind == N_SUB)
        return ix_sub(ir, times(ir, sum->kid[0], stride), times(ir, sum->kid[1], stride));
    return ix_mul(ir, sum, stride);
}

/* The same as a sum of products, i0 * (e1 * e2 ...) + i1 * (e2 ...) + ...: loops add a stride, and what does not change in them is
 * hoisted. The entry has checked that no product of the extents overflows. */
Node *linear_subscript(Ir *ir, const Sym *array, Node *const *sub)
{
    const int last = array->rank - 1;
    Node *at = widen(ir, sub[last]), *stride = ix_int(ir, 1);
    for (int i = last - 1; i >= 0; i--) {
        stride = ix_mul(ir, widen(ir, array->extent[i + 1]), stride);
        at = ix_add(ir, times(ir, widen(ir, sub[i]), stride), at);
    }
    return at;
}

typedef struct Linearizing {
    Ir *ir;
    LinearMap *map;
    bool by_strides;
} Linearizing;

static Node *linear_post(void *user, Node *n)
{
    Linearizing *l = user;
    if ((n->kind != N_LOAD && n->kind != N_STORE && n->kind != N_DECL) || !n->sym->rank)
        return n;
    Sym *flat = linear_sym(l->ir, l->map, n->sym);
    if (n->kind == N_DECL)
        return with_sym_kids(l->ir, n, flat, n->nkids, n->kid);
    Node *kids[2] = {(l->by_strides ? linear_subscript : offset)(l->ir, n->sym, n->kid)};
    if (n->kind == N_STORE)
        kids[1] = stmt_value(n);
    return with_sym_kids(l->ir, n, flat, n->kind == N_STORE ? 2 : 1, kids);
}

Node *linearize(Ir *ir, LinearMap *map, Node *body, bool by_strides)
{
    Linearizing l = {ir, map, by_strides};
    return rewrite(&(Rewriter){.ir = ir, .post = linear_post, .user = &l}, body);
}
