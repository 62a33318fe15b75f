/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names are made different before any pass: what is emitted, measured and reported is called after operators. */
#include "gen/driver/tune_specs.h"

#include <string.h>

#include "gen/driver/rename.h"

static const Func *operator_called(const TuneSpec *specs, int nspecs, const char *name)
{
    for (int i = 0; i < nspecs; i++)
        for (int j = 0; j < specs[i].program.unit->nfuncs; j++)
            if (strcmp(specs[i].program.unit->funcs[j]->name, name) == 0)
                return specs[i].program.unit->funcs[j];
    return NULL;
}

/* "gemm_2" for a second "gemm". */
static void keep_apart(Ir *ir, const TuneSpec *earlier, int nearlier, const Unit *unit)
{
    for (int i = 0; i < unit->nfuncs; i++) {
        Func *f = unit->funcs[i];
        const char *name = f->name;
        for (int n = 2; operator_called(earlier, nearlier, name); n++)
            name = arena_printf(ir->arena, "%s_%d", f->name, n);
        if (name == f->name)
            continue;
        diag_remark(ir->diag, f->loc, "note", "'%s' is called '%s' in this run: %s has one, too", f->name, name,
                    diag_name(ir->diag, operator_called(earlier, nearlier, f->name)->loc));
        f->name = name;
    }
}

static bool has_parameter(const Unit *unit, const char *name)
{
    for (int i = 0; i < unit->nfuncs; i++)
        for (int p = 0; p < unit->funcs[i]->nparams; p++)
            if (strcmp(unit->funcs[i]->params[p]->name, name) == 0)
                return true;
    return false;
}

/* Marks the arrays of --constant that the unit has. False after located messages. */
static bool tune_constants(Ir *ir, const EmitOptions *emit, const Unit *unit)
{
    Vec names = {0};
    for (int i = 0; i < emit->constants.count; i++)
        if (has_parameter(unit, emit->constants.items[i]))
            vec_push(ir->arena, &names, emit->constants.items[i]);
    return specs_mark_constants(ir, unit, &names);
}

/* An array of --constant that no spec has is a mistake. */
static bool constants_exist(Ir *ir, const Options *opt, const TuneSpec *specs)
{
    Vec missing = {0};
    for (int i = 0; i < opt->emit.constants.count; i++) {
        bool found = false;
        for (int s = 0; s < opt->in.nspecs; s++)
            found = found || has_parameter(specs[s].program.unit, opt->emit.constants.items[i]);
        if (!found)
            vec_push(ir->arena, &missing, opt->emit.constants.items[i]);
    }
    return specs_mark_constants(ir, specs->program.unit, &missing);
}

static bool have_one_target(Ir *ir, const TuneSpec *specs, int nspecs)
{
    for (int i = 1; i < nspecs; i++)
        if (specs[i].program.cuda != specs->program.cuda) {
            const Func *f = specs[i].program.unit->funcs[0];
            diag_error(ir->diag, f->loc, "write --target=c or --target=cuda", "this spec is for %s, an earlier one for %s",
                       specs[i].program.cuda ? "CUDA" : "C", specs->program.cuda ? "CUDA" : "C");
            return false;
        }
    return true;
}

TuneSpec *tune_specs(Ir *ir, const Options *opt, const SpecText *texts)
{
    TuneSpec *specs = arena_new_array(ir->arena, TuneSpec, opt->in.nspecs);
    Text none;
    text_init(&none, ir->arena);
    for (int i = 0; i < opt->in.nspecs; i++) {
        TuneSpec *s = &specs[i];
        s->text = &texts[i];
        Unit *unit = specs_parse(ir, s->text, 1);
        if (!unit || !tune_constants(ir, &opt->emit, unit))
            return NULL;
        keep_apart(ir, specs, i, unit);
        if (!pipeline_run(ir, opt, unit, &s->program, &none))
            return NULL;
    }
    return constants_exist(ir, opt, specs) && have_one_target(ir, specs, opt->in.nspecs) ? specs : NULL;
}

bool tune_plan_again(Ir *ir, const Options *opt, TuneSpec *spec, const Profile *profile)
{
    Options by_profile = *opt;
    by_profile.planner.kernels.profile = profile;
    Text none;
    text_init(&none, ir->arena);
    const Unit *former = spec->program.unit;
    Unit *unit = specs_parse(ir, spec->text, 1);
    if (!unit || !tune_constants(ir, &opt->emit, unit))
        return false;
    for (int i = 0; i < unit->nfuncs; i++)
        unit->funcs[i]->name = former->funcs[i]->name;
    return pipeline_run(ir, &by_profile, unit, &spec->program, &none);
}

bool tune_contractions(Ir *ir, const Options *opt, const TuneSpec *specs, Program *program)
{
    int most = 0;
    for (int i = 0; i < opt->in.nspecs; i++)
        most += specs[i].program.noperators;
    *program = specs->program;
    program->noperators = 0;
    program->operators = arena_new_array(ir->arena, Operator, most);
    program->unit = arena_new_array(ir->arena, Unit, 1);
    *program->unit = *specs->program.unit;
    program->unit->funcs = arena_new_array(ir->arena, Func *, most);
    for (int i = 0; i < opt->in.nspecs; i++)
        for (int op = 0; op < specs[i].program.noperators; op++)
            if (contraction_count(specs[i].program.operators[op].plan)) {
                program->unit->funcs[program->noperators] = specs[i].program.unit->funcs[op];
                program->operators[program->noperators++] = specs[i].program.operators[op];
            }
    program->unit->nfuncs = program->noperators;
    check_names(ir, opt, program);
    return diag_errors(ir->diag) == 0;
}
