/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured times in the place of analytical ones, and beside them. */
#include "plan/kernels/measured.h"

#include <math.h>
#include <stdlib.h>

static int number_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Up to CALL_STEPS steps a kernel takes what its call and its stores do, about which the analytical terms know little. Over more
 * than UNIT_STEPS it takes what the multiply-add units do, and kernels measured apart differ by less than they are measured. */
enum { CALL_STEPS = 16, UNIT_STEPS = 100 };

/* A kernel's time that was measured on another machine and the analytical one, scaled to it. */
static double usual_time(double measured, double scaled, int steps)
{
    return steps <= CALL_STEPS ? measured : steps <= UNIT_STEPS ? sqrt(measured * scaled) : scaled;
}

static void apply_tiles(const Profile *profile, RecordKey key, KernelSet *set, bool alone)
{
    enum { MOST = 256 };
    double ratio[G_KNOTS][MOST], scale[G_KNOTS];
    const double *measured[MOST];
    int known = 0;
    if (set->ntiles > MOST)
        internal_error("more than %d kernels for %s", MOST, set->isa);
    for (int i = 0; i < set->ntiles; i++) {
        const TileKernel *k = &set->tiles[i];
        key.rows = k->mr;
        key.columns = k->nv * set->lanes;
        measured[i] = profile_get(profile, &key, "g");
        for (int j = 0; measured[i] && j < G_KNOTS; j++)
            ratio[j][known] = measured[i][j] / k->g[j];
        known += measured[i] != NULL;
    }
    if (known == 0)
        return;
    for (int j = 0; j < G_KNOTS; j++) {
        qsort(ratio[j], (size_t)known, sizeof(double), number_order);
        scale[j] = ratio[j][known / 2];
    }
    for (int i = 0; i < set->ntiles; i++)
        for (int j = 0; j < G_KNOTS; j++) {
            double *g = &set->tiles[i].g[j];
            const double scaled = *g * scale[j];
            *g = !measured[i] ? scaled : alone ? measured[i][j] : usual_time(measured[i][j], scaled, g_knots[j]);
            if (j && *g < g[-1]) /* each knot has a scale of its own */
                *g = g[-1];
        }
}

static void put_time(const Profile *profile, const RecordKey *key, const char *field, double *out)
{
    const double *value = profile_get(profile, key, field);
    *out = value ? *value : *out;
}

static void apply_move(const Profile *profile, const RecordKey *key, MoveCosts *m)
{
    put_time(profile, key, "pack", &m->pack);
    put_time(profile, key, "gather", &m->gather);
    put_time(profile, key, "convert", &m->convert);
    put_time(profile, key, "column", &m->column);
    put_time(profile, key, "far", &m->far);
    put_time(profile, key, "conflict", &m->conflict);
    put_time(profile, key, "far_a", &m->far_a);
    put_time(profile, key, "conflict_a", &m->conflict_a);
    put_time(profile, key, "read", &m->read);
    put_time(profile, key, "read_all", &m->read_all);
    put_time(profile, key, "task", &m->task);
}

/* Where the set has it. */
static int *engine_place(KernelSet *set, EngineKnob knob)
{
    switch (knob) {
#define ENGINE_SIZE(word, ...) \
    case ENGINE_##word: return &set->move.word;
#define ENGINE_KNOB(word, ...) \
    case ENGINE_##word: return &set->engine.word;
#include "plan/engine_knobs.def"
#undef ENGINE_SIZE
#undef ENGINE_KNOB
    default: internal_error("the engine has no number %d", (int)knob);
    }
}

int engine_number(const KernelSet *set, EngineKnob knob)
{
    KernelSet copy = *set;
    return *engine_place(&copy, knob);
}

static void apply_engine(const Profile *profile, const RecordKey *key, KernelSet *set)
{
    for (int i = 0; i < ENGINE_KNOBS; i++) {
        const double *value = profile_get(profile, key, engine_knob_info[i].name);
        if (value)
            *engine_place(set, (EngineKnob)i) = (int)*value;
    }
}

void apply_profile(const Profile *profile, Family family, KernelSet *set, bool alone)
{
    if (!profile)
        return;
    RecordKey key = {.kind = RECORD_KERNEL, .family = family, .isa = set->isa};
    apply_tiles(profile, key, set, alone);
    key.kind = RECORD_DOT;
    put_time(profile, &key, "step", &set->dot_step);
    put_time(profile, &key, "tile", &set->dot_tile);
    put_time(profile, &key, "sum", &set->dot_sum);
    key.kind = RECORD_MOVE;
    apply_move(profile, &key, &set->move);
    key.kind = RECORD_ENGINE;
    apply_engine(profile, &key, set);
}
