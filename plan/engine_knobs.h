/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine's blocking parameters, which belong to a machine: block sizes, prefetch distances, thresholds between its ways. mikgen tune
 * measures them by whole calls; they are a profile's `engine` lines. Every choice computes the same GEMMs; only the order of sums may
 * differ, by the steps of a block. */
#ifndef MIKGEN_PLAN_ENGINE_KNOBS_H
#define MIKGEN_PLAN_ENGINE_KNOBS_H

#include <stdbool.h>

typedef enum EngineKnob {
#define ENGINE_SIZE(word, ...) ENGINE_##word,
#define ENGINE_KNOB(word, ...) ENGINE_##word,
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
    ENGINE_KNOBS
} EngineKnob;

/* Those that tables do not have anyway. */
typedef struct EngineKnobs {
#define ENGINE_SIZE(word, ...)
#define ENGINE_KNOB(word, ...) int word;
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
} EngineKnobs;

enum { ENGINE_VALUES = 8 };
typedef struct EngineKnobInfo {
    const char *name;
    bool in_text;   /* ENGINE_KNOB */
    int whole;      /* what goes for 1 */
    int usual, least, most;
    const char *what, *shapes;
    int values[ENGINE_VALUES]; /* -1 ends them */
} EngineKnobInfo;

extern const EngineKnobInfo engine_knob_info[ENGINE_KNOBS];

/* The words that older profiles have; NULL: the same. */
extern const char *const engine_former[ENGINE_KNOBS];

/* The usual ones. */
extern const EngineKnobs engine_usual;

#endif
