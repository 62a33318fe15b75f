/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of plan/passes.def as functions, and what runs and verifies them. */
#include "gen/driver/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "depend/scope.h"
#include "fuse/inline_helpers.h"
#include "ir/libm.h"
#include "ir/simplify.h"
#include "emit/stage_kind.h"
#include "gen/driver/between_passes.h"
#include "gen/driver/form_costs.h"
#include "gen/driver/grid_choice.h"
#include "gen/driver/licm_defaults.h"
#include "gen/driver/nest_choice.h"
#include "gen/driver/pass_list.h"
#include "gen/driver/place_producers.h"
#include "gen/driver/plan_versions.h"
#include "gen/driver/rename.h"
#include "gen/driver/set_list.h"
#include "ir/check.h"
#include "ir/walk.h"
#include "licm/licm.h"
#include "normalize/flat.h"
#include "normalize/normalize.h"
#include "plan/add_remark.h"
#include "plan/chains/chains.h"
#include "plan/lower/pack_ahead.h"
#include "plan/lower/attention.h"
#include "plan/lower/group_products.h"
#include "plan/lower/lower.h"
#include "plan/split/find_ragged.h"
#include "plan/split/rescaled_sums.h"
#include "plan/entry.h"
#include "plan/entry_guard.h"
#include "plan/grid/split_device.h"
#include "plan/kernels/choice.h"
#include "plan/vectors/class_forms.h"
#include "plan/nests/pipelined_nests.h"
#include "plan/nests/recurrence_elimination.h"
#include "plan/nests/recurrence_interchange.h"
#include "plan/nests/reduction_jamming.h"
#include "plan/nests/split_host.h"
#include "plan/vectors/vector_nest.h"
#include "plan/producers.h"
#include "plan/own_counters.h"
#include "plan/signed_loops.h"
#include "plan/solve.h"
#include "plan/compound_sums.h"
#include "plan/forward_substitution.h"
#include "plan/held_elements.h"
#include "plan/guard_splitting.h"
#include "plan/index_set_restriction.h"
#include "plan/loop_rerolling.h"
#include "plan/masked_softmax.h"
#include "plan/operand_substitution.h"
#include "plan/residue_splitting.h"
#include "plan/strip_joining.h"
#include "plan/vectors/short_calls.h"
#include "plan/targets.h"
#include "plan/upward.h"
#include "plan/flag_reduction.h"
#include "plan/wide_sums.h"
#include "tune/fuse_lines.h"
#include "tune/nest_lines.h"

typedef struct Context {
    Ir *ir;
    const Options *opt;
    Program *program;
    PlanOptions plan;
    PassWatch watch;
    Versions versions;
    LicmOptions licm;
    GridChooser grids;
    NestChooser nests;
} Context;

typedef struct Visit {
    void (*run)(Context *, Operator *, Func *);
    Context *c;
    Operator *op;
} Visit;

static void run_on(void *user, Func *f)
{
    const Visit *v = user;
    v->run(v->c, v->op, f);
}

static void begin_plan(Context *c, Operator *op, Func *f)
{
    op->source = f->body;
    note_entry_facts(f);
    op->guard = take_guard(c->ir, f);
    for (int i = 0; i < f->nparams && !c->plan.cuda; i++)
        if (f->params[i]->rank && f->params[i]->is_constant && !f->packed)
            f->packed = sym_new(c->ir, S_PARAM, T_INT, "packed", f->loc);
}

static void take_version(Context *c, Operator *op, Func *f)
{
    const Version *version = version_of(&c->versions, op, f);
    op->plan = version->plan;
    f->body = version->planned;
    text_puts(c->watch.out, version->steps.data);
    op->plan->source = op->source;
    /* A load that is moved out of an empty loop reads what the spec would not. */
    if (!c->licm.loads_proven)
        entry_touches(c->ir, op->plan, op->source);
}

