/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements that share scalars go together; each loop by itself otherwise. */
#include "plan/nests/split_host.h"

#include "depend/index.h"
#include "depend/parallel.h"
#include "depend/scan.h"
#include "depend/reduce.h"
#include "ir/check.h"
#include "ir/walk.h"
#include "plan/captures.h"
#include "plan/nests/reduction_blocking.h"
#include "plan/collapse.h"
#include "plan/nests/scalar_replacement_carried.h"
#include "plan/fingerprint.h"
#include "plan/nests/permutable_band.h"
#include "plan/nests/interchange.h"
#include "plan/nests/loop_partition.h"
#include "plan/nests/recurrence_fission.h"
#include "plan/nests/quotient_splitting.h"
#include "plan/nests/split_at_conflict.h"
#include "plan/nests/outputs.h"
#include "plan/nests/loop_utils.h"
#include "plan/nests/unroll_and_jam.h"
#include "plan/nests/register_tiling.h"
#include "plan/nests/scalar_renaming.h"
#include "plan/nests/sink_stores.h"
#include "plan/nests/subscripts.h"
#include "plan/nests/bound_tightening.h"
#include "plan/nests/pipelined_run.h"
#include "plan/nests/column_reduction.h"
#include "plan/nests/work.h"
#include "plan/scalar_replace.h"

typedef struct Splitter {
    Ir *ir;
    Plan *plan;
    const PlanOptions *opt;
    Vec nests;
    const Vec *blocks; /* Blocks */
    HostNest *nest;    /* on its way through the steps of plan/passes.def, */
    Node *around;      /* and what it was before two of its loops became one */
    Map ends;          /* of loops of which it runs a part: Node *, where the whole loop ends */
} Splitter;

/* ---------------------------------------------------------------- order */

static Node *mark(void *user, Node *n)
{
    const Splitter *s = user;
    if (n->kind != N_FOR || !n->aux)
        return n;
    const bool unordered = loop_is_unordered(s->ir, n, s->opt->fp_strict);
    if (!unordered && !loop_is_scan(s->ir, n, s->opt->fp_strict))
        return n;
    Node *marked = mk_for(s->ir, n->sym, n->kid[0], n->kid[1], n->u.i, n->kid[2], true, n->loc);
    marked->aux = (uint16_t)(n->aux | (unordered ? FOR_PARALLEL : FOR_SCAN));
    return marked;
}

/* ---------------------------------------------------------------- nests */

static void capture(Ir *ir, HostNest *nest, const Blocks *blocks)
{
    Captures c = {.ir = ir};
    capture_free(&c, nest->loops->body);
    if (nest->plain)
        capture_free(&c, nest->plain->body);
    for (int i = 0; i < nest->cut.loops; i++)
        capture_used(&c, nest->cut.count[i]);
    Node *const also[] = {nest->costs.work, nest->rows.first, nest->rows.count, nest->rows.each, nest->rows.each_second};
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        capture_used(&c, also[i]);
    if (blocks)
        capture_all(&c, blocks->result, blocks->nresults);
    nest->captured = (Sym **)c.found.items;
    nest->ncaptured = c.found.count;
}

static Sym *parameter(Ir *ir, const char *name)
{
    Sym *sym = sym_new(ir, S_PARAM, T_INDEX, name, (Loc){0, 0});
    sym->is_const = true;
    return sym;
}

static bool can_be_cut(Ir *ir, Node *n)
{
    Bounds b;
    return n->kind == N_FOR && for_bounds(n, &b) && b.step == 1 && (n->aux & FOR_BLOCKS || loop_is_parallel(ir, n)) &&
           type_is_signed(b.var->type) && type_bits(b.var->type) >= 32;
}

/* Does it have a few iterations, as many as a constant says? Who unrolls it has to know that; threads have other loops. */
static bool is_short_by_constant(Ir *ir, Node *loop)
{
    enum { FEW = 16 };
    const Node *count = trip_count(ir, loop);
    return count && count->kind == N_INT && count->u.i <= FEW;
}

/* The loop that is all of a loop's body, if it is as long in every iteration, and has one inside: the innermost is vectorized; so does
 * that below rows that are done together. */
