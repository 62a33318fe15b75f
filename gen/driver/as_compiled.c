/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A compiler's command line, and what the compiler says of itself, as options of Clang. */
#include "gen/driver/as_compiled.h"

#include <string.h>

/* -std of Clang, from what the compiler says of itself. */
static const char *standard(Arena *arena, const CompilerSays *says)
{
    static const struct {
        const char *version, *strict, *gnu;
    } all[] = {{"199409L", "-std=iso9899:199409", "-std=gnu89"},
               {"199901L", "-std=c99", "-std=gnu99"},
               {"201112L", "-std=c11", "-std=gnu11"},
               {"201710L", "-std=c17", "-std=gnu17"},
               {"", "-std=c89", "-std=gnu89"}};
    const char *version = compiler_macro(arena, says, "__STDC_VERSION__");
    const bool strict = strstr(says->macros, "#define __STRICT_ANSI__") != NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(version, all[i].version) == 0)
            return strict ? all[i].strict : all[i].gnu;
    return strict ? "-std=c2x" : "-std=gnu2x";
}

/* What the compiler defines and Clang does not. Where both do, Clang goes by its own: what it cannot read is not asked for. */
static const char *predefined(Arena *arena, const CompilerSays *says)
{
    Text text;
    text_init(&text, arena);
    for (const char *line = says->macros; *line;) {
        const size_t len = strcspn(line, "\n");
        const char *name = line + strlen("#define ");
        text_printf(&text, "#ifndef %.*s\n%.*s\n#endif\n", (int)strcspn(name, " (\n"), name, (int)len, line);
        line += len + (line[len] == '\n');
    }
    return text.data;
}

void as_compiled(Arena *arena, const CompileLine *line, const CompilerSays *says, Options *opt)
{
    if (line->checks_overflow && opt->licm.overflow != OVERFLOW_ASSUME)
        opt->licm.overflow = OVERFLOW_KEEP;
    if (line->rounds)
        opt->licm.fp = FP_NONE;
    else if (line->ignores_exceptions && opt->licm.fp == FP_BY_TARGET)
        opt->licm.fp = FP_SPECULATIVE;
    Vec *front = arena_new_array(arena, Vec, 1);
    vec_push(arena, front, (void *)standard(arena, says));
    vec_push(arena, front, "-fgnuc-version=4.2.1"); /* as Clang has it by itself: headers then do not ask for what it lacks */
    for (int i = 0; i < line->front.count; i++)
        vec_push(arena, front, line->front.items[i]);
    for (int i = 0; i < opt->in.definitions.count; i++)
        vec_push(arena, front, opt->in.definitions.items[i]);
    opt->source.front = front;
    opt->source.quoted = &says->quoted;
    opt->source.folders = &says->folders;
    opt->source.predefined = predefined(arena, says);
}

bool source_options(Arena *arena, const Options *opt, const SpecText *text, bool cuda, SourceOptions *how)
{
    const SourceModeOptions *source = &opt->source;
    Vec *system = arena_new_array(arena, Vec, 1), *versions = arena_new_array(arena, Vec, 1);
    *system = source->system_includes;
    if (source->quoted)
        for (int i = 0; i < source->folders->count; i++)
            vec_push(arena, system, source->folders->items[i]);
    else if (cuda ? !toolkit_headers(arena, opt, system, versions) : !system_headers(arena, opt, system))
        return false;
    *how = (SourceOptions){.cuda = cuda,
                           .versions = versions,
                           .definitions = &opt->in.definitions,
                           .quoted = source->quoted,
                           .includes = &opt->in.includes,
                           .system = system,
                           .hints = &source->hints,
                           .words = source->front,
                           .predefined = source->predefined,
                           .remarks = opt->look.remarks,
                           .included = text->included};
    return true;
}
