/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coordinate descent over the engine's blocking parameters. */
#include "tune/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/progress.h"
#include "tune/session.h"

enum { SHAPES = 32, TRIES = 2, LEAST_ROUNDS = 4, CONFIRM_ROUNDS = 5, DOUBT_ROUNDS = 16, QUICK_SIDE = 64, NUMBERS = ENGINE_VALUES + 1 };

static const double worth = 0.99, bearable = 1.02;

/* Shapes of all sorts, which no number may make slower, whatever it does for those that show it: most numbers have a part in more than
 * one decision. */
static const char guards[] = "48x48x48 128x128x128 320x320x320 700x700x700 1100x900x1000 2x2048x1024 4x2048x2000 8x2500x2000 16x1024x4000 "
                             "32x4000x1024 128x2000x1000 256x3000x700 1700x16x1800 2500x32x2500 3000x4x500 1000x1x1000 800x800x14 "
                             "2600x2600x14 2200x2200x40 1600x1600x150 1x3000x800 1x2000x4000";

typedef struct Shape {
    int m, n, k;
} Shape;

typedef struct Fit {
    Arena *arena;
    const TuneInput *in;
    Profile *profile;
    Session *session;
    Progress progress;
} Fit;

/* One number of one set. */
typedef struct Number {
    const EngineKnobInfo *info;
    RecordKey key;
    int values[NUMBERS], nvalues, usual; /* usual: index of the value that there is now */
    Shape shapes[SHAPES]; /* those that show it, then guards */
    int nshapes, nguards;
} Number;

int engine_choose(const double *times, int nshapes, int nguards, int nvalues, int usual)
{
    int best = usual;
    double least = worth;
    for (int v = 0; v < nvalues; v++) {
        double sum = 0, most = 0;
        for (int s = 0; s < nshapes + nguards; s++) {
            const double ratio = times[s * nvalues + v] / times[s * nvalues + usual];
            sum += s < nshapes ? log(ratio) : 0;
            most = ratio > most ? ratio : most;
        }
        const double mean = exp(sum / nshapes);
        if (mean <= least && most <= bearable) {
            least = mean;
            best = v;
        }
    }
    return best;
}

/* "768x768x768 384x1024x1536"; where things are only tried out, small ones. Returns how many. */
static int read_shapes(const char *at, Shape *shapes, int most, bool quick)
{
    int n = 0;
    while (*at) {
        long side[3];
        for (int i = 0; i < 3; i++) {
            char *end;
            side[i] = strtol(at, &end, 10);
            side[i] = quick && side[i] > QUICK_SIDE ? QUICK_SIDE : side[i];
            at = end + (*end != '\0');
        }
        if (n == most)
            internal_error("too many shapes of a number of the engine");
        shapes[n++] = (Shape){(int)side[0], (int)side[1], (int)side[2]};
    }
    return n;
}

static Number number_of(const Fit *f, const TuneFamily *family, const KernelSet *set, EngineKnob knob)
{
    Number x = {.info = &engine_knob_info[knob], .key = {.kind = RECORD_ENGINE, .family = family->family, .isa = set->isa}};
    x.values[x.nvalues++] = engine_number(set, knob);
    for (int i = 0; x.info->values[i] >= 0; i++)
        if (x.info->values[i] != x.values[0])
            x.values[x.nvalues++] = x.info->values[i];
    x.nshapes = read_shapes(x.info->shapes, x.shapes, SHAPES, f->in->quick);
    x.nguards = read_shapes(guards, x.shapes + x.nshapes, SHAPES - x.nshapes, f->in->quick);
    return x;
}

static double ask(Fit *f, const Number *x, Shape s, int value)
{
    return session_number(f->session, arena_printf(f->arena, "call %s %s %dx%d %d %s %d", family_name(x->key.family), x->key.isa, s.m, s.n,
                                                   s.k, x->info->name, value));
}

/* Values take turns on a shape, in round number r; only those with candidate[v]. The least time of each is kept. False when interrupted or
 * broken. */
