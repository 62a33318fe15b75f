/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became of an operator's nests on a CPU, for --remarks and NAME_explain: which are contractions, of which loops; why the others are none, and what
 * keeps their loops in order. CUDA's nests make remarks of their own: plan/grid/device_nest.h. */
#ifndef MIKGEN_PLAN_CONTRACT_REMARKS_H
#define MIKGEN_PLAN_CONTRACT_REMARKS_H

#include "plan/contract/map.h"

/* Adds to plan->remarks, in the order of the text: what each nest became, with opt->remarks also what holds its loops back.
 * `body` is what the operator runs, with N_CONTRACT in it. */
void remark_nests(const NestContext *context, const PlanOptions *opt, Plan *plan, Node *body);

/* "contraction: rows over m, columns over n, sums over k; the sums are stored". Owned by the Ir's arena. */
const char *contraction_words(Ir *ir, const Contraction *c);

/* What is said of loops that Contraction.leaves_small leaves products to. */
extern const char remark_of_small[];

#endif
