/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums are multiplied out. What is no sum, product or exponential is an atom. */
#include "plan/split/exponential_sums.h"

#include "ir/libm.h"
#include "ir/walk.h"

static ExpSum *new_sum(Ir *ir) { return arena_alloc(ir->arena, sizeof(ExpSum)); }

static const ExpSum *one_term(Ir *ir, ExpTerm t)
{
    ExpSum *s = new_sum(ir);
    s->terms[0] = t;
    s->nterms = t.factor != 0;
    return s;
}

static const ExpSum *constant(Ir *ir, long double value) { return one_term(ir, (ExpTerm){.factor = value}); }

bool exp_sum_is_zero(const ExpSum *s) { return s && s->nterms == 0; }

/* But for their factors. */
static bool are_alike(Ir *ir, const ExpTerm *a, const ExpTerm *b)
{
    if (a->natoms != b->natoms || a->base != b->base || (a->base && !exp_sum_equal(ir, a->exponent, b->exponent)))
        return false;
    for (int i = 0; i < a->natoms; i++)
        if (a->atoms[i] != b->atoms[i])
            return false;
    return true;
}

static bool add_term(Ir *ir, ExpSum *s, const ExpTerm *t)
{
    for (int i = 0; i < s->nterms; i++)
        if (are_alike(ir, &s->terms[i], t)) {
            s->terms[i].factor += t->factor;
            if (s->terms[i].factor == 0)
                s->terms[i] = s->terms[--s->nterms];
            return true;
        }
    if (s->nterms == MOST_TERMS)
        return false;
    s->terms[s->nterms++] = *t;
    return true;
}

const ExpSum *exp_sum_add(Ir *ir, const ExpSum *a, const ExpSum *b, int sign)
{
    if (!a || !b)
        return NULL;
    ExpSum *out = new_sum(ir);
    *out = *a;
    for (int i = 0; i < b->nterms; i++) {
        ExpTerm t = b->terms[i];
        t.factor *= sign;
        if (!add_term(ir, out, &t))
            return NULL;
    }
    return out;
}

bool exp_sum_equal(Ir *ir, const ExpSum *a, const ExpSum *b) { return a && b && (a == b || exp_sum_is_zero(exp_sum_add(ir, a, b, -1))); }

static bool add_atom(ExpTerm *t, Node *atom)
{
    int at = t->natoms;
    if (at == MOST_ATOMS)
        return false;
    for (; at > 0 && t->atoms[at - 1]->id > atom->id; at--)
        t->atoms[at] = t->atoms[at - 1];
    t->atoms[at] = atom;
    t->natoms++;
    return true;
}

/* False: it is too large, or has two bases. */
static bool multiply_terms(Ir *ir, const ExpTerm *a, const ExpTerm *b, ExpTerm *out)
{
    *out = *a;
    out->factor *= b->factor;
    for (int i = 0; i < b->natoms; i++)
        if (!add_atom(out, b->atoms[i]))
            return false;
    if (!b->base)
        return true;
    if (a->base && a->base != b->base)
        return false;
    out->base = b->base;
    out->exponent = a->base ? exp_sum_add(ir, a->exponent, b->exponent, 1) : b->exponent;
    if (exp_sum_is_zero(out->exponent))
        out->base = BASE_NONE;
    return out->exponent != NULL;
}

static const ExpSum *multiply(Ir *ir, const ExpSum *a, const ExpSum *b)
{
    if (!a || !b)
        return NULL;
    ExpSum *out = new_sum(ir);
    for (int i = 0; i < a->nterms; i++)
        for (int j = 0; j < b->nterms; j++) {
            ExpTerm t;
            if (!multiply_terms(ir, &a->terms[i], &b->terms[j], &t) || !add_term(ir, out, &t))
                return NULL;
        }
    return out;
}

static const ExpSum *exponential(Ir *ir, ExpBase base, const ExpSum *exponent)
{
    if (!exponent)
        return NULL;
    const bool is_one = exp_sum_is_zero(exponent);
    return one_term(ir, (ExpTerm){.factor = 1, .base = is_one ? BASE_NONE : base, .exponent = exponent});
}

static const ExpSum *atom_of(Ir *ir, Node *e)
{
    ExpTerm t = {.factor = 1};
    add_atom(&t, e);
    return one_term(ir, t);
}

