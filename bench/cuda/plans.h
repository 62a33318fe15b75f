/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The emitted file's dispatcher from inside: every plan that it could choose, and what its model says of each. The file
   itself is included, with its static functions. */
#ifndef BENCH_CUDA_PLANS_H
#define BENCH_CUDA_PLANS_H

#include <vector>

#include "operator_options.h"
#include "shapes.h"

struct Candidate {
    mikgen_cuda_options plan;
    double expected; /* microseconds */
};

/* Plans are for the current device, or for the one that is assumed where there is none: an H200. */
void plans_assume(bool current_device);
int plans_multiprocessors(void);
double plans_launch(void); /* microseconds that the model takes for a launch */

int plans_kernels(void);
const char *plans_kernel(int kernel);
bool plans_kernel_any(int kernel); /* takes operands wherever they lie */

/* What the dispatcher chooses. */
Candidate plans_chosen(const Shape &shape);

/* Microseconds expected of one kernel for the whole output, a block for each tile; infinite: it cannot run. Where operands have
   to be copied first to suit it, that counts. */
double plans_whole(const Shape &shape, int kernel);

/* All that could be chosen, the most promising first: each kernel for the whole, with a block for each tile and with several
   numbers of blocks that share out the steps; each pair of kernels cut after each of the first one's last four full waves. */
std::vector<Candidate> plans_all(const Shape &shape);

/* For timing: asking about the operands and deciding; asking and finding the decision in the cache of plans (true: it was there);
   only the latter, several times (how often it was there). */
void plans_decide(const Shape &shape);
bool plans_recall(const Shape &shape);
int plans_recall_only(const Shape &shape, int times);

#endif