static Node *second_loop(Ir *ir, Node *loop)
{
    Node *inner = loop->kid[2];
    while (inner->kind == N_BLOCK && inner->nkids == 1)
        inner = inner->kid[0];
    const bool fits = !(loop->aux & FOR_ROWS) && can_be_cut(ir, inner) && !uses_sym(inner->kid[0], loop->sym) &&
                      !uses_sym(inner->kid[1], loop->sym) && !is_short_by_constant(ir, inner);
    return fits && has_kind(inner->kid[2], N_FOR) ? inner : NULL;
}

/* Becomes one of nest->cut. */
static void cut_loop(Splitter *s, Node *loop)
{
    Bounds b;
    NestCut *cut = &s->nest->cut;
    for_bounds(loop, &b);
    *map_at(s->ir->arena, &s->ends, loop->sym->id) = b.hi;
    cut->var[cut->loops] = loop->sym;
    cut->count[cut->loops++] = trip_count_of_running(s->ir, loop);
}

/* The body with what may be cut of it: nest->cut, nest->loops' parameters. */
static Node *cut_loops(Splitter *s, Node *body)
{
    static const char *const names[] = {"begin", "end", "first", "last"};
    Ir *ir = s->ir;
    HostNest *nest = s->nest;
    if (!can_be_cut(ir, body))
        return body;
    Node *inner = second_loop(ir, body), *within = body->kid[2];
    Sym **params = nest->loops->params;
    for (int i = 0; i < 4; i++)
        params[i] = parameter(ir, names[i]);
    nest->costs.work = loop_work(ir, body);
    cut_loop(s, body);
    if (inner) {
        cut_loop(s, inner);
        within = some_iterations(ir, inner, mk_var(ir, params[2]), mk_var(ir, params[3]), inner->kid[2]);
    }
    nest->loops->nparams = 2 * nest->cut.loops;
    return some_iterations(ir, body, mk_var(ir, params[0]), mk_var(ir, params[1]), within);
}

/* What the outermost loop, `before` it became one with loops inside, says of rows: nest->rows. */
static void note_rows(Ir *ir, HostNest *nest, Node *before, Node *after)
{
    Bounds b;
    const bool is_one = after->kind == N_FOR && after->sym != before->sym;
    if (!nest->cut.loops || before->sym != nest->source->sym || (is_one && has_kind(after->kid[2], N_FOR)))
        return;
    for_bounds(before, &b);
    nest->rows.first = widen(ir, b.lo);
    nest->rows.count = trip_count_of_running(ir, before);
    Node *second = is_one ? only_loop(before->kid[2]) : NULL, *each = ix_int(ir, 1);
    for (Node *inner = second ? only_loop(second->kid[2]) : NULL; inner; inner = only_loop(inner->kid[2]))
        each = ix_mul(ir, each, trip_count_of_running(ir, inner));
    nest->rows.each_second = second ? each : NULL;
    nest->rows.each = second ? ix_mul(ir, trip_count_of_running(ir, second), each) : each;
}

static Node *collapse(Splitter *s, Node *body)
{
    s->around = body;
    return collapse_loops(s->ir, body);
}

static Node *cut(Splitter *s, Node *body)
{
    Node *part = cut_loops(s, body);
    if (s->around->kind == N_FOR && s->nest->source->kind == N_FOR)
        note_rows(s->ir, s->nest, s->around, body);
    return part;
}

/* The source, cut where the nest is; NULL: it has other loops there. */
static Node *cut_source(Splitter *s, const HostNest *nest, Node *source)
{
    Ir *ir = s->ir;
    const NestCut *cut = &nest->cut;
    Node *n = rewrite(&(Rewriter){.ir = ir, .post = mark, .user = s}, source);
    Sym *const *params = nest->loops->params;
    if (cut->loops == 0)
        return n;
    Node *inner = n->kind == N_FOR && n->sym == cut->var[0] && can_be_cut(ir, n) && cut->loops == 2 ? second_loop(ir, n) : NULL;
    if (n->kind != N_FOR || n->sym != cut->var[0] || !can_be_cut(ir, n) || (cut->loops == 2 && !(inner && inner->sym == cut->var[1])))
        return NULL;
    Node *within = inner ? some_iterations(ir, inner, mk_var(ir, params[2]), mk_var(ir, params[3]), inner->kid[2]) : n->kid[2];
    return some_iterations(ir, n, mk_var(ir, params[0]), mk_var(ir, params[1]), within);
}

