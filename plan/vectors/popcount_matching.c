/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goes through the body in order, and knows of each scalar which bits of what it is the sum of. What is counted gets a name before it is
 * overwritten. */
#include "plan/vectors/popcount_matching.h"

#include "depend/reduce.h"
#include "ir/walk.h"
#include "plan/vectors/bit_weights.h"
#include "plan/vectors/last_values.h"
#include "plan/vectors/vector_facts.h"

enum { FEWEST_BITS = 8 }; /* fewer are counted as they are */

/* An integer whose bits are summed: a scalar's value at some time, or an expression. */
typedef struct Counted {
    Node *value; /* by which it is reached now */
    bool varies; /* from iteration to iteration */
} Counted;

typedef struct Sum {
    Counted *of;
    BitWeights weights;
} Sum;

typedef struct Matching {
    Ir *ir;
    const LoopFacts *facts;
    Map sums;    /* by symbol id: Sum *, of a scalar that is one of others' bits */
    Map counted; /* by symbol id: Counted *, of a scalar itself */
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

/* The expression as the integer whose bits are summed. */
static const Sum *itself(Matching *m, Node *e)
{
    Counted *fresh = NULL, **counted = e->kind == N_VAR ? (Counted **)map_at(m->ir->arena, &m->counted, e->sym->id) : &fresh;
    const BitWeights weights = bits_of_itself(e->type);
    if (!*counted) {
        *counted = arena_alloc(m->ir->arena, sizeof **counted);
        **counted = (Counted){e, vector_varies(m->facts, e)};
    }
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
    const bool right = a && constant ? bits_by_constant(e->kind, &a->weights, (uint64_t)constant->u.i, &weights)
                                     : b && a->of == b->of && bits_of_two(e->kind, &a->weights, &b->weights, &weights);
    return right ? new_sum(m, a->of, &weights) : NULL;
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

/* The count that the expression is; NULL: it is none. */
static Node *popcount(Matching *m, Node *e)
{
    uint64_t bits;
    const Sum *sum = is_counting_type(e->type) && e->kind != N_VAR && e->kind != N_CAST ? sum_of(m, e) : NULL;
    if (!sum || !sum->of->varies || !bits_are_counted(&sum->weights, &bits) || count_ones(bits) < FEWEST_BITS)
        return NULL;
    Node *x = sum->of->value;
    const Type from = x->type, type = type_bits(from) == 64 ? T_ULONG : T_UINT;
    const uint64_t all = type_bits(from) == 64 ? ~(uint64_t)0 : ((uint64_t)1 << type_bits(from)) - 1;
    const bool same = bits == all && (!type_is_signed(from) || type_bits(from) >= 32);
    x = mk_cast(m->ir, type, x);
    if (!same)
        x = mk_binary(m->ir, N_AND, x, mk_int(m->ir, type, (int64_t)bits));
    m->found = true;
    return mk_cast(m->ir, (Type)e->type, mk_unary(m->ir, N_POPCOUNT, x));
}

static Node *replace(void *user, Node *n) { return is_expr(n) ? popcount(user, n) : NULL; }

static Node *with_popcounts(Matching *m, Node *e) { return rewrite(&(Rewriter){.ir = m->ir, .pre = replace, .user = m}, e); }

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
    bool *found = user;
    *found = *found || kind_info[n->kind].flags & F_LAZY;
    return !*found;
}

/* May what is in it be evaluated before it is? */
static bool evaluates_all(Node *e)
{
    bool lazy = false;
    walk(&(Walker){.pre = search_lazy, .user = &lazy}, e);
    return !lazy;
}

/* A declaration or an assignment of `value`. */
static void set_scalar(Matching *m, Node *n, Vec *out)
{
    const Sum *sum = sum_of(m, n->kid[0]);
    const bool named = sum && sum->of->value->kind == N_VAR;
    const bool of_others = sum && sum->of->value != n->kid[0] && (named || evaluates_all(n->kid[0]));
    if (of_others && !named)
        name_counted(m, sum->of, out);
    Node *value = with_popcounts(m, n->kid[0]);
    if (n->kind == N_ASSIGN)
        forget(m, n->sym, out);
    vec_push(m->ir->arena, out, with_kids(m->ir, n, 1, &value));
    *map_at(m->ir->arena, &m->sums, n->sym->id) = of_others ? (void *)sum : NULL;
}

static Node *visit(Matching *m, Node *n);

static void visit_statement(Matching *m, Node *n, Vec *out)
{
    Ir *ir = m->ir;
    m->known = (Map){0};
    const bool scalar = (n->kind == N_DECL || n->kind == N_ASSIGN) && n->nkids == 1 && !n->sym->rank;
    if (scalar) {
        set_scalar(m, n, out);
        return;
    }
    Node **kids = arena_new_array(ir->arena, Node *, n->nkids + 1);
    Forgetting f = {m, out};
    const bool nested = n->kind == N_IF || n->kind == N_FOR || n->kind == N_BLOCK;
    if (n->kind == N_IF || n->kind == N_STORE)
        for (int i = 0; i < n->nkids; i++)
            kids[i] = is_expr(n->kid[i]) ? with_popcounts(m, n->kid[i]) : n->kid[i];
    else
        for (int i = 0; i < n->nkids; i++)
            kids[i] = n->kid[i];
    if (nested)
        walk(&(Walker){.pre = forget_assigned, .user = &f}, n);
    for (int i = 0; i < n->nkids && n->kind != N_BLOCK; i++)
        kids[i] = is_expr(kids[i]) ? kids[i] : visit(m, kids[i]);
    vec_push(ir->arena, out, n->kind == N_BLOCK ? visit(m, n) : with_kids(ir, n, n->nkids, kids));
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
    k->masks = k->masks || n->kind == N_AND;
    k->tables = k->tables || (n->kind == N_LOAD && is_table_of_counts(n));
    return !(k->shifts && k->masks) && !k->tables;
}

Node *match_popcounts(Ir *ir, Node *loop)
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
