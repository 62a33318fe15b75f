/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Emits the measuring program for the specs, compiles it, measures, writes the profile. */
#include "gen/tune/tune_command.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gen/driver/child.h"
#include "gen/tune/compile.h"
#include "gen/driver/file.h"
#include "gen/front/spec.h"
#include "gen/driver/nest_shapes.h"
#include "gen/driver/program.h"
#include "gen/driver/run_files.h"
#include "gen/tune/tune_complete.h"
#include "gen/tune/tune_cuda.h"
#include "gen/tune/tune_file.h"
#include "gen/tune/tune_nests.h"
#include "gen/driver/tune_specs.h"
#include "tune/engine.h"
#include "tune/progress.h"
#include "tune/session.h"

/* The families of the program's contractions; how many. */
static int used_families(Ir *ir, const PlannerOptions *planner, const Program *program, TuneFamily *out)
{
    KernelOptions kernels = planner->kernels;
    kernels.held = program->held;
    int n = 0;
    bool used[FAM_COUNT] = {false}, in_place[FAM_COUNT] = {false}, converts[FAM_COUNT] = {false};
    for (int i = 0; i < program->noperators; i++) {
        const Plan *plan = program->operators[i].plan;
        for (int j = 0; j < contraction_count(plan); j++) {
            const Contraction *c = contraction_at(plan, j);
            used[c->family] = true;
            in_place[c->family] |= c->a.in_place || c->b.in_place;
            converts[c->family] |= !c->a.in_place || !c->b.in_place;
            if (c->dots != FAM_COUNT)
                used[c->dots] = true; /* its operands are fetched as those of the other family */
        }
    }
    for (int f = 0; f < FAM_COUNT; f++)
        if (used[f])
            out[n++] = (TuneFamily){(Family)f, kernel_sets(ir->arena, (Family)f, &kernels), kernel_set_count((Family)f, &kernels),
                                    in_place[f], converts[f]};
    return n;
}

/* The measuring program's text, with the times of `profile` if it is not NULL. */
static bool render_measuring(Ir *ir, const Options *opt, const Program *program, const Profile *profile, Text *source)
{
    Options varying = *opt;
    varying.planner.kernels.vary = true;
    varying.planner.kernels.profile = profile ? profile : opt->planner.kernels.profile;
    return program_render(ir, &varying, program, "tune.c.j2", source);
}

typedef TuneResult Measure(Arena *arena, const TuneInput *in, Profile *profile, int *number);

/* Compiles the measuring program in a folder that is gone afterwards, and measures. */
static int compile_and_measure(Ir *ir, const Options *opt, const Text *source, TuneInput *in, Profile *profile, Measure *measure)
{
    char *folder = child_folder(ir->arena);
    if (!folder) {
        tune_complain(strerror(errno), "TMPDIR names a folder for temporary files");
        return USER_FAULT;
    }
    const char *file = arena_printf(ir->arena, "%s/tune.c", folder), *program = arena_printf(ir->arena, "%s/tune", folder);
    in->program = program;
    int number = 0, status = file_write(ir->arena, file, source->data, source->size)
                                 ? compile_program(ir->arena, opt, "the kernels, and what times them", file, program,
                                                   (const char *const[]){"-lm", NULL})
                                 : USER_FAULT;
    if (status == DONE) {
        const TuneResult result = measure(ir->arena, in, profile, &number);
        status = tune_outcome(result, number);
    }
    unlink(file);
    unlink(program);
    rmdir(folder);
    return status;
}

static TuneResult measure_both(Arena *arena, const TuneInput *in, Profile *profile, int *number)
{
    const TuneResult result = tune_measure(arena, in, profile, number);
    return result == TUNE_DONE && engine_lacks(in, profile) ? engine_measure(arena, in, profile, number) : result;
}

/* The kernels, then the engine around them. Its program plans by what the kernels were found to take; only to try things out, both are
 * measured by the same one. */
static int tune_kernels(Ir *ir, const Options *opt, const Program *program, TuneInput *in, Profile *profile)
{
    Text source;
    text_init(&source, ir->arena);
    progress_stage("writing the kernels, and what times them");
    if (!render_measuring(ir, opt, program, NULL, &source))
        return USER_FAULT;
    const int status = compile_and_measure(ir, opt, &source, in, profile, in->quick ? measure_both : tune_measure);
    if (status != DONE || in->quick || !engine_lacks(in, profile))
        return status;
    text_init(&source, ir->arena);
    return render_measuring(ir, opt, program, profile, &source) ? compile_and_measure(ir, opt, &source, in, profile, engine_measure)
                                                                : USER_FAULT;
}

