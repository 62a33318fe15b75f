/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be chosen about a nest's loops for an instruction set: the parameters of its space are the knobs that change what the planner
 * makes of it, their values those that make different loops. They are found by asking the planner for each. Loops have tails, under masks
 * or one by one, whatever is chosen: nothing has to divide an extent. */
#ifndef MIKGEN_TUNE_NESTS_SPACE_H
#define MIKGEN_TUNE_NESTS_SPACE_H

#include "plan/plan.h"
#include "tune/search/constraint_chain.h"

typedef struct NestSpace {
    const TuneChain *chain;
    NestKnob knob[KNOB_COUNT]; /* by parameter */
    TunePoint planned;         /* what the planner does by itself */
} NestSpace;

/* Knobs that make no difference to calls on one thread. */
enum { SPACE_ONE_THREAD = 1u << KNOB_TASKS };

/* The space of the nest for such calls, whose loops are as the pass before `vectors` left them; NULL: there is nothing to choose.
 * nest->vectors.form[set] is what nest->chosen.knobs[set] say when it returns. Owned by the Ir's arena. */
const NestSpace *nest_space(Ir *ir, HostNest *nest, VectorSetId set, const PlanOptions *opt);

/* The same for calls on any number of threads, where some knobs stay as planned: 1 << a NestKnob. */
const NestSpace *nest_space_without(Ir *ir, HostNest *nest, VectorSetId set, const PlanOptions *opt, unsigned without);

/* The knobs of a configuration. */
NestKnobs space_knobs(const NestSpace *space, const TunePoint *point);

/* The place of such knobs; false: they are none of the space's. */
bool space_point(const NestSpace *space, const NestKnobs *knobs, TunePoint *point);

/* What the planner makes of the nest with such knobs, as a number (plan/fingerprint.h): the same for the same loops; 0: no vectors. */
uint64_t form_with(Ir *ir, const HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt);

#endif
