/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the steps of plan/passes.def over a copy of the loops for each set. */
#include "plan/vectors/vector_nest.h"

#include <math.h>
#include <string.h>

#include "depend/scope.h"
#include "ir/check.h"
#include "ir/libm.h"
#include "ir/walk.h"
#include "licm/licm.h"
#include "normalize/normalize.h"
#include "plan/add_remark.h"
#include "plan/nests/permute_and_tile.h"
#include "plan/nests/scalar_renaming.h"
#include "plan/fitted.h"
#include "plan/targets.h"
#include "plan/vectors/accumulator_promotion.h"
#include "plan/vectors/address_bases.h"
#include "plan/vectors/bit_loops.h"
#include "plan/vectors/constant_propagation.h"
#include "plan/vectors/full_unrolling.h"
#include "plan/vectors/invariant_load_hoisting.h"
#include "plan/vectors/narrow_scalars.h"
#include "plan/vectors/product_pairs.h"
#include "plan/vectors/redundant_loads.h"
#include "plan/vectors/scalar_exactness.h"
#include "plan/vectors/single_iteration.h"
#include "plan/vectors/store_forwarding.h"
#include "plan/vectors/value_numbering.h"
#include "plan/vectors/vector_profit.h"
#include "plan/vectors/vectorizer.h"

enum { FEW_NODES = 2000, MANY_NODES = 3000 }; /* of what unrolling leaves */

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
                        .math = opt->math,
                        .set = set,
                        .known = {.nsyms = ir->nsyms},
                        .nest = nest,
                        .knobs = knobs,
                        .opt = opt};
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

/* ---------------------------------------------------------------- candidates */

/* What a nest may become for a set, and what it is expected to take. */
typedef struct Candidate {
    FormKind kind;
    Func *form; /* NULL: scalar loops */
    Vectorizer state;
    double log_cycles, log_of_short; /* the latter: FORM_VECTORS and FORM_OUTER */
    bool narrow; /* lanes of 8 or 16 bits are stored */
} Candidate;

typedef struct Candidates {
    Candidate all[FORM_SCALARS + 1];
    int count, best, next; /* next: -1: nobody knows of another what it takes */
} Candidates;

static bool search_choice(void *user, Node *n)
{
    (void)user;
    return n->kind == N_SEL || n->kind == N_MIN || n->kind == N_MAX;
}

static bool search_chosen_subscript(void *user, Node *n)
{
    return (n->kind == N_LOAD || n->kind == N_STORE) && any_node(n->kid[0], search_choice, user);
}

/* Which elements the unrolled iterations choose, clamped to a border, may be the same in all of a loop around, which compilers do not see
 * behind branches. Sums they share themselves, in fewer registers. (Two passes of 5 clamped taps: 0.88 of the time; but with
 * sums max_pool3_u8 1.15.) */
static Node *hoisted(const Vectorizer *v, Node *unrolled)
{
    Node *body = drop_unused(v->ir, unrolled);
    const bool chosen = any_node(body, search_chosen_subscript, NULL);
    const LicmOptions *opt = chosen ? v->opt->licm : NULL;
    return opt ? licm(v->ir, v->nest->loops, normalize(v->ir, v->nest->loops, body, opt), opt) : body;
}

static Node *loops_of(const Vectorizer *v, FormKind kind)
{
    const HostNest *nest = v->nest;
    switch (kind) {
    case FORM_COMPILED: return narrow_scalars(v->ir, nest->plain ? nest->plain->body : nest->loops->body);
    case FORM_UNROLLED: /* each value has a name, whose range is known */
        return hoisted(v, propagate_constants(v->ir, rename_scalars(v->ir, unroll_fully(v->ir, nest->loops->body, MANY_NODES))));
    case FORM_HALVES:
    case FORM_SUMS_UNROLLED: return hoisted(v, forward_stores(v->ir, unroll_sums(v->ir, nest->loops->body, MANY_NODES)));
    default: return forward_stores(v->ir, nest->loops->body);
    }
}

static Func *form_of_kind(Vectorizer *v, FormKind kind, const PassWatch *watch)
{
    v->sums_unrolled = kind == FORM_SUMS_UNROLLED;
    v->outer_lanes = kind == FORM_OUTER;
    v->half_lanes = kind == FORM_HALVES;
    if (kind == FORM_SCALARS)
        return NULL;
    if (kind != FORM_COMPILED)
        return run_steps(v, loops_of(v, kind), watch);
    Func *form = form_of(v->ir, v->nest, v->set);
    form->body = loops_of(v, kind);
    return form;
}