static void lower_contractions(Context *c, Operator *op)
{
    for (int i = 0; i < contraction_count(op->plan); i++)
        (c->plan.cuda ? lower_device : lower_host)(c->ir, op->plan, contraction_at(op->plan, i));
}

static void choose_producers(Context *c, Operator *op, Func *f)
{
    op->apart = f->body;
    find_producers(c->ir, op->plan);
    if (!c->plan.cuda)
        choose_placements(c->ir, op->plan, c->opt->planner.kernels.profile);
    place_producers(c->ir, op, &c->plan);
}

static void restore_guard(Context *c, const Operator *op, Func *f)
{
    if (op->guard)
        put_guard(c->ir, f, op->guard);
}

static void make_grids(Context *c, Operator *op, Func *f)
{
    c->grids.func = f;
    split_device(c->ir, op->plan, &c->plan);
}

static bool is_hook(const Plan *plan, const Func *f)
{
    for (int i = 0; i < contraction_count(plan); i++)
        for (int h = 0; h < HOOK_COUNT; h++)
            if (contraction_at(plan, i)->lowered.hooks[h].func == f)
                return true;
    return false;
}

static Node *linear_body(Context *c, Operator *op, Func *f)
{
    const bool by_strides = !c->plan.cuda && !is_hook(op->plan, f); /* hooks go through panels, row by row */
    return linearize(c->ir, &op->linear, f->body, by_strides);
}

static bool find_loop(void *user, Node *n)
{
    const Node **loop = user;
    if (n->kind == N_FOR && !*loop)
        *loop = n;
    return !*loop && !is_expr(n);
}

/* The nest's first loop, which statements may come before. */
static Loc loc_of_loops(const HostNest *nest)
{
    const Node *loop = NULL;
    walk(&(Walker){.pre = find_loop, .user = &loop}, nest->loops->body);
    return loop ? loop->loc : nest->loc;
}

static void remark_chosen(Context *c, Plan *plan, const HostNest *nest)
{
    Arena *arena = c->ir->arena;
    for (int set = 0; set < SET_COUNT; set++) {
        const char *chosen = chosen_words(arena, &nest->chosen, (VectorSetId)set);
        const NestExpectation *expected = nest->chosen.expected[set];
        const char *by = expected ? arena_printf(arena, "by the built-in model, which expects %.2f times the speed", expected->speed)
                                  : "by the profile";
        if (chosen && loops_are_held(c->plan.held, (VectorSetId)set))
            add_remark(c->ir, &plan->remarks, loc_of_loops(nest), REMARK_OPTIMIZED, true,
                       arena_printf(arena, "chosen for %s %s: %s", vector_sets[set].name, by, chosen));
    }
}

/* Forms are compared with what is planned, whatever the profile says about the nest. */
static void forget_compared(Plan *plan, const NestForms *forms)
{
    for (int i = 0; forms && i < host_nest_count(plan); i++)
        if (host_nest_at(plan, i)->fingerprint == forms->fingerprint)
            host_nest_at(plan, i)->chosen.knobs[forms->set] = (NestKnobs){{KNOB_PLANNED}};
}

static void choose_for_nests(Context *c, Operator *op)
{
    c->plan.costs = host_nest_count(op->plan) ? form_costs(c->ir, op->plan) : NULL;
    choose_knobs(c->ir, op->plan, c->opt->planner.kernels.profile);
    choose_by_model(&c->nests, c->ir, op->plan, &c->plan);
    forget_compared(op->plan, c->plan.forms);
    for (int i = 0; c->opt->look.remarks && i < host_nest_count(op->plan); i++)
        remark_chosen(c, op->plan, host_nest_at(op->plan, i));
}

/* Besides the form as chosen: those that are to be compared, else those for classes of calls. */
static void add_forms(Context *c, HostNest *nest)
{
    const NestForms *forms = c->plan.forms;
    if (!forms || forms->fingerprint != nest->fingerprint) {
        vectorize_classes(c->ir, nest, &c->plan);
        return;
    }
    nest->chosen.compared = forms;
    for (int i = 0; i < forms->count; i++)
        vectorize_more(c->ir, nest, forms->set, &forms->knobs[i], &c->plan);
}

