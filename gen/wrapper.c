/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the command line, rewrites each source in a child, runs the compiler on what came of it, mends the rules for make. */
#include "gen/wrapper.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen/driver/as_compiled.h"
#include "gen/driver/compile_database.h"
#include "gen/driver/compile_line.h"
#include "gen/driver/options_agree.h"
#include "gen/driver/file.h"
#include "gen/driver/relay.h"
#include "gen/driver/program.h"
#include "gen/driver/run_files.h"
#include "gen/driver/system_headers.h"
#include "gen/generate.h"
#include "gen/keep.h"

enum {
    SECONDS = 60,            /* of a processor that rewriting a source may take */
    RULES_LIMIT = 1 << 26,   /* bytes of a rule for make */
    NOT_FOUND = 127 << 8,    /* status as of waitpid(2): as a shell says it of a program that is not there */
};

typedef struct Wrapper {
    Arena *arena;
    const Options *opt;
    CompileLine line;
    CompilerSays says;
    Options keep;       /* of rewriting */
    const char *folder; /* of rewritten sources */
    int nrewritten;
    char **argv;        /* the command on these */
    int said;           /* file for what the compiler says of them */
} Wrapper;

/* A line of --log; of several processes at once each is whole. */
static void note(const Wrapper *w, const char *source, const char *what)
{
    const char *log = w->opt->wrapping.log;
    const int fd = log ? open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    const char *line = arena_printf(w->arena, "%s: %s\n", source, what);
    if (log && (fd < 0 || write(fd, line, strlen(line)) < 0))
        fprintf(stderr, "%s: warning: %s\n", log, strerror(errno));
    if (fd >= 0)
        close(fd);
}

static const char *source_of(const Wrapper *w, int i) { return w->line.words.items[*(int *)w->line.sources.items[i]]; }

/* The command as it is. */
static void hand_through(const Wrapper *w)
{
    char *const *words = (char *const *)w->opt->in.specs;
    relay_remove_folder();
    if (relay_is_ending())
        relay_end(0);
    execvp(words[0], words);
    fprintf(stderr, "mikgen: error: %s: %s\nhelp: write mikgen cc -- COMPILER ARGUMENT...\n", words[0], strerror(errno));
    _exit(NOT_FOUND >> 8);
}

/* The same, and then we go on. Its status as of waitpid(2). */
static int run_as_it_is(const Wrapper *w)
{
    const pid_t child = relay_start((char *const *)w->opt->in.specs, -1);
    return child < 0 ? NOT_FOUND : relay_wait(child);
}

/* Whether the text may hold a loop: without its words there is nothing to do. */
static bool may_loop(const char *text)
{
    static const char *const words[] = {"for", "while", "do"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = text; (at = strstr(at, words[i])); at++) {
            const char behind = at[strlen(words[i])];
            const char before = at > text ? at[-1] : ' ';
            if (!strchr("_0123456789", before) && !(before >= 'A' && before <= 'Z') && !(before >= 'a' && before <= 'z') &&
                (!behind || strchr(" \t\r\n({/\\", behind)))
                return true;
        }
    return false;
}

static bool any_loop(const Wrapper *w)
{
    size_t len;
    for (int i = 0; i < w->line.sources.count; i++) {
        const int fd = open(source_of(w, i), O_RDONLY | O_CLOEXEC);
        if (fd < 0) /* the compiler's own message tells */
            return false;
        close(fd);
        const char *text = file_read(w->arena, source_of(w, i), KEPT_LIMIT, &len);
        if (text && may_loop(text))
            return true;
    }
    return false;
}

/* Rewriting one source. */

typedef enum Fate { REWRITTEN, UNCHANGED, REFUSED } Fate;

static const char *path_in_folder(const Wrapper *w, const char *source)
{
    return arena_printf(w->arena, "%s/%s", w->folder, source + strlen(w->line.folder));
}

