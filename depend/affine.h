/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Systems of linear constraints over integers, decided by isl (Verdoolaege, ICMS 2010: "isl: an integer set
 * library"). Unknowns are loop variables, apart for each of two sides that are compared, and parameters, which both
 * sides share. */
#ifndef MIKGEN_DEPEND_AFFINE_H
#define MIKGEN_DEPEND_AFFINE_H

#include "ir/node.h"

enum { SYSTEM_DIMS = 40, SYSTEM_CONSTRAINTS = 96 };

/* sum of coef[i] * unknown i, plus constant. */
typedef struct Form {
    int64_t coef[SYSTEM_DIMS];
    int64_t constant;
} Form;

typedef struct System {
    Ir *ir;
    int ndims, nconstraints;
    struct {
        int side;            /* of an iterator; -1: a parameter, -2: a number of steps */
        const Sym *var;      /* iterator */
        Node *const *atoms;  /* parameter: the product of these */
        int natoms;
    } dim[SYSTEM_DIMS];
    struct {
        Form form;
        bool equal; /* form == 0, else form >= 0 */
    } constraint[SYSTEM_CONSTRAINTS];
} System;

void system_init(System *sys, Ir *ir);
/* The unknown's number, made on demand; -1 when there is no room for another. */
int system_iterator(System *sys, int side, const Sym *var);
int system_parameter(System *sys, Node *const *atoms, int natoms);

Form form_sub(const Form *a, const Form *b);

/* Constraints: form >= least; form == 0; form == stride * k for some k >= 0. One too many is left out: the system then
 * holds more, which errs on the safe side. */
void system_at_least(System *sys, Form form, int64_t least);
void system_equal(System *sys, Form form);
void system_multiple(System *sys, Form form, int64_t stride);

/* No integer point fulfils all constraints. False also when isl gives up. */
bool system_is_empty(const System *sys);

/* A conversion below which an index has the same value. */
bool converts_to_index(const Node *cast);
/* Has the tree, shared parts counted each time, more nodes than that? */
bool node_count_exceeds(Node *n, int limit);

#endif
