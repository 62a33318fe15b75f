/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last digit first: its base divides the steps of all variables but those that are part of it, and it is proven to stay below. */
#include "depend/digits.h"

#include "depend/poly.h"
#include "ir/walk.h"

/* ---------------------------------------------------------------- the base */

enum { MOST_VARIABLES = 12 };

/* Those of loops, in the region or around it. */
typedef struct Variables {
    Sym *var[MOST_VARIABLES];
    int count;
} Variables;

static void add_variable(Variables *v, const Node *atom)
{
    while (atom->kind == N_CAST)
        atom = atom->kid[0];
    bool known = atom->kind != N_VAR || atom->sym->kind != S_LOOP || v->count == MOST_VARIABLES;
    for (int i = 0; i < v->count && !known; i++)
        known = v->var[i] == atom->sym;
    if (!known)
        v->var[v->count++] = atom->sym;
}

static Variables variables_of(const Poly *p)
{
    Variables v = {.count = 0};
    for (int i = 0; i < p->nterms; i++)
        for (int j = 0; j < p->terms[i].natoms; j++)
            add_variable(&v, p->terms[i].atoms[j]);
    return v;
}

/* The step that divides those of all variables which are no constants; NULL: there is none. */
static Poly *base_of(Accesses *s, const Poly *number)
{
    const Variables v = variables_of(number);
    Poly *base = NULL;
    for (int i = 0; i < v.count; i++) {
        Sym *var = v.var[i];
        Poly *step, *rest, *quotient;
        int64_t constant;
        if (!poly_affine(s->ir, number, &var, 1, &step, &rest) || !poly_is_invariant(s, step))
            return NULL;
        if (poly_const(step, &constant) || (base && poly_divide(s->ir, step, base, &quotient)))
            continue;
        if (base && !poly_divide(s->ir, base, step, &quotient))
            return NULL;
        base = step;
    }
    return base && (int64_t)base->terms[0].coef < 0 ? poly_sub(s->ir, poly_int(s->ir, 0), base) : base;
}

/* ---------------------------------------------------------------- digits */

static void deal(Ir *ir, Poly *part, const Poly *base, Poly *factor, Poly **quotient, Poly **digit)
{
    Poly *times;
    if (poly_divide(ir, part, base, &times))
        *quotient = poly_add(ir, *quotient, poly_mul(ir, times, factor));
    else
        *digit = poly_add(ir, *digit, poly_mul(ir, part, factor));
}

/* number == quotient * base + digit; false: its variables have no steps. */
static bool take_digit(Accesses *s, Poly **number, const Poly *base, Poly **digit)
{
    Ir *ir = s->ir;
    const Variables v = variables_of(*number);
    Poly *quotient = poly_int(ir, 0), *rest = *number, *times;
    *digit = poly_int(ir, 0);
    for (int i = 0; i < v.count; i++) {
        Sym *var = v.var[i];
        Poly *step;
        if (!poly_affine(ir, rest, &var, 1, &step, &rest))
            return false;
        deal(ir, step, base, poly_of(ir, mk_var(ir, var)), &quotient, digit);
    }
    if (poly_divide(ir, rest, base, &times)) {
        quotient = poly_add(ir, quotient, times);
    } else {
        for (int i = 0; i < rest->nterms; i++)
            deal(ir, &(Poly){1, &rest->terms[i]}, base, poly_int(ir, 1), &quotient, digit);
    }
    *number = quotient;
    return true;
}

/* A product that is positive: of max(n, 0) and others, as n and others. */
static Poly *positive_product(Ir *ir, Poly *p)
{
    Poly *product = poly_int(ir, p->nterms ? (int64_t)p->terms[0].coef : 0);
    for (int i = 0; p->nterms == 1 && i < p->terms[0].natoms; i++) {
        Node *atom = p->terms[0].atoms[i];
        const bool bounded = atom->kind == N_MAX && is_int(atom->kid[1], 0);
        product = poly_mul(ir, product, poly_of(ir, bounded ? atom->kid[0] : atom));
    }
    return p->nterms == 1 ? product : p;
}

/* Is it the variable of a loop from 0 up to the base? */
static bool counts_below(Accesses *s, const Path *path, const Poly *digit, const Poly *base)
{
    for (; path; path = path->outer) {
        Node *end = path->loop && loop_declares(path->loop) ? counted_from_zero(path->loop) : NULL;
        if (end && poly_equal(digit, poly_of(s->ir, mk_var(s->ir, path->loop->sym))))
            return poly_equal(positive_product(s->ir, poly_of(s->ir, access_value(s, end))), base);
    }
    return false;
}

static bool never(const System *facts, Form form, int64_t least)
{
    System sys = *facts;
    system_at_least(&sys, form, least);
    return system_is_empty(&sys);
}

/* Is the digit from 0 to the base less 1 wherever the access is made? */
static bool is_below(Accesses *s, const Access *access, Poly *digit, Poly *base)
{
    const Form zero = {{0}, 0};
    System sys;
    Form of_digit, of_base;
    if (counts_below(s, access->path, digit, base))
        return true;
    system_init(&sys, s->ir);
    if (!poly_form(s, &sys, 0, access->path, digit, &of_digit) || !poly_form(s, &sys, 0, access->path, base, &of_base))
        return false;
    add_path(s, &sys, 0, access->path);
    return never(&sys, form_sub(&zero, &of_digit), 1) && never(&sys, form_sub(&of_digit, &of_base), 0);
}

/* Are the digits the same number in all of the region, whatever it is, and the base not 0 where there is an element? */
static bool are_the_same(Accesses *s, const Sym *array, int d, const Poly *a, const Poly *b, const Poly *base)
{
    Poly *quotient;
    return array->kind != S_LOCAL_ARRAY && array->extent[d] && poly_equal(a, b) && poly_is_invariant(s, a) &&
           poly_divide(s->ir, poly_of(s->ir, array->extent[d]), base, &quotient);
}

/* Unsigned numbers may have wrapped around: then the digits are others. */
static bool search_unsigned(void *user, Node *n)
{
    (void)user;
    return type_is_integer((Type)n->type) && !type_is_signed((Type)n->type);
}

static bool has_digits(Node *subscript) { return !any_node(subscript, search_unsigned, NULL); }

int subscript_differences(Accesses *s, System *sys, const Access *x, const Access *y, int d, Form difference[MOST_DIGITS])
{
    Node *of_x = access_value(s, x->node->kid[d]), *of_y = access_value(s, y->node->kid[d]);
    Poly *a = poly_of(s->ir, of_x), *b = poly_of(s->ir, of_y);
    const bool digits = has_digits(of_x) && has_digits(of_y);
    Form fa, fb;
    for (int n = 0; n < MOST_DIGITS; n++) {
        if (poly_form(s, sys, 0, x->path, a, &fa) && poly_form(s, sys, 1, y->path, b, &fb)) {
            difference[n] = form_sub(&fa, &fb);
            return n + 1;
        }
        Poly *base = digits ? base_of(s, a) : NULL, *last_a, *last_b;
        base = digits && !base ? base_of(s, b) : base;
        if (!base || !take_digit(s, &a, base, &last_a) || !take_digit(s, &b, base, &last_b))
            return n;
        if (!are_the_same(s, x->node->sym, d, last_a, last_b, base) && !(is_below(s, x, last_a, base) && is_below(s, y, last_b, base)))
            return n;
        if (!poly_form(s, sys, 0, x->path, last_a, &fa) || !poly_form(s, sys, 1, y->path, last_b, &fb))
            return n;
        difference[n] = form_sub(&fa, &fb);
    }
    return MOST_DIGITS;
}
