/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polynomials as sorted lists of monomials: sums, products, and the coefficients of chosen variables. */
#include "depend/poly.h"

#include <string.h>

#include "depend/index.h"
#include "ir/walk.h"

/* Beyond this many monomials an expression is one opaque atom: comparing strides never needs more. */
enum { MAX_TERMS = 64, MAX_SIZE = 2000 };

static Poly *poly_new(Ir *ir, int capacity)
{
    Poly *p = arena_alloc(ir->arena, sizeof *p);
    p->terms = arena_new_array(ir->arena, Term, capacity);
    return p;
}

static int term_order(const Term *a, const Term *b)
{
    /* More atoms first, so that i * N comes before j and constants last. */
    if (a->natoms != b->natoms)
        return a->natoms > b->natoms ? -1 : 1;
    for (int i = 0; i < a->natoms; i++)
        if (a->atoms[i] != b->atoms[i])
            return a->atoms[i]->id < b->atoms[i]->id ? -1 : 1;
    return 0;
}

/* Adds a term to `p`, which has room for it. */
static void insert_term(Poly *p, Term term)
{
    int at = 0;
    while (at < p->nterms && term_order(&p->terms[at], &term) < 0)
        at++;
    if (at < p->nterms && term_order(&p->terms[at], &term) == 0) {
        p->terms[at].coef += term.coef;
        if (p->terms[at].coef == 0) {
            p->nterms--;
            memmove(p->terms + at, p->terms + at + 1, sizeof(Term) * (size_t)(p->nterms - at));
        }
        return;
    }
    if (term.coef == 0)
        return;
    memmove(p->terms + at + 1, p->terms + at, sizeof(Term) * (size_t)(p->nterms - at));
    p->terms[at] = term;
    p->nterms++;
}

Poly *poly_int(Ir *ir, int64_t value)
{
    Poly *p = poly_new(ir, 1);
    insert_term(p, (Term){(uint64_t)value, 0, NULL});
    return p;
}

static Poly *poly_atom(Ir *ir, Node *e)
{
    Node **atoms = arena_new_array(ir->arena, Node *, 1);
    atoms[0] = mk_cast(ir, T_INDEX, e);
    Poly *p = poly_new(ir, 1);
    insert_term(p, (Term){1, 1, atoms});
    return p;
}

static Poly *combine(Ir *ir, const Poly *a, const Poly *b, uint64_t factor)
{
    Poly *p = poly_new(ir, a->nterms + b->nterms);
    memcpy(p->terms, a->terms, sizeof(Term) * (size_t)a->nterms);
    p->nterms = a->nterms;
    for (int i = 0; i < b->nterms; i++) {
        Term term = b->terms[i];
        term.coef *= factor;
        insert_term(p, term);
    }
    return p;
}

Poly *poly_add(Ir *ir, const Poly *a, const Poly *b) { return combine(ir, a, b, 1); }

Poly *poly_sub(Ir *ir, const Poly *a, const Poly *b) { return combine(ir, a, b, (uint64_t)-1); }

static Term term_mul(Ir *ir, const Term *a, const Term *b)
{
    Node **atoms = arena_new_array(ir->arena, Node *, a->natoms + b->natoms);
    int i = 0, j = 0, n = 0;
    while (i < a->natoms || j < b->natoms) {
        bool left = j == b->natoms || (i < a->natoms && a->atoms[i]->id <= b->atoms[j]->id);
        atoms[n++] = left ? a->atoms[i++] : b->atoms[j++];
    }
    return (Term){a->coef * b->coef, n, atoms};
}

Poly *poly_mul(Ir *ir, const Poly *a, const Poly *b)
{
    Poly *p = poly_new(ir, a->nterms * b->nterms);
    for (int i = 0; i < a->nterms; i++)
        for (int j = 0; j < b->nterms; j++)
            insert_term(p, term_mul(ir, &a->terms[i], &b->terms[j]));
    return p;
}

static bool count_node(void *user, Node *n)
{
    (void)n;
    return --*(int *)user > 0;
}

static Poly *convert(Ir *ir, Node *e)
{
    Type type = (Type)e->type;
    switch ((Kind)e->kind) {
    case N_INT: return poly_int(ir, e->u.i);
    case N_ADD:
    case N_SUB:
    case N_MUL: {
        if (!computes_as_index(type))
            break;
        Poly *a = convert(ir, e->kid[0]), *b = convert(ir, e->kid[1]);
        if (e->kind == N_MUL)
            return a->nterms * b->nterms <= MAX_TERMS ? poly_mul(ir, a, b) : poly_atom(ir, e);
        return e->kind == N_ADD ? poly_add(ir, a, b) : poly_sub(ir, a, b);
    }
    case N_NEG:
        if (!computes_as_index(type))
            break;
        return poly_sub(ir, poly_int(ir, 0), convert(ir, e->kid[0]));
    case N_CAST:
        if (!converts_as_index(e->kid[0]->type, type))
            break;
        return convert(ir, e->kid[0]);
    default: break;
    }
    return poly_atom(ir, e);
}

Poly *poly_of(Ir *ir, Node *e)
{
    int room = MAX_SIZE; /* shared subtrees count every time: they would be visited every time */
    walk(&(Walker){.pre = count_node, .user = &room}, e);
    return room > 0 ? convert(ir, e) : poly_atom(ir, e);
}