/* With the source's own times, which __TIMESTAMP__ tells. */
static bool write_like(const char *path, const char *source, const Text *text)
{
    struct stat st;
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    bool ok = f && fwrite(text->data, 1, text->size, f) == text->size && fflush(f) == 0;
    if (ok && fstat(fd, &st) == 0 && stat(source, &st) == 0)
        futimens(fd, (const struct timespec[2]){st.st_atim, st.st_mtim});
    return f && fclose(f) == 0 && ok;
}

static Fate rewrite(Wrapper *w, const char *source, KeepSummary *summary)
{
    SpecText *specs;
    Text out;
    Options *opt = &w->keep;
    opt->in.specs = &source;
    opt->in.spec = source;
    opt->in.nspecs = 1;
    text_init(&out, w->arena);
    Ir *ir = read_specs(w->arena, opt, NULL, &specs);
    if (!ir || !keep_text(ir, opt, specs, &out, summary))
        return REFUSED;
    if (!summary->changed || summary->moves_badly)
        return UNCHANGED;
    return write_like(path_in_folder(w, source), source, &out) ? REWRITTEN : REFUSED;
}

/* In a child: its messages go to a file, its results through a pipe. */
static void rewrite_and_exit(Wrapper *w, const char *source, const char *messages, int to)
{
    const struct rlimit time = {SECONDS, SECONDS}, none = {0, 0};
    KeepSummary summary = {0};
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &none);
    const int fd = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, 1) < 0 || dup2(fd, 2) < 0)
        _exit(REFUSED);
    const Fate fate = rewrite(w, source, &summary);
    fflush(NULL);
    _exit(write(to, &summary, sizeof summary) == sizeof summary ? fate : REFUSED);
}

static void show(const Wrapper *w, const char *messages)
{
    size_t len;
    struct stat st;
    const char *text = stat(messages, &st) == 0 ? file_read(w->arena, messages, RULES_LIMIT, &len) : NULL;
    if (text)
        fwrite(text, 1, len, stderr);
}

static const char *fate_in_words(const Wrapper *w, Fate fate, const KeepSummary *summary)
{
    const char *counts = arena_printf(w->arena, "%d of %d functions with loops", summary->changed, summary->functions + summary->left);
    return fate == REWRITTEN      ? arena_printf(w->arena, "rewritten: %s, %d are not understood", counts, summary->left)
           : fate == REFUSED      ? "as it is: it cannot be rewritten"
           : summary->moves_badly ? "as it is: its headers find others beside it, or it includes itself"
                                  : arena_printf(w->arena, "as it is: nothing moves, %d are not understood", summary->left);
}

/* The `i`-th source. With --strict a refusal ends us unless the compiler refuses it, too. */
static Fate rewrite_source(Wrapper *w, int i)
{
    const char *source = source_of(w, i), *messages = arena_printf(w->arena, "%s/messages-%d", w->folder, i);
    KeepSummary summary = {0};
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return REFUSED;
    const pid_t child = relay_fork();
    if (child == 0)
        rewrite_and_exit(w, source, messages, ends[1]);
    close(ends[1]);
    status = child > 0 ? relay_wait(child) : REFUSED << 8;
    const bool told = read(ends[0], &summary, sizeof summary) == sizeof summary;
    close(ends[0]);
    const Fate fate = WIFEXITED(status) && told && WEXITSTATUS(status) <= REFUSED ? (Fate)WEXITSTATUS(status) : REFUSED;
    if (relay_is_ending())
        return fate;
    note(w, source, fate_in_words(w, fate, &summary));
    if (w->opt->look.remarks && fate != REFUSED)
        show(w, messages);
    if (fate == REFUSED && w->opt->wrapping.strict) {
        status = run_as_it_is(w);
        if (status == 0) {
            show(w, messages);
            fprintf(stderr, "%s: error: this compiles, but it cannot be rewritten\nhelp: leave --strict away\n", source);
            status = 1 << 8;
        }
        relay_remove_folder();
        relay_end(status);
    }
    return fate;
}

