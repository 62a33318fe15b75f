/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/grid_knobs.h"

const GridKnobInfo grid_knob_info[GRID_KNOBS] = {
#define GRID_KNOB(knob, word, what, planned, ...) [knob] = {word, what, planned, {__VA_ARGS__}},
#include "plan/grid_knobs.def"
#undef GRID_KNOB
};

int grid_knob(const GridKnobs *knobs, GridKnob knob) { return knobs->value[knob] ? knobs->value[knob] : grid_knob_info[knob].planned; }

bool grid_is_planned(const GridKnobs *knobs)
{
    for (int i = 0; i < GRID_KNOBS; i++)
        if (knobs->value[i])
            return false;
    return true;
}

const char *grid_knobs_text(Arena *arena, const GridKnobs *knobs)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < GRID_KNOBS; i++)
        if (knobs->value[i])
            text_printf(&t, "%s%s %d", t.size ? " " : "", grid_knob_info[i].name, knobs->value[i]);
    return t.size ? t.data : "planned";
}

bool grid_knob_may_be(GridKnob knob, int value)
{
    bool found = value == 0;
    for (int i = 0; grid_knob_info[knob].values[i]; i++)
        found = found || grid_knob_info[knob].values[i] == value;
    return found;
}
