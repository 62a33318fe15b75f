/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One program has all configurations of all nests: they are few, and nvcc takes longer than measuring does. */
#include "gen/tune/tune_grids.h"

#include <stdlib.h>

#include "gen/tune/form_search.h"
#include "gen/tune/form_table.h"
#include "gen/driver/grid_choice.h"
#include "gen/tune/grid_search.h"
#include "gen/tune/grid_spaces.h"
#include "gen/tune/nest_forms.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_file.h"
#include "tune/measure.h"
#include "tune/progress.h"

enum { SAMPLE = 2000000, QUICK_SAMPLE = 200000 }; /* nanoseconds that one measurement lasts at least */

bool tune_has_grids(const Program *program)
{
    for (int i = 0; i < program->noperators; i++)
        for (int j = 0; j < device_nest_count(program->operators[i].plan); j++) {
            const DeviceNest *nest = device_nest_at(program->operators[i].plan, j);
            if (nest->naxes || nest->form[FORM_BLOCK])
                return true;
        }
    return false;
}

/* 0: it answers that it knows no such request. */
static int count_forms(Session *session)
{
    const char *answer = session_ask(session, "forms");
    const long n = answer ? strtol(answer, NULL, 10) : -1;
    return !answer ? -1 : n > 0 ? (int)n : 0;
}

int tune_grids_in(Arena *arena, const TuneOptions *tuning)
{
    Session *session = session_begin(arena, tuning->program, 0);
    if (!session)
        return -1;
    const int n = count_forms(session);
    session_end(session);
    return n;
}

/* ---------------------------------------------------------------- the program */

/* The forms of all parts of all nests, one behind the other. */
static GridForms *forms_of(Arena *arena, const Vec *nests, int *nforms)
{
    int parts = 0, first = 1;
    for (int i = 0; i < nests->count; i++)
        parts += ((const GridNest *)nests->items[i])->parts.count;
    GridForms *forms = arena_new_array(arena, GridForms, parts + 1);
    *nforms = 0;
    for (int i = 0; i < nests->count; i++) {
        const GridNest *nest = nests->items[i];
        for (int j = 0; j < nest->parts.count; j++) {
            GridForms *own = &forms[(*nforms)++];
            own->fingerprint = nest->nest->fingerprint;
            own->knobs = grid_configurations(arena, nest->parts.items[j], &own->count);
            own->first = first;
            first += own->count;
        }
    }
    return forms;
}

/* Contractions that the spec has besides are what nests of both configurations wait for: one kernel of each kind is enough. */
static int compile_forms(GridTuner *t, const SpecText *spec, const Vec *nests, const Nvcc *nvcc)
{
    int nforms;
    const GridForms *forms = forms_of(t->arena, nests, &nforms);
    const GridSearch search = {.forms = forms, .nforms = nforms};
    const int count = nforms ? forms[nforms - 1].first + forms[nforms - 1].count - 1 : 0;
    Options opt = *t->opt;
    Text source;
    text_init(&source, t->arena);
    opt.planner.grids = &search;
    opt.planner.kernels.profile = t->profile;
    opt.planner.kernels.n_mik = 1;
    if (!form_emit(spec, &opt, "tune_grids.cu.j2", &source))
        return USER_FAULT;
    progress_stage(arena_printf(t->arena, "compiling %d configurations of loops for sm_%s, which takes a while", count, nvcc->arch));
    return nvcc_compile(t->arena, nvcc, &source);
}

static bool read_choices(GridTuner *t)
{
    const int n = count_forms(t->session);
    for (int i = 1; i <= n; i++) {
        const char *choice = session_ask(t->session, arena_printf(t->arena, "form %d", i));
        if (!choice)
            return false;
        vec_push(t->arena, &t->choices, (void *)choice);
    }
    return n >= 0;
}

/* ---------------------------------------------------------------- the run */

static int ended(const GridTuner *t, bool ok)
{
    if (ok)
        return DONE;
    return t->status != DONE ? t->status : session_signal() ? tune_interrupted(session_signal()) : USER_FAULT;
}

static bool begin_session(GridTuner *t, const char *program)
{
    const TuneOptions *tuning = &t->opt->tuning;
    t->session = session_begin(t->arena, program, tuning->quick ? QUICK_SAMPLE : SAMPLE);
    return t->session && cuda_ask(t->arena, t->session, tuning->device, &t->device);
}