/* Running the compiler. */

/* The command with rewritten sources in their places; by the name of their folder they are where they came from. */
static void make_command(Wrapper *w, const bool *is_rewritten)
{
    Vec argv = {0};
    for (int i = 0; i < w->line.words.count; i++) {
        char *word = w->line.words.items[i];
        if (i == w->line.nleading) {
            vec_push(w->arena, &argv, "-iquote");
            vec_push(w->arena, &argv, *w->line.folder ? (void *)w->line.folder : ".");
            vec_push(w->arena, &argv, arena_printf(w->arena, "-ffile-prefix-map=%s/=%s", w->folder, w->line.folder));
            if (!*w->line.folder && !*compiler_macro(w->arena, &w->says, "__clang__")) /* clang itself calls neighbours ./x.h */
                vec_push(w->arena, &argv, "-ffile-prefix-map=./=");
        }
        for (int j = 0; j < w->line.sources.count; j++)
            if (*(int *)w->line.sources.items[j] == i && is_rewritten[j])
                word = (char *)path_in_folder(w, word);
        vec_push(w->arena, &argv, word);
    }
    vec_push(w->arena, &argv, NULL);
    vec_push(w->arena, &argv, NULL); /* for silence() */
    w->argv = (char **)argv.items;
}

/* From here on without warnings, so that none is an error: the user has those of the source. */
static void silence(const Wrapper *w)
{
    static char quiet[] = "-w";
    char **end = w->argv;
    while (*end)
        end++;
    *end = quiet;
}

/* As it stands in a rule for make. */
static const char *munged(const Wrapper *w, const char *path)
{
    Text text;
    text_init(&text, w->arena);
    for (const char *p = path; *p; p++)
        text_printf(&text, strchr(" \t#", *p) ? "\\%c" : *p == '$' ? "$%c" : "%c", *p);
    return text.data;
}

/* Rules name the sources. */
static void mend_rules(const Wrapper *w)
{
    const char *from = munged(w, arena_printf(w->arena, "%s/", w->folder)), *to = munged(w, w->line.folder);
    for (int i = 0; i < w->line.depfiles.count; i++) {
        const char *path = w->line.depfiles.items[i];
        struct stat st;
        size_t len;
        Text out;
        const char *text = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? file_read(w->arena, path, RULES_LIMIT, &len) : NULL;
        if (!text || !strstr(text, from))
            continue;
        text_init(&out, w->arena);
        for (const char *at; (at = strstr(text, from)); text = at + strlen(from)) {
            text_putn(&out, text, (size_t)(at - text));
            text_puts(&out, to);
        }
        text_puts(&out, text);
        file_write(w->arena, path, out.data, out.size);
    }
}

/* The compiler with these words, silently. Its status, and whether it said anything. */
static int run_silently(Wrapper *w, char *const *words, bool *says)
{
    struct stat st;
    if (ftruncate(w->said, 0) != 0 || lseek(w->said, 0, SEEK_SET) != 0)
        return NOT_FOUND;
    const pid_t child = relay_start(words, w->said);
    const int status = child < 0 ? NOT_FOUND : relay_wait(child);
    *says = fstat(w->said, &st) != 0 || st.st_size > 0;
    return status;
}

/* The rewritten sources alone are refused: no matter to the user, who gets what the sources become. */
static int fall_back(Wrapper *w)
{
    bool says;
    for (int i = 0; i < w->line.sources.count; i++)
        note(w, source_of(w, i), "as it is: the compiler refuses the rewritten text");
    if (!w->opt->wrapping.strict)
        return run_silently(w, (char *const *)w->opt->in.specs, &says);
    show(w, arena_printf(w->arena, "%s/said", w->folder));
    fprintf(stderr, "%s: error: this compiles, but what it was rewritten to does not\nhelp: leave --strict away\n", source_of(w, 0));
    return 1 << 8;
}