static const ExpSum *of_call(Ir *ir, Node *e)
{
    if (is_libm(e->sym, "exp"))
        return exponential(ir, BASE_E, exp_sum_of(ir, e->kid[0]));
    if (is_libm(e->sym, "exp2"))
        return exponential(ir, BASE_2, exp_sum_of(ir, e->kid[0]));
    if (is_libm(e->sym, "fma"))
        return exp_sum_add(ir, multiply(ir, exp_sum_of(ir, e->kid[0]), exp_sum_of(ir, e->kid[1])), exp_sum_of(ir, e->kid[2]), 1);
    return atom_of(ir, e);
}

/* Numbers are divided by; of all else the reciprocal is an atom. */
static const ExpSum *of_quotient(Ir *ir, Node *e)
{
    Node *by = e->kid[1], *one = mk_float(ir, (Type)e->type, 1);
    const bool is_number = by->kind == N_FLOAT && by->u.f != 0;
    return multiply(ir, exp_sum_of(ir, e->kid[0]), is_number ? constant(ir, 1 / by->u.f) : atom_of(ir, mk_binary(ir, N_DIV, one, by)));
}

const ExpSum *exp_sum_of(Ir *ir, Node *e)
{
    const bool wide = e->type == T_FLOAT || e->type == T_DOUBLE;
    switch ((Kind)e->kind) {
    case N_FLOAT: return e->u.f - e->u.f == 0 ? constant(ir, e->u.f) : atom_of(ir, e);
    case N_CAST: return wide && (e->kid[0]->type == T_FLOAT || e->kid[0]->type == T_DOUBLE) ? exp_sum_of(ir, e->kid[0]) : atom_of(ir, e);
    default: break;
    }
    if (!wide)
        return atom_of(ir, e);
    switch ((Kind)e->kind) {
    case N_ADD: return exp_sum_add(ir, exp_sum_of(ir, e->kid[0]), exp_sum_of(ir, e->kid[1]), 1);
    case N_SUB: return exp_sum_add(ir, exp_sum_of(ir, e->kid[0]), exp_sum_of(ir, e->kid[1]), -1);
    case N_NEG: return exp_sum_add(ir, constant(ir, 0), exp_sum_of(ir, e->kid[0]), -1);
    case N_MUL: return multiply(ir, exp_sum_of(ir, e->kid[0]), exp_sum_of(ir, e->kid[1]));
    case N_DIV: return of_quotient(ir, e);
    case N_CALL: return of_call(ir, e);
    default: return atom_of(ir, e);
    }
}

static const ExpSum *substitute_term(Ir *ir, const ExpTerm *t, const Node *atom, const ExpSum *by)
{
    const ExpSum *out = constant(ir, t->factor);
    for (int i = 0; i < t->natoms; i++)
        out = multiply(ir, out, t->atoms[i] == atom ? by : atom_of(ir, t->atoms[i]));
    return t->base ? multiply(ir, out, exponential(ir, t->base, exp_sum_substitute(ir, t->exponent, atom, by))) : out;
}

const ExpSum *exp_sum_substitute(Ir *ir, const ExpSum *s, const Node *atom, const ExpSum *by)
{
    const ExpSum *out = constant(ir, 0);
    for (int i = 0; s && by && i < s->nterms; i++)
        out = exp_sum_add(ir, out, substitute_term(ir, &s->terms[i], atom, by), 1);
    return s && by ? out : NULL;
}

int exp_term_power(const ExpTerm *t, const Node *atom)
{
    int power = 0;
    for (int i = 0; i < t->natoms; i++)
        power += t->atoms[i] == atom;
    return power;
}

const ExpSum *exp_sum_part(Ir *ir, const ExpSum *s, const Node *atom, bool with)
{
    ExpSum *out = new_sum(ir);
    for (int i = 0; s && i < s->nterms; i++)
        if ((exp_term_power(&s->terms[i], atom) > 0) == with)
            out->terms[out->nterms++] = s->terms[i];
    return s ? out : NULL;
}

bool exp_term_uses(const ExpTerm *t, const Sym *sym)
{
    for (int i = 0; i < t->natoms; i++)
        if (uses_sym(t->atoms[i], sym))
            return true;
    return t->base && exp_sum_uses(t->exponent, sym);
}

bool exp_sum_uses(const ExpSum *s, const Sym *sym)
{
    for (int i = 0; i < s->nterms; i++)
        if (exp_term_uses(&s->terms[i], sym))
            return true;
    return false;
}
