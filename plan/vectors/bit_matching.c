/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the body in order, and knows of each scalar which bits of what it is the sum of. What is counted gets a name before it is
 * overwritten. */
#include "plan/vectors/bit_matching.h"

#include "depend/parallel.h"
#include "depend/reduce.h"
#include "ir/simplify.h"
#include "ir/walk.h"
#include "plan/vectors/bit_weights.h"
#include "plan/vectors/last_values.h"
#include "plan/vectors/vector_facts.h"

enum { FEWEST_BITS = 8 }; /* fewer are counted as they are */

/* An integer whose bits are summed: a scalar's value at some time, or an expression. */
typedef struct Counted {
    Node *value; /* by which it is reached now */
    Node *of;    /* the expression; NULL: it is a scalar's value */
    bool varies; /* from iteration to iteration */
} Counted;

typedef struct Sum {
    Counted *of; /* NULL: it is 0, and a sum of any integer's bits */
    BitWeights weights;
} Sum;

typedef struct Matching {
    Ir *ir;
    const LoopFacts *facts;
    Map sums;    /* by symbol id: Sum *, of a scalar that is one of others' bits */
    Map counted; /* by symbol id: Counted *, of a scalar itself */
    Vec others;  /* Counted *, of expressions whose value has not changed since */
    Map known;   /* by node id: Sum *, in the statement at hand */
    bool found;
} Matching;

static const Sum *sum_of(Matching *m, Node *e);

static bool is_counting_type(Type type) { return type_is_integer(type) && type != T_BOOL && type != T_INDEX; }

static Sum *new_sum(Matching *m, Counted *of, const BitWeights *weights)
{
    Sum *sum = arena_alloc(m->ir->arena, sizeof *sum);
    *sum = (Sum){of, *weights};
    return sum;
}

static Counted *new_counted(Matching *m, Node *e, Node *of)
{
    Counted *counted = arena_alloc(m->ir->arena, sizeof *counted);
    *counted = (Counted){e, of, vector_varies(m->facts, e)};
    return counted;
}

static Counted *counted_expression(Matching *m, Node *e)
{
    for (int i = 0; i < m->others.count; i++) {
        Counted *other = m->others.items[i];
        if (other->of == e)
            return other;
    }
    Counted *fresh = new_counted(m, e, e);
    vec_push(m->ir->arena, &m->others, fresh);
    return fresh;
}

/* The expression as the integer whose bits are summed. */
static const Sum *itself(Matching *m, Node *e)
{
    const BitWeights weights = bits_of_itself(e->type);
    if (e->kind != N_VAR)
        return new_sum(m, counted_expression(m, e), &weights);
    Counted **counted = (Counted **)map_at(m->ir->arena, &m->counted, e->sym->id);
    *counted = *counted ? *counted : new_counted(m, e, NULL);
    return new_sum(m, *counted, &weights);
}

static const Node *constant_operand(const Node *e, int *other)
{
    const bool turned = e->kid[0]->kind == N_INT && kind_info[e->kind].flags & F_COMM;
    *other = turned ? 1 : 0;
    return e->kid[1 - *other]->kind == N_INT ? e->kid[1 - *other] : NULL;
}

static const Sum *of_operator(Matching *m, Node *e)
{
    int other;
    BitWeights weights;
    const Node *constant = constant_operand(e, &other);
    const Sum *a = sum_of(m, e->kid[other]), *b = constant || !a ? NULL : sum_of(m, e->kid[1]);
    const bool alike = b && (!a->of || !b->of || a->of == b->of);
    const bool right = a && constant ? bits_by_constant(e->kind, &a->weights, (uint64_t)constant->u.i, &weights)
                                     : alike && bits_of_two(e->kind, &a->weights, &b->weights, &weights);
    return right ? new_sum(m, a->of || !b ? a->of : b->of, &weights) : NULL;
}

