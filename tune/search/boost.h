/* Training of trees by XGBoost (T. Chen and C. Guestrin, "XGBoost: a scalable tree boosting system", 2016), whose library is loaded
 * when it is asked for: mikgen does not need it otherwise. */
#ifndef MIKGEN_TUNE_BOOST_H
#define MIKGEN_TUNE_BOOST_H

#include "tune/search/trees.h"

enum { BOOST_ROUNDS = 50, BOOST_DEPTH = 6 }; /* of one tree each, whose leaves count 0.3 of what is best */

typedef struct BoostInput {
    int nrows, nfeatures;
    const char *const *names; /* of the features, as trees_new() wants them */
    const double *features;   /* nrows times nfeatures, row by row; floats are made of them */
    const double *targets;    /* nrows: what the trees shall say, for example logarithms of speeds */
    const double *weights;    /* nrows: how much a row's squared error counts, beside the others'; NULL: all the same */
} BoostInput;

/* Whether the library is there. */
bool boost_available(void);

/* The trees with a small sum of squared errors, by exact greedy splits, on one thread; the base is the targets' mean. Rows of weight 0
 * are as good as absent, whatever is in them. The same input gives the same trees. Owned by the arena, but for the names. NULL if the
 * library is missing, a number is not finite, a weight negative, no row left, or XGBoost fails; then *error says so, in one line. */
const Trees *boost_train(Arena *arena, const BoostInput *input, const char **error);

#endif
