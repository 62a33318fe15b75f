/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, runs the passes, renders: what a run writes is collected. */
#include "gen/generate.h"

#include <stdio.h>
#include <string.h>

#include "gen/explain.h"
#include "gen/explain_licm.h"
#include "gen/extract_run.h"
#include "gen/fallbacks.h"
#include "gen/driver/command.h"
#include "gen/driver/compile_database.h"
#include "gen/driver/file.h"
#include "gen/driver/nest_choice.h"
#include "gen/driver/profiles.h"
#include "gen/driver/program.h"
#include "gen/front/source.h"
#include "gen/keep.h"
#include "gen/licm_table.h"
#include "gen/report/spec_report.h"
#include "plan/stack.h"
#include "plan/targets.h"

static void print_remarks(Ir *ir, const Plan *plan)
{
    for (int i = 0; plan && i < plan->remarks.count; i++) {
        const PlanRemark *remark = plan->remarks.items[i];
        diag_remark(ir->diag, remark->loc, remark->kind == REMARK_OPTIMIZED ? "optimized" : "missed", "%s", remark->text);
    }
}

/* A new tree of texts that have been read. */
static Ir *ir_of_texts(Arena *arena, SpecText *specs, int nspecs)
{
    Diag *diag = diag_new(arena, nspecs ? specs->name : "", nspecs ? specs->text : "", nspecs ? specs->len : 0, stderr);
    for (int i = 1; i < nspecs; i++)
        specs[i].base = diag_add(arena, diag, specs[i].name, specs[i].text, specs[i].len);
    return ir_new(arena, diag);
}

Ir *read_specs(Arena *arena, const Options *opt, Vec *included, SpecText **specs)
{
    *specs = arena_new_array(arena, SpecText, opt->in.nspecs + 1);
    for (int i = 0; i < opt->in.nspecs; i++) {
        SpecText *s = *specs + i;
        s->name = strcmp(opt->in.specs[i], "-") == 0 ? "<stdin>" : opt->in.specs[i];
        s->included = included;
        s->folders = &opt->in.includes;
        s->definitions = &opt->in.definitions;
        if (opt->source.keep_loops && file_is_larger(opt->in.specs[i], KEPT_LIMIT)) {
            s->text = "";
            source_refuse_large(ir_of_texts(arena, s, 1));
            return NULL;
        }
        s->text = file_read(arena, opt->in.specs[i], (opt->source.keep_loops ? (size_t)KEPT_LIMIT : SPEC_LIMIT) + 1, &s->len);
        if (!s->text)
            return NULL;
    }
    return ir_of_texts(arena, *specs, opt->in.nspecs);
}

/* --emit=engine: of the families named, or of those that the program uses. */
static bool emit_engine(Ir *ir, const Options *opt, const Program *program, Outputs *outputs)
{
    Options with_profiles = *opt;
    bool used[FAM_COUNT];
    memcpy(used, opt->emit.has_family, sizeof used);
    for (int i = 0; program && i < program->noperators; i++)
        for (int j = 0; j < contraction_count(program->operators[i].plan); j++)
            note_families(contraction_at(program->operators[i].plan, j), used);
    bool any = false;
    if (program)
        with_profiles.planner.kernels.held = program->held;
    for (int f = 0; f < FAM_COUNT; f++)
        any |= used[f] &= family_is_held(with_profiles.planner.kernels.held, (Family)f);
    if (!any) {
        fprintf(stderr,
                "mikgen: error: no operator of %s has micro-kernels: they have no engine to share\n"
                "help: leave --engine=shared away, or name what others need: --emit=engine --families=f32\n",
                opt->in.spec);
        return false;
    }
    return profiles_load(ir->arena, &opt->planner, &with_profiles.planner.kernels) && program_engine(ir, &with_profiles, used, outputs);
}

