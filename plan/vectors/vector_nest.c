/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the steps of plan/passes.def over a copy of the loops for each set. */
#include "plan/vectors/vector_nest.h"

#include "depend/scope.h"
#include "ir/check.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/nests/permute_and_tile.h"
#include "plan/targets.h"
#include "plan/vectors/accumulator_promotion.h"
#include "plan/vectors/full_unrolling.h"
#include "plan/vectors/hoist_gathers.h"
#include "plan/vectors/narrow_scalars.h"
#include "plan/vectors/scalar_exactness.h"
#include "plan/vectors/value_numbering.h"
#include "plan/vectors/vectorizer.h"

enum { FEW_NODES = 120, MANY_NODES = 3000 }; /* of what unrolling leaves */

/* The nest's function for a set, before anything is done to its body. */
static Func *form_of(Ir *ir, const HostNest *nest, int set)
{
    Func *f = arena_alloc(ir->arena, sizeof *f);
    *f = *nest->loops;
    f->name = arena_printf(ir->arena, "%s_%s", nest->stem, vector_sets[set].name);
    f->params = arena_new_array(ir->arena, Sym *, f->nparams + 1);
    for (int i = 0; i < f->nparams; i++)
        f->params[i] = nest->loops->params[i];
    if (nest->non_temporal)
        f->params[f->nparams++] = nest->non_temporal;
    return f;
}

#define FORM_STEP(name, code, what) \
    static Node *step_##name(Vectorizer *v, Node *body) \
    { \
        Ir *ir = v->ir; \
        (void)ir; \
        return code; \
    }
#include "plan/passes.def"

static const struct FormStep {
    const char *name;
    Node *(*run)(Vectorizer *, Node *);
} steps[] = {
#define FORM_STEP(name, code, what) {#name, step_##name},
#include "plan/passes.def"
};

static Vectorizer begin(Ir *ir, const HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt)
{
    return (Vectorizer){.ir = ir,
                        .strict = opt->fp_strict,
                        .math_libm = opt->math_libm,
                        .set = set,
                        .known = {.nsyms = ir->nsyms},
                        .nest = nest,
                        .knobs = knobs};
}

/* Of `body`, one of the nest's. NULL: none of the loops is vectorized. */
static Func *run_steps(Vectorizer *v, Node *body, const PassWatch *watch)
{
    Func *form = form_of(v->ir, v->nest, v->set);
    form->body = body;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && form->body; i++) {
        form->body = steps[i].run(v, form->body);
        if (form->body)
            watch_step(v->ir, watch, steps[i].name, form, TREE_PART | TREE_VECTORS);
    }
    return form->body ? form : NULL;
}

/* Are there vectorized loops that fill vectors? */
static bool fills_vectors(const Vectorizer *v) { return v->made.all > v->made.tiny; }

/* With short loops unrolled, if others fill vectors only then. */
static Func *vectorize(Vectorizer *v, const PassWatch *watch)
{
    Vectorizer other = *v;
    Node *body = v->nest->loops->body;
    Func *form = run_steps(v, body, watch);
    Node *unrolled = v->nest->part || fills_vectors(v) ? body : unroll_fully(v->ir, body, MANY_NODES);
    if (unrolled == body)
        return form;
    other.plan = NULL;
    other.table = NULL;
    Func *of_unrolled = run_steps(&other, drop_unused(v->ir, unrolled), watch);
    if (!fills_vectors(&other))
        return form;
    *v = other;
    return of_unrolled;
}

/* The loops as they are, if compilers make better vectors of these; *why. NULL: they do not. */
static Func *left_to_compilers(const Vectorizer *v, const char **why)
{
    const HostNest *nest = v->nest;
    Node *plain = nest->plain ? nest->plain->body : nest->loops->body;
    *why = nest->part ? NULL : compiler_is_better(v->ir, plain, &v->made, v->set, v->strict);
    Func *form = *why ? form_of(v->ir, nest, v->set) : NULL;
    if (form)
        form->body = narrow_scalars(v->ir, plain);
    return form;
}

static bool search_first(void *user, Node *n)
{
    const Node **first = user;
    *first = !*first && n->kind == N_FOR ? n : *first;
    return !*first && !is_expr(n);
}

static void remark_left(Ir *ir, Plan *plan, const HostNest *nest, const Vectorizer *v, const char *why)
{
    const Node *first = NULL;
    walk(&(Walker){.pre = search_first, .user = &first}, nest->source);
    add_remark(ir, &plan->remarks, first ? first->loc : nest->loc, REMARK_OPTIMIZED, false,
               arena_printf(ir->arena, "these loops stay as they are, for the compiler to vectorize: %s; %s come next", why,
                            v->made.all ? "the generator's vectors" : "scalars"));
}

