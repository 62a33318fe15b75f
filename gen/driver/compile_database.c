/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for the database, checks that it is one, and goes to the command's folder while its compiler is asked. */
#include "gen/driver/compile_database.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/driver/as_compiled.h"
#include "gen/driver/command_words.h"
#include "gen/driver/compile_line.h"
#include "gen/driver/options_agree.h"
#include "gen/driver/system_headers.h"

/* One message about the database, or a place in it; `what` has one %s. False. */
static bool database_wrong(const char *where, const char *what, const char *value, const char *help)
{
    fprintf(stderr, "%s: error: ", where);
    fprintf(stderr, what, value);
    fprintf(stderr, "\nhelp: %s\n", help);
    return false;
}

static const char *in_folder(Arena *arena, const char *folder, const char *path)
{
    return *path == '/' ? path : arena_printf(arena, "%s/%s", folder, path);
}

static const char *here(Arena *arena)
{
    char *cwd = getcwd(NULL, 0);
    const char *copy = cwd ? arena_strndup(arena, cwd, strlen(cwd)) : "";
    free(cwd);
    return copy;
}

/* ---------------------------------------------------------------- the database */

/* What an entry lacks; NULL: nothing. */
static const char *lacking(const json_t *entry)
{
    const json_t *words = json_object_get(entry, "arguments");
    for (size_t i = 0; i < json_array_size(words); i++)
        if (!json_is_string(json_array_get(words, i)))
            return "\"arguments\" that are all strings";
    return !json_is_string(json_object_get(entry, "directory"))                            ? "a string \"directory\""
           : !json_is_string(json_object_get(entry, "file"))                               ? "a string \"file\""
           : !json_array_size(words) && !json_is_string(json_object_get(entry, "command")) ? "a \"command\", or \"arguments\""
                                                                                           : NULL;
}

