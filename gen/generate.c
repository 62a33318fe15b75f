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
    *specs = arena_new_array(arena, SpecText, opt->nspecs + 1);
    for (int i = 0; i < opt->nspecs; i++) {
        SpecText *s = *specs + i;
        s->name = strcmp(opt->specs[i], "-") == 0 ? "<stdin>" : opt->specs[i];
        s->included = included;
        s->folders = &opt->includes;
        s->definitions = &opt->definitions;
        if (opt->keep_loops && file_is_larger(opt->specs[i], KEPT_LIMIT)) {
            s->text = "";
            source_refuse_large(ir_of_texts(arena, s, 1));
            return NULL;
        }
        s->text = file_read(arena, opt->specs[i], (opt->keep_loops ? (size_t)KEPT_LIMIT : SPEC_LIMIT) + 1, &s->len);
        if (!s->text)
            return NULL;
    }
    return ir_of_texts(arena, *specs, opt->nspecs);
}

/* --emit=engine: of the families named, or of those that the program uses. */
static bool emit_engine(Ir *ir, const Options *opt, const Program *program, Outputs *outputs)
{
    Options with_profiles = *opt;
    bool used[FAM_COUNT];
    memcpy(used, opt->has_family, sizeof used);
    for (int i = 0; program && i < program->noperators; i++)
        for (int j = 0; j < contraction_count(program->operators[i].plan); j++)
            note_families(contraction_at(program->operators[i].plan, j), used);
    bool any = false;
    for (int f = 0; f < FAM_COUNT; f++)
        any |= used[f];
    if (!any) {
        fprintf(stderr,
                "mikgen: error: no operator of %s has micro-kernels: they have no engine to share\n"
                "help: leave --engine=shared away, or name what others need: --emit=engine --families=f32\n",
                opt->spec);
        return false;
    }
    return profiles_load(ir->arena, opt, &with_profiles.kernels) && program_engine(ir, &with_profiles, used, outputs);
}

/* The files of --output-dir, named after the spec: its source and its header, or what --emit says of them. */
static bool emit_files(Ir *ir, const Options *opt, const Program *program, Outputs *outputs)
{
    static const char *const endings[][2] = {[EMIT_SOURCE] = {"c", "cu"}, [EMIT_HEADER] = {"h", "cuh"}};
    for (Emit emit = EMIT_SOURCE; emit <= EMIT_HEADER; emit++) {
        if (opt->has_emit && opt->emit != emit)
            continue;
        Options each = *opt;
        Text text;
        text_init(&text, ir->arena);
        each.emit = emit;
        each.command = canonical_command(ir->arena, &each);
        if (!program_emit(ir, &each, program, &text))
            return false;
        outputs_add(
            outputs,
            arena_printf(ir->arena, "%s/%s_dyn.%s", opt->output_dir, output_stem(ir->arena, opt->spec), endings[emit][program->cuda]),
            &text);
    }
    return true;
}