static bool measure_shape(Fit *f, const Number *x, int s, const bool *candidate, int r, double *times)
{
    for (int i = 0; i < x->nvalues; i++) {
        const int v = r % 2 ? x->nvalues - 1 - i : i; /* to and fro, that no value always comes behind the same one */
        if (!candidate[v])
            continue;
        const double time = ask(f, x, x->shapes[s], x->values[v]);
        if (time < 0)
            return false;
        double *const to = &times[s * x->nvalues + v];
        *to = time < *to ? time : *to;
    }
    return true;
}

/* Some rounds on the first nshapes shapes, with nothing known before. */
static bool measure_rounds(Fit *f, const Number *x, int nshapes, const bool *candidate, int rounds, double *times)
{
    for (int i = 0; i < nshapes * x->nvalues; i++)
        times[i] = INFINITY;
    for (int r = 0; r < rounds; r++)
        for (int s = 0; s < nshapes; s++)
            if (!measure_shape(f, x, s, candidate, r, times))
                return false;
    return true;
}

/* What looks slower somewhere may have been disturbed: such shapes are measured again, until they do not, or too often. */
static bool measure_doubtful(Fit *f, const Number *x, int value, const bool *candidate, double *times)
{
    bool is_doubtful = true;
    for (int r = 0; is_doubtful && r < DOUBT_ROUNDS; r++) {
        is_doubtful = false;
        for (int s = 0; s < x->nshapes + x->nguards; s++) {
            const double *const at = &times[s * x->nvalues];
            if (at[value] <= bearable * at[x->usual])
                continue;
            is_doubtful = true;
            if (!measure_shape(f, x, s, candidate, r, times))
                return false;
        }
    }
    return true;
}

/* Whether a value that looks better than the usual one is so once more, and no worse where others are shown. False in *ok as above. */
static bool confirm(Fit *f, const Number *x, int value, bool *ok)
{
    double times[SHAPES * NUMBERS];
    bool two[NUMBERS] = {false};
    two[value] = two[x->usual] = true;
    *ok = measure_rounds(f, x, x->nshapes + x->nguards, two, f->in->quick ? 1 : CONFIRM_ROUNDS, times) &&
          (f->in->quick || measure_doubtful(f, x, value, two, times));
    return *ok && engine_choose(times, x->nshapes, x->nguards, x->nvalues, x->usual) == value;
}

/* Chooses the value, confirms it, and lets the next numbers be measured with it. */
static bool fit_number(Fit *f, Number *x)
{
    double times[SHAPES * NUMBERS];
    bool all[NUMBERS], ok = true;
    for (int v = 0; v < NUMBERS; v++)
        all[v] = true;
    if (!measure_rounds(f, x, x->nshapes, all, f->in->quick ? 1 : LEAST_ROUNDS, times))
        return false;
    int best = engine_choose(times, x->nshapes, 0, x->nvalues, x->usual);
    for (int i = 1; best != x->usual && !confirm(f, x, best, &ok); i++) {
        times[best] = INFINITY; /* on its first shape: it is out */
        best = i < TRIES ? engine_choose(times, x->nshapes, 0, x->nvalues, x->usual) : x->usual;
        if (!ok)
            return false;
    }
    if (ask(f, x, (Shape){0, 0, 0}, x->values[best]) < 0)
        return false;
    const double value = x->values[best];
    profile_put(f->arena, f->profile, &x->key, x->info->name, &value);
    progress_add(&f->progress, 1, x->info->name);
    return f->in->save(f->in->user, f->profile);
}

/* Has the family's kernels operands in place, and is the set one that the machine has and was asked for? The portable set is for machines
 * nobody knows. */
static bool is_fitted(const TuneInput *in, const TuneFamily *family, const KernelSet *set)
{
    if (!family->in_place || family_unit(family->family) != 1)
        return false;
    return in->isa ? strcmp(in->isa, set->isa) == 0 : strcmp(set->isa, isa_name(ISA_PORTABLE)) != 0;
}

