/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer: any bytes as a command line. The first line has its words, as a shell would take them apart; the others are a file that they
 * may name, @f as a response file, and that is looked through for a banner, whose command is read as --check reads it. What is accepted has
 * a canonical command, which, read again, has itself. Crashes, sanitizers' reports and an "internal error" are findings. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/driver/banner.h"
#include "gen/driver/command.h"
#include "gen/driver/command_words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where the file f is. */
static void enter_folder(void)
{
    static char folder[] = "/tmp/fuzz_options.XXXXXX";
    static bool has_entered;
    if (!has_entered && (!mkdtemp(folder) || chdir(folder) != 0))
        internal_error("there is no folder for the response file");
    has_entered = true;
}

static void write_file(const char *text)
{
    FILE *f = fopen("f", "wb");
    if (!f || fwrite(text, 1, strlen(text), f) != strlen(text) || fclose(f) != 0)
        internal_error("the response file is not written");
}

/* Reads a command line; its canonical command, or NULL if it is refused or makes no file. */
static const char *command_of(Arena *arena, const char *line)
{
    Vec words = {0};
    Options opt;
    if (words_split(arena, line, &words) || words.count == 0)
        return NULL;
    const int argc = words.count;
    vec_push(arena, &words, NULL);
    const ParseResult result = options_parse(arena, argc, (char **)words.items, &opt);
    return result == PARSE_RUN && !opt.tuning.is_wanted && !opt.again.check && !opt.again.regenerate ? opt.emit.command : NULL;
}

/* Every word of a command is quoted such that it comes back. */
static void check_quotes(Arena *arena, const char *text)
{
    Vec words = {0};
    const char *quoted = word_quoted(arena, text);
    if (words_split(arena, quoted, &words) || words.count != 1 || strcmp(words.items[0], text) != 0)
        internal_error("a word does not come back from its quotes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Arena *arena = arena_new();
    const char *text = arena_strndup(arena, (const char *)data, size), *end = text + strcspn(text, "\n");
    const char *line = arena_strndup(arena, text, (size_t)(end - text)), *rest = *end ? end + 1 : end;
    if (strstr(line, "@f")) {
        enter_folder();
        write_file(rest);
    }
    check_quotes(arena, text);
    const char *command = command_of(arena, line), *inside = banner_command(arena, rest);
    if (command) {
        /* A command says nothing of where its output goes, which an engine must be told. */
        const bool engine = strstr(command, " --emit=engine");
        const char *again = command_of(arena, engine ? arena_printf(arena, "%s -o .", command) : command);
        if (!again || strcmp(again, command) != 0)
            internal_error("the command '%s' is read as '%s'", command, again ? again : "none");
    }
    if (inside)
        command_of(arena, inside);
    arena_free(arena);
    return 0;
}
