/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two tables of passes, for operators and for kept functions, and what runs and verifies them. */
#include "gen/driver/pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "depend/scope.h"
#include "fuse/inline_helpers.h"
#include "fuse/fuse_loops.h"
#include "fuse/in_place.h"
#include "fuse/merge.h"
#include "fuse/array_contraction.h"
#include "fuse/simplify.h"
#include "emit/stage_kind.h"
#include "gen/driver/between_passes.h"
#include "gen/driver/grid_choice.h"
#include "gen/driver/nest_choice.h"
#include "gen/driver/place_producers.h"
#include "gen/driver/rename.h"
#include "gen/driver/set_list.h"
#include "ir/check.h"
#include "ir/walk.h"
#include "licm/licm.h"
#include "normalize/flat.h"
#include "normalize/normalize.h"
#include "normalize/sign.h"
#include "plan/add_remark.h"
#include "plan/chains/chains.h"
#include "plan/lower/pack_ahead.h"
#include "plan/lower/attention.h"
#include "plan/lower/group_products.h"
#include "plan/lower/lower.h"
#include "plan/split/operator.h"
#include "plan/split/find_ragged.h"
#include "plan/entry.h"
#include "plan/entry_guard.h"
#include "plan/grid/scalar_cells.h"
#include "plan/grid/split_device.h"
#include "plan/kernels/choice.h"
#include "plan/vectors/class_forms.h"
#include "plan/nests/pipelined_nests.h"
#include "plan/nests/split_host.h"
#include "plan/vectors/vector_nest.h"
#include "plan/producers.h"
#include "plan/own_counters.h"
#include "plan/signed_loops.h"
#include "plan/solve.h"
#include "plan/forward_substitution.h"
#include "plan/targets.h"
#include "plan/temporary.h"
#include "plan/upward.h"
#include "plan/wide_sums.h"
#include "tune/fuse_lines.h"
#include "tune/nest_lines.h"