/* SpecReport.after: the specs' texts are there. */
static bool run_until(const SpecReport *report, const char *pass, Ir **ir, Program *program)
{
    Arena *arena = report->ir->arena;
    Options opt = *report->opt;
    SpecText *specs = arena_new_array(arena, SpecText, opt.nspecs);
    Text dump;
    memcpy(specs, report->specs, (size_t)opt.nspecs * sizeof *specs);
    *ir = ir_of_texts(arena, specs, opt.nspecs);
    Unit *unit = specs_parse(*ir, specs, opt.nspecs);
    opt.dump_after = pass;
    opt.licm.notes = NULL;
    text_init(&dump, arena);
    return unit && specs_mark_constants(*ir, unit, &opt.constants) && pipeline_run(*ir, &opt, unit, program, &dump);
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
        if (opt->wrapping.database &&
            !database_options(ir->arena, opt->keep_loops && source_is_cuda(specs->name, specs->text), specs->included, &as_compiled))
            return false;
        return opt->keep_loops ? keep_run(ir, &as_compiled, specs, outputs) : extract_run(ir, &as_compiled, specs, outputs);
    }
    Text text_out, *out = &text_out;
    text_init(out, ir->arena);
    if (opt->emit == EMIT_TRACE_WRITER) {
        if (!program_trace_writer(ir, opt, out))
            return false;
        outputs_add(outputs, opt->output, out);
        return true;
    }
    if (opt->nspecs == 0)
        return emit_engine(ir, opt, NULL, outputs);
    Unit *unit = specs_parse(ir, specs, opt->nspecs);
    if (!unit || !specs_mark_constants(ir, unit, &opt->constants))
        return false;
    if (opt->emit == EMIT_REFERENCE) {
        text_puts(out, unit->text);
        outputs_add(outputs, opt->output, out);
        return true;
    }
    Program program;
    Options with_dump = *opt;
    Vec notes = {0};
    if (opt->explain_licm || opt->tuning.report)
        with_dump.licm.notes = &notes;
    with_dump.remarks = opt->remarks || opt->tuning.report;
    if (opt->emit == EMIT_IR && !opt->dump_after)
        with_dump.dump_after = opt->remarks ? "vectors" : "licm"; /* remarks come from all passes */
    if (!profiles_load(ir->arena, opt, &with_dump.kernels))
        return false;
    if (with_dump.kernels.usual)
        models_read(ir->arena, built_in_models, with_dump.nest_models);
    if (!pipeline_run(ir, &with_dump, unit, &program, out))
        return false;
    if (program.cuda && opt->stack != STACK_DEFAULT) {
        fprintf(stderr, "mikgen: error: --stack is about C files, and this one is CUDA\nhelp: add --target=c, or leave --stack away\n");
        return false;
    }
    if (program.cuda && (opt->engine_shared || opt->emit == EMIT_ENGINE)) {
        fprintf(stderr, "mikgen: error: an engine of its own is about C files, and this one is CUDA\nhelp: add --target=c\n");
        return false;
    }
    if (emit_binds(opt->emit) && !program_can_bind(ir, opt, &program))
        return false;
    if (opt->emit == EMIT_ENGINE)
        return emit_engine(ir, opt, &program, outputs);
    for (int i = 0; opt->remarks && i < program.noperators; i++)
        print_remarks(ir, program.operators[i].plan);
    const bool is_code = !opt->explain_licm && !opt->tuning.report && !opt->explain && !with_dump.dump_after && !opt->remarks;
    for (int i = 0; is_code && !opt->quiet && i < program.noperators; i++)
        tell_fallbacks(ir, program.operators[i].plan, opt->fp_strict);
    if (opt->explain_licm) {
        explain_licm(ir, NULL, &notes, out);
        outputs_add(outputs, opt->output, out);
        return true;
    }
    if (opt->tuning.report)
        return report(ir, &with_dump, specs, &program, &notes);
    if (opt->output_dir)
        return emit_files(ir, &with_dump, &program, outputs);
    if (opt->explain) {
        if (!explain_run(ir, &with_dump, &program, out))
            return false;
    } else if (!with_dump.dump_after && !program_emit(ir, &with_dump, &program, out)) {
        return false;
    }
    outputs_add(outputs, opt->output, out);
    return true;
}

/* What the output of a run depends on, besides mikgen itself. */
static void add_names(Arena *arena, const Options *opt, const Vec *included, Vec *names)
{
    for (int i = 0; i < opt->nspecs; i++)
        vec_push(arena, names, (void *)opt->specs[i]);
    for (int i = 0; i < included->count; i++)
        vec_push(arena, names, included->items[i]);
    for (int i = 0; i < opt->profiles.count; i++)
        if (strcmp(opt->profiles.items[i], "none") != 0)
            vec_push(arena, names, opt->profiles.items[i]);
    if (opt->license_header)
        vec_push(arena, names, (void *)opt->license_header);
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
    if (opt->depfile) {
        add_names(outputs->arena, opt, &included, &names);
        outputs_rule(outputs, first, &names);
    }
    return true;
}

bool generate_run(const Options *opt, Outputs *outputs)
{
    if (licm_table_wanted(opt))
        return licm_table_run(opt, outputs);
    if (!opt->output_dir)
        return generate_once(opt, outputs);
    for (int i = 0; i < opt->nspecs; i++) {
        Options each = *opt;
        each.specs = opt->specs + i;
        each.nspecs = 1;
        each.spec = each.specs[0];
        if (!generate_once(&each, outputs))
            return false;
    }
    return true;
}
