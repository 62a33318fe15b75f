/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which template renders what. */
#include "gen/driver/program.h"

#include <stdlib.h>
#include <string.h>

#include "emit/model.h"
#include "emit/render.h"
#include "emit/sets.h"
#include "gen/driver/command.h"
#include "gen/driver/file.h"
#include "gen/driver/templates.h"

enum { LICENSE_LIMIT = 1 << 16 }; /* bytes */

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "stdin.spec" : slash ? slash + 1 : path;
}

bool program_render_model(Arena *arena, const Options *opt, const char *template, const json_t *model, Text *out)
{
    TemplateFolders folders;
    if (!templates_find(arena, opt->emit.templates, &folders))
        return false;
    json_t *whole = json_pack("{s:o, s:o}", "instruction_sets", sets_model(), "types", dialect_types());
    json_object_update(whole, (json_t *)model);
    const Rendered rendered = render(arena, folders.sources, folders.compiled, template, whole, out);
    json_decref(whole);
    if (rendered == RENDER_FAILED)
        internal_error("a template failed");
    return rendered == RENDERED;
}

bool program_can_bind(Ir *ir, const EmitOptions *emit, const Program *program)
{
    for (int i = 0; i < program->noperators; i++) {
        const Func *f = program->operators[i].plan->func;
        if (program->cuda && i == 0)
            diag_error(ir->diag, f->loc, "add --target=c; a CUDA file is called from C++, with the header that --emit=header writes",
                       "modules for other languages call C files, and this operator is for CUDA");
        for (int j = 0; j < f->nparams && !program->cuda; j++)
            if (f->params[j]->type == T_LDOUBLE && emit->what == EMIT_RUST)
                diag_error(ir->diag, f->params[j]->loc, "write double, or use --emit=cpp or --emit=python", "Rust has no long double");
    }
    return diag_errors(ir->diag) == 0;
}

static const char *template_of(Emit emit, bool cuda)
{
    switch (emit) {
    case EMIT_HEADER: return cuda ? "header.cuh.j2" : "header.h.j2";
    case EMIT_SELFCHECK: return "selfcheck.c.j2";
    case EMIT_PYTHON: return "bind/module.py.j2";
    case EMIT_CPP: return "bind/spans.hpp.j2";
    case EMIT_RUST: return "bind/module.rs.j2";
    default: return cuda ? "source.cu.j2" : "source.c.j2";
    }
}

static bool read_license(Ir *ir, const EmitOptions *emit, const char **license)
{
    *license = NULL;
    return !emit->license_header || (*license = file_read_text(ir->arena, emit->license_header, LICENSE_LIMIT));
}

const char *spec_names(Arena *arena, const InputOptions *in)
{
    Text t;
    text_init(&t, arena);
    for (int i = 0; i < in->nspecs; i++)
        text_printf(&t, "%s%s", i ? " " : "", base_name(in->specs[i]));
    return t.data;
}

/* NULL after a message. The caller owns the reference. */
static json_t *program_model(Ir *ir, const Options *opt, const Program *program)
{
    const char *license;
    if (!read_license(ir, &opt->emit, &license))
        return NULL;
    Plan **plans = arena_new_array(ir->arena, Plan *, program->noperators);
    LinearMap **linear = arena_new_array(ir->arena, LinearMap *, program->noperators);
    for (int i = 0; i < program->noperators; i++) {
        plans[i] = program->operators[i].plan;
        linear[i] = &program->operators[i].linear;
    }
    Kernels kernels = {.arena = ir->arena, .opt = opt->planner.kernels};
    kernels.opt.held = program->held;
    pipeline_kernels(program, &kernels);
    ModelInput in = {.ir = ir,
                     .unit = program->unit,
                     .plans = plans,
                     .linear = linear,
                     .cuda = program->cuda,
                     .arch = program->arch,
                     .kernels = &kernels,
                     .stack = opt->planner.stack,
                     .version = MIKGEN_VERSION,
                     .command = opt->emit.command,
                     .shares = opt->emit.engine_shared,
                     .trace = opt->emit.trace,
                     .binds = emit_binds(opt->emit.what),
                     .spec_name = spec_names(ir->arena, &opt->in),
                     .definitions = definition_words(ir->arena, &opt->in),
                     .prefix = opt->emit.prefix,
                     .license = license};
    json_t *model = model_build(&in);
    if (diag_errors(ir->diag) == 0)
        return model;
    json_decref(model);
    return NULL;
}

bool program_render(Ir *ir, const Options *opt, const Program *program, const char *template, Text *out)
{
    return program_render_with(ir, opt, program, template, NULL, NULL, out);
}

bool program_render_with(Ir *ir, const Options *opt, const Program *program, const char *template, const char *name, json_t *value,
                         Text *out)
{
    json_t *model = program_model(ir, opt, program);
    if (!model)
        return false;
    if (name)
        json_object_set(model, name, value);
    const bool ok = program_render_model(ir->arena, opt, template, model, out);
    json_decref(model);
    return ok;
}

/* One of the engine's two files. False after a message. */
static bool add_engine(Ir *ir, const Options *opt, const json_t *model, const char *template, const char *name, Outputs *outputs)
{
    Text out;
    text_init(&out, ir->arena);
    if (!program_render_model(ir->arena, opt, template, model, &out))
        return false;
    outputs_add(outputs, arena_printf(ir->arena, "%s/%s", opt->out.file, name), &out);
    return true;
}

bool program_engine(Ir *ir, const Options *opt, const bool *families, Outputs *outputs)
{
    const char *license;
    if (!read_license(ir, &opt->emit, &license))
        return false;
    Kernels kernels = {.arena = ir->arena, .opt = opt->planner.kernels};
    ModelInput in = {.ir = ir,
                     .kernels = &kernels,
                     .stack = opt->planner.stack,
                     .shares = true,
                     .winograd = opt->planner.winograd,
                     .trace = opt->emit.trace,
                     .version = MIKGEN_VERSION,
                     .command = opt->emit.command,
                     .prefix = opt->emit.prefix,
                     .license = license};
    json_t *model = model_engine(&in, families);
    const bool ok = add_engine(ir, opt, model, "engine.c.j2", "mikgen_engine.c", outputs) &&
                    add_engine(ir, opt, model, "engine.h.j2", "mikgen_engine.h", outputs);
    json_decref(model);
    return ok;
}

bool program_trace_writer(Ir *ir, const Options *opt, Text *out)
{
    const char *license;
    if (!read_license(ir, &opt->emit, &license))
        return false;
    ModelInput in = {.ir = ir, .version = MIKGEN_VERSION, .command = opt->emit.command, .prefix = opt->emit.prefix, .license = license};
    json_t *model = model_plain(&in);
    const bool ok = program_render_model(ir->arena, opt, "trace.h.j2", model, out);
    json_decref(model);
    return ok;
}

bool program_emit(Ir *ir, const Options *opt, const Program *program, Text *out)
{
    if (opt->emit.what != EMIT_PLAN)
        return program_render(ir, opt, program, template_of(opt->emit.what, program->cuda), out);
    json_t *model = program_model(ir, opt, program);
    if (!model)
        return false;
    char *text = json_dumps(model, JSON_INDENT(2) | JSON_SORT_KEYS);
    text_puts(out, text);
    text_putc(out, '\n');
    free(text);
    json_decref(model);
    return true;
}