static void vectorize_operator(Context *c, Operator *op)
{
    c->plan.costs = host_nest_count(op->plan) ? form_costs(c->ir, op->plan) : NULL;
    for (int i = 0; i < host_nest_count(op->plan); i++) {
        vectorize_nest(c->ir, op->plan, host_nest_at(op->plan, i), &c->plan);
        add_forms(c, host_nest_at(op->plan, i));
        unroll_scalar_nest(c->ir, host_nest_at(op->plan, i), &c->plan);
    }
    for (int i = 0; i < contraction_count(op->plan); i++)
        vectorize_hooks(c->ir, op->plan, contraction_at(op->plan, i), &c->plan);
}

/* ---------------------------------------------------------------- the rows */

#define STEP(name, when, then, code, what) \
    static void run_##name(Context *c, Operator *op, Func *f) \
    { \
        Ir *ir = c->ir; \
        (void)ir, (void)op, (void)f; \
        code; \
    }
#define PASS STEP
#include "plan/passes.def"

static const struct Row {
    const char *name, *what;
    RowKind kind;
    unsigned when, then;
    void (*run)(Context *, Operator *, Func *); /* NULL: those below, or a function of the row above */
} rows[] = {
#define PASS(name, when, then, code, what) {#name, what, ROW_PASS, when, then, run_##name},
#define GROUP(name, what)                  {#name, what, ROW_GROUP, ALWAYS, AS_BEFORE, NULL},
#define STEP(name, when, then, code, what) {#name, what, ROW_STEP, when, then, run_##name},
#define PLAN_STEP(name, code, what)        {#name, what, ROW_INNER, ALWAYS, AS_BEFORE, NULL},
#define NEST_STEP(name, code, what)        {#name, what, ROW_INNER, ON_C, AS_BEFORE, NULL},
#define GRID_STEP(name, code, what)        {#name, what, ROW_INNER, ON_CUDA, AS_BEFORE, NULL},
#define DEVICE_STEP(name, code, what)      {#name, what, ROW_INNER, ON_CUDA, AS_BEFORE, NULL},
#define FORM_STEP(name, code, what)        {#name, what, ROW_INNER, ON_C, AS_BEFORE, NULL},
#include "plan/passes.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool applies(const Context *c, unsigned when)
{
    return !(when & (c->plan.cuda ? ON_C : ON_CUDA)) && !(when & MAY_FUSE && c->opt->planner.fuse_off) &&
           !(when & MAY_HOIST && c->licm.mode == LICM_OFF);
}

/* All operators through one row. False after an error. */
static bool run_row(Context *c, const struct Row *row)
{
    PassWatch then = c->watch;
    then.form |= row->then;
    for (int i = 0; i < c->program->noperators; i++) {
        Operator *op = &c->program->operators[i];
        Func *f = c->program->unit->funcs[i];
        row->run(c, op, f);
        if (row->when & EACH_BODY)
            stages_visit(op->plan, &(FuncVisitor){run_on, &(Visit){row->run, c, op}});
        if (diag_errors(c->ir->diag))
            return false;
        check_operator(c->ir, op, f, row->name, &then);
    }
    c->watch.form = then.form;
    return true;
}

/* The row that --dump-after names; behind the last: none. */
static int named_row(const char *name)
{
    int row = 0;
    while (row < ROWS && !(name && strcmp(rows[row].name, name) == 0))
        row++;
    return row;
}

/* Of a group all steps. */
static int last_row(int row)
{
    if (row < ROWS && rows[row].kind == ROW_GROUP)
        while (row + 1 < ROWS && rows[row + 1].kind >= ROW_STEP)
            row++;
    return row;
}

/* Trees behind the row that --dump-after names; those of inner steps have been printed in their course. */
static void dump_row(Context *c, const struct Row *row)
{
    Text *out = c->watch.out;
    for (int i = 0; row->kind != ROW_INNER && i < c->program->noperators; i++)
        dump_operator(c->ir, &c->program->operators[i], c->program->unit->funcs[i], &c->plan, row->name, out);
    if (!out->size)
        text_printf(out, "// nothing goes through %s\n", row->name);
}

static MathForm math_of(const PlannerOptions *planner, const Wishes *wishes)
{
    if (planner->fp_strict)
        return MATH_LIBM;
    return planner->math != MATH_UNSAID ? planner->math : wishes->math ? math_form_named(wishes->math) : MATH_VECTOR;
}

bool pipeline_run(Ir *ir, const Options *opt, Unit *unit, Program *program, Text *dump)
{
    const char *target = opt->planner.target ? opt->planner.target : unit->wishes.target ? unit->wishes.target : "cuda";
    program->unit = unit;
    program->cuda = strcmp(target, "cuda") == 0;
    program->arch = opt->planner.arch ? opt->planner.arch : unit->wishes.arch ? unit->wishes.arch : "sm_80";
    program->held = program->cuda ? 0 : set_list_of(ir, opt, unit);
    program->math = math_of(&opt->planner, &unit->wishes);
    for (int i = 0; i < unit->nfuncs && program->math == MATH_FAST; i++)
        make_fast_forms(ir, unit->funcs[i]->body);
    program->noperators = unit->nfuncs;
    program->operators = arena_new_array(ir->arena, Operator, unit->nfuncs);
    Context c = {.ir = ir, .opt = opt, .program = program, .licm = licm_options_of(&opt->licm, program->cuda, true)};
    const char *arch = opt->planner.arch ? opt->planner.arch : unit->wishes.arch;
    c.grids = (GridChooser){.profile = opt->planner.kernels.profile,
                            .gpu = arch ? gpu_of_capability(atoi(arch + strlen("sm_"))) : -1,
                            .search = opt->planner.grids};
    c.nests = (NestChooser){.models = opt->planner.nest_models, .profile = opt->planner.kernels.profile};
    c.plan = (PlanOptions){.cuda = program->cuda,
                           .held = program->held,
                           .remarks = opt->look.remarks,
                           .fp_strict = opt->planner.fp_strict,
                           .math = program->math,
                           .tf32 = opt->planner.tf32,
                           .winograd = opt->planner.winograd,
                           .stack = opt->planner.stack,
                           .forms = opt->planner.forms,
                           .licm = c.licm.mode == LICM_OFF ? NULL : &c.licm,
                           .grid_knobs = choose_grid,
                           .grid_user = &c.grids,
                           .grid_forms = opt->planner.grids ? opt->planner.grids->forms : NULL,
                           .ngrid_forms = opt->planner.grids ? opt->planner.grids->nforms : 0};
    Map verified = {0};
    c.watch = (PassWatch){.verified = &verified, .dump = opt->look.dump_after, .out = dump};
    c.plan.watch = &c.watch;
    c.versions = (Versions){.ir = ir, .plan = &c.plan, .fuse_off = opt->planner.fuse_off};
    const int named = named_row(opt->look.dump_after), last = last_row(named);
    for (int row = 0; row < ROWS && row <= last; row++)
        if (rows[row].run && applies(&c, rows[row].when) && !run_row(&c, &rows[row]))
            return false;
    if (named < ROWS) {
        dump_row(&c, &rows[named]);
        return true;
    }
    check_names(ir, opt, program);
    return diag_errors(ir->diag) == 0;
}

void pipeline_kernels(const Program *program, Kernels *kernels)
{
    for (int i = 0; !program->cuda && i < program->noperators; i++)
        for (int j = 0; j < contraction_count(program->operators[i].plan); j++)
            choose_kernels(kernels, contraction_at(program->operators[i].plan, j));
}
