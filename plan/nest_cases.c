/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/nest_cases.h"

static int tasks_of(const NestKnobs *knobs) { return knobs->value[KNOB_TASKS] == KNOB_PLANNED ? 1 : knobs->value[KNOB_TASKS]; }

/* Forms that are compared take the place of those of classes. */
static bool is_own(const HostNest *nest, VectorSetId set, int shape)
{
    const ClassForm *form = &nest->chosen.of_class[set][shape];
    const bool other_tasks = form->differs && !nest->chosen.compared && tasks_of(&form->knobs) != tasks_of(&nest->chosen.knobs[set]);
    return nest->vectors.of_class[set][shape] || (other_tasks && nest_is_cut(nest));
}

bool nest_has_classes(const HostNest *nest)
{
    bool any = false;
    for (int set = 0; set < SET_COUNT; set++)
        for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++)
            any = any || is_own(nest, (VectorSetId)set, shape);
    return any;
}

bool nest_is_cut(const HostNest *nest) { return nest->cut.loops > 0 && !nest->in_wave; }

int nest_cases(const HostNest *nest, VectorSetId set)
{
    if (nest->chosen.compared)
        return nest->chosen.compared->set == set ? 1 + nest->chosen.compared->count : 1;
    return nest_has_classes(nest) ? CLASS_COUNT - (CLASS_ALL + 1) : 1;
}

int nest_tasks(const HostNest *nest, VectorSetId set, int number)
{
    if (nest->chosen.compared)
        return tasks_of(number ? &nest->chosen.compared->knobs[number - 1] : &nest->chosen.knobs[set]);
    const ClassForm *form = &nest->chosen.of_class[set][CLASS_ALL + 1 + number];
    return tasks_of(nest_has_classes(nest) && form->differs ? &form->knobs : &nest->chosen.knobs[set]);
}
