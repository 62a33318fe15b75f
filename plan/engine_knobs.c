/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/engine_knobs.h"

const EngineKnobInfo engine_knob_info[ENGINE_KNOBS] = {
#define ENGINE_SIZE(word, whole, usual, least, most, what, shapes, ...) \
    [ENGINE_##word] = {#word, false, whole, usual, least, most, what, shapes, {__VA_ARGS__, -1}},
#define ENGINE_KNOB(word, whole, usual, least, most, what, shapes, ...) \
    [ENGINE_##word] = {#word, true, whole, usual, least, most, what, shapes, {__VA_ARGS__, -1}},
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
};

const EngineKnobs engine_usual = {
#define ENGINE_SIZE(word, ...)
#define ENGINE_KNOB(word, whole, usual, ...) .word = usual,
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
};

const char *const engine_former[ENGINE_KNOBS] = {
#define ENGINE_SIZE(word, ...)
#define ENGINE_KNOB(word, ...)
#define ENGINE_FORMER(word, former) [ENGINE_##word] = #former,
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
};
