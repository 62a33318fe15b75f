/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms are compared as numbers of their trees. */
#include "plan/vectors/class_forms.h"

#include "plan/fingerprint.h"
#include "plan/targets.h"
#include "plan/vectors/vector_nest.h"

static uint64_t number_of(Ir *ir, const Func *form) { return form ? fingerprint(ir, form->body) : 0; }

/* The number of a form that is the last one's like; the last one's own, if there is none. */
static int same_form(Ir *ir, const HostNest *nest, VectorSetId set)
{
    const Vec *more = &nest->more[set];
    const uint64_t last = number_of(ir, more->items[more->count - 1]);
    int number = 0;
    while (number < more->count && number_of(ir, number            ? more->items[number - 1]
                                                 : nest->form[set] ? nest->form[set]
                                                                   : nest->loops) != last)
        number++;
    return number;
}

void vectorize_classes(Ir *ir, HostNest *nest, const PlanOptions *opt)
{
    for (int set = 0; set < SET_COUNT; set++)
        for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
            ClassForm *f = &nest->of_class[set][shape];
            if (!f->differs || !loops_are_held(opt->held, (VectorSetId)set))
                continue;
            vectorize_more(ir, nest, (VectorSetId)set, &f->knobs, opt);
            f->number = same_form(ir, nest, (VectorSetId)set);
            if (f->number < nest->more[set].count)
                nest->more[set].count--;
        }
}

const char *chosen_words(Arena *arena, const HostNest *nest, VectorSetId set)
{
    static const NestKnobs planned = {{KNOB_PLANNED}};
    const char *words = knobs_words(arena, &nest->knobs[set]);
    bool any = !knobs_are_same(&nest->knobs[set], &planned);
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++) {
        const ClassForm *f = &nest->of_class[set][shape];
        if (f->differs)
            words = arena_printf(arena, "%s; %s: %s", words, shape_classes[shape].word, knobs_words(arena, &f->knobs));
        any = any || f->differs;
    }
    return any ? words : NULL;
}
