#include "gen/explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/child.h"
#include "gen/file.h"

static bool complain(const char *what, const char *help)
{
    fprintf(stderr, "mikgen: error: --explain: %s\nhelp: %s\n", what, help);
    return false;
}

/* Number of values in "M,N,K", or -1 when it is no list of integers. */
static int count_values(const char *list)
{
    int n = 0;
    for (const char *p = list;; n++) {
        char *end;
        errno = 0;
        strtoll(p, &end, 10);
        if (end == p || errno || (*end && *end != ','))
            return -1;
        if (!*end)
            return n + 1;
        p = end + 1;
    }
}

static int count_ints(const Func *f)
{
    int n = 0;
    for (int i = 0; i < f->nparams; i++)
        n += !f->params[i]->rank && type_is_integer(f->params[i]->type);
    return n;
}

/* A main() after the emitted text that prints each fitting operator's explanation. False when none fits. */
static bool add_main(const Options *opt, const Program *program, Text *text)
{
    int values = count_values(opt->explain), found = 0;
    if (values < 0)
        return complain("the values must be integers with commas between them", "for example --explain=1024,1024,1024");
    text_puts(text, "\nint main(void)\n{\n    static char text[1 << 16];\n");
    for (int i = 0; i < program->noperators; i++) {
        const Func *f = program->operators[i].plan->func;
        if (count_ints(f) != values)
            continue;
        text_printf(text, "    %s%s_explain(%s, text, sizeof text);\n    fputs(text, stdout);\n", opt->prefix, f->name, opt->explain);
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
    if (opt->emit != EMIT_SOURCE || opt->dump_after)
        return complain("it goes with --emit=source only", "leave --emit and --dump-after away");
    if (!add_main(opt, program, &text))
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
    char *compile[] = {(char *)compiler, (char *)"-O0", (char *)"-w", file, (char *)"-o", program_file, (char *)"-lm",
                       program->cuda ? arch : NULL, NULL};
    char *execute[] = {program_file, NULL};
    bool ok = file_write(arena, file, text.data, text.size)
           && run(compile, program->cuda ? "NVCC names the CUDA compiler" : "CC names the C compiler")
           && run(execute, "call the emitted NAME_explain from your own program instead");
    unlink(file);
    unlink(program_file);
    rmdir(folder);
    return ok;
}
