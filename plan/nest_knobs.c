#include "plan/nest_knobs.h"

const KnobInfo knob_info[KNOB_COUNT] = {
#define KNOB(knob, word, what, ...) [knob] = {word, what, {__VA_ARGS__}},
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
