/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training of trees by XGBoost (T. Chen and C. Guestrin, "XGBoost: a scalable tree boosting system", 2016), whose library is loaded
 * when it is asked for: mikgen does not need it otherwise. */
#ifndef MIKGEN_TUNE_SEARCH_BOOST_H
#define MIKGEN_TUNE_SEARCH_BOOST_H

#include "tune/search/trees.h"

/* What XGBoost is told; 0: as usual here, which is in brackets. Weights are in units of rows: those that are given are scaled so that their
 * mean is 1. */
typedef struct BoostTrees {
    int rounds, depth; /* of one tree each (BOOST_ROUNDS); splits one below the other (BOOST_DEPTH) */
    double eta; /* leaves count so much of what is best (0.3) */
    double least_weight; /* of each side of a split (1) */
    double shrinking; /* lambda, which draws leaves towards 0 (1) */
    double rows, columns; /* shares that a tree sees, drawn anew for each (1) */
    int seed; /* of what is drawn */
} BoostTrees;

enum { BOOST_ROUNDS = 50, BOOST_DEPTH = 6 };

typedef struct BoostInput {
    int nrows, nfeatures;
    const char *about; /* the result's, as trees_new() wants it */
    const char *const *names; /* of the features, as trees_new() wants them */
    const double *features; /* nrows times nfeatures, row by row; floats are made of them */
    const double *targets; /* nrows: what the trees shall say, for example logarithms of speeds */
    const double *weights; /* nrows: how much a row's squared error counts, beside the others'; NULL: all the same */
    BoostTrees trees;
} BoostInput;

/* Whether the library is there. */
bool boost_available(void);

/* Its version, "1.7.4", of which others may make other trees; NULL: it is not there. Owned by the arena. */
const char *boost_version(Arena *arena);

/* The trees with a small sum of squared errors, by exact greedy splits, on one thread; the base is the targets' mean. Rows of weight 0
 * are as good as absent, whatever is in them. The same input gives the same trees. Owned by the arena, but for the names and `about`. NULL if the
 * library is missing, a number is not finite, a weight negative, no row left, or XGBoost fails; then *error says so, in one line. */
const Trees *boost_train(Arena *arena, const BoostInput *input, const char **error);

#endif
