/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees alike but for integers that go up by the same step from term to term; bits that are taken out of an integer count as a shift and a
 * mask, whichever of them is written. */
#include "plan/split/join_terms.h"

#include "depend/poly.h"
#include "plan/contract/narrow.h"

enum { MOST_TERMS = 8 };

typedef struct Join {
    Ir *ir;
    Node *phase; /* the number of the term */
    int count;   /* of terms */
    int64_t trip; /* of the innermost loop */
    bool follows; /* some operand's elements follow each other through the loops over terms and over the innermost one */
} Join;

static Node *alike(Join *j, Node *const *e);

static bool are_same(const Join *j, Node *const *e)
{
    for (int i = 1; i < j->count; i++)
        if (e[i] != e[0])
            return false;
    return true;
}

/* first + step * phase, of the type of `first`. */
static Node *stepped(const Join *j, Node *first, int64_t step)
{
    Ir *ir = j->ir;
    const Type type = (Type)first->type;
    if (step == 0)
        return first;
    Node *phase = mk_cast(ir, type, j->phase), *by = step == 1 ? phase : mk_binary(ir, N_MUL, phase, mk_int(ir, type, step));
    return is_int(first, 0) ? by : mk_binary(ir, N_ADD, first, by);
}

/* Of a subscript: its terms are so far apart from each other. */
static bool find_step(const Join *j, Node *const *e, int64_t *step)
{
    for (int i = 1; i < j->count; i++) {
        int64_t apart;
        if (!poly_const(poly_sub(j->ir, poly_of(j->ir, e[i]), poly_of(j->ir, e[i - 1])), &apart) || (i > 1 && apart != *step))
            return false;
        *step = apart;
    }
    return true;
}

static Node *alike_loads(Join *j, Node *const *e)
{
    Node *kids[MAX_LOOPS], *each[MOST_TERMS];
    const int last = e[0]->nkids - 1;
    if (last >= MAX_LOOPS)
        return NULL;
    for (int d = 0; d <= last; d++) {
        int64_t step = 0;
        for (int i = 0; i < j->count; i++)
            each[i] = e[i]->kid[d];
        if (!type_is_integer(each[0]->type) || !find_step(j, each, &step))
            return NULL;
        j->follows = j->follows || (d == last && step == j->trip);
        kids[d] = stepped(j, each[0], step);
    }
    return mk_load(j->ir, e[0]->sym, last + 1, kids);
}

/* Bits of an integer: word >> shift & mask; mask -1: all. */
typedef struct Bits {
    Node *word;
    int64_t shift, mask;
} Bits;

static Bits bits_of(Node *e)
{
    Bits b = {e, 0, -1};
    if (e->kind == N_AND && e->kid[1]->kind == N_INT && e->kid[1]->u.i > 0)
        b = (Bits){e->kid[0], 0, e->kid[1]->u.i};
    else if (e->kind == N_AND && e->kid[0]->kind == N_INT && e->kid[0]->u.i > 0)
        b = (Bits){e->kid[1], 0, e->kid[0]->u.i};
    if (b.word->kind == N_SHR && b.word->kid[1]->kind == N_INT) {
        b.shift = b.word->kid[1]->u.i;
        b.word = b.word->kid[0];
    }
    return b;
}

/* Where one of them has no mask, it may have that of the others if it says nothing there. */
static Node *alike_bits(Join *j, Node *const *e)
{
    Ir *ir = j->ir;
    Bits b[MOST_TERMS];
    int64_t mask = -1;
    for (int i = 0; i < j->count; i++) {
        b[i] = bits_of(e[i]);
        if (b[i].word != b[0].word || e[i]->type != e[0]->type || (mask != -1 && b[i].mask != -1 && b[i].mask != mask) ||
            (i > 1 && b[i].shift - b[i - 1].shift != b[1].shift - b[0].shift))
            return NULL;
        mask = b[i].mask == -1 ? mask : b[i].mask;
    }
    if (mask == -1 || (mask & (mask + 1)) || b[0].word->type != e[0]->type)
        return NULL;
    for (int i = 0; i < j->count; i++)
        if (b[i].mask == -1 && !fits_between(e[i], 0, mask))
            return NULL;
    Node *shift = stepped(j, mk_int(ir, T_INT, b[0].shift), b[1].shift - b[0].shift);
    return mk_binary(ir, N_AND, mk_binary(ir, N_SHR, b[0].word, shift), mk_int(ir, (Type)e[0]->type, mask));
}