#define NEST_STEP(name, code, what) \
    static Node *step_##name(Splitter *s, Node *body) \
    { \
        Ir *ir = s->ir; \
        (void)ir; \
        return code; \
    }
#include "plan/passes.def"

static const struct NestStep {
    const char *name;
    Node *(*run)(Splitter *, Node *);
} steps[] = {
#define NEST_STEP(name, code, what) {#name, step_##name},
#include "plan/passes.def"
};

static Node *launch(Splitter *s, Node *n)
{
    Ir *ir = s->ir;
    HostNest *nest = s->nest = arena_alloc(ir->arena, sizeof *nest);
    nest->stem = arena_printf(ir->arena, "%s_nest%d", s->plan->func->name, s->nests.count + 1);
    nest->loc = n->loc;
    nest->source = n;
    nest->fingerprint = fingerprint(ir, n);
    nest->is_signed = !has_unsigned(n);
    Func *loops = nest->loops = arena_alloc(ir->arena, sizeof *nest->loops);
    *loops = (Func){.name = nest->stem, .result = T_VOID, .params = arena_new_array(ir->arena, Sym *, 4), .body = n, .loc = n->loc};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        loops->body = steps[i].run(s, loops->body);
        watch_step(ir, s->opt->watch, steps[i].name, loops, TREE_PART);
    }
    nest->band = find_permutable_band(ir, loops->body);
    Node *plain = cut_source(s, nest, n);
    if (plain) {
        nest->plain = arena_alloc(ir->arena, sizeof *nest->plain);
        *nest->plain = *loops;
        nest->plain->body = plain->kind == N_BLOCK ? plain : mk_block(ir, 1, &plain, n->loc);
    }
    loops->body = loops->body->kind == N_BLOCK ? loops->body : mk_block(ir, 1, &loops->body, n->loc);
    nest->costs.stored = stored_bytes(ir, loops->body);
    if (nest->costs.stored) {
        nest->non_temporal = sym_new(ir, S_PARAM, T_INT, "non_temporal", nest->loc);
        nest->non_temporal->is_const = true;
    }
    nest->costs.touched = touched_bytes(ir, loops->body);
    const Blocks *blocks = n->kind == N_FOR ? blocks_of(s->blocks, n->sym) : NULL;
    if (blocks)
        nest->costs.work = mk_var(ir, blocks->work);
    capture(ir, nest, blocks);
    vec_push(ir->arena, &s->nests, nest);
    const Vec captured = {.items = (void **)nest->captured, .count = nest->ncaptured};
    return mk_launch_of(ir, STAGE_HOST_NEST, s->nests.count - 1, nest->ncaptured, handed_over(ir, &captured, n->loc), n->loc);
}

/* ---------------------------------------------------------------- statements */

static Node *split(Splitter *s, Node *n);

static bool combines(const Node *n) { return n->kind == N_FOR && n->aux & FOR_COMBINES; }

/* Does the body itself put it together from blocks? */
static bool is_combined(Node *block, const Sym *sym)
{
    for (int i = 0; i < block->nkids; i++)
        if (combines(block->kid[i]) && uses_sym(block->kid[i], sym))
            return true;
    return false;
}

static bool is_blocks(const Node *n) { return n->kind == N_FOR && n->aux & FOR_BLOCKS; }

/* A loop that goes into a nest. */
static bool is_of_nest(Node *n) { return !combines(n) && has_kind(n, N_FOR); }