/* What is true of some form. */
static void note_form(HostNest *nest, const Vectorizer *v, const Func *form)
{
    nest->vectors.reorders = nest->vectors.reorders || (form && v->reorders);
    nest->vectors.is_non_temporal = nest->vectors.is_non_temporal ||
                                    (form && nest->non_temporal && uses_sym(form->body, nest->non_temporal));
}

void vectorize_nest(Ir *ir, Plan *plan, HostNest *nest, const PlanOptions *opt)
{
    NestVectors *made = &nest->vectors;
    *made = (NestVectors){.reorders = differs_as_it_is(nest->loops->body)};
    bool first = true;
    for (int set = 0; set < SET_COUNT; set++) {
        if (!loops_are_held(opt->held, (VectorSetId)set))
            continue;
        Vectorizer v = begin(ir, nest, (VectorSetId)set, &nest->chosen.knobs[set], opt);
        v.plan = first && opt->remarks ? plan : NULL;
        v.table = &made->table;
        first = false;
        if (opt->forms && opt->forms->set != (VectorSetId)set)
            continue;
        made->form[set] = vectorize(&v, opt->watch);
        const char *why;
        Func *left = left_to_compilers(&v, &why);
        made->by_compiler[set] = left != NULL;
        if (left && v.plan)
            remark_left(ir, plan, nest, &v, why);
        if (left) {
            made->form[set] = left;
            continue;
        }
        note_form(nest, &v, made->form[set]);
        if (made->form[set] && !nest->part && !made->few)
            made->few = few_iterations(ir, &v.few);
    }
}

void vectorize_more(Ir *ir, HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt)
{
    Vectorizer v = begin(ir, nest, set, knobs, opt);
    Func *form = vectorize(&v, opt->watch);
    const char *why;
    Func *left = left_to_compilers(&v, &why);
    if (left)
        form = left;
    else
        note_form(nest, &v, form);
    vec_push(ir->arena, &nest->vectors.more[set], form ? form : nest->loops);
}

Func *vectorized_form(Ir *ir, const HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt)
{
    Vectorizer v = begin(ir, nest, set, knobs, opt);
    return vectorize(&v, opt->watch);
}

static bool has_forms(const NestVectors *made)
{
    for (int set = 0; set < SET_COUNT; set++)
        if (made->form[set] || made->more[set].count)
            return true;
    return false;
}

void unroll_scalar_nest(Ir *ir, HostNest *nest)
{
    if (!has_forms(&nest->vectors))
        nest->loops->body = drop_unused(ir, unroll_fully(ir, nest->loops->body, FEW_NODES));
}

/* Of a hook of the contraction: is it called? Gathered operands are packed by the engine. */
static bool is_called(const Contraction *c, int hook)
{
    return c->lowered.hooks[hook].func && !(hook == HOOK_PACK_A && c->a.gather) && !(hook == HOOK_PACK_B && c->b.gather);
}

void vectorize_hooks(Ir *ir, Plan *plan, Contraction *c, const PlanOptions *opt)
{
    static const char *const parts[] = {[HOOK_PACK_A] = "packing A into panels",
                                        [HOOK_PACK_B] = "packing B into panels",
                                        [HOOK_EPILOGUE] = "the epilogue",
                                        [HOOK_MORE] = "the epilogue of later parts"};
    PlanOptions exact = *opt;
    exact.fp_strict = true; /* there are no sums to reorder, and what is rounded or compared in the end is as the spec says */
    for (int h = HOOK_PACK_A; h <= HOOK_MORE; h++) {
        Hook *hook = &c->lowered.hooks[h];
        if (!is_called(c, h))
            continue;
        HostNest nest = {.stem = hook->func->name, .part = parts[h], .loc = c->loc, .loops = hook->func, .is_signed = hook->is_signed};
        vectorize_nest(ir, plan, &nest, &exact);
        for (int set = 0; set < SET_COUNT; set++)
            hook->form[set] = nest.vectors.form[set];
        if (opt->remarks && h <= HOOK_PACK_B && c->family == FAM_I8)
            add_remark(ir, &plan->remarks, c->loc, REMARK_MISSED, false,
                       arena_printf(ir->arena, "%s is not vectorized: panels hold pairs of steps", parts[h]));
    }
}
