/* Emits the measuring program for the spec, compiles it, measures, writes the profile. */
#include "gen/tune_command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gen/child.h"
#include "gen/file.h"
#include "gen/front/spec.h"
#include "gen/program.h"
#include "gen/tune_cuda.h"
#include "gen/tune_file.h"

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

static const char *command(const Options *opt) { return opt->tuning.cc ? opt->tuning.cc : "cc -O2"; }

/* An exit status. */
static int compile(Arena *arena, const Options *opt, const char *source, const char *program)
{
    enum { WORDS = 60 };
    static const char *const ours[] = {"-w", "-D_GNU_SOURCE", "-pthread"};
    char *argv[WORDS + 10];
    int n = split(arena_strndup(arena, command(opt), strlen(command(opt))), argv, WORDS);
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
        return tune_interrupted(opt, number);
    if (wrong)
        tune_complain(wrong, "--cc names the C compiler, as in --cc='gcc -O2'");
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

static int measure(Ir *ir, const Options *opt, const TuneInput *in, Profile *profile)
{
    int number = 0;
    TuneResult result = tune_measure(ir->arena, in, profile, &number);
    return tune_end(ir->arena, opt, profile, result, number);
}

/* Compiles the measuring program in a folder that is gone afterwards, and measures. */
static int compile_and_measure(Ir *ir, const Options *opt, const Text *source, TuneInput *in, Profile *profile)
{
    char *folder = child_folder(ir->arena);
    if (!folder) {
        tune_complain(strerror(errno), "TMPDIR names a folder for temporary files");
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

/* Options about the other target; false after a message. */
static bool fits_target(const Options *opt, bool cuda)
{
    const TuneOptions *t = &opt->tuning;
    const char *other = cuda             ? t->cc    ? "--cc"
                                           : t->isa ? "--isa"
                                                    : NULL
                        : t->device >= 0 ? "--device"
                        : t->nvcc        ? "--nvcc"
                        : t->program     ? "--program"
                        : t->budget      ? "--budget"
                                         : NULL;
    char what[80];
    if (!other)
        return true;
    snprintf(what, sizeof what, "%s does not go with --target=%s", other, cuda ? "cuda" : "c");
    tune_complain(what, "mikgen tune --help lists what does");
    return false;
}

int tune_run(Ir *ir, const Options *opt, const char *text, size_t len)
{
    Program program;
    Text source, *out = &source;
    text_init(out, ir->arena);
    Unit *unit = spec_parse(ir, strcmp(opt->spec, "-") == 0 ? "<stdin>" : opt->spec, text, len);
    if (!unit || !pipeline_run(ir, opt, unit, &program, out))
        return USER_FAULT;
    if (!fits_target(opt, program.cuda))
        return USER_FAULT;
    if (program.cuda)
        return tune_cuda_run(ir, opt, &program);
    TuneFamily families[FAM_COUNT];
    TuneInput in = {.families = families,
                    .isa = opt->tuning.isa,
                    .n_pred = opt->tuning.n_pred,
                    .quick = opt->tuning.quick,
                    .again = opt->tuning.again,
                    .compiler = compiler_words(ir->arena, command(opt)),
                    .save = tune_save,
                    .user = (void *)opt};
    in.nfamilies = used_families(ir, opt, &program, families);
    if (in.nfamilies == 0) {
        diag_error(ir->diag, (Loc){0, 0}, "take a spec with a sum of products", "there is no contraction in it, and nothing to measure");
        return USER_FAULT;
    }
    Profile *profile = tune_begin(ir->arena, opt);
    if (!profile || !program_render(ir, opt, &program, "tune.c.j2", out))
        return USER_FAULT;
    return compile_and_measure(ir, opt, out, &in, profile);
}
