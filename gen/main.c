/* mikgen: a spec in, one file out. Exit status 0 done, 1 the user's fault, 2 our own; no output unless done. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emit/model.h"
#include "emit/render.h"
#include "gen/explain.h"
#include "gen/explain_licm.h"
#include "gen/file.h"
#include "gen/keep.h"
#include "gen/options.h"
#include "gen/pipeline.h"
#include "gen/spec.h"

enum { DONE = 0, USER_FAULT = 1 };
enum { LICENSE_LIMIT = 1 << 20 }; /* bytes */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "stdin.spec" : slash ? slash + 1 : path;
}

/* The templates: where the option says, else beside the build tree's sources, else where they were installed. */
static const char *templates_folder(Arena *arena, const Options *opt)
{
    if (opt->templates)
        return opt->templates;
    const char *source = arena_printf(arena, "%s/render.py", MIKGEN_TEMPLATES_DIR);
    FILE *f = fopen(source, "r");
    if (f)
        fclose(f);
    return f ? MIKGEN_TEMPLATES_DIR : MIKGEN_TEMPLATES_INSTALL_DIR;
}

/* Templates compiled by this build, else those that were installed. */
static const char *compiled_folder(void)
{
    return access(MIKGEN_TEMPLATES_COMPILED_DIR, R_OK) == 0 ? MIKGEN_TEMPLATES_COMPILED_DIR : MIKGEN_TEMPLATES_INSTALL_DIR "/compiled";
}

static const char *template_of(Emit emit, bool cuda)
{
    switch (emit) {
    case EMIT_HEADER: return cuda ? "header.cuh.j2" : "header.h.j2";
    case EMIT_SELFCHECK: return "selfcheck.c.j2";
    default: return cuda ? "source.cu.j2" : "source.c.j2";
    }
}

/* The text that --emit asks for, from the passes' result. False after a message: the user's fault. */
static bool emit_program(Ir *ir, const Options *opt, const Program *program, Text *out)
{
    size_t len;
    const char *license = NULL;
    if (opt->license_header && !(license = file_read(ir->arena, opt->license_header, LICENSE_LIMIT, &len)))
        return false;
    Plan **plans = arena_new_array(ir->arena, Plan *, program->noperators);
    LinearMap **linear = arena_new_array(ir->arena, LinearMap *, program->noperators);
    for (int i = 0; i < program->noperators; i++) {
        plans[i] = program->operators[i].plan;
        linear[i] = &program->operators[i].linear;
    }
    ModelInput in = {.ir = ir, .unit = program->unit, .plans = plans, .linear = linear, .cuda = program->cuda, .arch = program->arch,
                     .kernels = &opt->kernels, .version = MIKGEN_VERSION, .command = opt->command,
                     .spec_name = base_name(opt->spec), .prefix = opt->prefix, .license = license};
    json_t *model = model_build(&in);
    if (diag_errors(ir->diag)) {
        json_decref(model);
        return false;
    }
    if (opt->emit == EMIT_PLAN) {
        char *text = json_dumps(model, JSON_INDENT(2) | JSON_SORT_KEYS);
        text_puts(out, text);
        text_putc(out, '\n');
        free(text);
    } else if (!render(templates_folder(ir->arena, opt), compiled_folder(), template_of(opt->emit, program->cuda), model, out)) {
        internal_error("a template failed");
    }
    json_decref(model);
    return true;
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
    if (opt->explain_licm) {
        explain_licm(ir, unit->name, NULL, &notes, out);
        return file_write(ir->arena, opt->output, out->data, out->size);
    }
    if (!with_dump.dump_after && !emit_program(ir, opt, &program, out))
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
        size_t len;
        const char *text = file_read(arena, opt.spec, SPEC_LIMIT + 1, &len);
        if (!text)
            break;
        Ir *ir = ir_new(arena, diag_new(arena, strcmp(opt.spec, "-") == 0 ? "<stdin>" : opt.spec, text, len, stderr));
        status = generate(ir, &opt, text, len) ? DONE : USER_FAULT;
        break;
    }
    }
    arena_free(arena);
    return status;
}
