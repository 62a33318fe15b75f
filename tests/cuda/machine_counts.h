/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a kernel's loops that multiply consist of. */
#ifndef MACHINE_COUNTS_H
#define MACHINE_COUNTS_H

#include "machine_loops.h"

/* A loop that multiplies and has no smaller one that does: how many instructions it has, and how many of each class. */
typedef struct {
    int first; /* the number of its first instruction that multiplies */
    int size;
    int products; /* multiply-adds: on tensor cores, or in a kernel without them on the others */
    int integers; /* integer arithmetic, moves and comparisons, of threads and of whole warps */
    int copies;   /* from global to shared memory */
    int matrices; /* loads of matrices from shared memory */
    int loads;    /* all other ones from there */
    int memory;   /* all other accesses */
    int branches;
} LoopCounts;

/* Does the instruction multiply on tensor cores? On the others? */
bool is_tensor_product(Word word);
bool is_plain_product(Word word);

/* Writes down the loops of a kernel, at most `room`, in the order of the code, and returns how many there are. */
int count_loops(const Code *code, LoopCounts *loops, int room);

/* The most that a loop may have: of integer instructions so many, and so many more for each copy, each load of matrices, each other load, each
   other access; of its instructions at least such a part must be products. */
typedef struct {
    char name[24];
    double integers, per_copy, per_matrix, per_load, per_access, products;
} LoopBound;

/* Reads the bound of that name: a line of the text has NAME and its numbers, in that order. False when there is none. */
bool find_bound(const char *text, const char *name, LoopBound *bound);

double most_integers(const LoopBound *bound, const LoopCounts *loop);

#endif