/* The files of --output-dir, named after the spec: its source and its header, or what --emit says of them. */
static bool emit_files(Ir *ir, const Options *opt, const Program *program, Outputs *outputs)
{
    static const char *const endings[][2] = {[EMIT_SOURCE] = {"c", "cu"}, [EMIT_HEADER] = {"h", "cuh"}};
    for (Emit emit = EMIT_SOURCE; emit <= EMIT_HEADER; emit++) {
        if (opt->emit.is_given && opt->emit.what != emit)
            continue;
        Options each = *opt;
        Text text;
        text_init(&text, ir->arena);
        each.emit.what = emit;
        each.emit.command = canonical_command(ir->arena, &each);
        if (!program_emit(ir, &each, program, &text))
            return false;
        outputs_add(
            outputs,
            arena_printf(ir->arena, "%s/%s_dyn.%s", opt->out.folder, output_stem(ir->arena, opt->in.spec), endings[emit][program->cuda]),
            &text);
    }
    return true;
}

/* SpecReport.after: the specs' texts are there. */
static bool run_until(const SpecReport *report, const char *pass, Ir **ir, Program *program)
{
    Arena *arena = report->ir->arena;
    Options opt = *report->opt;
    SpecText *specs = arena_new_array(arena, SpecText, opt.in.nspecs);
    Text dump;
    memcpy(specs, report->specs, (size_t)opt.in.nspecs * sizeof *specs);
    *ir = ir_of_texts(arena, specs, opt.in.nspecs);
    Unit *unit = specs_parse(*ir, specs, opt.in.nspecs);
    opt.look.dump_after = pass;
    opt.licm.notes = NULL;
    text_init(&dump, arena);
    return unit && specs_mark_constants(*ir, unit, &opt.emit.constants) && pipeline_run(*ir, &opt, unit, program, &dump);
}

/* `program` has been through all passes; `notes`: of licm. */
static bool report(Ir *ir, const Options *opt, const SpecText *specs, const Program *program, const Vec *notes)
{
    Text text;
    text_init(&text, ir->arena);
    explain_licm(ir, NULL, notes, &text);
    return spec_report_write(
        &(SpecReport){.ir = ir, .opt = opt, .specs = specs, .program = program, .licm_notes = text.data, .after = run_until});
}