/* Options about the other target; false after a message. */
static bool fits_target(const Options *opt, bool cuda)
{
    const TuneOptions *t = &opt->tuning;
    const char *other = cuda             ? opt->cc              ? "--cc"
                                           : opt->calls.isa     ? "--isa"
                                           : opt->calls.threads ? "--threads"
                                                                : NULL
                        : t->device >= 0 ? "--device"
                        : t->nvcc        ? "--nvcc"
                        : t->program     ? "--program"
                                         : NULL;
    char what[80];
    if (!other)
        return true;
    snprintf(what, sizeof what, "%s does not go with --target=%s", other, cuda ? "cuda" : "c");
    tune_complain(what, "mikgen tune --help lists what does");
    return false;
}

/* No more threads than this machine runs at a time; false after a message. */
static bool fits_machine(const CallOptions *calls)
{
    const long most = sysconf(_SC_NPROCESSORS_ONLN);
    char what[100], help[80];
    if (most < 1 || calls->threads <= most)
        return true;
    snprintf(what, sizeof what, "--threads=%d does not go with this machine, which has %ld processor%s", calls->threads, most,
             most > 1 ? "s" : "");
    snprintf(help, sizeof help, "write at most --threads=%ld", most);
    tune_complain(what, help);
    return false;
}

/* Kernels of contractions, then nests. */
static int tune_cpu_run(Ir *ir, const Options *opt, TuneSpec *specs, const Program *program)
{
    TuneFamily families[FAM_COUNT];
    TuneInput in = {.families = families,
                    .isa = opt->calls.isa,
                    .n_pred = opt->tuning.n_pred,
                    .quick = opt->tuning.quick,
                    .again = opt->tuning.again,
                    .compiler = compile_words(ir->arena, opt),
                    .save = tune_save,
                    .user = (void *)opt};
    in.nfamilies = used_families(ir, &opt->planner, program, families);
    const bool has_nests = tune_has_nests(ir, opt, specs);
    if (in.nfamilies == 0 && !has_nests) {
        diag_error(ir->diag, (Loc){0, 0}, "take a spec with a sum of products, or with loops that are vectorized",
                   "nothing about it can be chosen, and nothing measured");
        return USER_FAULT;
    }
    if (opt->calls.threads && !has_nests) {
        tune_complain("--threads is about non-GEMM loops, and no such loops are to be measured",
                      "leave --threads away: kernels are measured on one thread, whatever calls run on");
        return USER_FAULT;
    }
    if (!nest_shapes(ir, specs, opt->in.nspecs, opt->calls.shapes))
        return USER_FAULT;
    if (opt->tuning.shard > 1)
        in.nfamilies = 0;
    Profile *profile = tune_begin(ir->arena, opt);
    TuneReport report;
    if (!profile)
        return USER_FAULT;
    if (tune_is_complete(ir->arena, opt, specs, profile))
        return DONE;
    if (!tune_report_begin(ir->arena, opt, &report))
        return USER_FAULT;
    const char *before = profile_print(ir->arena, profile);
    int status = in.nfamilies ? tune_kernels(ir, opt, program, &in, profile) : DONE;
    if (status == DONE && has_nests)
        status = tune_nests_run(ir, opt, specs, profile, &report);
    if (status != DONE)
        return status;
    tune_report_end(&report, opt, before, profile);
    if (!report.is_short)
        tune_mark_complete(ir->arena, opt, specs, profile);
    return tune_finish(ir->arena, opt, profile);
}

/* Asked before anything is measured. */
static bool outputs_differ(Ir *ir, const Options *opt, const SpecText *texts)
{
    const TuneOptions *t = &opt->tuning;
    const RunOutput all[] = {{"-o", opt->out.file}, {"--measurements", t->table}, {"--report", opt->out.report}};
    RunOutput given[3];
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (all[i].path || !i)
            given[n++] = all[i];
    return run_files_differ(ir->arena, opt, texts->included, given, n);
}

int tune_run(Ir *ir, const Options *opt, const SpecText *texts)
{
    Program program;
    TuneSpec *specs = tune_specs(ir, opt, texts);
    if (!specs || !outputs_differ(ir, opt, texts) || !fits_target(opt, specs->program.cuda) || !fits_machine(&opt->calls) ||
        !tune_contractions(ir, opt, specs, &program))
        return USER_FAULT;
    session_watch();
    int status = program.cuda ? tune_cuda_run(ir, opt, specs, &program) : tune_cpu_run(ir, opt, specs, &program);
    status = status != DONE && session_signal() ? tune_interrupted(session_signal()) : status;
    session_unwatch();
    if (status >= INTERRUPTED)
        tune_say_interrupted(opt);
    return status;
}