static double log_cycles_of(const Candidate *c, const PlanOptions *opt, const Node *body, bool compiled)
{
    return opt->costs->log_cycles(opt->costs->user, c->state.ir, c->state.nest, c->state.set, body, compiled);
}

/* Compilers may unroll short loops. */
static double least_log_cycles(const Candidate *c, const PlanOptions *opt, Node *body, bool compiled)
{
    const double as_it_is = log_cycles_of(c, opt, body, compiled);
    Node *unrolled = unroll_fully(c->state.ir, body, MANY_NODES);
    return unrolled == body ? as_it_is : fmin(as_it_is, log_cycles_of(c, opt, unrolled, compiled));
}

static bool search_rounding(void *user, Node *n)
{
    static const char *const functions[] = {"floor", "ceil", "trunc", "rint", "nearbyint", "fma", NULL};
    bool *found = user;
    *found = *found || (n->kind == N_CALL && is_libm_among(n->sym, functions));
    return !*found;
}

/* Does it call functions that are instructions of sets, but not of every processor? */
static bool rounds(Node *body)
{
    bool found = false;
    walk(&(Walker){.pre = search_rounding, .user = &found}, body);
    return found;
}

/* If compilers are not expected to make vectors, the loops stay as they are. */
static void estimate_compiled(Candidate *c, const PlanOptions *opt)
{
    Node *body = c->form->body;
    c->log_cycles = least_log_cycles(c, opt, body, true);
    if (isinf(c->log_cycles) || rounds(body) || c->log_cycles < least_log_cycles(c, opt, body, false))
        return;
    c->kind = FORM_SCALARS;
    c->form = NULL;
}

static void estimate(Candidate *c, const PlanOptions *opt)
{
    if (!opt->costs)
        c->log_cycles = c->kind == FORM_COMPILED ? INFINITY : c->form ? 0 : 1;
    else if (c->kind == FORM_COMPILED)
        estimate_compiled(c, opt);
    else
        c->log_cycles = log_cycles_of(c, opt, c->form ? c->form->body : c->state.nest->loops->body, false);
}

static bool is_partial_store(void *user, Node *n)
{
    (void)user;
    return n->kind == N_VSTORE && n->nkids > 2 && n->aux != VSTORE_NON_TEMPORAL;
}

/* Vectors that short loops do not fill are stored and loaded again in parts, which takes longer than anybody counts. */
static bool fills_vectors(const Func *form) { return form && !any_stmt(form->body, is_partial_store, NULL); }

typedef struct PartSearch {
    Func *form;
    bool inside; /* of a loop that vectors run through in less than one step */
    bool found;
} PartSearch;

static bool search_load(void *user, Node *n)
{
    const Sym **array = user;
    if ((n->kind == N_LOAD || n->kind == N_VLOAD) && n->sym == *array)
        *array = NULL;
    return *array != NULL;
}

static bool is_less_than_a_step(const Node *loop)
{
    Bounds b;
    return loop->kind == N_FOR && for_bounds(loop, &b) && b.lo->kind == N_INT && b.hi->kind == N_INT && b.hi->u.i > b.lo->u.i &&
           b.hi->u.i - b.lo->u.i < b.step;
}

static void search_parts(PartSearch *s, Node *n)
{
    const bool before = s->inside;
    s->inside = s->inside || is_less_than_a_step(n);
    if (s->inside && n->kind == N_VSTORE && n->nkids > 2 && n->aux != VSTORE_NON_TEMPORAL) {
        const Sym *array = n->sym;
        walk(&(Walker){.pre = search_load, .user = &array}, s->form->body);
        s->found = s->found || !array;
    }
    for (int i = 0; i < n->nkids && !s->found && !is_expr(n); i++)
        search_parts(s, n->kid[i]);
    s->inside = before;
}

/* Do loops of fewer iterations than vectors have lanes store parts of these that are loaded again? Loads wait until such a store is done:
 * as measured with vectors of 32 bytes. */
static bool reloads_parts(const Candidate *c)
{
    enum { MEASURED = 32 };
    PartSearch s = {.form = c->form};
    if (c->form && c->kind != FORM_COMPILED && vector_sets[c->state.set].bytes <= MEASURED)
        search_parts(&s, c->form->body);
    return s.found;
}

typedef struct NarrowAccesses {
    bool narrow, wide; /* lanes of less than 32 bits that are stored; groups of bytes in others */
    bool pairs, apart;
} NarrowAccesses;

