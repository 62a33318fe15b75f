/* Nest by nest: what was found for one is there while the next is searched. */
#include "gen/tune_nests.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "gen/child.h"
#include "gen/compile.h"
#include "gen/form_table.h"
#include "gen/nest_search.h"
#include "gen/nest_shapes.h"
#include "gen/program.h"
#include "gen/tune_file.h"
#include "tune/describe.h"
#include "tune/measure.h"
#include "tune/nest_lines.h"

/* Nests of the program with something to choose, for the set that is searched, and not in the profile yet. */
typedef struct Task {
    int op;
    HostNest *nest;
    const NestSpace *space;
} Task;

/* Nests are dealt out whatever is known of them: the same ones each time. */
static bool is_ours(const TuneOptions *tuning, int number) { return number % tuning->shards == tuning->shard - 1; }

static Vec tasks_of(NestTuner *t)
{
    const PlanOptions plan = tuner_plan_options(t->opt);
    Vec tasks = {0};
    int number = 0;
    for (int op = 0; op < t->program->noperators; op++)
        for (int i = 0; i < t->program->operators[op].plan->nhost_nests; i++) {
            HostNest *nest = t->program->operators[op].plan->host_nests[i];
            const bool ours = is_ours(&t->opt->tuning, number++);
            const NestSpace *space = ours ? nest_space(t->ir, nest, t->set, &plan) : NULL;
            NestKnobs known;
            if (!space || (!t->opt->tuning.again && knobs_get(t->ir->arena, t->profile, nest, t->set, CLASS_ALL, &known)))
                continue;
            Task *task = arena_alloc(t->ir->arena, sizeof *task);
            *task = (Task){op, nest, space};
            vec_push(t->ir->arena, &tasks, task);
        }
    return tasks;
}

/* Is nest number `pair`, as the operators have them one behind the other, one of this shard's? */
static bool search_nests(NestTuner *t)
{
    const Vec tasks = tasks_of(t);
    double total = 0;
    bool ok = true;
    for (int i = 0; i < tasks.count; i++)
        total += search_measurements(t->opt, space_size(t->ir->arena, ((const Task *)tasks.items[i])->space->chain));
    t->progress = progress_begin(total);
    for (int i = 0; ok && i < tasks.count && !is_over(t->deadline); i++) {
        const Task *task = tasks.items[i];
        ok = search_nest(t, task->op, task->nest, task->space);
    }
    progress_end(&t->progress);
    return ok;
}

/* The instruction set of --isa, else the best that this machine has. */
static bool choose_set(NestTuner *t)
{
    const NestShape *shape = t->shapes.items[0];
    if (!tuner_load(t, NULL) || session_number(t->session, arena_printf(t->ir->arena, "extents %d %s", shape->op, shape->extents)) < 0)
        return false;
    for (int set = 0; set < SET_COUNT; set++) {
        t->set = (VectorSetId)set;
        const bool wanted = !t->opt->tuning.isa || strcmp(t->opt->tuning.isa, vector_sets[set].name) == 0;
        if (wanted && session_number(t->session, arena_printf(t->ir->arena, "time 0 0 %d 1", vector_sets[set].isa)) > 0)
            return true;
    }
    tune_complain("this machine has no such instruction set", "leave --isa away");
    t->status = USER_FAULT;
    return false;
}

static int search_in(NestTuner *t)
{
    const char *path;
    t->status = form_program(t->ir->arena, &t->maker, &path);
    if (t->status != DONE)
        return t->status;
    t->session = session_begin(t->ir->arena, path, t->opt->tuning.quick ? 20000 : 2000000);
    if (!t->session)
        return USER_FAULT;
    const bool done = describe_machine(t->ir->arena, t->session, compile_words(t->ir->arena, t->opt), t->profile) && choose_set(t) &&
                      search_nests(t);
    session_end(t->session);
    unlink(path);
    return done ? DONE : t->status != DONE ? t->status : USER_FAULT;
}

bool tune_has_nests(Ir *ir, const Options *opt, Program *program)
{
    const PlanOptions plan = tuner_plan_options(opt);
    for (int op = 0; op < program->noperators; op++)
        for (int i = 0; i < program->operators[op].plan->nhost_nests; i++)
            for (int set = 0; set < SET_COUNT; set++)
                if (nest_space(ir, program->operators[op].plan->host_nests[i], (VectorSetId)set, &plan))
                    return true;
    return false;
}

int tune_nests_run(Ir *ir, const Options *opt, const SpecText *spec, Program *program, Profile *profile, TuneReport *report)
{
    NestTuner t = {
        .ir = ir, .opt = opt, .program = program, .maker = {opt, spec, child_folder(ir->arena)}, .profile = profile, .report = report};
    if (!t.maker.folder) {
        tune_complain(strerror(errno), "TMPDIR names a folder for temporary files");
        return USER_FAULT;
    }
    if (!form_table_open(opt, "isa", knob_names(ir->arena), KNOB_COUNT, &t.table))
        return USER_FAULT;
    t.deadline = opt->tuning.budget ? measure_clock() + 1e9 * opt->tuning.budget : 0;
    const int status = nest_shapes(ir->arena, program->unit, opt->tuning.shapes, &t.shapes) ? search_in(&t) : USER_FAULT;
    if (t.table)
        fclose(t.table);
    rmdir(t.maker.folder);
    const bool has_ended = status == DONE || session_signal();
    return has_ended && !tune_report_save(report, profile) ? USER_FAULT : status;
}
