/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the inside out: runs of nests become waves, then the loop that has nothing but a wave in it. */
#include "plan/nests/pipelined_nests.h"

#include "depend/env.h"
#include "depend/index.h"
#include "depend/parallel.h"
#include "ir/branch.h"
#include "ir/walk.h"
#include "plan/add_remark.h"
#include "plan/captures.h"
#include "plan/nests/outputs.h"
#include "plan/nests/pipelined_run.h"
#include "plan/producers.h"

typedef struct WaveMaking {
    WaveInput in;
    Vec waves;
} WaveMaking;

/* ---------------------------------------------------------------- waves */

static Node *launch(WaveMaking *b, Wave *wave)
{
    Ir *ir = b->in.ir;
    Captures c = {.ir = ir, .without = wave->step};
    for (int i = 0; i < wave->nstages; i++) {
        capture_all(&c, wave->stages[i].nest->captured, wave->stages[i].nest->ncaptured);
        capture_used(&c, wave->stages[i].when);
    }
    capture_used(&c, wave->steps);
    capture_used(&c, wave->step_first);
    capture_used(&c, wave->row_bytes);
    wave->captured = (Sym **)c.found.items;
    wave->ncaptured = c.found.count;
    return mk_launch_of(ir, STAGE_WAVE, b->waves.count, wave->ncaptured, handed_over(ir, &c.found, wave->loc), wave->loc);
}

/* ---------------------------------------------------------------- statements */

/* Adds the statement to the run, if it is a nest that may follow those in it. */
static bool add_stage(const WaveMaking *b, Run *run, Node *n)
{
    Node *when = n->kind == N_IF && n->nkids == 2 && !has_load(n->kid[0]) ? n->kid[0] : NULL;
    n = when ? only_statement(n->kid[1]) : n;
    if (n->kind != N_LAUNCH || !run_enter(&b->in, run, n, when))
        return false;
    run->n++;
    if (run->n == 1 || run_follow(&b->in, run))
        return true;
    run->n--;
    return false;
}

/* Does no other stage touch what the nest stores? */
static bool is_alone(const WaveMaking *b, const Run *run, int at)
{
    const Vec stored = only_stored(b->in.ir, run->loop[at]);
    for (int i = 0; i < run->n; i++)
        for (int j = 0; j < stored.count && i != at; j++)
            if (uses_sym(run->loop[i], stored.items[j]))
                return false;
    return true;
}

static Wave *wave_new(const WaveMaking *b, const Run *run, Node *row_bytes)
{
    Ir *ir = b->in.ir;
    Wave *wave = arena_alloc(ir->arena, sizeof *wave);
    *wave = (Wave){
        .loc = run->stage[0].nest->loc, .nstages = run->n, .row_bytes = row_bytes, .onward = run->stage[run->n - 1].ahead < 0 ? -1 : 0};
    wave->stem = arena_printf(ir->arena, "%s_wave%d", b->in.plan->func->name, b->waves.count + 1);
    wave->stages = arena_new_array(ir->arena, WaveStage, run->n);
    wave->members = arena_new_array(ir->arena, Stage *, run->n);
    wave->nmembers = run->n;
    for (int i = 0; i < run->n; i++) {
        wave->stages[i] = run->stage[i];
        wave->members[i] = &run->stage[i].nest->stage;
        wave->stages[i].alone = is_alone(b, run, i);
        run->stage[i].nest->in_wave = true;
    }
    note_by_rows(b->in.plan, run->loop, run->n);
    return wave;
}