static bool search_all(GridTuner *t, const Vec *nests)
{
    double total = 0;
    bool ok = cuda_describe(t->arena, &t->device, t->profile) && read_choices(t);
    t->report->device = cuda_line(t->arena, &t->device);
    for (int i = 0; i < nests->count; i++)
        total += grid_measurements(t->arena, t->opt, nests->items[i]);
    t->progress = progress_begin(total);
    for (int i = 0; ok && i < nests->count && !is_over(t->deadline); i++)
        ok = search_grid(t, nests->items[i]);
    progress_end(&t->progress);
    return ok;
}

/* Finds the nests, which depend on the kind of GPU. `only`: the spec has nothing else to measure. */
static int find_nests(GridTuner *t, Ir *ir, const TuneSpec *spec, int gpu, Vec *nests)
{
    int met;
    GridSpacesInput in = {t->opt, spec->text, &spec->shapes, t->profile, gpu};
    if (!grid_spaces(ir, &in, nests, &met))
        return USER_FAULT;
    if (!met)
        fprintf(stderr, "mikgen: note: nothing about the loops can be chosen on these extents\nhelp: --shapes=FILE has others\n");
    return DONE;
}

/* Its program is there, and says what it runs on. */
static int run_program(GridTuner *t, Ir *ir, const TuneSpec *spec)
{
    Vec nests = {0};
    bool ok = begin_session(t, t->opt->tuning.program);
    int status = ok ? find_nests(t, ir, spec, t->device.gpu, &nests) : DONE;
    if (ok && status == DONE)
        status = ended(t, search_all(t, &nests));
    else if (!ok)
        status = ended(t, false);
    if (t->session)
        session_end(t->session);
    return status;
}

static int compile_and_run(GridTuner *t, Ir *ir, const TuneSpec *spec, Nvcc *nvcc)
{
    Vec nests = {0};
    int status = nvcc_choose_arch(nvcc, ir, &spec->program);
    if (status == DONE)
        status = find_nests(t, ir, spec, gpu_of_capability(atoi(nvcc->arch)), &nests);
    if (status != DONE || !nests.count)
        return status;
    status = compile_forms(t, spec->text, &nests, nvcc);
    if (status != DONE)
        return status;
    status = ended(t, begin_session(t, nvcc->program) && search_all(t, &nests));
    if (t->session)
        session_end(t->session);
    return status;
}

/* The spec by itself. */
static int tune_spec(GridTuner *t, const TuneSpec *spec, Nvcc *nvcc)
{
    SpecText text = *spec->text;
    TuneSpec alone = *spec;
    text.base = 0;
    alone.text = &text;
    t->session = NULL;
    t->choices = (Vec){0};
    Ir *ir = ir_new(t->arena, diag_new(t->arena, text.name, text.text, text.len, stderr));
    return t->opt->tuning.program ? run_program(t, ir, &alone) : compile_and_run(t, ir, &alone, nvcc);
}

int tune_grids_run(Ir *ir, const Options *opt, const TuneSpec *specs, Nvcc *nvcc, Profile *profile, TuneReport *report)
{
    GridTuner t = {.arena = ir->arena, .opt = opt, .profile = profile, .report = report};
    const char *names[GRID_KNOBS];
    int status = DONE;
    for (int i = 0; i < GRID_KNOBS; i++)
        names[i] = grid_knob_info[i].name;
    if (!form_table_open(&opt->tuning, "gpu", names, GRID_KNOBS, &t.table))
        return USER_FAULT;
    t.deadline = opt->tuning.budget ? measure_clock() + 1e9 * opt->tuning.budget : 0;
    for (int i = 0; i < opt->in.nspecs && status == DONE && !is_over(t.deadline); i++)
        if (tune_has_grids(&specs[i].program))
            status = tune_spec(&t, &specs[i], nvcc);
    report->is_short |= is_over(t.deadline);
    if (t.table)
        fclose(t.table);
    const bool has_ended = status == DONE || status > USER_FAULT;
    return has_ended && !tune_report_save(report, profile) ? USER_FAULT : status;
}
