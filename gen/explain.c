/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiles the emitted text with a main() that calls NAME_explain, runs it, prints what it says. */
#include "gen/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/driver/child.h"
#include "gen/driver/file.h"
#include "ir/number.h"

static bool complain(const char *what, const char *help)
{
    fprintf(stderr, "mikgen: error: --explain: %s\nhelp: %s\n", what, help);
    return false;
}

/* Number of values in "M,N,K". */
static int count_values(const char *list)
{
    int n = *list != '\0';
    for (; *list; list++)
        n += *list == ',';
    return n;
}

static bool is_int_param(const Sym *p) { return !p->rank && type_is_integer(p->type); }

static int count_ints(const Func *f)
{
    int n = 0;
    for (int i = 0; i < f->nparams; i++)
        n += is_int_param(f->params[i]);
    return n;
}

/* The next value of the list as an argument for `p`, whose type it must fit; "" after a message. */
static const char *next_value(Arena *arena, const char **list, const Func *f, const Sym *p)
{
    const size_t len = strcspn(*list, ",");
    const int64_t least = type_min(p->type), most = type_max(p->type);
    int64_t value;
    if (!number_within(*list, len, least, most, &value)) {
        complain(arena_printf(arena, "%s of %s takes %s", p->name, f->name, number_expected(arena, *list, len, least, most)),
                 "give one value for each integer parameter, for example --explain=1024,1024,1024");
        return "";
    }
    *list += len + ((*list)[len] == ',');
    /* The least number has no literal of its own. */
    return value == INT64_MIN ? "INT64_MIN" : arena_printf(arena, "INT64_C(%" PRId64 ")", value);
}

/* The values of --explain as arguments of NAME_explain, each with a comma behind it. */
static bool add_arguments(Arena *arena, const char *list, const Func *f, Text *text)
{
    for (int i = 0; i < f->nparams; i++) {
        const char *value = is_int_param(f->params[i]) ? next_value(arena, &list, f, f->params[i]) : NULL;
        if (value && !*value)
            return false;
        if (value)
            text_printf(text, "%s, ", value);
    }
    return true;
}

/* A main() after the emitted text that prints each fitting operator's explanation. False when none fits. */
static bool add_main(Arena *arena, const Options *opt, const Program *program, Text *text)
{
    int values = count_values(opt->explain), found = 0;
    if (opt->threads)
        text_puts(text, "\nstatic void in_turn(void *ctx, int n, void (*task)(void *, int), void *arg)\n{\n    (void)ctx;\n"
                        "    for (int i = 0; i < n; i++)\n        task(arg, i);\n}\n");
    text_puts(text, "\nint main(void)\n{\n    static char text[1 << 16];\n");
    if (opt->threads)
        text_printf(text, "    mikgen_options options = { .threads = %d, .parallel_for = in_turn };\n", opt->threads);
    for (int i = 0; i < program->noperators; i++) {
        const Func *f = program->operators[i].plan->func;
        if (count_ints(f) != values)
            continue;
        text_printf(text, opt->threads ? "    %s%s_explain_with(&options, " : "    %s%s_explain(", opt->prefix, f->name);
        if (!add_arguments(arena, opt->explain, f, text))
            return false;
        text_puts(text, "text, sizeof text);\n    fputs(text, stdout);\n");
        found++;
    }
    text_puts(text, "    return 0;\n}\n");
    return found || complain("no operator of the spec has that many integer parameters",
                             "give one value for each integer parameter, in the order of the signature");
}

static bool run(char *const argv[], const char *help)
{
    const char *wrong = child_run(argv, NULL);
    return !wrong || complain(wrong, help);
}

bool explain_run(Arena *arena, const Options *opt, const Program *program, const Text *source)
{
    Text text = *source;
    if (opt->threads && program->cuda)
        return complain("--threads is about C files, and this one is CUDA", "add --target=c, or leave --threads away");
    if (opt->emit != EMIT_SOURCE || opt->dump_after)
        return complain("it goes with --emit=source only", "leave --emit and --dump-after away");
    if (!add_main(arena, opt, program, &text))
        return false;
    char *folder = child_folder(arena);
    if (!folder)
        return complain(strerror(errno), "TMPDIR names a folder for temporary files");
    char *file = arena_printf(arena, "%s/explain.%s", folder, program->cuda ? "cu" : "c");
    char *program_file = arena_printf(arena, "%s/explain", folder);
    const char *compiler = getenv(program->cuda ? "NVCC" : "CC");
    if (!compiler || !*compiler)
        compiler = program->cuda ? "nvcc" : "cc";
    char *arch = arena_printf(arena, "-arch=%s", program->arch); /* nvcc's default may be older */
    char *compile[] = {
        (char *)compiler, (char *)"-O0", (char *)"-w", file, (char *)"-o", program_file, (char *)"-lm", program->cuda ? arch : NULL, NULL};
    char *execute[] = {program_file, NULL};
    bool ok = file_write(arena, file, text.data, text.size) &&
              run(compile, program->cuda ? "NVCC names the CUDA compiler" : "CC names the C compiler") &&
              run(execute, "call the emitted NAME_explain from your own program instead");
    unlink(file);
    unlink(program_file);
    rmdir(folder);
    return ok;
}
