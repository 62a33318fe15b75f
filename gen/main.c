/* mikgen: specs in, one file out. Exit status 0 done, 1 the user's fault, 2 our own; no output unless done. */
#include <stdlib.h>
#include <string.h>

#include "gen/explain.h"
#include "gen/explain_licm.h"
#include "gen/driver/file.h"
#include "gen/front/spec.h"
#include "gen/keep.h"
#include "gen/driver/nest_choice.h"
#include "gen/driver/options.h"
#include "gen/driver/profiles.h"
#include "gen/driver/program.h"
#include "gen/tune/tune_command.h"
#include "plan/stack.h"

static void print_remarks(Ir *ir, const Plan *plan)
{
    for (int i = 0; plan && i < plan->remarks.count; i++) {
        const PlanRemark *remark = plan->remarks.items[i];
        diag_remark(ir->diag, remark->loc, remark->kind == REMARK_OPTIMIZED ? "optimized" : "missed", "%s", remark->text);
    }
}

/* Reads all specs; their texts go to *specs. NULL after a message. */
static Ir *read_specs(Arena *arena, const Options *opt, SpecText **specs)
{
    Diag *diag = NULL;
    *specs = arena_new_array(arena, SpecText, opt->nspecs + 1);
    for (int i = 0; i < opt->nspecs; i++) {
        SpecText *s = *specs + i;
        s->name = strcmp(opt->specs[i], "-") == 0 ? "<stdin>" : opt->specs[i];
        s->text = file_read(arena, opt->specs[i], SPEC_LIMIT + 1, &s->len);
        if (!s->text)
            return NULL;
        if (diag)
            s->base = diag_add(arena, diag, s->name, s->text, s->len);
        else
            diag = diag_new(arena, s->name, s->text, s->len, stderr);
    }
    return ir_new(arena, diag ? diag : diag_new(arena, "", "", 0, stderr));
}

/* --emit=engine: of the families named, or of those that the program uses. */
static bool emit_engine(Ir *ir, const Options *opt, const Program *program)
{
    Options with_profiles = *opt;
    bool used[FAM_COUNT];
    memcpy(used, opt->has_family, sizeof used);
    for (int i = 0; program && i < program->noperators; i++)
        for (int j = 0; j < program->operators[i].plan->ncontractions; j++)
            note_families(program->operators[i].plan->contractions[j], used);
    return profiles_load(ir->arena, opt, &with_profiles.kernels) && program_engine(ir, &with_profiles, used);
}

static bool generate(Ir *ir, const Options *opt, const SpecText *specs)
{
    if (opt->keep_loops)
        return keep_run(ir, opt, specs->text, specs->len);
    if (opt->nspecs == 0)
        return emit_engine(ir, opt, NULL);
    Text text_out, *out = &text_out;
    text_init(out, ir->arena);
    Unit *unit = specs_parse(ir, specs, opt->nspecs);
    if (!unit || !specs_mark_constants(ir, unit, &opt->constants))
        return false;
    if (opt->emit == EMIT_REFERENCE) {
        text_puts(out, spec_prelude());
        text_puts(out, specs->text);
        return file_write(ir->arena, opt->output, out->data, out->size);
    }
    Program program;
    Options with_dump = *opt;
    Vec notes = {0};
    if (opt->explain_licm)
        with_dump.licm.notes = &notes;
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
        return emit_engine(ir, opt, &program);
    for (int i = 0; opt->remarks && i < program.noperators; i++)
        print_remarks(ir, program.operators[i].plan);
    if (opt->explain_licm) {
        explain_licm(ir, NULL, &notes, out);
        return file_write(ir->arena, opt->output, out->data, out->size);
    }
    if (!with_dump.dump_after && !program_emit(ir, &with_dump, &program, out))
        return false;
    if (opt->explain)
        return explain_run(ir->arena, opt, &program, out);
    return file_write(ir->arena, opt->output, out->data, out->size);
}

int main(int argc, char **argv)
{
    Arena *arena = arena_new();
    Options opt;
    int status = USER_FAULT;
    switch (options_parse(arena, argc, argv, &opt)) {
    case PARSE_EXIT_OK: status = DONE; break;
    case PARSE_EXIT_USAGE: break;
    case PARSE_RUN: {
        SpecText *specs;
        if (!templates_found(&opt))
            break;
        Ir *ir = read_specs(arena, &opt, &specs);
        if (!ir)
            break;
        status = opt.tune ? tune_run(ir, &opt, specs) : generate(ir, &opt, specs) ? DONE : USER_FAULT;
        break;
    }
    }
    arena_free(arena);
    return status;
}
