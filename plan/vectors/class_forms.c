/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms are compared as numbers of their trees. */
#include "plan/vectors/class_forms.h"

#include "plan/fingerprint.h"
#include "plan/targets.h"
#include "plan/vectors/vector_nest.h"

static uint64_t number_of(Ir *ir, const Func *form) { return form ? fingerprint(ir, form->body) : 0; }

/* The number of a form that is the last one's like; the last one's own, if there is none. `first`: what has number 0. */
static int same_form(Ir *ir, const Func *first, const Vec *more)
{
    const uint64_t last = number_of(ir, more->items[more->count - 1]);
    int number = 0;
    while (number < more->count && number_of(ir, number ? more->items[number - 1] : first) != last)
        number++;
    return number;
}

void vectorize_classes(Ir *ir, HostNest *nest, const PlanOptions *opt)
{
    NestVectors *made = &nest->vectors;
    for (int set = 0; set < SET_COUNT; set++)
        for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
            const ClassForm *f = &nest->chosen.of_class[set][shape];
            if (!f->differs || !loops_are_held(opt->held, (VectorSetId)set))
                continue;
            vectorize_more(ir, nest, (VectorSetId)set, &f->knobs, opt);
            made->of_class[set][shape] = same_form(ir, made->form[set] ? made->form[set] : nest->loops, &made->more[set]);
            if (made->of_class[set][shape] < made->more[set].count)
                made->more[set].count--;
        }
}

const char *chosen_words(Arena *arena, const ChosenForms *forms, VectorSetId set)
{
    static const NestKnobs planned = {{KNOB_PLANNED}};
    const char *words = knobs_words(arena, &forms->knobs[set]);
    bool any = !knobs_are_same(&forms->knobs[set], &planned);
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
        const ClassForm *f = &forms->of_class[set][shape];
        if (f->differs)
            words = arena_printf(arena, "%s; %s: %s", words, shape_classes[shape].word, knobs_words(arena, &f->knobs));
        any = any || f->differs;
    }
    return any ? words : NULL;
}
