/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays: their dimensions, subscripts that are within them, and loads offered to expressions as if they were scalars. */
#include "random_nest.h"

#include <stdio.h>
#include <stdlib.h>

const char *const extent_name[AXES] = {"N", "M", "K"};

static const Element elements[] = {
    {"float", FLOAT, false, 36},  {"double", DOUBLE, false, 12}, {"int", INT, false, 12},        {"int8_t", SCHAR, false, 7},
    {"uint8_t", UCHAR, false, 7}, {"int16_t", SHORT, false, 5},  {"uint16_t", USHORT, false, 3}, {"unsigned", UINT, false, 4},
    {"int64_t", LONG, false, 4},  {"uint64_t", ULONG, false, 3}, {"half", FLOAT, true, 4},       {"bool", BOOL, false, 1},
    {"bf16", FLOAT, true, 2},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

const Element *random_element(Nest *n)
{
    if (n->usual && chance(n->g, 55))
        return n->usual;
    int at = (int)draw(n->g, n->has_bf16 ? 100 : 98), i = 0;
    for (; at >= elements[i].weight; i++)
        at -= elements[i].weight;
    return &elements[i];
}

const Element *element_of(Type type)
{
    for (int i = 0; i < ELEMENTS; i++)
        if (elements[i].type == type)
            return &elements[i];
    return elements;
}

/* ------------------------------------------------------------------------------------ declarations */

/* What the self-check puts into arrays. */
static void limits(Array *a)
{
    const Type t = a->element->type;
    const bool is_signed = t == SCHAR || t == SHORT || t == INT || t == LONG;
    a->lo = is_signed ? -8 : 0, a->hi = t == BOOL ? 1 : 8;
    if (a->role != A_INPUT)
        a->lo = type_min(t), a->hi = type_max(t);
}

Array *new_array(Nest *n, Role role, const Element *element, int rank)
{
    static const char *const prefix[] = {"x", "y", "t"};
    if (n->narrays == MOST_ARRAYS) {
        fprintf(stderr, "random_nest: too many arrays\n");
        exit(1);
    }
    Array *a = &n->arrays[n->narrays++];
    *a = (Array){.name = new_text(n, prefix[role]), .element = element, .role = role, .rank = rank, .is_ready = role != A_LOCAL};
    limits(a);
    return a;
}

Array *new_output(Nest *n, int rank)
{
    Array *a = new_array(n, A_OUTPUT, random_element(n), rank);
    a->is_soft = is_float_type(a->element->type) && !n->is_strict && chance(n->g, 50);
    a->is_ready = chance(n->g, 25); /* else nothing loads it: on entry it has no values */
    return a;
}

Array *new_local(Nest *n, int rank)
{
    Array *a = new_array(n, A_LOCAL, random_element(n), rank);
    a->is_soft = is_float_type(a->element->type) && !n->is_strict && chance(n->g, 50);
    return a;
}

Dim axis_dim(int axis) { return (Dim){.kind = D_AXIS, .axis = axis, .factor = 1}; }

const char *extent_text(Nest *n, const Dim *d)
{
    Gen *g = n->g;
    const char *extent = extent_name[d->axis];
    switch (d->kind) {
    case D_OVER: return format(g, "%s / %d + 1", extent, d->by);
    case D_REST:
    case D_CONSTANT: return format(g, "%d", d->by);
    default:
        if (d->factor > 1)
            extent = format(g, "%d * %s", d->factor, extent);
        return d->spare ? format(g, "%s + %d", extent, d->spare) : extent;
    }
}

const char *declaration_of(Nest *n, const Array *a)
{
    const char *const is_const = a->role == A_INPUT ? "const " : "";
    const char *text = format(n->g, "%s%s %s", is_const, a->element->name, a->declaration ? a->declaration : a->name);
    for (int i = 0; i < a->rank; i++)
        text = format(n->g, "%s[%s]", text, extent_text(n, &a->dims[i]));
    return text;
}

/* ------------------------------------------------------------------------------------ subscripts */

static const Active *loop_over(Nest *n, int axis)
{
    const Active *found[MOST_ACTIVE];
    int count = 0;
    for (int i = 0; i < n->nactive; i++)
        if (n->active[i].axis == axis)
            found[count++] = &n->active[i];
    return count ? found[draw(n->g, (uint32_t)count)] : NULL;
}

static const char *plus(Nest *n, const char *text, int c)
{
    return !c ? text : format(n->g, c < 0 ? "%s - %d" : "%s + %d", text, c < 0 ? -c : c);
}

/* The offsets that fit, drawn. Nothing, more often than not. */
static int offset(Nest *n, int lo, int hi) { return chance(n->g, 50) && lo <= 0 ? 0 : lo + (int)draw(n->g, (uint32_t)(hi - lo + 1)); }

static const char *subscript_of(Nest *n, const Dim *d, bool plain)
{
    Gen *g = n->g;
    if (d->kind == D_CONSTANT)
        return format(g, "%d", plain ? 0 : (int)draw(g, (uint32_t)d->by));
    const Active *a = loop_over(n, d->kind == D_LOOKUP ? d->from : d->axis);
    if (!a)
        return NULL;
    switch (d->kind) {
    case D_LOOKUP: return format(g, "%s[%s]", d->at, a->var);
    case D_OVER: return format(g, "%s / %d", a->var, d->by);
    case D_REST: return format(g, "%s %% %d", a->var, d->by);
    case D_REVERSED: return format(g, "%s - 1 - %s", extent_name[d->axis], a->var);
    default:
        if (d->factor > 1)
            return plus(n, format(g, "%d * %s", d->factor, a->var), plain ? 0 : offset(n, 0, d->spare + d->factor - 1));
        return plus(n, a->var, plain ? 0 : offset(n, -a->low, d->spare + a->high));
    }
}

static const char *subscripts(Nest *n, const Array *a, bool plain)
{
    const char *text = a->name;
    for (int i = 0; i < a->rank; i++) {
        const char *subscript = subscript_of(n, &a->dims[i], plain);
        if (!subscript)
            return NULL;
        text = format(n->g, "%s[%s]", text, subscript);
    }
    return text;
}

const char *element_text(Nest *n, const Array *a) { return subscripts(n, a, false); }
const char *place_text(Nest *n, const Array *a) { return subscripts(n, a, true); }

/* ------------------------------------------------------------------------------------ loads */

/* An array of subscripts into a dimension: one element for each iteration of a loop. */
static const char *new_lookup(Nest *n, int axis)
{
    Array *at = new_array(n, A_INPUT, element_of(INT), 1);
    at->dims[0] = axis_dim(axis);
    at->is_ready = false; /* of no other use */
    return at->name;
}

static Dim input_dim(Nest *n, int axis)
{
    Gen *g = n->g;
    Dim d = axis_dim(axis);
    const uint32_t kind = draw(g, 100);
    if (kind < 70)
        return d;
    if (kind < 80)
        d.spare = 1 + (int)draw(g, 3);
    else if (kind < 85)
        d.factor = 2 + (int)draw(g, 2);
    else if (kind < 88)
        d.kind = D_REVERSED;
    else if (kind < 91)
        d.kind = D_OVER, d.by = 2 + (int)draw(g, 3);
    else if (kind < 94)
        d.kind = D_REST, d.by = 2 + (int)draw(g, 6);
    else if (kind < 97 && n->narrays + 2 < MOST_ARRAYS) {
        const int into = (int)draw(g, AXES);
        d = (Dim){.kind = D_LOOKUP, .axis = into, .factor = 1, .from = axis, .at = new_lookup(n, axis)};
    } else if (kind < 97)
        d.kind = D_CONSTANT, d.by = 1 + (int)draw(g, 3);
    return d;
}

/* An input along some of the loops around, mostly in their order. */
static Array *new_input(Nest *n)
{
    Gen *g = n->g;
    Dim dims[MOST_DIMS];
    int rank = 0;
    for (int i = 0; i < n->nactive && rank < MOST_DIMS - 1; i++)
        if (chance(g, i == n->nactive - 1 ? 85 : 65))
            dims[rank++] = input_dim(n, n->active[i].axis);
    if (!rank)
        dims[rank++] = axis_dim(n->active[n->nactive - 1].axis);
    const int turned = rank > 1 && chance(g, 12) ? rank - 1 : 0;
    Array *a = new_array(n, A_INPUT, random_element(n), rank);
    for (int i = 0; i < rank; i++)
        a->dims[i] = dims[(i + turned) % rank];
    return a;
}

static Array *loadable(Nest *n)
{
    Array *found[MOST_ARRAYS];
    int count = 0, inputs = 0;
    for (int i = 0; i < n->narrays; i++) {
        Array *a = &n->arrays[i];
        if (a->is_ready && place_text(n, a))
            found[count++] = a;
        inputs += a->role == A_INPUT;
    }
    if (n->nactive && inputs < 9 && n->narrays + 6 < MOST_ARRAYS && (!count || chance(n->g, inputs < 2 ? 60 : 12)))
        return new_input(n);
    return count ? found[count > 2 && chance(n->g, 40) ? count - 1 : (int)draw(n->g, (uint32_t)count)] : NULL;
}

void offer(Nest *n, int count)
{
    Gen *g = n->g;
    for (int i = 0; i < count; i++) {
        const Array *a = loadable(n);
        const char *text = a ? element_text(n, a) : NULL;
        if (!text)
            continue;
        if (a->element->is_narrow && chance(g, 75))
            text = format(g, "(float)%s", text);
        if (a->is_soft)
            offer_scalar(n, text, a->element->type, true);
        else
            add(g, (Var){.name = text, .type = a->element->type, .lo = a->lo, .hi = a->hi, .fixed = a->role == A_INPUT});
    }
}
