/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random specs of loop nests: the operator that is being made. Its loops run over extents; its arrays have for each dimension
 * an extent, or what follows from one, so that every subscript is within it whatever the extents are.
 *
 * Values are of two sorts. Hard ones are the spec's bit for bit, however it is compiled; conditions, conversions to integers and
 * whatever else takes small differences for large ones depend on these alone. Soft ones come from sums, products and extremes of
 * floating numbers, whose order may change, or from functions of vectors: what is computed of them is steady. With --fp=strict all
 * are hard. */
#ifndef MIKGEN_TESTS_FUZZ_RANDOM_NEST_H
#define MIKGEN_TESTS_FUZZ_RANDOM_NEST_H

#include "random.h"

enum { MOST_ARRAYS = 40, MOST_ACTIVE = 8, MOST_SOFT = 64, MOST_DIMS = 4, AXES = 3, MOST_EXTENT = 300 };

typedef struct Element {
    const char *name;
    Type type;      /* of its values: of half and bf16 FLOAT   */
    bool is_narrow; /* half, bf16                              */
    int weight;     /* how often it is drawn                   */
} Element;

/* Where a subscript of this dimension comes from: a loop's variable, turned round, divided, or what remains of it; a constant;
 * an element of an array of subscripts. */
typedef enum { D_AXIS, D_REVERSED, D_OVER, D_REST, D_CONSTANT, D_LOOKUP } DimKind;

typedef struct Dim {
    DimKind kind;
    int axis;       /* whose extent it has; of D_LOOKUP too    */
    int factor;     /* D_AXIS: elements for each iteration     */
    int spare;      /* and so many besides                     */
    int by;         /* divisor; D_CONSTANT: the extent         */
    int from;       /* D_LOOKUP: the axis of the subscripts    */
    const char *at; /* and their array                         */
} Dim;

typedef enum { A_INPUT, A_OUTPUT, A_LOCAL } Role;

typedef struct Array {
    const char *name;
    const char *declaration; /* with extents that are no dims; NULL: by these */
    const Element *element;
    Role role;
    int rank;
    Dim dims[MOST_DIMS];
    int64_t lo, hi; /* of integers                             */
    bool is_soft;
    bool is_ready;  /* may be loaded: a local is written whole */
    size_t at;      /* of a local: the text behind it          */
} Array;

/* A loop around this place. */
typedef struct Active {
    int axis;
    const char *var;
    int low, high;  /* iterations that are left out in front and behind */
    bool is_whole;  /* all others run                                   */
} Active;

typedef struct Soft {
    const char *text;
    Type type;
} Soft;

typedef struct Nest {
    Gen *g;
    bool is_strict, has_bf16;
    Array arrays[MOST_ARRAYS];
    int narrays;
    Active active[MOST_ACTIVE];
    int nactive;
    Soft soft[MOST_SOFT];
    int nsoft;
    int guards;     /* conditions around this place */
    int names;      /* that have been given         */
    const Element *usual;
} Nest;

extern const char *const extent_name[AXES];

/* nest_array.c */
const Element *random_element(Nest *n);
const Element *element_of(Type type);
Array *new_array(Nest *n, Role role, const Element *element, int rank);
Array *new_output(Nest *n, int rank); /* its dimensions are to be filled in */
Array *new_local(Nest *n, int rank);
Dim axis_dim(int axis);
const char *extent_text(Nest *n, const Dim *d);
const char *declaration_of(Nest *n, const Array *a);
const char *element_text(Nest *n, const Array *a); /* "x[i + 1][j]"; NULL: the loops around do not lead there */
const char *place_text(Nest *n, const Array *a);   /* without offsets: "y[i][j]" */
void offer(Nest *n, int count);                    /* makes loads visible as scalars of the place */

/* nest_value.c: what may be computed at this place, as text. */
const char *new_text(Nest *n, const char *prefix); /* a name */
void offer_scalar(Nest *n, const char *text, Type type, bool is_soft);
Expr rough(Nest *n, Type type, int depth);         /* hard */
Expr steady(Nest *n, Type type);                   /* perhaps soft */
Expr small_term(Nest *n, Type type, bool may_be_soft); /* fit to be summed up */
const char *value(Nest *n, const Array *a);        /* to be stored there */
void store(Nest *n, const Array *a, const char *place);
typedef struct Locals {
    int count;
    const char *name[4];
    size_t from[4], to[4]; /* of the text: their declarations */
} Locals;
Locals local_scalars(Nest *n, int count); /* up to 4 */
void drop_unused(Nest *n, const Locals *l);
bool is_said(const Nest *n, const char *name, size_t at); /* in the text from there on */

/* nest_loop.c */
typedef struct Place {
    int nvars, nsoft, nactive, nfacts;
} Place;
Place enter(Nest *n);
void leave(Nest *n, Place p);
void open_loop(Nest *n, int axis);      /* in any direction, perhaps not over all */
void open_plain(Nest *n, int axis);     /* for (int i = 0; i < N; i++) */
void open_head(Nest *n, Active a, const char *head, int64_t lo);
void close_loop(Nest *n);
void close_loops(Nest *n, Place p);     /* back to it */
void open_if(Nest *n, const char *condition);
void close_if(Nest *n);

/* nest_reduction.c: scalars that gather something up. */
typedef struct Gathered {
    int kind;
    Type type;
    const char *name, *place; /* place: of an extreme, or NULL */
    bool is_soft;
    size_t at;      /* of the text: where its loops end */
} Gathered;
Gathered declare_gathered(Nest *n, bool may_be_float);
void gather_up(Nest *n, const Gathered *s);
void offer_gathered(Nest *n, Gathered *s);
void use_gathered(Nest *n, const Gathered *s);  /* where nothing else has: compilers warn of it */

/* nest_form.c, nest_window.c: nests. */
void random_form(Nest *n);
void use_locals(Nest *n); /* that nothing loads: mikgen leaves them out, and what they load with them */
void window(Nest *n);

#endif