typedef struct Context {
    Ir *ir;
    const Options *opt;
    Program *program;
    PlanOptions plan;
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

static void pass_parse(Context *c, Operator *op, Func *f) { (void)c, (void)op, (void)f; /* the front end has done it */ }

static void pass_expand(Context *c, Operator *op, Func *f)
{
    (void)op;
    inline_helpers(c->ir, f);
}

static void pass_rename(Context *c, Operator *op, Func *f)
{
    (void)op;
    rename_symbols(c->ir, c->opt, c->program, f);
}

static void pass_simplify(Context *c, Operator *op, Func *f)
{
    (void)op;
    f->body = simplify(c->ir, f->body);
}

/* Local arrays that will be left of the plan's. */
static int arrays_left(Context *c, const Plan *plan, Node *body)
{
    const Vec arrays = temporaries_of_loops(c->ir, plan);
    const FuseInput in = {.strict = c->plan.fp_strict, .for_threads = c->plan.cuda, .arrays = &arrays};
    Vec left = {0};
    fuse_loops(c->ir, body, &in, &left, NULL);
    return plan->ntemporaries - arrays.count + left.count;
}

/* What is done with each element of a product in loops of its own becomes part of it where that saves an array, unless that hides the
 * product. */
static Plan *plan_merged(Context *c, Func *f)
{
    Node *apart = f->body;
    Plan *plain = plan_operator(c->ir, f, &c->plan), *plan;
    Node *planned = f->body;
    f->body = apart;
    f->body = narrow_scopes(c->ir, f);
    Node *merged = merge_pointwise(c->ir, f->body, c->plan.fp_strict);
    if (c->opt->planner.fuse_off || !contraction_count(plain) || merged == f->body) {
        f->body = planned;
        return plain;
    }
    f->body = shrink_own_arrays(c->ir, merged);
    plan = plan_operator(c->ir, f, &c->plan);
    if (contraction_count(plan) >= contraction_count(plain) && arrays_left(c, plan, f->body) < arrays_left(c, plain, planned))
        return plan;
    f->body = planned;
    return plain;
}

static bool is_operand(const Plan *plan, const Sym *array)
{
    bool yes = false;
    for (int i = 0; i < contraction_count(plan); i++)
        yes = yes || reads_array(contraction_at(plan, i)->a.value, array) || reads_array(contraction_at(plan, i)->b.value, array);
    return yes;
}

/* The body with some product's operand in the place of another one's outputs, of which it is made element by element; NULL: there is
 * none. */
static Node *body_in_place(Context *c, const Plan *plan, Node *body)
{
    Node *placed = NULL;
    for (int i = 0; i < contraction_count(plan) && !placed; i++)
        for (int j = 0; j < plan->ntemporaries && !placed; j++) {
            Sym *from = contraction_at(plan, i)->c.array, *to = plan->temporaries[j].array;
            placed = from && is_operand(plan, to) ? store_in_place(c->ir, body, from, to) : NULL;
        }
    return placed;
}

/* Blocks of rows that go from product to product take half the room then. */
static Plan *plan_in_place(Context *c, Func *f)
{
    Node *body = f->body;
    Plan *plan = plan_merged(c, f);
    while ((body = body_in_place(c, plan, body)) != NULL) {
        Node *planned = f->body;
        f->body = body;
        Plan *again = plan_merged(c, f);
        if (contraction_count(again) < contraction_count(plan)) {
            f->body = planned;
            break;
        }
        plan = again;
    }
    return plan;
}

/* On a GPU what a contraction reads of scalars that the host does not know is in memory. */
static Plan *plan_of_device(Context *c, Func *f)
{
    Node *body = f->body;
    Plan *plan = plan_merged(c, f);
    Node *in_cells = scalars_in_cells(c->ir, plan, body);
    if (in_cells == body)
        return plan;
    f->body = in_cells;
    return plan_merged(c, f);
}

static void pass_plan(Context *c, Operator *op, Func *f)
{
    Node *source = f->body;
    note_entry_facts(f);
    op->guard = take_guard(c->ir, f);
    f->body = signed_loops(c->ir, own_counters(c->ir, solve_conditions(c->ir, f->body)));
    f->body = count_upward(c->ir, wide_sums(c->ir, f->body), c->plan.fp_strict);
    if (!c->plan.cuda)
        f->body = substitute_forward(c->ir, f->body);
    for (int i = 0; i < f->nparams && !c->plan.cuda; i++)
        if (f->params[i]->rank && f->params[i]->is_constant && !f->packed)
            f->packed = sym_new(c->ir, S_PARAM, T_INT, "packed", f->loc);
    op->plan = c->plan.cuda ? plan_of_device(c, f) : c->opt->planner.fuse_off ? plan_merged(c, f) : plan_in_place(c, f);
    op->plan->source = source;
    /* A load that is moved out of an empty loop reads what the spec would not. */
    if (!c->licm.loads_proven)
        entry_touches(c->ir, op->plan, source);
}

static void pass_lower(Context *c, Operator *op, Func *f)
{
    (void)f;
    for (int i = 0; i < contraction_count(op->plan); i++)
        (c->plan.cuda ? lower_device : lower_host)(c->ir, op->plan, contraction_at(op->plan, i));
}

static void pass_fuse(Context *c, Operator *op, Func *f)
{
    if (c->opt->planner.fuse_off)
        return;
    op->apart = f->body;
    find_producers(c->ir, op->plan);
    if (!c->plan.cuda)
        choose_placements(c->ir, op->plan, c->opt->planner.kernels.profile);
    f->body = place_producers(c->ir, op, &c->plan);
}

static void pass_nests(Context *c, Operator *op, Func *f)
{
    find_ragged(c->ir, op->plan, &c->plan);
    if (c->plan.cuda) {
        c->grids.func = f;
        split_device(c->ir, op->plan, &c->plan);
        if (!c->opt->planner.fuse_off) {
            group_products(c->ir, op->plan);
            find_attention(c->ir, op->plan);
        }
        leave_constants(c->ir, op->plan);
    } else {
        split_host(c->ir, op->plan, &c->plan);
        if (!c->opt->planner.fuse_off) {
            make_chains(c->ir, op->plan, &c->plan);
            pipeline_nests(c->ir, op->plan, &c->plan);
        }
        pack_constants(c->ir, op->plan);
    }
    if (!c->opt->planner.fuse_off)
        stages_find(c->ir, op->plan, &c->plan);
    if (op->guard)
        put_guard(c->ir, f, op->guard);
}

static bool is_hook(const Plan *plan, const Func *f)
{
    for (int i = 0; i < contraction_count(plan); i++)
        for (int h = 0; h < HOOK_COUNT; h++)
            if (contraction_at(plan, i)->lowered.hooks[h].func == f)
                return true;
    return false;
}

static void pass_linearize(Context *c, Operator *op, Func *f)
{
    const bool by_strides = !c->plan.cuda && !is_hook(op->plan, f); /* hooks go through panels, row by row */
    /* Of a loop's pieces, some need less than the whole did. */
    f->body = drop_unused(c->ir, simplify(c->ir, linearize(c->ir, &op->linear, f->body, by_strides)));
}

static void pass_normalize(Context *c, Operator *op, Func *f)
{
    (void)op;
    if (c->licm.mode != LICM_OFF)
        f->body = normalize(c->ir, f, f->body, &c->licm);
}

static void pass_licm(Context *c, Operator *op, Func *f)
{
    (void)op;
    if (c->licm.mode != LICM_OFF)
        f->body = flat_chains(c->ir, licm(c->ir, f, f->body, &c->licm), &c->licm);
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
        const char *chosen = chosen_words(arena, nest, (VectorSetId)set);
        const NestExpectation *expected = nest->expected[set];
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
            host_nest_at(plan, i)->knobs[forms->set] = (NestKnobs){{KNOB_PLANNED}};
}

static void pass_choose(Context *c, Operator *op, Func *f)
{
    (void)f;
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
    nest->compared = forms;
    for (int i = 0; i < forms->count; i++)
        vectorize_more(c->ir, nest, forms->set, &forms->knobs[i], &c->plan);
}

static void pass_vectors(Context *c, Operator *op, Func *f)
{
    (void)f;
    for (int i = 0; i < host_nest_count(op->plan); i++) {
        vectorize_nest(c->ir, op->plan, host_nest_at(op->plan, i), &c->plan);
        add_forms(c, host_nest_at(op->plan, i));
    }
    for (int i = 0; !c->plan.cuda && i < contraction_count(op->plan); i++)
        vectorize_hooks(c->ir, op->plan, contraction_at(op->plan, i), &c->plan);
}

/* The pipeline. `bodies`: the pass rewrites function bodies, hooks included once they exist; otherwise it
 * works on the operator as a whole. `inlined`: no helper calls are left after it. */
/* clang-format off */
static const struct Pass {
    const char *name;
    void (*run)(Context *, Operator *, Func *);
    bool bodies, inlined;
} passes[] = {
    {"parse", pass_parse, false, false},
    {"expand", pass_expand, false, true},
    {"rename", pass_rename, false, true},
    {"simplify", pass_simplify, false, true},
    {"plan", pass_plan, false, true},
    {"lower", pass_lower, false, true},
    {"fuse", pass_fuse, false, true},
    {"nests", pass_nests, false, true},
    {"linearize", pass_linearize, true, true},
    {"normalize", pass_normalize, true, true},
    {"licm", pass_licm, true, true},
    {"choose", pass_choose, false, true},
    {"vectors", pass_vectors, false, true},
};
/* clang-format on */

static Node *keep_parse(Ir *ir, Func *f, const LicmOptions *opt)
{
    (void)ir, (void)opt; /* the front end has done it */
    return f->body;
}

static Node *keep_signs(Ir *ir, Func *f, const LicmOptions *opt)
{
    (void)opt;
    return int_where_proven(ir, f->body);
}

static Node *keep_normalize(Ir *ir, Func *f, const LicmOptions *opt) { return normalize(ir, f, f->body, opt); }

/* The output is meant to be read by people and by mikgen again: nothing must be left to do. What one round moves
 * may change the order in which the next one sorts (a guard that now reads a temporary), seldom and not often. */
static Node *keep_licm(Ir *ir, Func *f, const LicmOptions *opt)
{
    enum { ROUNDS = 8 };
    LicmOptions silent = *opt;
    silent.notes = NULL;
    Node *body = licm(ir, f, f->body, opt), *before = NULL;
    for (int i = 0; i < ROUNDS && body != before; i++) {
        before = body;
        body = licm(ir, f, normalize(ir, f, body, &silent), &silent);
    }
    return flat_chains(ir, body, opt);
}

/* The pipeline of kept functions. `cuda`: of CUDA only. */
/* clang-format off */
static const struct KeepPass {
    const char *name;
    Node *(*run)(Ir *, Func *, const LicmOptions *);
    bool cuda;
} keep_passes[] = {
    {"parse", keep_parse, false},
    {"signs", keep_signs, true},
    {"normalize", keep_normalize, false},
    {"licm", keep_licm, false},
};
/* clang-format on */

const char *const *pipeline_passes(Arena *arena, bool keep_loops)
{
    Vec names = {0};
    for (size_t i = 0; keep_loops && i < sizeof keep_passes / sizeof *keep_passes; i++)
        vec_push(arena, &names, (void *)keep_passes[i].name);
    for (size_t i = 0; !keep_loops && i < sizeof passes / sizeof *passes; i++)
        vec_push(arena, &names, (void *)passes[i].name);
    vec_push(arena, &names, NULL);
    return (const char *const *)names.items;
}

/* The options with what the target decides where the user has not. */
static LicmOptions licm_options(const LicmOptions *given, bool cuda, bool emitted)
{
    LicmOptions licm = *given;
    if (licm.chains == CHAINS_BY_TARGET)
        licm.chains = emitted && !cuda ? CHAINS_GROUPED : CHAINS_FLAT;
    if (licm.overflow == OVERFLOW_BY_TARGET)
        licm.overflow = cuda && !emitted ? OVERFLOW_CONDITIONS : OVERFLOW_WRAP;
    if (licm.small == SMALL_BY_TARGET)
        licm.small = cuda && licm.overflow != OVERFLOW_CONDITIONS ? SMALL_REFINED : SMALL_CONDITIONS;
    if (licm.unroll_limit < 0)
        licm.unroll_limit = cuda || (licm.mode == LICM_FULL && licm.small == SMALL_CONDITIONS) ? 4 : 0;
    if (licm.fp == FP_BY_TARGET)
        licm.fp = emitted ? FP_SPECULATIVE : FP_EXACT;
    licm.shows_steps = !emitted && !cuda;
    return licm;
}

bool pipeline_run(Ir *ir, const Options *opt, Unit *unit, Program *program, Text *dump)
{
    const char *target = opt->planner.target ? opt->planner.target : unit->wishes.target ? unit->wishes.target : "cuda";
    program->unit = unit;
    program->cuda = strcmp(target, "cuda") == 0;
    program->arch = opt->planner.arch ? opt->planner.arch : unit->wishes.arch ? unit->wishes.arch : "sm_80";
    program->held = program->cuda ? 0 : set_list_of(ir, opt, unit);
    program->noperators = unit->nfuncs;
    program->operators = arena_new_array(ir->arena, Operator, unit->nfuncs);
    Context c = {.ir = ir, .opt = opt, .program = program, .licm = licm_options(&opt->licm, program->cuda, true)};
    const char *arch = opt->planner.arch ? opt->planner.arch : unit->wishes.arch;
    c.grids = (GridChooser){.profile = opt->planner.kernels.profile,
                            .gpu = arch ? gpu_of_capability(atoi(arch + strlen("sm_"))) : -1,
                            .search = opt->planner.grids};
    c.nests = (NestChooser){.models = opt->planner.nest_models, .profile = opt->planner.kernels.profile};
    c.plan = (PlanOptions){.cuda = program->cuda,
                           .held = program->held,
                           .remarks = opt->look.remarks,
                           .fp_strict = opt->planner.fp_strict,
                           .math_libm = opt->planner.math_libm || opt->planner.fp_strict,
                           .tf32 = opt->planner.tf32,
                           .stack = opt->planner.stack,
                           .forms = opt->planner.forms,
                           .grid_knobs = choose_grid,
                           .grid_user = &c.grids,
                           .grid_forms = opt->planner.grids ? opt->planner.grids->forms : NULL,
                           .ngrid_forms = opt->planner.grids ? opt->planner.grids->nforms : 0};
    for (size_t p = 0; p < sizeof passes / sizeof *passes; p++) {
        for (int i = 0; i < unit->nfuncs; i++) {
            Operator *op = &program->operators[i];
            Func *f = unit->funcs[i];
            passes[p].run(&c, op, f);
            if (passes[p].bodies)
                stages_visit(op->plan, &(FuncVisitor){run_on, &(Visit){passes[p].run, &c, op}});
            if (diag_errors(ir->diag))
                return false;
            check_operator(ir, op, f, passes[p].name, passes[p].inlined);
            if (opt->look.dump_after && strcmp(opt->look.dump_after, passes[p].name) == 0)
                dump_operator(ir, op, f, &c.plan, passes[p].name, dump);
        }
        if (opt->look.dump_after && strcmp(opt->look.dump_after, passes[p].name) == 0)
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

static bool is_call(void *user, Node *n)
{
    *(bool *)user |= n->kind == N_CALL;
    return true;
}

/* Does nvcc gain by such a move? Sums, products and quotients it moves by itself, and knows more of them where they stand; a single comparison,
 * too. Branches it does not, nor conditions of several; nor loads, of which it cannot know what ours do; nor calls. */
static bool is_gain(const LicmNote *note)
{
    bool has_call = false;
    walk(&(Walker){.pre = is_call, .user = &has_call}, note->e);
    const bool is_condition = kind_info[note->e->kind].flags & F_REL && note->cost > 1;
    return note->loop && (note->is_branch || is_condition || note->e->has & HAS_LOAD || has_call);
}

/* licm on a function of CUDA whose body was `own`. If all that moves is what nvcc moves by itself, the function stays as it was:
 * whether another text of the same becomes an instruction or a register more or less is chance. */
static void keep_gains(Ir *ir, Func *f, Node *own, const LicmOptions *licm)
{
    const Vec *notes = licm->notes;
    const int before = notes->count;
    f->body = keep_licm(ir, f, licm);
    bool gains = false;
    for (int i = before; i < notes->count; i++)
        gains |= is_gain(notes->items[i]);
    if (gains)
        return;
    f->body = own;
    for (int i = before; i < notes->count; i++) {
        LicmNote *note = notes->items[i];
        if (note->loop)
            *note = (LicmNote){.e = note->e, .stmt = note->stmt, .from = note->from, .to = note->from, .cost = note->cost, .rule = "nvcc"};
    }
}

/* The options for one function: what its text says of floating-point exceptions goes before what others say. */
static LicmOptions licm_options_of(const Func *f, const LicmOptions *licm, const LicmOptions *given)
{
    LicmOptions own = *licm;
    if (f->accesses_fenv)
        own.fp = FP_NONE;
    else if (f->is_device && given->fp == FP_BY_TARGET) /* GPUs have no such exceptions */
        own.fp = FP_SPECULATIVE;
    return own;
}

static void keep_pass(Ir *ir, const struct KeepPass *pass, Func *f, Node *own, bool cuda, const LicmOptions *licm)
{
    if (cuda && licm->overflow == OVERFLOW_CONDITIONS && pass->run == keep_licm)
        keep_gains(ir, f, own, licm);
    else
        f->body = pass->run(ir, f, licm);
}

bool pipeline_keep(Ir *ir, const Options *opt, Source *source)
{
    LicmOptions licm = licm_options(&opt->licm, source->cuda, false);
    Vec notes = {0};
    if (source->cuda && !licm.notes)
        licm.notes = &notes;
    Node **own = arena_new_array(ir->arena, Node *, source->functions.count + 1);
    for (size_t p = 0; p < sizeof keep_passes / sizeof *keep_passes; p++) {
        for (int i = 0; i < source->functions.count; i++) {
            Func *f = ((KeptFunc *)source->functions.items[i])->func;
            own[i] = p == 0 ? f->body : own[i];
            const LicmOptions its = licm_options_of(f, &licm, &opt->licm);
            if ((licm.mode != LICM_OFF || p == 0) && (source->cuda || !keep_passes[p].cuda))
                keep_pass(ir, &keep_passes[p], f, own[i], source->cuda, &its);
            check_func(ir, f, true, keep_passes[p].name);
        }
        if (diag_errors(ir->diag))
            return false;
        if (opt->look.dump_after && strcmp(opt->look.dump_after, keep_passes[p].name) == 0)
            break;
    }
    return true;
}
