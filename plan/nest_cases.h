/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C target: which calls of a nest are told apart, each instruction set by itself: by the class of calls, or, where forms are compared, by the
 * number of the form. */
#ifndef MIKGEN_PLAN_NEST_CASES_H
#define MIKGEN_PLAN_NEST_CASES_H

#include "plan/plan.h"

/* Is there a class of calls with a form of its own, or another number of tasks? After the pass vectors. */
bool nest_has_classes(const HostNest *nest);

/* Are its loops cut for threads by themselves? In waves it is row tiles that are, with all stages. */
bool nest_is_cut(const HostNest *nest);

/* How many cases calls with the set have: classes but CLASS_ALL, in their order; what is planned and the forms that are compared; else 1. */
int nest_cases(const HostNest *nest, VectorSetId set);

/* How many tasks each thread gets in such a case: at least 1. */
int nest_tasks(const HostNest *nest, VectorSetId set, int number);

#endif