static void remark(const WaveMaking *b, const Wave *wave)
{
    Arena *arena = b->in.ir->arena;
    const char *delays = "";
    if (!b->in.opt->remarks)
        return;
    for (int i = 1; i < wave->nstages; i++)
        delays = arena_printf(arena, "%s%s%lld", delays, i > 1 ? ", " : "", (long long)wave->stages[i].behind);
    const char *stages = wave->nstages > 1
                             ? arena_printf(arena, "the loops from here on are pipelined by rows, %s behind the first", delays)
                             : "these loops are pipelined by rows";
    const char *steps = wave->steps ? arena_printf(arena, ", steps %lld apart", (long long)wave->apart) : "";
    add_remark(b->in.ir, &b->in.plan->remarks, wave->loc, REMARK_OPTIMIZED, false, arena_printf(arena, "%s%s", stages, steps));
}

static Node *finish(WaveMaking *b, Wave *wave)
{
    Node *n = launch(b, wave);
    remark(b, wave);
    vec_push(b->in.ir->arena, &b->waves, wave);
    return n;
}

/* The loop as steps of one wave; NULL: it has more in it, or steps cannot go together. */
static Node *by_steps(WaveMaking *b, Node *loop)
{
    Ir *ir = b->in.ir;
    Node *body = loop->kid[2], *const *parts = body->kind == N_BLOCK ? body->kid : &body;
    const int nparts = body->kind == N_BLOCK ? body->nkids : 1;
    Run run = {.n = 0};
    Bounds bounds;
    for (int i = 0; i < nparts; i++)
        if (!add_stage(b, &run, parts[i]))
            return NULL;
    Node *steps = run.n && loop_declares(loop) ? trip_count(ir, loop) : NULL, *row_bytes = run.n ? run_row_bytes(ir, &run) : NULL;
    int64_t apart, onward;
    if (!steps || !row_bytes || has_load(steps) || !run_steps(&b->in, &run, loop->sym, &apart, &onward))
        return NULL;
    for_bounds(loop, &bounds);
    Wave *wave = wave_new(b, &run, row_bytes);
    wave->steps = steps;
    wave->apart = apart;
    wave->onward = onward;
    for (int i = 0; i < run.n; i++)
        wave->stages[i].alone = false;
    for (int i = 0; i < run.n; i++)
        for (int j = 0; j < run.stage[i].nest->ncaptured; j++)
            if (run.stage[i].nest->captured[j] == loop->sym)
                wave->step = loop->sym;
    wave->step_first = wave->step ? widen(ir, bounds.lo) : NULL;
    wave->step_by = bounds.step;
    return finish(b, wave);
}

static Node *waveed(WaveMaking *b, Node *n);

static Node *waveed_block(WaveMaking *b, Node *n)
{
    Ir *ir = b->in.ir;
    Vec out = {0};
    for (int i = 0; i < n->nkids;) {
        Run run = {.n = 0};
        while (i + run.n < n->nkids && add_stage(b, &run, n->kid[i + run.n]))
            ;
        Node *row_bytes = run.n > 1 ? run_row_bytes(ir, &run) : NULL;
        vec_push(ir->arena, &out, row_bytes ? finish(b, wave_new(b, &run, row_bytes)) : waveed(b, n->kid[i]));
        i += row_bytes ? run.n : 1;
    }
    return mk_block(ir, out.count, (Node **)out.items, n->loc);
}

static Node *waveed(WaveMaking *b, Node *n)
{
    if (n->kind == N_BLOCK)
        return waveed_block(b, n);
    if (n->kind != N_FOR && n->kind != N_IF)
        return n;
    Node *steps = n->kind == N_FOR ? by_steps(b, n) : NULL;
    if (steps)
        return steps;
    Node *kids[3];
    for (int i = 0; i < n->nkids; i++)
        kids[i] = waveed(b, n->kid[i]);
    return with_kids(b->in.ir, n, n->nkids, kids);
}

void pipeline_nests(Ir *ir, Plan *plan, const PlanOptions *opt)
{
    WaveMaking b = {.in = {ir, plan, opt}};
    plan->func->body = waveed(&b, plan->func->body);
    set_stages(ir->arena, &plan->stages, STAGE_WAVE, &b.waves);
}
