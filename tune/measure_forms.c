#include "tune/measure_forms.h"

#include <math.h>

#include "tune/fit.h"

enum { MOST_ROUNDS = 64 };

/* One round of all forms, from another one on each time. False when the conversation ended. */
static bool measure_round(Arena *arena, const FormsInput *in, const FormTimes *forms, int nforms, int round, double (*times)[MOST_ROUNDS])
{
    for (int i = 0; i < nforms; i++) {
        const int at = (i + round) % nforms;
        const char *request = arena_printf(arena, "time %d %d %d %d", forms[at].library, forms[at].choice, in->isa, in->threads);
        times[at][round] = session_number(in->session, request);
        if (times[at][round] < 0)
            return false;
    }
    return true;
}

static bool have_settled(int nforms, int rounds, double (*times)[MOST_ROUNDS])
{
    const double tolerance = 0.02;
    bool settled = true;
    for (int i = 0; i < nforms; i++)
        settled = settled && (times[i][0] == 0 || fit_agrees(times[i], rounds, tolerance));
    return settled;
}

static bool measure_shape(Arena *arena, const FormsInput *in, int shape, FormTimes *forms, int nforms)
{
    const NestShape *s = &in->shapes[shape];
    const int most = in->most < MOST_ROUNDS ? in->most : MOST_ROUNDS;
    double(*times)[MOST_ROUNDS] = arena_alloc(arena, (size_t)nforms * sizeof *times);
    const char *bytes = session_ask(in->session, arena_printf(arena, "extents %d %s", s->op, s->extents));
    if (!bytes)
        return false;
    const bool runs = bytes[0] != '-';
    int round = 0;
    do {
        if (runs && !measure_round(arena, in, forms, nforms, round, times))
            return false;
        round++;
    } while (runs && round < most && (round < in->least || !have_settled(nforms, round, times)));
    for (int i = 0; i < nforms; i++)
        forms[i].time[shape] = runs && times[i][0] > 0 ? fit_robust(times[i], round) : 0;
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
