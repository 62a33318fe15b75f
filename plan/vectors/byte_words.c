/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words put together of neighbouring bytes, as of files and networks in their order: one shuffle, whichever order it is.
 *
 *     x[4 * n] << 24 | x[4 * n + 1] << 16 | x[4 * n + 2] << 8 | x[4 * n + 3]        =>        word(x + 4 * n, 3, 2, 1, 0)
 */
#include "depend/poly.h"
#include "plan/vectors/vector_state.h"

enum { BYTES = 4, MOST_DEPTH = 16 };

typedef struct ByteWord {
    VectorState *s;
    int copy;
    Node *load; /* one of the bytes; NULL: none has been met */
    NarrowPlace place;
    Poly *begin; /* of the group */
    int member[BYTES]; /* of each byte, plus 1; 0: it is 0 */
    int found;
} ByteWord;

static bool add_byte(ByteWord *w, Node *load, int at)
{
    Ir *ir = w->s->ir;
    NarrowPlace place;
    if (load->sym->type != T_UCHAR || w->member[at] || !vector_is_of_group(w->s, load, w->copy, &place) || place.members == 6)
        return false; /* of six bytes no words are shuffled */
    Poly *begin = poly_sub(ir, poly_of(ir, load->kid[0]), poly_int(ir, place.which));
    if (w->load && (w->load->sym != load->sym || !poly_equal(w->begin, begin)))
        return false;
    w->load = load;
    w->place = place;
    w->begin = begin;
    w->member[at] = place.which + 1;
    w->found++;
    return true;
}

/* By how many bytes a shift to the left, or a product, moves its first operand; 0: by none. */
static int moved_by(const Node *e)
{
    const Node *by = e->nkids == 2 ? e->kid[1] : NULL;
    if (!by || by->kind != N_INT)
        return 0;
    for (int bytes = 1; bytes < BYTES; bytes++)
        if ((e->kind == N_SHL && by->u.i == 8 * bytes) || (e->kind == N_MUL && by->u.i == (int64_t)1 << (8 * bytes)))
            return bytes;
    return 0;
}

/* Adds `e`, of which byte 0 is the word's byte `at`, and of which only bytes in front of `end` are other than 0. */
static bool add(ByteWord *w, Node *e, int at, int end, int depth)
{
    const int moved = moved_by(e);
    if (at >= end || depth == MOST_DEPTH || !type_is_integer(e->type))
        return false;
    if (e->kind == N_LOAD)
        return add_byte(w, e, at);
    if (e->kind == N_CAST && e->type != T_BOOL && type_bits(e->type) >= 16 && type_bits(e->type) <= 32) {
        const int bytes = type_is_signed(e->type) && type_bits(e->type) == 16 ? 1 : type_bits(e->type) / 8; /* with no sign to copy */
        return add(w, e->kid[0], at, at + bytes < end ? at + bytes : end, depth + 1);
    }
    if (type_bits(e->type) != 32)
        return false;
    if (moved)
        return add(w, e->kid[0], at + moved, end, depth + 1);
    const bool joins = e->kind == N_OR || e->kind == N_ADD || e->kind == N_XOR;
    return joins && add(w, e->kid[0], at, end, depth + 1) && add(w, e->kid[1], at, end, depth + 1);
}

Node *vector_word(VectorState *s, Node *e, int copy)
{
    Ir *ir = s->ir;
    ByteWord w = {.s = s, .copy = copy};
    int code = 0;
    if (s->shape.width != LANES_32 || type_bits(e->type) != 32 || (e->kind != N_OR && e->kind != N_ADD && e->kind != N_XOR) ||
        !add(&w, e, 0, BYTES, 0) || w.found < 2)
        return NULL;
    for (int i = 0; i < BYTES; i++)
        code |= w.member[i] << 4 * i;
    Poly *at = poly_of(ir, vector_first_lane(s, w.load->kid[0], copy));
    Node *first = poly_node(ir, poly_sub(ir, at, poly_int(ir, w.place.which)));
    Node *word = mk_group_word(ir, w.load->sym, first, w.place.members, code, s->copies.count[copy]);
    return mk_cast(ir, type_vector(e->type, s->shape.width), word);
}

Node *vector_shifted_word(Ir *ir, Node *value, int by)
{
    const int code = value->kind == N_MEMBER ? group_word(value) : 0;
    if (!code || by % 8)
        return NULL;
    return mk_group_word(ir, value->sym, value->kid[0], group_members(value), code << by / 2 & 0xffff,
                         value->nkids > 1 ? value->kid[1] : NULL);
}