static int count_ones(uint64_t x)
{
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

/* Has the table the counts of bits of all its subscripts? */
static bool is_table_of_counts(const Node *e)
{
    const ConstantTable *table = e->nkids == 1 ? e->sym->table : NULL;
    for (int i = 0; table && i < table->count; i++)
        if (table->value[i]->kind != N_INT || table->value[i]->u.i != count_ones((uint64_t)i))
            return false;
    return table && table->count > 1;
}

/* A count that is looked up. */
static const Sum *of_table(Matching *m, Node *e)
{
    BitWeights weights;
    Node *subscript = e->kid[0];
    while (subscript->kind == N_CAST && !is_counting_type(subscript->type))
        subscript = subscript->kid[0];
    const Sum *of = is_table_of_counts(e) ? sum_of(m, subscript) : NULL;
    return of && bits_counted(&of->weights, (Type)e->type, &weights) ? new_sum(m, of->of, &weights) : NULL;
}

static const Sum *of_parts(Matching *m, Node *e)
{
    BitWeights weights;
    const Sum *of;
    switch ((Kind)e->kind) {
    case N_VAR: return map_get(&m->sums, e->sym->id);
    case N_INT: return e->u.i ? NULL : new_sum(m, NULL, &(BitWeights){.type = e->type});
    case N_LOAD: return of_table(m, e);
    case N_CAST:
        of = sum_of(m, e->kid[0]);
        return of && bits_cast(&of->weights, (Type)e->type, &weights) ? new_sum(m, of->of, &weights) : NULL;
    case N_ADD:
    case N_SUB:
    case N_MUL:
    case N_AND:
    case N_OR:
    case N_XOR:
    case N_SHL:
    case N_SHR: return of_operator(m, e);
    default: return NULL;
    }
}

/* NULL: it is no integer. */
static const Sum *sum_of(Matching *m, Node *e)
{
    const Sum **known = (const Sum **)map_at(m->ir->arena, &m->known, e->id);
    if (!*known && is_counting_type(e->type)) {
        const Sum *parts = of_parts(m, e);
        *known = parts ? parts : itself(m, e);
    }
    return *known;
}

/* The lower bits of an integer, as one without a sign of 32 or 64. */
static Node *lower_bits(Matching *m, Node *x, int bits)
{
    const Type unsigned_of[] = {[1] = T_UCHAR, [2] = T_USHORT, [4] = T_UINT, [8] = T_ULONG};
    return mk_cast(m->ir, bits == 64 ? T_ULONG : T_UINT, mk_cast(m->ir, unsigned_of[bits / 8], x));
}

/* The count of those bits. */
static Node *count_of(Matching *m, Node *x, uint64_t bits)
{
    const Type from = x->type, type = type_bits(from) == 64 ? T_ULONG : T_UINT;
    const uint64_t all = type_bits(from) == 64 ? ~(uint64_t)0 : ((uint64_t)1 << type_bits(from)) - 1;
    const bool same = bits == all && (!type_is_signed(from) || type_bits(from) >= 32);
    x = mk_cast(m->ir, type, x);
    if (!same)
        x = mk_binary(m->ir, N_AND, x, mk_int(m->ir, type, (int64_t)bits));
    return mk_unary(m->ir, N_POPCOUNT, x);
}

/* The lower bits in reverse, as `kind` does it. */
static Node *reverse_of(Matching *m, Node *x, int bits, Kind kind)
{
    Node *reverse = mk_unary(m->ir, kind, lower_bits(m, x, bits));
    const int above = type_bits(reverse->type) - bits;
    return above ? mk_binary(m->ir, N_SHR, reverse, mk_int(m->ir, T_INT, above)) : reverse;
}

/* As one operation on the integer whose bits it sums; NULL: it is none. */
static Node *as_operation(Matching *m, const Sum *sum)
{
    uint64_t bits;
    Node *x = sum->of && sum->of->varies ? sum->of->value : NULL;
    if (x && bits_are_counted(&sum->weights, &bits) && count_ones(bits) >= FEWEST_BITS)
        return count_of(m, x, bits);
    for (int width = 8; x && width <= type_bits(x->type); width *= 2) {
        if (bits_are_reversed(&sum->weights, width))
            return reverse_of(m, x, width, N_BIT_REVERSE);
        if (bytes_are_reversed(&sum->weights, width))
            return reverse_of(m, x, width, N_BYTE_REVERSE);
    }
    return NULL;
}

/* The operation that the expression is; NULL: it is none. */
static Node *operation(Matching *m, Node *e)
{
    const bool cuts = e->kind == N_CAST && type_bits(e->type) < type_bits(e->kid[0]->type);
    const Sum *sum = is_counting_type(e->type) && e->kind != N_VAR && (e->kind != N_CAST || cuts) ? sum_of(m, e) : NULL;
    Node *value = sum ? as_operation(m, sum) : NULL;
    m->found = m->found || value;
    return value ? mk_cast(m->ir, (Type)e->type, value) : NULL;
}

static Node *replace(void *user, Node *n) { return is_expr(n) ? operation(user, n) : NULL; }

static Node *with_operations(Matching *m, Node *e) { return rewrite(&(Rewriter){.ir = m->ir, .pre = replace, .user = m}, e); }

/* ---------------------------------------------------------------- statements */

/* Keeps what is counted under a name of its own. */
static void name_counted(Matching *m, Counted *counted, Vec *out)
{
    Sym *bits = sym_new(m->ir, S_LOCAL, (Type)counted->value->type, "bits", counted->value->loc);
    bits->is_const = true;
    vec_push(m->ir->arena, out, mk_decl(m->ir, bits, counted->value, counted->value->loc));
    counted->value = mk_var(m->ir, bits);
}

/* The scalar is about to change. */
static void forget(Matching *m, const Sym *sym, Vec *out)
{
    Counted **counted = (Counted **)map_at(m->ir->arena, &m->counted, sym->id);
    if (*counted)
        name_counted(m, *counted, out);
    *counted = NULL;
    *map_at(m->ir->arena, &m->sums, sym->id) = NULL;
    int kept = 0;
    for (int i = 0; i < m->others.count; i++) {
        const Counted *other = m->others.items[i];
        if (!uses_sym(other->of, sym))
            m->others.items[kept++] = m->others.items[i];
    }
    m->others.count = kept;
}

typedef struct Forgetting {
    Matching *m;
    Vec *out;
} Forgetting;

static bool forget_assigned(void *user, Node *n)
{
    const Forgetting *f = user;
    if (n->kind == N_ASSIGN)
        forget(f->m, n->sym, f->out);
    return !is_expr(n);
}

static bool search_lazy(void *user, Node *n)
{
    (void)user;
    return kind_info[n->kind].flags & F_LAZY;
}

/* May what is in it be evaluated before it is? */
static bool evaluates_all(Node *e) { return !any_node(e, search_lazy, NULL); }

/* A declaration or an assignment of `value`. */
static void set_scalar(Matching *m, Node *n, Vec *out)
{
    const Sum *parts = sum_of(m, n->kid[0]), *sum = parts && bits_are_apart(&parts->weights) ? parts : NULL;
    const bool named = sum && (!sum->of || sum->of->value->kind == N_VAR);
    const bool is_itself = sum && sum->of && (sum->of->value == n->kid[0] || sum->of->of == n->kid[0]);
    const bool of_others = sum && !is_itself && (named || evaluates_all(n->kid[0]));
    if (of_others && !named)
        name_counted(m, sum->of, out);
    Node *value = with_operations(m, n->kid[0]);
    if (n->kind == N_ASSIGN)
        forget(m, n->sym, out);
    vec_push(m->ir->arena, out, with_kids(m->ir, n, 1, &value));
    *map_at(m->ir->arena, &m->sums, n->sym->id) = of_others ? (void *)sum : NULL;
}

static Node *visit(Matching *m, Node *n);

/* ---------------------------------------------------------------- loops over bits */

enum { MOST_SCALARS = 8 };

/* A loop over bits, followed iteration by iteration: the scalars that it sets, and what was known of each before it. */
typedef struct BitLoop {
    const Sym *sym[MOST_SCALARS];
    bool declared[MOST_SCALARS];
    void *sum[MOST_SCALARS];
    Counted *counted[MOST_SCALARS];
    Node *value[MOST_SCALARS]; /* of what is counted */
    int count;
} BitLoop;

/* False: there are too many. */
static bool note_scalar(Matching *m, BitLoop *b, const Node *n)
{
    for (int i = 0; i < b->count; i++)
        if (b->sym[i] == n->sym)
            return true;
    if (b->count == MOST_SCALARS)
        return false;
    b->sym[b->count] = n->sym;
    b->declared[b->count] = n->kind == N_DECL;
    b->sum[b->count] = map_get(&m->sums, n->sym->id);
    Counted *counted = map_get(&m->counted, n->sym->id);
    b->counted[b->count] = counted;
    b->value[b->count++] = counted ? counted->value : NULL;
    return true;
}

/* One iteration: scalars become sums of bits of what was there before the loop. Names for that come to `out`. */
static bool follow(Matching *m, BitLoop *b, Node *n, Vec *out)
{
    if (n->kind == N_BLOCK) {
        for (int i = 0; i < n->nkids; i++)
            if (!follow(m, b, n->kid[i], out))
                return false;
        return true;
    }
    if ((n->kind != N_DECL && n->kind != N_ASSIGN) || n->nkids != 1 || n->sym->rank || n->sym->is_volatile || !note_scalar(m, b, n))
        return false;
    m->known = (Map){0};
    const Sum *sum = sum_of(m, n->kid[0]);
    if (!sum || (sum->of && (sum->of->value == n->kid[0] || sum->of->of == n->kid[0])))
        return false;
    if (sum->of && sum->of->value->kind != N_VAR) {
        if (!evaluates_all(sum->of->of))
            return false;
        name_counted(m, sum->of, out);
    }
    if (n->kind == N_ASSIGN)
        forget(m, n->sym, out);
    *map_at(m->ir->arena, &m->sums, n->sym->id) = (void *)sum;
    return true;
}

/* Behind the loop: each scalar as one operation. False if there is another one. */
static bool set_scalars(Matching *m, const BitLoop *b, const Node *loop, Vec *out)
{
    bool any = false;
    for (int i = 0; i < b->count; i++) {
        const Sum *sum = map_get(&m->sums, b->sym[i]->id);
        Node *value = bits_are_zero(&sum->weights) ? mk_int(m->ir, b->sym[i]->type, 0) : as_operation(m, sum);
        if (b->declared[i])
            continue;
        if (!value)
            return false;
        any = any || value->kind != N_INT;
        vec_push(m->ir->arena, out, mk_assign(m->ir, (Sym *)b->sym[i], mk_cast(m->ir, b->sym[i]->type, value), N_NONE, loop->loc));
    }
    return any;
}

/* A loop of a few iterations, all of whose scalars become operations, gives way to these; false: it is no such loop. */
static bool replace_loop(Matching *m, Node *loop, Vec *out)
{
    Ir *ir = m->ir;
    BitLoop b = {.count = 0};
    const int before = out->count;
    Node *trips = loop->kind == N_FOR ? trip_count(ir, loop) : NULL;
    trips = trips ? simplify(ir, trips) : NULL;
    if (!trips || trips->kind != N_INT || trips->u.i < FEWEST_BITS || trips->u.i > MOST_BITS || loop->kid[0]->kind != N_INT ||
        !loop_declares(loop))
        return false;
    bool follows = true;
    for (int64_t i = 0; i < trips->u.i && follows; i++) {
        Node *at = mk_int(ir, loop->sym->type, loop->kid[0]->u.i + i * loop->u.i);
        follows = follow(m, &b, simplify(ir, substitute(ir, loop->kid[2], loop->sym, at)), out);
    }
    if (follows && set_scalars(m, &b, loop, out)) {
        m->found = true;
        return true;
    }
    out->count = before;
    m->others.count = 0;
    for (int i = 0; i < b.count; i++) {
        if (b.counted[i])
            b.counted[i]->value = b.value[i];
        *map_at(ir->arena, &m->sums, b.sym[i]->id) = b.sum[i];
        *map_at(ir->arena, &m->counted, b.sym[i]->id) = b.counted[i];
    }
    return false;
}

/* ---------------------------------------------------------------- */

static void visit_statement(Matching *m, Node *n, Vec *out)
{
    Ir *ir = m->ir;
    m->known = (Map){0};
    const bool scalar = (n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids == 1 && !n->sym->rank;
    if (scalar) {
        set_scalar(m, n, out);
        return;
    }
    if (replace_loop(m, n, out))
        return;
    m->others.count = 0; /* memory may change, or what is declared goes out of scope */
    Node **kids = arena_new_array(ir->arena, Node *, n->nkids + 1);
    Forgetting f = {m, out};
    const bool nested = n->kind == N_IF || n->kind == N_FOR || n->kind == N_BLOCK;
    if (n->kind == N_IF || n->kind == N_STORE)
        for (int i = 0; i < n->nkids; i++)
            kids[i] = is_expr(n->kid[i]) ? with_operations(m, n->kid[i]) : n->kid[i];
    else
        for (int i = 0; i < n->nkids; i++)
            kids[i] = n->kid[i];
    if (nested)
        walk(&(Walker){.pre = forget_assigned, .user = &f}, n);
    for (int i = 0; i < n->nkids && n->kind != N_BLOCK; i++)
        kids[i] = is_expr(kids[i]) ? kids[i] : visit(m, kids[i]);
    vec_push(ir->arena, out, n->kind == N_BLOCK ? visit(m, n) : with_kids(ir, n, n->nkids, kids));
    m->others.count = 0;
    if (nested)
        walk(&(Walker){.pre = forget_assigned, .user = &f}, n);
}

/* A statement as a block. */
static Node *visit(Matching *m, Node *n)
{
    Vec out = {0};
    if (n->kind == N_BLOCK)
        for (int i = 0; i < n->nkids; i++)
            visit_statement(m, n->kid[i], &out);
    else
        visit_statement(m, n, &out);
    return mk_block(m->ir, out.count, (Node **)out.items, n->loc);
}

/* ---------------------------------------------------------------- */

typedef struct Kinds {
    bool shifts, masks, tables;
} Kinds;

static bool search_kinds(void *user, Node *n)
{
    Kinds *k = user;
    k->shifts = k->shifts || n->kind == N_SHR;
    k->masks = k->masks || n->kind == N_AND || n->kind == N_SHL;
    k->tables = k->tables || (n->kind == N_LOAD && is_table_of_counts(n));
    return !(k->shifts && k->masks) && !k->tables;
}

Node *match_bits(Ir *ir, Node *loop)
{
    Kinds kinds = {false, false, false};
    Vec reductions = {0};
    const char *why;
    walk(&(Walker){.pre = search_kinds, .user = &kinds}, loop->kid[2]);
    if ((!kinds.tables && (!kinds.shifts || !kinds.masks)) || !find_reductions(ir, loop, false, &reductions, &why))
        return loop;
    const LoopFacts facts = vector_facts(ir, loop, &reductions);
    Matching m = {.ir = ir, .facts = &facts};
    Node *body = visit(&m, loop->kid[2]);
    if (!m.found)
        return loop;
    Node *kids[] = {loop->kid[0], loop->kid[1], drop_last_values(ir, body)};
    return with_kids(ir, loop, 3, kids);
}