static Node *alike_numbers(Join *j, Node *const *e)
{
    const int64_t step = e[1]->u.i - e[0]->u.i;
    if (type_bits((Type)e[0]->type) < 32)
        return NULL;
    for (int i = 0; i < j->count; i++)
        if (e[i]->kind != N_INT || e[i]->u.i != e[0]->u.i + i * step)
            return NULL;
    return stepped(j, e[0], step);
}

static bool are_of_a_kind(const Join *j, Node *const *e)
{
    for (int i = 1; i < j->count; i++)
        if (e[i]->kind != e[0]->kind || e[i]->type != e[0]->type || e[i]->nkids != e[0]->nkids || e[i]->sym != e[0]->sym)
            return false;
    return true;
}

/* The expression that is e[0], e[1] ... for phase 0, 1 ...; NULL: there is none. */
static Node *alike(Join *j, Node *const *e)
{
    Node *kids[MAX_LOOPS], *each[MOST_TERMS];
    if (are_same(j, e))
        return e[0];
    int64_t step;
    Node *bits = type_is_integer(e[0]->type) ? alike_bits(j, e) : NULL;
    if (bits)
        return bits;
    if (!are_of_a_kind(j, e))
        return e[0]->type == T_INT && e[1]->type == T_INT && find_step(j, e, &step) ? stepped(j, e[0], step) : NULL;
    if (e[0]->kind == N_INT)
        return alike_numbers(j, e);
    if (e[0]->kind == N_LOAD)
        return alike_loads(j, e);
    if (e[0]->nkids == 0 || e[0]->nkids > MAX_LOOPS)
        return NULL;
    for (int k = 0; k < e[0]->nkids; k++) {
        for (int i = 0; i < j->count; i++)
            each[i] = e[i]->kid[k];
        if (!(kids[k] = alike(j, each)))
            return NULL;
    }
    return with_kids(j->ir, e[0], e[0]->nkids, kids);
}

/* The sum of all terms that go where number `first` goes; NULL: they do not become one. */
static Sum *join_one(Join *j, const Sums *s, int first)
{
    Node *terms[MOST_TERMS];
    const Sum *sum = s->sums.items[first];
    int count = 0;
    for (int i = 0; i < s->sums.count; i++) {
        const Sum *other = s->sums.items[i];
        if (other->acc != sum->acc)
            continue;
        if (count == j->count || other->negative != sum->negative)
            return NULL;
        terms[count++] = other->term;
    }
    Node *term = count == j->count ? alike(j, terms) : NULL;
    if (!term)
        return NULL;
    Sum *joined = arena_alloc(j->ir->arena, sizeof *joined);
    *joined = (Sum){sum->acc, term, sum->negative, sum->loc};
    return joined;
}

static bool is_first(const Sums *s, int at)
{
    for (int i = 0; i < at; i++)
        if (((const Sum *)s->sums.items[i])->acc == ((const Sum *)s->sums.items[at])->acc)
            return false;
    return true;
}

static int accumulators(const Sums *s)
{
    int count = 0;
    for (int i = 0; i < s->sums.count; i++)
        count += is_first(s, i);
    return count;
}

/* for (t = 0; t < count; t++) around the innermost loop of the chain. */
static void add_loop(Join *j, Sums *s)
{
    Ir *ir = j->ir;
    Node *innermost = s->path.items[s->path.count - 1];
    Node *less = mk_binary(ir, N_LT, j->phase, mk_int(ir, T_INT, j->count));
    Node *nothing = mk_block(ir, 0, NULL, innermost->loc);
    s->path.items[s->path.count - 1] = mk_for(ir, j->phase->sym, mk_int(ir, T_INT, 0), less, 1, nothing, true, innermost->loc);
    vec_push(ir->arena, &s->path, innermost);
}

bool join_terms(Ir *ir, Sums *s)
{
    Vec joined = {0};
    const int sums = accumulators(s);
    const Node *innermost = s->path.items[s->path.count - 1], *trip = counted_from_zero(innermost);
    Join j = {.ir = ir, .trip = trip && trip->kind == N_INT ? trip->u.i : 0, .count = sums ? s->sums.count / sums : 0};
    if (j.trip == 0 || j.count < 2 || j.count > MOST_TERMS)
        return false;
    j.phase = mk_var(ir, sym_new(ir, S_LOOP, T_INT, "t", innermost->loc));
    for (int i = 0; i < s->sums.count; i++) {
        if (!is_first(s, i))
            continue;
        Sum *sum = join_one(&j, s, i);
        if (!sum)
            return false;
        vec_push(ir->arena, &joined, sum);
    }
    if (!j.follows)
        return false;
    s->sums = joined;
    add_loop(&j, s);
    return true;
}