/* How far the statements go that share a scalar with statement i which changes; i when it shares none. Constant local arrays count. */
static int together_until(Node *block, int i)
{
    int last = i;
    for (int at = i; at <= last; at++) {
        Node *kid = block->kid[at];
        if (kid->kind != N_DECL)
            continue;
        const bool combined = is_combined(block, kid->sym);
        bool changes = (kid->sym->rank > 0 && !combined) || at > i; /* what the group declares is not seen behind it */
        int use = at;
        for (int j = at + 1; j < block->nkids; j++) {
            changes = changes ||
                      (writes_sym(block->kid[j], kid->sym) && !(combined && !is_of_nest(block->kid[j])) && !is_blocks(block->kid[j]));
            use = uses_sym(block->kid[j], kid->sym) || writes_sym(block->kid[j], kid->sym) ? j : use;
        }
        last = changes && use > last ? use : last;
    }
    return last;
}

static Node *split_block(Splitter *s, Node *n)
{
    Vec out = {0};
    for (int i = 0; i < n->nkids;) {
        const int last = together_until(n, i);
        Node *group = mk_block(s->ir, last - i + 1, n->kid + i, n->kid[i]->loc);
        const bool alone = last == i;
        if (!alone && !has_stage(group) && has_kind(group, N_FOR)) {
            vec_push(s->ir->arena, &out, launch(s, group));
            i = last + 1;
        } else { /* beside a contraction, what writes the scalars that it shares stays where it is */
            for (; i <= last; i++)
                vec_push(s->ir->arena, &out, alone ? split(s, n->kid[i]) : n->kid[i]);
        }
    }
    return mk_block(s->ir, out.count, (Node **)out.items, n->loc);
}

/* A loop over a row of an array, perhaps under a condition: what a step does to a border. */
static bool is_of_border(Ir *ir, Node *n)
{
    Node *loop = n->kind == N_IF && n->nkids == 2 ? only_loop(n->kid[1]) : n;
    return loop && can_be_cut(ir, loop) && constant_row(loop);
}

/* Steps that follow one another, each of loops that may be cut for threads: every step of these is a nest. */
static bool is_of_steps(Ir *ir, Node *loop)
{
    Node *body = loop->kid[2];
    const int parts = body->kind == N_BLOCK ? body->nkids : 1;
    int nests = 0;
    if (can_be_cut(ir, loop) || loop_is_unordered(ir, loop, false))
        return false;
    for (int i = 0; i < parts; i++) {
        Node *n = body->kind == N_BLOCK ? body->kid[i] : body;
        const bool is_nest = can_be_cut(ir, n) && has_kind(n->kid[2], N_FOR);
        if (!is_nest && !is_of_border(ir, n))
            return false;
        nests += is_nest;
    }
    return nests > 0;
}

static Node *split(Splitter *s, Node *n)
{
    switch ((Kind)n->kind) {
    case N_BLOCK: return split_block(s, n);
    case N_FOR:
        if (combines(n))
            return n;
        if (!has_stage(n) && !is_of_steps(s->ir, n))
            return launch(s, n);
        break;
    case N_IF: break;
    default: return n;
    }
    Node *kids[3];
    for (int i = 0; i < n->nkids; i++)
        kids[i] = is_expr(n->kid[i]) ? n->kid[i] : split(s, n->kid[i]);
    return with_kids(s->ir, n, n->nkids, kids);
}

static const Blocks *blocks_among(const Vec *found, const Node *block, int first, int last)
{
    for (int i = first; i <= last; i++)
        if (is_blocks(block->kid[i]))
            return blocks_of(found, block->kid[i]->sym);
    return NULL;
}

void block_host_reductions(Ir *ir, Plan *plan, const PlanOptions *opt, Vec *found)
{
    Node *body = block_reductions(ir, plan->func->body, opt->fp_strict, found);
    for (int i = 0; i < body->nkids;) {
        const int last = together_until(body, i);
        const Blocks *blocks = last > i ? blocks_among(found, body, i, last) : NULL;
        body = blocks ? without_blocks(ir, body, blocks) : body;
        i = blocks ? 0 : last + 1;
    }
    plan->func->body = body;
}

void split_host(Ir *ir, Plan *plan, const PlanOptions *opt, const Vec *blocks)
{
    Splitter s = {.ir = ir, .plan = plan, .opt = opt, .blocks = blocks};
    plan->func->body = split_block(&s, plan->func->body);
    set_stages(ir->arena, &plan->stages, STAGE_HOST_NEST, &s.nests);
}
