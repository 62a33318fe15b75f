/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/measure_forms.h"

#include <math.h>

#include "tune/fit.h"

enum { MOST_ROUNDS = 64 };
static const double HOPELESS = 1.5; /* times the best one's time: it is not measured again */

/* What a form took in its rounds so far. */
typedef struct Rounds {
    double time[MOST_ROUNDS];
    int n;
} Rounds;

static double best_of(const Rounds *all, int nforms)
{
    double best = INFINITY;
    for (int i = 0; i < nforms; i++)
        for (int j = 0; j < all[i].n; j++)
            best = all[i].time[j] > 0 ? fmin(best, all[i].time[j]) : best;
    return best;
}

/* One round of all forms that matter, from another one on each time. False when the conversation ended. */
static bool measure_round(Arena *arena, const FormsInput *in, const FormTimes *forms, int nforms, int round, Rounds *all)
{
    const double limit = round ? HOPELESS * best_of(all, nforms) : INFINITY;
    for (int i = 0; i < nforms; i++) {
        const int at = (i + round) % nforms;
        Rounds *r = &all[at];
        if (r->n && at && (r->time[0] > limit || r->time[0] == 0))
            continue;
        const char *request = arena_printf(arena, "time %d %d %d %d", forms[at].library, forms[at].choice, in->isa, in->threads);
        const double time = session_number(in->session, request);
        if (time < 0)
            return false;
        r->time[r->n++] = time;
    }
    return true;
}

static bool have_settled(const Rounds *all, int nforms)
{
    const double tolerance = 0.02, limit = HOPELESS * best_of(all, nforms);
    bool settled = true;
    for (int i = 0; i < nforms; i++)
        settled = settled && (all[i].time[0] == 0 || all[i].time[0] > limit || fit_agrees(all[i].time, all[i].n, tolerance));
    return settled;
}

static bool measure_shape(Arena *arena, const FormsInput *in, int shape, FormTimes *forms, int nforms)
{
    const NestShape *s = &in->shapes[shape];
    const int most = in->most < MOST_ROUNDS ? in->most : MOST_ROUNDS;
    Rounds *all = arena_new_array(arena, Rounds, nforms);
    const char *bytes = session_ask(in->session, arena_printf(arena, "extents %d %s", s->op, s->extents));
    if (!bytes)
        return false;
    const bool runs = bytes[0] != '-';
    for (int round = 0; runs && round < most && (round < in->least || !have_settled(all, nforms)); round++)
        if (!measure_round(arena, in, forms, nforms, round, all))
            return false;
    for (int i = 0; i < nforms; i++)
        forms[i].time[shape] = runs && all[i].time[0] > 0 ? fit_robust(all[i].time, all[i].n) : 0;
    return true;
}

bool measure_forms(Arena *arena, const FormsInput *in, FormTimes *forms, int nforms)
{
    bool ok = true;
    for (int shape = 0; ok && shape < in->nshapes; shape++)
        ok = measure_shape(arena, in, shape, forms, nforms);
    return ok;
}

double form_speed(const FormsInput *in, const FormTimes *form, const FormTimes *base)
{
    double sum = 0;
    int known = 0;
    for (int shape = 0; shape < in->nshapes; shape++) {
        if (base->time[shape] <= 0)
            continue;
        if (form->time[shape] <= 0)
            return 0;
        sum += log(base->time[shape] / form->time[shape]);
        known++;
    }
    return known ? exp(sum / known) : 0;
}