static bool search_narrow(void *user, Node *n)
{
    NarrowAccesses *s = user;
    const bool stores = n->kind == N_VSTORE || n->kind == N_INTERLEAVE;
    s->narrow = s->narrow || (stores && lane_bits(type_lane_width(n->kid[1]->type)) < 32);
    s->wide = s->wide || (n->kind == N_INTERLEAVE && n->aux) || (n->kind == N_MEMBER && n->u.i >= NARROW_GROUP);
    s->pairs = s->pairs || (n->kind == N_INTERLEAVE && n->aux == 2);
    s->apart = s->apart || n->kind == N_GATHER || n->kind == N_SCATTER;
    return true;
}

/* Does it store narrow lanes, or has it groups of bytes and no elements that are reached one by one, where the set has shuffles for them? Pairs
 * compilers store as well. */
static bool is_narrow(const Func *form, VectorSetId set)
{
    NarrowAccesses s = {.narrow = false};
    if (form && vector_sets[set].masks)
        walk(&(Walker){.pre = search_narrow, .user = &s}, form->body);
    return (s.narrow || (s.wide && !s.apart)) && !s.pairs;
}

/* Remarks and the table of loops are about the first. */
static void add_candidate(Candidates *c, const Vectorizer *v, FormKind kind, const PlanOptions *opt)
{
    Candidate *added = &c->all[c->count++];
    *added = (Candidate){.kind = kind, .state = *v};
    if (kind != FORM_VECTORS)
        added->state.plan = NULL, added->state.table = NULL;
    added->form = form_of_kind(&added->state, kind, opt->watch);
    added->narrow = kind != FORM_COMPILED && is_narrow(added->form, v->set);
    if (kind == FORM_SUMS_UNROLLED && !fills_vectors(added->form))
        added->log_cycles = INFINITY;
    else
        estimate(added, opt);
    if (opt->costs && reloads_parts(added))
        added->log_cycles += RELOADED_PARTS;
}

/* Extents are guessed: vectors of inner loops gain little where these are long, and lose much where they are short. */
static double gain_of_outer(const Candidate *outer, const Candidate *vectors)
{
    enum { LONG_LOSS_PERCENT = 5 };
    const double of_long = vectors->log_cycles - outer->log_cycles;
    return of_long < -LONG_LOSS_PERCENT / 100.0 ? -INFINITY : (of_long + vectors->log_of_short - outer->log_of_short) / 2;
}

typedef struct ApartSearch {
    int depth; /* loops around */
    bool found;
} ApartSearch;

static void search_apart(ApartSearch *s, const Node *n, bool innermost)
{
    const bool loop = n->kind == N_FOR;
    s->found = s->found || (innermost && (n->kind == N_GATHER || n->kind == N_SCATTER));
    s->depth += loop;
    for (int i = 0; i < n->nkids && !s->found; i++)
        search_apart(s, n->kid[i], innermost || (loop && s->depth > 1 && i == 2 && !has_kind(n->kid[2], N_FOR)));
    s->depth -= loop;
}

/* Do loops inside others reach elements that are far from lane to lane? Each lane is a stream of its own then. */
static bool reaches_apart(const Func *form)
{
    ApartSearch s = {0, false};
    search_apart(&s, form->body, false);
    return s.found;
}

static void add_outer(Candidates *c, const Vectorizer *v, const PlanOptions *opt)
{
    add_candidate(c, v, FORM_OUTER, opt);
    Candidate *outer = &c->all[c->count - 1], *vectors = &c->all[0];
    if (!outer->state.has_outer || !vectors->form || !opt->costs || reaches_apart(outer->form)) { /* it is as the first */
        c->count--;
        return;
    }
    for (int i = 0; i < 2; i++) {
        Candidate *one = i ? outer : vectors;
        one->log_of_short = opt->costs->log_cycles_of_short(opt->costs->user, v->ir, v->nest, v->set, one->form->body);
    }
}

/* Of these two the better one; -1: there is none such. */
static int outer_of(const Candidates *c)
{
    for (int i = 1; i < c->count; i++)
        if (c->all[i].kind == FORM_OUTER && gain_of_outer(&c->all[i], &c->all[0]) > OTHER_FORM_MARGIN)
            return i;
    return -1;
}

static double rank_of(const Candidate *c)
{
    return c->log_cycles + (c->kind == FORM_VECTORS ? 0 : OTHER_FORM_MARGIN) - (c->narrow ? NARROW_LANES_MARGIN : 0);
}

/* Of what compilers make less is known than of the generator's vectors: those of unrolled loops if they seem about as good. */
static int rather_than_compiled(const Candidates *c)
{
    const Candidate *best = &c->all[c->best];
    for (int i = 0; i < c->count && best->kind == FORM_COMPILED; i++)
        if (c->all[i].kind == FORM_UNROLLED && c->all[i].form && c->all[i].log_cycles < best->log_cycles + COMPILED_DOUBT)
            return i;
    return c->best;
}