/* The database, which the caller frees; NULL after a message. */
static json_t *database_read(Arena *arena, const char *path)
{
    json_error_t error;
    json_t *all = json_load_file(path, 0, &error);
    const char *where = all ? path : arena_printf(arena, "%s:%d:%d", path, error.line, error.column);
    const char *wrong = !all ? error.text : json_is_array(all) ? NULL : "it is no list";
    for (size_t i = 0; !wrong && i < json_array_size(all); i++) {
        const char *lacks = lacking(json_array_get(all, i));
        wrong = lacks ? arena_printf(arena, "entry %zu lacks %s", i + 1, lacks) : NULL;
    }
    if (!wrong)
        return all;
    json_decref(all);
    database_wrong(where, "this is no compilation database: %s", wrong,
                   "it is a list of objects {\"directory\": ..., \"file\": ..., \"command\": ...}; let the build write it again");
    return NULL;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file has no command. */
static void refuse_file(Arena *arena, const char *path, const json_t *all, const char *file)
{
    const char *like = NULL, *relative = NULL;
    for (size_t i = 0; i < json_array_size(all); i++) {
        const json_t *entry = json_array_get(all, i);
        const char *name = json_string_value(json_object_get(entry, "file")),
                   *folder = json_string_value(json_object_get(entry, "directory"));
        like = !like && strcmp(base_of(name), base_of(file)) == 0 ? in_folder(arena, folder, name) : like;
        relative = !relative && *folder != '/' && *name != '/' ? folder : relative;
    }
    if (relative)
        database_wrong(path, "its folder '%s' is no absolute path: it has commands for no file", relative,
                       "write \"directory\" as Clang's tools want it, with a / in front");
    else
        database_wrong(path, "it has no command for %s", like ? arena_printf(arena, "'%s', but for %s", file, like) : file,
                       "name a file that the build compiles, or leave -p away and give -D and -I");
}

static bool find_command(Arena *arena, const char *path, const char *file, DatabaseCommand *command)
{
    json_t *all = database_read(arena, path);
    const char *why = NULL, *cwd = here(arena);
    if (!all)
        return false;
    const bool found = database_find(arena, in_folder(arena, cwd, path), in_folder(arena, cwd, file), command, &why);
    command->path = path;
    if (!found && why)
        database_wrong(path, "%s", why, "let the build write it again");
    else if (!found)
        refuse_file(arena, path, all, file);
    json_decref(all);
    return found;
}

bool database_command(Arena *arena, const Options *opt, DatabaseCommand *command)
{
    const char *given = opt->source.database, *path = database_path(arena, given);
    if (!path)
        return option_wrong("-p: there is no compile_commands.json in '%s' or above it", given,
                            "CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other builds have one by `bear -- make`");
    return find_command(arena, path, opt->in.spec, command);
}

/* ---------------------------------------------------------------- reading as it compiles */

/* The words with another compiler. */
static bool replace_compiler(Arena *arena, const char *cc, Vec *words)
{
    Vec others = {0};
    if (words_split(arena, cc, &others))
        return option_wrong("--cc: a quote is not closed: %s", cc, "for example --cc='gcc -m64'");
    for (int i = 1; i < words->count; i++)
        vec_push(arena, &others, words->items[i]);
    *words = others;
    return true;
}

/* Folders from the `first` on, as the command names them. */
static void place_folders(Arena *arena, const char *folder, int first, Vec *folders)
{
    for (int i = first; i < folders->count; i++)
        folders->items[i] = (void *)in_folder(arena, folder, folders->items[i]);
}

/* Files of -include that lie in the command's folder; others are looked for as headers. */
static void place_included(Arena *arena, const char *folder, Vec *front)
{
    for (int i = 0; i + 1 < front->count; i++) {
        const char *word = front->items[i];
        if (strcmp(word, "-include") != 0 && strcmp(word, "-imacros") != 0)
            continue;
        const char *path = in_folder(arena, folder, front->items[++i]);
        if (access(path, R_OK) == 0)
            front->items[i] = (void *)path;
    }
}

/* The argument of the `*i`-th word if that is the option `name`, which takes it behind itself, behind a = or as the next word; else NULL. */
static const char *argument_of(const Vec *words, int *i, const char *name)
{
    const char *word = words->items[*i];
    if (strncmp(word, name, strlen(name)) != 0)
        return NULL;
    word += strlen(name);
    word += *word == '=';
    return *word || *i + 1 == words->count ? word : words->items[++*i];
}

/* Of the compiler's folders those of -I become ours: what lies there is the user's own. */
static void take_own_folders(Arena *arena, const CompileLine *line, Vec *folders, Options *opt)
{
    int kept = 0;
    for (int f = 0; f < folders->count; f++) {
        bool is_own = false;
        for (int i = 1; i < line->words.count && !is_own; i++) {
            const char *value = argument_of(&line->words, &i, "-I");
            is_own = value && strcmp(value, folders->items[f]) == 0;
        }
        if (is_own)
            vec_push(arena, &opt->in.includes, folders->items[f]);
        else
            folders->items[kept++] = folders->items[f];
    }
    folders->count = kept;
}

/* Of nvcc, or Clang for CUDA: macros and folders. The toolkit is asked for the rest. */
static void as_cuda(Arena *arena, const CompileLine *line, Options *opt)
{
    Vec *front = arena_new_array(arena, Vec, 1);
    *front = line->front;
    for (int i = 0; i < opt->in.definitions.count; i++)
        vec_push(arena, front, opt->in.definitions.items[i]);
    opt->source.front = front;
    for (int i = 1; i < line->words.count; i++) {
        const char *system = argument_of(&line->words, &i, "-isystem"), *own = system ? NULL : argument_of(&line->words, &i, "-I");
        own = system || own ? own : argument_of(&line->words, &i, "--include-path");
        if (system || own)
            vec_push(arena, system ? &opt->source.system_includes : &opt->in.includes, (void *)(system ? system : own));
    }
}

/* In the command's folder, while the compiler is asked. */
static bool ask_there(Arena *arena, const DatabaseCommand *command, bool cuda, CompileLine *line, CompilerSays *says)
{
    const int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (back < 0 || chdir(command->folder) != 0) {
        if (back >= 0)
            close(back);
        return option_wrong("-p: the command's folder '%s' is not there", command->folder, "configure the build again");
    }
    compile_line_read(arena, command->words.count, (char *const *)command->words.items, line);
    bool done = cuda || compiler_ask(arena, &line->asked, says);
    if (!done)
        option_wrong("-p: '%s', the command's compiler, does not say where its headers are", command->words.items[0],
                     "give a C compiler with --cc=PROGRAM, such as gcc or clang");
    if (fchdir(back) != 0)
        done = option_wrong("-p: there is no way back from '%s'", command->folder, "call mikgen in a folder that can be entered");
    close(back);
    return done;
}

bool database_options(Arena *arena, bool cuda, Vec *inputs, Options *opt)
{
    DatabaseCommand command;
    CompileLine line;
    CompilerSays *says = arena_new_array(arena, CompilerSays, 1);
    if (!database_command(arena, opt, &command) || (opt->cc && !cuda && !replace_compiler(arena, opt->cc, &command.words)) ||
        !ask_there(arena, &command, cuda, &line, says))
        return false;
    vec_push(arena, inputs, (void *)command.path);
    place_included(arena, command.folder, &line.front);
    const int own = opt->in.includes.count, own_system = opt->source.system_includes.count;
    if (cuda)
        as_cuda(arena, &line, opt);
    else
        take_own_folders(arena, &line, &says->folders, opt);
    place_folders(arena, command.folder, own, &opt->in.includes);
    place_folders(arena, command.folder, own_system, &opt->source.system_includes);
    if (cuda)
        return true;
    if (line.other_text)
        return option_wrong("-p: the file cannot be read as its command compiles it: %s", line.other_text,
                            "leave -p away, and give -D and -I, if it is C like other C");
    if (!compiler_has_known_target(arena, says))
        return option_wrong("-p: '%s', the command's compiler, compiles for another target than x86-64 with signed char",
                            command.words.items[0], "give a compiler for x86-64 Linux with --cc=PROGRAM");
    place_folders(arena, command.folder, 0, &says->quoted);
    place_folders(arena, command.folder, 0, &says->folders);
    as_compiled(arena, &line, says, opt);
    return true;
}
