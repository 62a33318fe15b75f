/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/nest_knobs.h"

#include <string.h>

const KnobInfo knob_info[KNOB_COUNT] = {
#define KNOB(knob, word, former, what, ...) [knob] = {word, former, what, {__VA_ARGS__}},
#include "plan/nest_knobs.def"
#undef KNOB
};

bool knob_may_be(NestKnob knob, int value)
{
    bool found = value == KNOB_PLANNED;
    for (int i = 0; knob_info[knob].values[i]; i++)
        found = found || knob_info[knob].values[i] == value;
    return found;
}

bool knobs_are_same(const NestKnobs *a, const NestKnobs *b) { return memcmp(a, b, sizeof *a) == 0; }

const char *knobs_words(Arena *arena, const NestKnobs *knobs)
{
    const char *words = "";
    for (int knob = 0; knob < KNOB_COUNT; knob++)
        if (knobs->value[knob] != KNOB_PLANNED)
            words = arena_printf(arena, "%s%s%s %d", words, *words ? " " : "", knob_info[knob].name, knobs->value[knob]);
    return *words ? words : "as planned";
}
