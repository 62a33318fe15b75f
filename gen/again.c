/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a banner's command, finds its files, runs it, compares. */
#include "gen/again.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gen/driver/banner.h"
#include "gen/driver/command.h"
#include "gen/driver/diff.h"
#include "gen/driver/file.h"
#include "gen/driver/program.h"
#include "gen/driver/run_files.h"
#include "gen/driver/command_words.h"
#include "gen/generate.h"

typedef struct Again {
    Arena *arena;
    const Options *opt;
    const char *path;    /* the generated file */
    const char *command; /* of its banner */
    Vec words;           /* const char *: of the command */
    bool *used;          /* by file or folder of the command line */
} Again;

static bool complain(const Again *again, const char *what, const char *help)
{
    fprintf(stderr, "%s: error: %s\nhelp: %s\n", again->path, what, help);
    return false;
}

static bool is_there(const char *path, bool *is_folder)
{
    struct stat st;
    const bool there = stat(path, &st) == 0;
    *is_folder = there && S_ISDIR(st.st_mode);
    return there;
}

/* One of the files, or in one of the folders, that the command line gives; of folders also one of these itself; NULL: none. */
static const char *find_given(const Again *again, const char *name, bool wants_folder)
{
    bool is_folder, inner;
    for (int i = 0; i < again->opt->in.nspecs; i++) {
        const char *given = again->opt->in.specs[i], *inside = arena_printf(again->arena, "%s/%s", given, name);
        is_there(given, &is_folder);
        const bool within = is_folder && is_there(inside, &inner) && inner == wants_folder;
        if (!within && (is_folder != wants_folder || strcmp(base_name(given), name) != 0))
            continue;
        again->used[i] = true;
        return within ? inside : given;
    }
    return NULL;
}

/* Where the file, or the folder, lies that the command calls `name`; NULL after a message. */
static const char *find(const Again *again, const char *name, bool wants_folder)
{
    bool is_folder;
    if (strcmp(name, "-") == 0) {
        complain(again, "this was generated from standard input, which is gone", "generate it from a file");
        return NULL;
    }
    name += strncmp(name, "./", 2) == 0 ? 2 : 0; /* in front of what would be no name otherwise */
    const char *given = find_given(again, name, wants_folder), *slash = strrchr(again->path, '/');
    if (given)
        return given;
    const char *beside = slash ? arena_printf(again->arena, "%.*s/%s", (int)(slash - again->path), again->path, name) : NULL;
    if (beside && is_there(beside, &is_folder) && is_folder == wants_folder)
        return beside;
    if (is_there(name, &is_folder) && is_folder == wants_folder)
        return strchr("-@", *name) ? arena_printf(again->arena, "./%s", name) : name;
    complain(again, arena_printf(again->arena, "its command names %s, which is neither beside it nor in the current folder", name),
             arena_printf(again->arena, "say where it is: mikgen --%s %s FOLDER/%s", again->opt->again.check ? "check" : "regenerate",
                          again->path, name));
    return NULL;
}

/* The word of the command with the path of the file that it names; NULL after a message. */
static const char *with_path(const Again *again, const char *word)
{
    static const char *const options[] = {"", "-I", "--profile=", "--license-header="};
    for (size_t i = *word == '-' && word[1] ? 1 : 0; i < sizeof options / sizeof *options; i++) {
        const size_t len = strlen(options[i]);
        if (strncmp(word, options[i], len) != 0 || strcmp(word, "--profile=none") == 0)
            continue;
        const char *path = find(again, word + len, strcmp(options[i], "-I") == 0);
        return path ? arena_printf(again->arena, "%s%s", options[i], path) : NULL;
    }
    return word;
}

