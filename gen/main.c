/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mikgen: specs in, one file out. Exit status 0 done, 1 the user's fault, 2 our own; no output unless done. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>

#include "gen/again.h"
#include "gen/driver/file.h"
#include "gen/driver/options.h"
#include "gen/driver/program.h"
#include "gen/driver/templates.h"
#include "gen/generate.h"
#include "gen/tune/tune_command.h"
#include "gen/wrapper.h"
#include "ir/crash.h"

static int tune(Arena *arena, const Options *opt)
{
    SpecText *specs;
    Vec included = {0};
    Ir *ir = read_specs(arena, opt, &included, &specs);
    return ir ? tune_run(ir, opt, specs) : USER_FAULT;
}

static int generate(Arena *arena, const Options *opt)
{
    Outputs outputs;
    outputs_init(&outputs, arena);
    return generate_run(opt, &outputs) && outputs_write(&outputs, opt) ? DONE : USER_FAULT;
}

/* Descriptors that nobody has opened must not become those of files, into which messages would go. What is opened in their place fails as a
 * closed one does. */
static void reserve_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    crash_is_internal_error();
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, NULL); /* a file that gets too large is an error like others */
    reserve_standard_descriptors();
    Arena *arena = arena_new();
    Options opt;
    TemplateFolders folders;
    int status = USER_FAULT;
    switch (options_parse(arena, argc, argv, &opt)) {
    case PARSE_EXIT_OK: status = file_write(arena, NULL, opt.told, strlen(opt.told)) ? DONE : USER_FAULT; break;
    case PARSE_EXIT_USAGE: break;
    case PARSE_RUN:
        if (opt.wrapping.wraps)
            wrapper_run(arena, &opt);
        if (templates_find(arena, opt.emit.templates, &folders))
            status = opt.tuning.is_wanted                      ? tune(arena, &opt)
                     : opt.again.check || opt.again.regenerate ? again_run(arena, &opt)
                                                               : generate(arena, &opt);
        break;
    }
    arena_free(arena);
    return status;
}