/* The generator's vectors are better known than others. */
static Candidates find_candidates(const Vectorizer *v, const PlanOptions *opt)
{
    Candidates c = {.next = -1};
    const HostNest *nest = v->nest;
    add_candidate(&c, v, FORM_VECTORS, opt);
    if (!nest->part && unroll_fully(v->ir, nest->loops->body, MANY_NODES) != nest->loops->body)
        add_candidate(&c, v, FORM_UNROLLED, opt);
    if (!nest->part && unroll_sums(v->ir, nest->loops->body, MANY_NODES) != nest->loops->body)
        add_candidate(&c, v, FORM_SUMS_UNROLLED, opt);
    if (!nest->part && v->knobs->value[KNOB_LANES] == KNOB_PLANNED && count_loops(nest->loops->body) > 1)
        add_outer(&c, v, opt);
    if (!nest->part && v->knobs->value[KNOB_LANES] == KNOB_PLANNED) {
        add_candidate(&c, v, FORM_HALVES, opt);
        c.count -= !c.all[c.count - 1].state.has_half; /* it is as the first */
    }
    if (!nest->part)
        add_candidate(&c, v, FORM_COMPILED, opt);
    c.count -= c.all[c.count - 1].kind == FORM_SCALARS && !c.all[0].form; /* the same once more */
    for (int i = 1; i < c.count; i++)
        c.best = rank_of(&c.all[i]) < rank_of(&c.all[c.best]) ? i : c.best;
    c.best = c.best == 0 && outer_of(&c) > 0 ? outer_of(&c) : rather_than_compiled(&c);
    for (int i = 0; i < c.count; i++)
        if (i != c.best && !isinf(c.all[i].log_cycles) && (c.next < 0 || rank_of(&c.all[i]) < rank_of(&c.all[c.next])))
            c.next = i;
    return c;
}

static bool search_first(void *user, Node *n)
{
    const Node **first = user;
    *first = !*first && n->kind == N_FOR ? n : *first;
    return !*first && !is_expr(n);
}

static const char *words_of(const Candidate *c)
{
    switch (c->kind) {
    case FORM_COMPILED: return "the loops as they are, for the compiler to vectorize";
    case FORM_UNROLLED: return "vectors, short loops unrolled";
    case FORM_SUMS_UNROLLED: return "vectors, short sums unrolled";
    case FORM_HALVES: return "vectors as short as the innermost loops";
    case FORM_OUTER: return "vectors of the loops around the innermost ones";
    case FORM_SCALARS: return "scalars";
    default: return c->form ? "vectors" : "scalars";
    }
}

/* What has become of the nest for the first set that is held. */
static void remark_ranks(Ir *ir, Plan *plan, const HostNest *nest, const Candidates *c, int set)
{
    const Node *first = NULL;
    const bool by_base = nest->vectors.by_base[set];
    const Candidate *best = &c->all[c->best], *next = by_base ? best : c->next >= 0 ? &c->all[c->next] : NULL;
    walk(&(Walker){.pre = search_first, .user = &first}, nest->source);
    if (!first || !next || (best->kind == FORM_VECTORS && !best->form && next->log_cycles >= best->log_cycles))
        return;
    const char *chosen = by_base
                             ? arena_printf(ir->arena, "the form for %s, which more lanes would make no faster", vector_sets[set + 1].name)
                             : words_of(best);
    const double times = exp(next->log_cycles - best->log_cycles);
    const char *doubt = times < 1 ? ", which is within their doubt" : "";
    const char *other = by_base ? "next" : arena_printf(ir->arena, "estimated at %.2f times as many%s", times, doubt);
    add_remark(ir, &plan->remarks, first->loc, REMARK_OPTIMIZED, false,
               arena_printf(ir->arena, "chosen by estimated cycles: %s; %s: %s", chosen, other, words_of(next)));
}

/* What is true of some form. */
static void note_form(HostNest *nest, const Vectorizer *v, const Func *form)
{
    nest->vectors.reorders = nest->vectors.reorders || (form && v->reorders);
    nest->vectors.is_non_temporal = nest->vectors.is_non_temporal ||
                                    (form && nest->non_temporal && uses_sym(form->body, nest->non_temporal));
}

/* What is known of a set's form. */
typedef struct Chosen {
    double log_cycles; /* INFINITY: there is none */
    bool narrow; /* lanes of 8 or 16 bits */
} Chosen;