static bool generate(Ir *ir, const Options *opt, const SpecText *specs, Outputs *outputs)
{
    if (source_mode(opt)) {
        Options as_compiled = *opt;
        if (opt->source.database &&
            !database_options(ir->arena, opt->source.keep_loops && source_is_cuda(specs->name, specs->text), specs->included, &as_compiled))
            return false;
        return opt->source.keep_loops ? keep_run(ir, &as_compiled, specs, outputs) : extract_run(ir, &as_compiled, specs, outputs);
    }
    Text text_out, *out = &text_out;
    text_init(out, ir->arena);
    if (opt->emit.what == EMIT_TRACE_WRITER) {
        if (!program_trace_writer(ir, opt, out))
            return false;
        outputs_add(outputs, opt->out.file, out);
        return true;
    }
    if (opt->in.nspecs == 0)
        return emit_engine(ir, opt, NULL, outputs);
    Unit *unit = specs_parse(ir, specs, opt->in.nspecs);
    if (!unit || !specs_mark_constants(ir, unit, &opt->emit.constants))
        return false;
    if (opt->emit.what == EMIT_REFERENCE) {
        text_puts(out, unit->text);
        outputs_add(outputs, opt->out.file, out);
        return true;
    }
    Program program;
    Options with_dump = *opt;
    Vec notes = {0};
    if (opt->look.explain_licm || opt->out.report)
        with_dump.licm.notes = &notes;
    with_dump.look.remarks = opt->look.remarks || opt->out.report;
    if (opt->emit.what == EMIT_IR && !opt->look.dump_after)
        with_dump.look.dump_after = opt->look.remarks ? "vectors" : "licm"; /* remarks come from all passes */
    if (!profiles_load(ir->arena, &opt->planner, &with_dump.planner.kernels))
        return false;
    if (with_dump.planner.kernels.usual)
        models_read(ir->arena, built_in_models, with_dump.planner.nest_models);
    if (!pipeline_run(ir, &with_dump, unit, &program, out))
        return false;
    if (program.cuda && opt->planner.stack != STACK_DEFAULT) {
        fprintf(stderr, "mikgen: error: --stack is about C files, and this one is CUDA\nhelp: add --target=c, or leave --stack away\n");
        return false;
    }
    if (program.cuda && (opt->emit.engine_shared || opt->emit.what == EMIT_ENGINE)) {
        fprintf(stderr, "mikgen: error: an engine of its own is about C files, and this one is CUDA\nhelp: add --target=c\n");
        return false;
    }
    if (emit_binds(opt->emit.what) && !program_can_bind(ir, &opt->emit, &program))
        return false;
    if (opt->emit.what == EMIT_ENGINE)
        return emit_engine(ir, opt, &program, outputs);
    for (int i = 0; opt->look.remarks && i < program.noperators; i++)
        print_remarks(ir, program.operators[i].plan);
    const bool is_code = !opt->look.explain_licm && !opt->out.report && !opt->explain.values && !with_dump.look.dump_after &&
                         !opt->look.remarks;
    for (int i = 0; is_code && !opt->look.quiet && i < program.noperators; i++)
        tell_fallbacks(ir, program.operators[i].plan, opt->planner.fp_strict);
    if (opt->look.explain_licm) {
        explain_licm(ir, NULL, &notes, out);
        outputs_add(outputs, opt->out.file, out);
        return true;
    }
    if (opt->out.report)
        return report(ir, &with_dump, specs, &program, &notes);
    if (opt->out.folder)
        return emit_files(ir, &with_dump, &program, outputs);
    if (opt->explain.values) {
        if (!explain_run(ir, &with_dump, &program, out))
            return false;
    } else if (!with_dump.look.dump_after && !program_emit(ir, &with_dump, &program, out)) {
        return false;
    }
    outputs_add(outputs, opt->out.file, out);
    return true;
}

/* What the output of a run depends on, besides mikgen itself. */
static void add_names(Arena *arena, const Options *opt, const Vec *included, Vec *names)
{
    for (int i = 0; i < opt->in.nspecs; i++)
        vec_push(arena, names, (void *)opt->in.specs[i]);
    for (int i = 0; i < included->count; i++)
        vec_push(arena, names, included->items[i]);
    for (int i = 0; i < opt->planner.profiles.count; i++)
        if (strcmp(opt->planner.profiles.items[i], "none") != 0)
            vec_push(arena, names, opt->planner.profiles.items[i]);
    if (opt->emit.license_header)
        vec_push(arena, names, (void *)opt->emit.license_header);
}

/* One run from specs to texts. */
static bool generate_once(const Options *opt, Outputs *outputs)
{
    Vec included = {0}, names = {0};
    SpecText *specs;
    const int first = outputs->texts.count;
    Ir *ir = read_specs(outputs->arena, opt, &included, &specs);
    if (!ir || !generate(ir, opt, specs, outputs))
        return false;
    for (int i = 0; i < included.count; i++)
        vec_push(outputs->arena, &outputs->inputs, included.items[i]);
    if (opt->out.depfile) {
        add_names(outputs->arena, opt, &included, &names);
        outputs_rule(outputs, first, &names);
    }
    return true;
}

bool generate_run(const Options *opt, Outputs *outputs)
{
    if (licm_table_wanted(opt))
        return licm_table_run(opt, outputs);
    if (!opt->out.folder)
        return generate_once(opt, outputs);
    for (int i = 0; i < opt->in.nspecs; i++) {
        Options each = *opt;
        each.in.specs = opt->in.specs + i;
        each.in.nspecs = 1;
        each.in.spec = each.in.specs[0];
        if (!generate_once(&each, outputs))
            return false;
    }
    return true;
}