static int compile(Wrapper *w)
{
    bool says;
    int status = run_silently(w, w->argv, &says);
    if (relay_is_ending())
        return status;
    if (status != 0 || says) {
        const int original = run_as_it_is(w);
        if (original != 0 || relay_is_ending())
            return original;
        silence(w); /* a macro that nothing names any more may be an error */
        status = run_silently(w, w->argv, &says);
    }
    if (status != 0)
        return relay_is_ending() ? status : fall_back(w);
    mend_rules(w);
    return 0;
}

/* The same name for the same work, so that caches behind us find what they know. */
static const char *folder_name(const Wrapper *w)
{
    uint64_t hash = 14695981039346656037u;
    char *cwd = getcwd(NULL, 0);
    for (int i = -1; i < w->opt->in.nspecs; i++) {
        const char *p = i < 0 ? (cwd ? cwd : "") : w->opt->in.specs[i];
        do
            hash = (hash ^ (unsigned char)*p) * 1099511628211u;
        while (*p++);
    }
    free(cwd);
    return arena_printf(w->arena, "mikgen-%016llx", (unsigned long long)hash);
}

/* With -p: in the folder of the file's command, which it becomes. */
static void take_command(Arena *arena, Options *opt)
{
    DatabaseCommand command;
    if (!database_command(arena, opt, &command))
        exit(USER_FAULT);
    char *cwd = getcwd(NULL, 0);
    if (opt->wrapping.log && *opt->wrapping.log != '/')
        opt->wrapping.log = arena_printf(arena, "%s/%s", cwd ? cwd : ".", opt->wrapping.log);
    free(cwd);
    if (chdir(command.folder) != 0) {
        option_wrong("-p: the command's folder '%s' is not there", command.folder, "configure the build again");
        exit(USER_FAULT);
    }
    opt->in.nspecs = command.words.count;
    vec_push(arena, &command.words, NULL);
    opt->in.specs = (const char *const *)command.words.items;
}

void wrapper_run(Arena *arena, const Options *options)
{
    Options own = *options, *opt = &own;
    if (opt->source.database)
        take_command(arena, opt);
    Wrapper w = {.arena = arena, .opt = opt};
    compile_line_read(arena, opt->in.nspecs, (char *const *)opt->in.specs, &w.line);
    if (opt->wrapping.log && !run_files_differ(arena, opt, NULL, &(RunOutput){"--log", opt->wrapping.log}, 1))
        exit(USER_FAULT);
    if (!w.line.passes && !any_loop(&w))
        w.line.passes = "there is no loop";
    if (!w.line.passes && !compiler_ask(arena, &w.line.asked, &w.says))
        w.line.passes = "the compiler does not say where its headers are";
    if (!w.line.passes && !compiler_has_known_target(arena, &w.says))
        w.line.passes = "the target is none that is known: x86-64 with signed char";
    if (w.line.passes) {
        note(&w, w.line.sources.count ? source_of(&w, 0) : opt->in.specs[0], arena_printf(arena, "as it is: %s", w.line.passes));
        hand_through(&w);
    }
    w.keep = *opt;
    as_compiled(arena, &w.line, &w.says, &w.keep);
    relay_signals();
    w.folder = relay_folder(arena, folder_name(&w));
    if (!w.folder)
        hand_through(&w);
    bool *is_rewritten = arena_new_array(arena, bool, w.line.sources.count);
    for (int i = 0; i < w.line.sources.count && !relay_is_ending(); i++) {
        is_rewritten[i] = rewrite_source(&w, i) == REWRITTEN;
        w.nrewritten += is_rewritten[i];
    }
    w.said = open(arena_printf(arena, "%s/said", w.folder), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (!w.nrewritten || w.said < 0 || relay_is_ending())
        hand_through(&w);
    make_command(&w, is_rewritten);
    const int status = compile(&w);
    relay_remove_folder();
    relay_end(status);
}