static bool is_known(const TuneInput *in, const Profile *profile, const Number *x)
{
    return !in->again && profile_get(profile, &x->key, x->info->name) != NULL;
}

/* How many numbers of a set are to be measured. */
static int count_lacking(const Fit *f, const TuneFamily *family, const KernelSet *set)
{
    int count = 0;
    for (int k = 0; k < ENGINE_KNOBS; k++) {
        const Number x = number_of(f, family, set, (EngineKnob)k);
        count += !is_known(f->in, f->profile, &x);
    }
    return count;
}

/* The numbers of a set; what is known goes first, as others were measured beside it. */
static bool fit_set(Fit *f, const TuneFamily *family, const KernelSet *set)
{
    for (int known = 1; known >= 0; known--)
        for (int k = 0; k < ENGINE_KNOBS; k++) {
            Number x = number_of(f, family, set, (EngineKnob)k);
            if (is_known(f->in, f->profile, &x) != known)
                continue;
            const double *value = profile_get(f->profile, &x.key, x.info->name);
            if (known ? ask(f, &x, (Shape){0, 0, 0}, (int)*value) < 0 : !fit_number(f, &x))
                return false;
        }
    return true;
}

typedef bool Each(Fit *f, const TuneFamily *family, const KernelSet *set, double *sum);

static bool each_set(Fit *f, Each *each, double *sum)
{
    for (int i = 0; i < f->in->nfamilies; i++)
        for (int j = 0; j < f->in->families[i].nsets; j++) {
            const TuneFamily *family = &f->in->families[i];
            if (is_fitted(f->in, family, &family->sets[j]) && !each(f, family, &family->sets[j], sum))
                return false;
        }
    return true;
}

static bool add_lacking(Fit *f, const TuneFamily *family, const KernelSet *set, double *sum)
{
    *sum += profile_knows(f->profile, family->family, set->isa) ? count_lacking(f, family, set) : 0; /* kernels of this machine's sets */
    return true;
}

/* 0 or 1; negative when interrupted or broken. */
static double has_set(Fit *f, const TuneFamily *family, const KernelSet *set)
{
    return session_number(f->session, arena_printf(f->arena, "isa %s %s", family_name(family->family), set->isa));
}

static bool add_here(Fit *f, const TuneFamily *family, const KernelSet *set, double *sum)
{
    const double has = has_set(f, family, set);
    *sum += has > 0 ? count_lacking(f, family, set) : 0;
    return has >= 0;
}

static bool fit_here(Fit *f, const TuneFamily *family, const KernelSet *set, double *sum)
{
    (void)sum;
    const double has = has_set(f, family, set);
    if (has <= 0 || count_lacking(f, family, set) == 0)
        return has >= 0;
    if (!fit_set(f, family, set))
        return false;
    progress_part(&f->progress, arena_printf(f->arena, "%s %s, engine", family_name(family->family), set->isa));
    return true;
}

bool engine_lacks(const TuneInput *in, const Profile *profile)
{
    Fit fit = {.in = in, .profile = (Profile *)profile};
    double lacking = 0;
    each_set(&fit, add_lacking, &lacking);
    return lacking > 0;
}

TuneResult engine_measure(Arena *arena, const TuneInput *in, Profile *profile, int *number)
{
    Fit fit = {.arena = arena, .in = in, .profile = profile, .session = session_begin(arena, in->program, in->quick ? 20000 : 2000000)};
    double points = 0;
    if (!fit.session)
        return TUNE_FAILED;
    bool ok = each_set(&fit, add_here, &points);
    if (ok && points > 0) {
        fit.progress = progress_begin(points);
        ok = each_set(&fit, fit_here, &points);
        progress_end(&fit.progress);
    }
    *number = session_signal();
    session_end(fit.session);
    return ok ? TUNE_DONE : *number ? TUNE_INTERRUPTED : TUNE_FAILED;
}
