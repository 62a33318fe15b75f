/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gradient boosted regression trees (J. H. Friedman, "Greedy function approximation: a gradient boosting machine", 2001) as text that
 * is committed and compared, and their value. tune/search/boost.h trains them; what evaluates them needs no library.
 *
 *     mikgen-trees 1
 *     about avx2             # for those who have several: a word that they look for; the line may be missing
 *     features copies rows   # the names of the numbers that trees read, in the order in which callers give them
 *     base 0.5               # to which one leaf of each tree is added
 *     trees 2
 *     tree 0
 *       if copies < 4        # the node where it holds comes next, all that is below it included, then the one where it does not
 *         leaf 0.25
 *         if rows < 16
 *           leaf -0.5
 *           leaf 0.125
 *     tree 1
 *       leaf 0
 *
 * One node a line and no numbers of nodes, so that lines differ only where trees do, and there is no tree that is none. How far lines
 * are indented is for the reader. Numbers are floats of nine digits, which come back bit for bit. */
#ifndef MIKGEN_TUNE_SEARCH_TREES_H
#define MIKGEN_TUNE_SEARCH_TREES_H

#include <stdbool.h>

#include "ir/diag.h"

enum {
    TREES_MOST_FEATURES = 256,
    TREES_MOST = 4096,
    TREES_MOST_DEPTH = 32, /* nodes above a leaf */
};

typedef struct Trees Trees;

/* Reads a text; `diag` must be of the same. NULL after one message. Owned by the arena. */
const Trees *trees_parse(Arena *arena, Diag *diag, const char *text);

/* The text that trees_parse() makes the same trees of; the same for the same trees. Owned by the arena. */
const char *trees_print(Arena *arena, const Trees *trees);

/* The base and a leaf of each tree, added up in their order; features[i] is the one that trees_feature(trees, i) names. All in float,
 * as XGBoost has it. A feature that is NaN, which it calls missing, is smaller than nothing here: a mistake of the caller's. */
double trees_evaluate(const Trees *trees, const double *features);

/* What the text says that it is about; NULL: it has no such line. */
const char *trees_about(const Trees *trees);

/* The name of a feature; NULL behind the last. */
const char *trees_feature(const Trees *trees, int i);

int trees_count(const Trees *trees);

/* To build them: no trees yet, 1 .. TREES_MOST_FEATURES names, all different, words without a '#' that outlive the result, as `about` is,
 * which may be NULL. */
Trees *trees_new(Arena *arena, const char *about, const char *const *features, int nfeatures, float base);

/* The next node in the order of the text, of finite numbers; the first of another tree, once the last one has all its nodes. No split
 * is TREES_MOST_DEPTH below the first. */
void trees_add_split(Arena *arena, Trees *trees, int feature, float threshold);
void trees_add_leaf(Arena *arena, Trees *trees, float value);

/* How many splits the next node is below; 0 if the last tree has all its nodes. */
int trees_depth(const Trees *trees);

/* Whether the next node is where the split above it holds. */
bool trees_next_holds(const Trees *trees);

#endif
