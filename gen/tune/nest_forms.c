/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each is a run of mikgen of its own, from the spec's text to the compiler. */
#include "gen/tune/nest_forms.h"

#include <unistd.h>

#include "gen/tune/compile.h"
#include "gen/driver/file.h"
#include "gen/driver/program.h"

enum { FEW_KERNELS = 8 }; /* of each type and instruction set: contractions are not what is compared, and compiling takes long enough */

bool form_emit(const SpecText *spec, const Options *opt, const char *template, Text *out)
{
    Arena *arena = arena_new();
    Ir *ir = ir_new(arena, diag_new(arena, spec->name, spec->text, spec->len, stderr));
    Program program;
    Text dump;
    text_init(&dump, arena);
    Unit *unit = specs_parse(ir, spec, 1);
    const bool done = unit && specs_mark_constants(ir, unit, &opt->emit.constants) && pipeline_run(ir, opt, unit, &program, &dump) &&
                      program_render(ir, opt, &program, template, out);
    arena_free(arena);
    return done;
}

/* As a file. False after a message. */
static bool emit_by(const FormMaker *maker, const Profile *profile, const NestForms *forms, const char *template, const char *path)
{
    Arena *arena = arena_new();
    Options opt = *maker->opt;
    Text out;
    opt.planner.kernels.profile = profile;
    opt.planner.forms = forms;
    if (!opt.planner.kernels.n_mik || opt.planner.kernels.n_mik > FEW_KERNELS)
        opt.planner.kernels.n_mik = FEW_KERNELS;
    text_init(&out, arena);
    const bool done = form_emit(&maker->spec, &opt, template, &out) && file_write(arena, path, out.data, out.size);
    arena_free(arena);
    return done;
}

int form_program(Arena *arena, const FormMaker *maker, const char **path)
{
    static const char *const more[] = {"-lm", "-ldl", NULL};
    const char *source = arena_printf(arena, "%s/tune.c", maker->folder);
    *path = arena_printf(arena, "%s/tune", maker->folder);
    const int status = emit_by(maker, NULL, NULL, "tune_nests.c.j2", source)
                           ? compile_program(arena, maker->opt, "what calls and times loops", source, *path, more)
                           : USER_FAULT;
    unlink(source);
    return status;
}

static const char *library_path(Arena *arena, const FormMaker *maker, int number)
{
    return arena_printf(arena, "%s/form%d.so", maker->folder, number);
}

int form_library(Arena *arena, const FormMaker *maker, const Profile *profile, const NestForms *forms, int number, const char **path)
{
    static const char *const more[] = {"-shared", "-fPIC", "-lm", NULL};
    const char *source = arena_printf(arena, "%s/form%d.c", maker->folder, number);
    *path = library_path(arena, maker, number);
    const int status = emit_by(maker, profile, forms, "tune_form.c.j2", source)
                           ? compile_program(arena, maker->opt, "loops in several forms", source, *path, more)
                           : USER_FAULT;
    unlink(source);
    return status;
}

void form_remove(const FormMaker *maker, int number)
{
    Arena *arena = arena_new();
    unlink(library_path(arena, maker, number));
    arena_free(arena);
}