bool poly_equal(const Poly *a, const Poly *b)
{
    if (a->nterms != b->nterms)
        return false;
    for (int i = 0; i < a->nterms; i++)
        if (a->terms[i].coef != b->terms[i].coef || term_order(&a->terms[i], &b->terms[i]) != 0)
            return false;
    return true;
}

bool poly_const(const Poly *p, int64_t *value)
{
    if (p->nterms > 1 || (p->nterms == 1 && p->terms[0].natoms > 0))
        return false;
    *value = p->nterms ? (int64_t)p->terms[0].coef : 0;
    return true;
}

bool poly_is(const Poly *p, int64_t value)
{
    int64_t v;
    return poly_const(p, &v) && v == value;
}

Node *poly_node(Ir *ir, const Poly *p)
{
    Node *sum = NULL;
    /* Terms with a positive coefficient first: a difference needs no negation then. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->nterms; i++) {
            const Term *t = &p->terms[i];
            int64_t coef = (int64_t)t->coef;
            bool negative = coef < 0 && coef != INT64_MIN;
            if (negative != (pass == 1))
                continue;
            Node *product = ix_int(ir, negative && sum ? -coef : coef);
            for (int j = 0; j < t->natoms; j++)
                product = ix_mul(ir, product, t->atoms[j]);
            sum = !sum ? product : negative ? ix_sub(ir, sum, product) : ix_add(ir, sum, product);
        }
    }
    return sum ? sum : ix_int(ir, 0);
}

/* Atoms are in order, so those of the divisor are met one after the other. */
static bool term_divide(Ir *ir, const Term *a, const Term *b, Term *quotient)
{
    int64_t dividend = (int64_t)a->coef, divisor = (int64_t)b->coef;
    if (a->natoms < b->natoms || divisor == -1 || dividend % divisor != 0)
        return false;
    Node **atoms = arena_new_array(ir->arena, Node *, a->natoms);
    int n = 0, met = 0;
    for (int i = 0; i < a->natoms; i++) {
        if (met < b->natoms && a->atoms[i] == b->atoms[met])
            met++;
        else
            atoms[n++] = a->atoms[i];
    }
    *quotient = (Term){(uint64_t)(dividend / divisor), n, atoms};
    return met == b->natoms;
}

bool poly_divide(Ir *ir, const Poly *p, const Poly *divisor, Poly **quotient)
{
    *quotient = poly_int(ir, 0);
    if (divisor->nterms == 0)
        return false;
    /* Long division: the order of terms is one that multiplication keeps, so the leading ones must divide. */
    for (int i = 0; p->nterms > 0; i++) {
        Poly *step = poly_new(ir, 1);
        if (i == MAX_TERMS || !term_divide(ir, &p->terms[0], &divisor->terms[0], &step->terms[0]))
            return false;
        step->nterms = 1;
        *quotient = poly_add(ir, *quotient, step);
        p = poly_sub(ir, p, poly_mul(ir, step, divisor));
    }
    return true;
}

static bool is_var(const Node *atom, const Sym *sym)
{
    if (atom->kind == N_CAST)
        atom = atom->kid[0];
    return atom->kind == N_VAR && atom->sym == sym;
}

bool poly_is_even(const Poly *p)
{
    for (int i = 0; i < p->nterms; i++)
        if (p->terms[i].coef % 2)
            return false;
    return true;
}

int poly_remainder(const Poly *p, int64_t by)
{
    int64_t left = 0;
    for (int i = 0; i < p->nterms; i++) {
        const Term *t = &p->terms[i];
        if (t->natoms && t->coef % by)
            return -1;
        left += t->natoms ? 0 : t->coef;
    }
    return (int)((left % by + by) % by);
}

bool poly_uses(const Poly *p, const Sym *sym)
{
    for (int i = 0; i < p->nterms; i++)
        for (int j = 0; j < p->terms[i].natoms; j++)
            if (uses_sym(p->terms[i].atoms[j], sym))
                return true;
    return false;
}

/* The one of `vars` that occurs in the term, linearly and alone: its index, n for none, -1 when they occur in
 * another way. *where is its place among the atoms. */
static int linear_var(const Term *t, Sym *const *vars, int n, int *where)
{
    int found = n;
    for (int j = 0; j < t->natoms; j++) {
        for (int v = 0; v < n; v++) {
            if (!uses_sym(t->atoms[j], vars[v]))
                continue;
            if (found != n || !is_var(t->atoms[j], vars[v]))
                return -1;
            found = v;
            *where = j;
        }
    }
    return found;
}

bool poly_affine(Ir *ir, const Poly *p, Sym *const *vars, int n, Poly **coef, Poly **rest)
{
    *rest = poly_new(ir, p->nterms);
    for (int v = 0; v < n; v++)
        coef[v] = poly_new(ir, p->nterms);
    for (int i = 0; i < p->nterms; i++) {
        const Term *t = &p->terms[i];
        int where = 0, v = linear_var(t, vars, n, &where);
        if (v < 0)
            return false;
        if (v == n) {
            insert_term(*rest, *t);
            continue;
        }
        Node **atoms = arena_new_array(ir->arena, Node *, t->natoms);
        int count = 0;
        for (int j = 0; j < t->natoms; j++)
            if (j != where)
                atoms[count++] = t->atoms[j];
        insert_term(coef[v], (Term){t->coef, count, atoms});
    }
    return true;
}
