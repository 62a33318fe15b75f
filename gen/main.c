/* mikgen: a spec in, one file out. Exit status 0 done, 1 the user's fault, 2 our own; no output unless done. */
#include <stdlib.h>
#include <string.h>

#include "gen/explain.h"
#include "gen/explain_licm.h"
#include "gen/file.h"
#include "gen/keep.h"
#include "gen/options.h"
#include "gen/profiles.h"
#include "gen/program.h"
#include "gen/front/spec.h"
#include "gen/tune_command.h"
#include "plan/stack.h"

static void print_remarks(Ir *ir, const Plan *plan)
{
    for (int i = 0; plan && i < plan->remarks.count; i++) {
        const PlanRemark *remark = plan->remarks.items[i];
        diag_remark(ir->diag, remark->loc, remark->kind == REMARK_OPTIMIZED ? "optimized" : "missed", "%s", remark->text);
    }
}

static bool generate(Ir *ir, const Options *opt, const char *text, size_t len)
{
    if (opt->keep_loops)
        return keep_run(ir, opt, text, len);
    Text text_out, *out = &text_out;
    text_init(out, ir->arena);
    Unit *unit = spec_parse(ir, opt->spec[0] == '-' && !opt->spec[1] ? "<stdin>" : opt->spec, text, len);
    if (!unit)
        return false;
    if (opt->emit == EMIT_REFERENCE) {
        text_puts(out, spec_prelude());
        text_puts(out, text);
        return file_write(ir->arena, opt->output, out->data, out->size);
    }
    Program program;
    Options with_dump = *opt;
    Vec notes = {0};
    if (opt->explain_licm)
        with_dump.licm.notes = &notes;
    if (opt->emit == EMIT_IR && !opt->dump_after)
        with_dump.dump_after = "licm";
    if (!pipeline_run(ir, &with_dump, unit, &program, out))
        return false;
    if (program.cuda && opt->stack != STACK_DEFAULT) {
        fprintf(stderr, "mikgen: error: --stack is about C files, and this one is CUDA\nhelp: add --target=c, or leave --stack away\n");
        return false;
    }
    for (int i = 0; opt->remarks && i < program.noperators; i++)
        print_remarks(ir, program.operators[i].plan);
    if (opt->explain_licm) {
        explain_licm(ir, unit->name, NULL, &notes, out);
        return file_write(ir->arena, opt->output, out->data, out->size);
    }
    if (!with_dump.dump_after) {
        if (!profiles_load(ir->arena, opt, &with_dump.kernels))
            return false;
        if (!program_emit(ir, &with_dump, &program, out))
            return false;
    }
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
        size_t len;
        if (!templates_found(&opt))
            break;
        const char *text = file_read(arena, opt.spec, SPEC_LIMIT + 1, &len);
        if (!text)
            break;
        Ir *ir = ir_new(arena, diag_new(arena, strcmp(opt.spec, "-") == 0 ? "<stdin>" : opt.spec, text, len, stderr));
        status = opt.tune ? tune_run(ir, &opt, text, len) : generate(ir, &opt, text, len) ? DONE : USER_FAULT;
        break;
    }
    }
    arena_free(arena);
    return status;
}