/* Reads the command into the options that make the file. False after a message. */
static bool read_command(const Again *again, Options *made)
{
    Arena *arena = again->arena;
    Vec argv = {0};
    const bool ours = again->words.count && strcmp(again->words.items[0], "mikgen") == 0;
    for (int i = 0; i < again->words.count; i++) {
        const char *word = i ? with_path(again, again->words.items[i]) : "mikgen";
        if (!word)
            return false;
        vec_push(arena, &argv, (void *)word);
        if (strcmp(word, "--emit=engine") == 0) {
            vec_push(arena, &argv, "-o");
            vec_push(arena, &argv, ".");
        }
    }
    vec_push(arena, &argv, NULL);
    const char *given = NULL;
    for (int i = 0; i < again->opt->in.nspecs; i++)
        if (!again->used[i])
            given = again->opt->in.specs[i];
    if (given)
        return complain(again, arena_printf(arena, "nothing in its command is in %s: %s", given, again->command), "leave it away");
    const ParseResult result = ours ? options_parse(arena, argv.count - 1, (char **)argv.items, made) : PARSE_EXIT_OK;
    if (result == PARSE_EXIT_USAGE)
        return false;
    /* What mikgen does not write into banners it does not run from there either. */
    if (result == PARSE_EXIT_OK || strcmp(canonical_command(arena, made), again->command) != 0)
        return complain(again, arena_printf(arena, "the command in its banner is none of mikgen's: %s", again->command),
                        "generate the file from its spec");
    made->emit.templates = again->opt->emit.templates;
    return true;
}

/* Which of the texts the file should be: of an engine's two the one with its ending. */
static const Text *text_for(const Outputs *outputs, const char *path)
{
    const char *ending = strrchr(path, '.');
    const Output *first = outputs->texts.items[0], *last = outputs->texts.items[outputs->texts.count - 1];
    return ending && strcmp(ending, ".h") == 0 ? &last->text : &first->text;
}

/* Are these the same but for carriage returns at line ends? */
static bool same_lines(const char *text, size_t len, const Text *other)
{
    size_t at = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\r' && i + 1 < len && text[i + 1] == '\n')
            continue;
        if (at == other->size || text[i] != other->data[at++])
            return false;
    }
    return at == other->size;
}

/* Says where the file differs. */
static void report(const Again *again, const char *text, size_t len, const Text *made)
{
    int line = 1;
    for (size_t i = 0; i < len && i < made->size && text[i] == made->data[i]; i++)
        line += text[i] == '\n';
    if (same_lines(text, len, made)) {
        complain(again, "its lines end otherwise than mikgen writes them", "keep git from it: *_dyn.* -text in .gitattributes");
        return;
    }
    fflush(stdout);
    diff_print(again->arena, again->path, made);
    fprintf(stderr, "%s:%d: error: this is not what its command gives: %s\nhelp: change the spec, then mikgen --regenerate %s\n",
            again->path, line, again->command, again->path);
}

/* Reads the file and its banner. False after a message. */
static bool read_file(Again *again, const char **text, size_t *len)
{
    struct stat st;
    if (strcmp(again->path, "-") == 0)
        return complain(again, "standard input has no place to look for specs", "name a generated file");
    const bool there = stat(again->path, &st) == 0;
    if (there && !S_ISREG(st.st_mode))
        return complain(again, "this is not a regular file", "name a generated file");
    *text = file_read(again->arena, again->path, there ? (size_t)st.st_size : 0, len);
    if (!*text)
        return false;
    again->command = banner_command(again->arena, *text);
    if (!again->command || words_split(again->arena, again->command, &again->words))
        return complain(again, "this file has no banner of mikgen's, with the command that makes it", "name a generated file");
    return true;
}

int again_run(Arena *arena, const Options *opt)
{
    Again again = {.arena = arena, .opt = opt, .path = opt->again.check ? opt->again.check : opt->again.regenerate};
    again.used = arena_new_array(arena, bool, opt->in.nspecs + 1);
    const char *text;
    size_t len;
    Options made;
    Outputs outputs;
    outputs_init(&outputs, arena);
    if (!read_file(&again, &text, &len) || !read_command(&again, &made) || !generate_run(&made, &outputs))
        return USER_FAULT;
    const Text *anew = text_for(&outputs, again.path);
    if (len == anew->size && memcmp(text, anew->data, len) == 0)
        return DONE;
    if (opt->again.regenerate && !run_files_differ(arena, &made, &outputs.inputs, &(RunOutput){"--regenerate", again.path}, 1))
        return USER_FAULT;
    if (opt->again.regenerate)
        return file_write(arena, again.path, anew->data, anew->size) ? DONE : USER_FAULT;
    report(&again, text, len, anew);
    return USER_FAULT;
}
