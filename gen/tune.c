#include "gen/tune.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gen/child.h"
#include "gen/file.h"
#include "gen/profiles.h"
#include "gen/program.h"
#include "gen/spec.h"
#include "tune/tune.h"

static void complain(const char *what, const char *help)
{
    fprintf(stderr, "mikgen: error: tune: %s\nhelp: %s\n", what, help);
}

/* The families of the program's contractions; how many. */
static int used_families(Ir *ir, const Options *opt, const Program *program, TuneFamily *out)
{
    int n = 0;
    bool used[FAM_COUNT] = {false}, in_place[FAM_COUNT] = {false}, converts[FAM_COUNT] = {false};
    for (int i = 0; i < program->noperators; i++) {
        const Plan *plan = program->operators[i].plan;
        for (int j = 0; j < plan->ncontractions; j++) {
            const Contraction *c = plan->contractions[j];
            used[c->family] = true;
            in_place[c->family] |= c->a.in_place || c->b.in_place;
            converts[c->family] |= !c->a.in_place || !c->b.in_place;
            if (c->dots != FAM_COUNT)
                used[c->dots] = true; /* its operands are fetched as those of the other family */
        }
    }
    for (int f = 0; f < FAM_COUNT; f++)
        if (used[f])
            out[n++] = (TuneFamily){(Family)f, kernel_sets(ir->arena, (Family)f, &opt->kernels), in_place[f], converts[f]};
    return n;
}

/* The words of the compiler's command, in place; without a blank among them the last is NULL. */
static int split(char *command, char **words, int most)
{
    int n = 0;
    for (char *word = strtok(command, " "); word && n < most; word = strtok(NULL, " "))
        words[n++] = word;
    return n;
}

static int interrupted(const Options *opt, int number)
{
    fprintf(stderr, "mikgen: interrupted%s\n", opt->output ? "; the same command goes on from here" : "");
    return 128 + number;
}

/* An exit status. */
static int compile(Arena *arena, const Options *opt, const char *source, const char *program)
{
    enum { WORDS = 60 };
    static const char *const ours[] = {"-w", "-D_GNU_SOURCE", "-pthread"};
    char *argv[WORDS + 10];
    int n = split(arena_strndup(arena, opt->tuning.cc, strlen(opt->tuning.cc)), argv, WORDS);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        argv[n++] = (char *)ours[i];
    argv[n++] = (char *)source;
    argv[n++] = (char *)"-o";
    argv[n++] = (char *)program;
    argv[n++] = (char *)"-lm";
    argv[n] = NULL;
    int number;
    const char *wrong = child_run(argv, &number);
    if (number)
        return interrupted(opt, number);
    if (wrong)
        complain(wrong, "--cc names the C compiler, as in --cc='gcc -O2'");
    return wrong ? USER_FAULT : DONE;
}

/* How the program was compiled, for a comment: no folders. */
static const char *compiler_words(Arena *arena, const char *cc)
{
    enum { WORDS = 60 };
    char *words[WORDS];
    Text t;
    text_init(&t, arena);
    int n = split(arena_strndup(arena, cc, strlen(cc)), words, WORDS);
    for (int i = 1; i < n; i++)
        if (!strchr(words[i], '/'))
            text_printf(&t, "%s%s", t.size ? " " : "", words[i]);
    return t.data;
}

static bool save(void *user, const Profile *profile)
{
    const Options *opt = user;
    if (!opt->output)
        return true; /* standard output gets it once, at the end */
    Arena *arena = arena_new();
    const char *text = profile_print(arena, profile);
    bool ok = file_write(arena, opt->output, text, strlen(text));
    arena_free(arena);
    return ok;
}

/* What is measured already. NULL after a message. */
static Profile *begin_profile(Arena *arena, const Options *opt)
{
    if (!opt->output || opt->tuning.fresh || access(opt->output, F_OK) != 0)
        return profile_new(arena, NULL);
    return profiles_read(arena, opt->output, NULL);
}

static int measure(Ir *ir, const Options *opt, const TuneInput *in, Profile *profile)
{
    int number = 0;
    TuneResult result = tune_measure(ir->arena, in, profile, &number);
    if (result == TUNE_FAILED)
        return USER_FAULT;
    if (result == TUNE_INTERRUPTED)
        return interrupted(opt, number);
    if (opt->output)
        return save((void *)opt, profile) ? DONE : USER_FAULT;
    const char *text = profile_print(ir->arena, profile);
    return file_write(ir->arena, NULL, text, strlen(text)) ? DONE : USER_FAULT;
}

/* Compiles the measuring program in a folder that is gone afterwards, and measures. */
static int compile_and_measure(Ir *ir, const Options *opt, const Text *source, TuneInput *in, Profile *profile)
{
    char *folder = child_folder(ir->arena);
    if (!folder) {
        complain(strerror(errno), "TMPDIR names a folder for temporary files");
        return USER_FAULT;
    }
    const char *file = arena_printf(ir->arena, "%s/tune.c", folder), *program = arena_printf(ir->arena, "%s/tune", folder);
    in->program = program;
    int status = file_write(ir->arena, file, source->data, source->size) ? compile(ir->arena, opt, file, program) : USER_FAULT;
    if (status == DONE)
        status = measure(ir, opt, in, profile);
    unlink(file);
    unlink(program);
    rmdir(folder);
    return status;
}

int tune_run(Ir *ir, const Options *opt, const char *text, size_t len)
{
    Program program;
    Text source, *out = &source;
    text_init(out, ir->arena);
    Unit *unit = spec_parse(ir, strcmp(opt->spec, "-") == 0 ? "<stdin>" : opt->spec, text, len);
    if (!unit || !pipeline_run(ir, opt, unit, &program, out))
        return USER_FAULT;
    if (program.cuda) {
        diag_error(ir->diag, (Loc){0, 0}, "--target=cuda needs a GPU to measure on, and there is no way to do so yet: write --target=c",
                   "mikgen tune measures processors only");
        return USER_FAULT;
    }
    TuneFamily families[FAM_COUNT];
    TuneInput in = {.families = families, .isa = opt->tuning.isa, .n_pred = opt->tuning.n_pred, .quick = opt->tuning.quick, .again = opt->tuning.again,
                    .compiler = compiler_words(ir->arena, opt->tuning.cc), .save = save, .user = (void *)opt};
    in.nfamilies = used_families(ir, opt, &program, families);
    if (in.nfamilies == 0) {
        diag_error(ir->diag, (Loc){0, 0}, "take a spec with a sum of products", "there is no contraction in it, and nothing to measure");
        return USER_FAULT;
    }
    Profile *profile = begin_profile(ir->arena, opt);
    if (!profile || !program_render(ir, opt, &program, "tune.c.j2", out))
        return USER_FAULT;
    return compile_and_measure(ir, opt, out, &in, profile);
}