/* Is the form for the set `base` better than that for the other, which stands on it? Short loops fill its vectors, or half of one, but not the
 * other's, or more lanes gain nothing: then compilers' scalars beside them had better not use the other set's instructions. */
static bool prefers_base(const NestVectors *made, const Chosen *chosen, int base, int set)
{
    const double gain = chosen[base].log_cycles - chosen[set].log_cycles;
    const FormKind kind = made->kind[base], own = made->kind[set];
    const bool filled = kind == FORM_SUMS_UNROLLED || (kind == FORM_HALVES && own != FORM_COMPILED);
    const bool made_alike = made->form[base] && made->form[set] && kind != FORM_COMPILED && own != FORM_COMPILED && !chosen[set].narrow;
    return (filled && gain < OTHER_FORM_MARGIN) || (made_alike && gain < LEAST_GAIN);
}

/* Has some class of calls with the set a form of its own? A profile says so, which knows better than estimates do. */
static bool has_class_forms(const HostNest *nest, int set)
{
    bool any = false;
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++)
        any = any || nest->chosen.of_class[set][shape].differs;
    return any;
}

static void prefer_base(HostNest *nest, const Chosen *chosen)
{
    NestVectors *made = &nest->vectors;
    for (int set = 0; set + 1 < SET_COUNT; set++)
        if (prefers_base(made, chosen, set + 1, set) && !has_class_forms(nest, set) && !has_class_forms(nest, set + 1) &&
            strcmp(vector_sets[set + 1].guard, vector_sets[set].guard) == 0) {
            made->form[set] = NULL;
            made->kind[set] = FORM_VECTORS;
            made->by_base[set] = true;
        }
}

void vectorize_nest(Ir *ir, Plan *plan, HostNest *nest, const PlanOptions *opt)
{
    NestVectors *made = &nest->vectors;
    *made = (NestVectors){.reorders = differs_as_it_is(nest->loops->body)};
    int first = -1;
    Candidates of_first = {0};
    Chosen chosen[SET_COUNT];
    for (int set = 0; set < SET_COUNT; set++) {
        chosen[set] = (Chosen){INFINITY, false};
        if (!loops_are_held(opt->held, (VectorSetId)set))
            continue;
        Vectorizer v = begin(ir, nest, (VectorSetId)set, &nest->chosen.knobs[set], opt);
        v.plan = first < 0 && opt->remarks ? plan : NULL;
        v.table = &made->table;
        first = first < 0 ? set : first;
        if (opt->forms && opt->forms->set != (VectorSetId)set)
            continue;
        const Candidates c = find_candidates(&v, opt);
        const Candidate *best = &c.all[c.best];
        made->form[set] = best->form;
        made->kind[set] = best->kind;
        chosen[set] = (Chosen){best->log_cycles, best->narrow};
        of_first = v.plan ? c : of_first;
        if (best->kind == FORM_COMPILED || best->kind == FORM_SCALARS)
            continue;
        note_form(nest, &best->state, best->form);
        if (best->form && !nest->part && !made->few)
            made->few = few_iterations(ir, &best->state.few);
    }
    if (opt->costs && !opt->forms && !nest->part)
        prefer_base(nest, chosen);
    if (of_first.count && !nest->part)
        remark_ranks(ir, plan, nest, &of_first, first);
}

void vectorize_more(Ir *ir, HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt)
{
    Vectorizer v = begin(ir, nest, set, knobs, opt);
    const FormKind kind = nest->vectors.kind[set];
    Func *form = form_of_kind(&v, kind, opt->watch);
    if (kind != FORM_COMPILED)
        note_form(nest, &v, form);
    vec_push(ir->arena, &nest->vectors.more[set], form ? form : nest->loops);
}

Func *vectorized_form(Ir *ir, const HostNest *nest, VectorSetId set, const NestKnobs *knobs, const PlanOptions *opt)
{
    Vectorizer v = begin(ir, nest, set, knobs, opt);
    return form_of_kind(&v, nest->vectors.kind[set], opt->watch);
}

/* Has some set, of those that are held, no form? */
static bool runs_as_it_is(const NestVectors *made, const PlanOptions *opt)
{
    for (int set = 0; set < SET_COUNT; set++)
        if (loops_are_held(opt->held, (VectorSetId)set) && !made->form[set] && !made->by_base[set] && !made->more[set].count)
            return true;
    return false;
}

void unroll_scalar_nest(Ir *ir, HostNest *nest, const PlanOptions *opt)
{
    if (runs_as_it_is(&nest->vectors, opt))
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
