/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms of a nest by classes of calls. */
#ifndef MIKGEN_PLAN_VECTORS_CLASS_FORMS_H
#define MIKGEN_PLAN_VECTORS_CLASS_FORMS_H

#include "plan/plan.h"

/* Adds a form to nest->vectors.more, which is empty, for each class whose knobs differ: one for those that come to the same loops, none for
 * those that come to vectors.form[]; sets vectors.of_class. After vectorize_nest(). */
void vectorize_classes(Ir *ir, HostNest *nest, const PlanOptions *opt);

/* "unroll 8; l2: unroll 4": what is chosen for a set, for people; NULL: all is as planned. */
const char *chosen_words(Arena *arena, const ChosenForms *forms, VectorSetId set);

#endif
