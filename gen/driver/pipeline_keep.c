/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The passes of kept functions, as plan/passes.def lists them. */
#include "gen/driver/licm_defaults.h"

#include <string.h>

#include "gen/driver/pass_list.h"
#include "gen/driver/pipeline.h"
#include "ir/check.h"
#include "ir/walk.h"
#include "licm/licm.h"
#include "normalize/flat.h"
#include "normalize/normalize.h"
#include "normalize/sign.h"

LicmOptions licm_options_of(const LicmOptions *given, bool cuda, bool emitted)
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

/* The output is meant to be read by people and by mikgen again: nothing must be left to do. What one round moves
 * may change the order in which the next one sorts (a guard that now reads a temporary), seldom and not often. */
static Node *hoist_all(Ir *ir, Func *f, const LicmOptions *opt)
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

/* A function on its way through the passes. */
typedef struct Keeper {
    Func *func;
    Node *own; /* its body before all of them */
    LicmOptions licm;
    bool cuda;
} Keeper;

/* licm on a function. If all that moves of CUDA is what nvcc moves by itself, the function stays as it was: whether another text of the
 * same becomes an instruction or a register more or less is chance. */
static Node *hoist(Ir *ir, const Keeper *k)
{
    const Vec *notes = k->licm.notes;
    const int before = notes ? notes->count : 0;
    Node *body = hoist_all(ir, k->func, &k->licm);
    bool gains = !k->cuda || k->licm.overflow != OVERFLOW_CONDITIONS;
    for (int i = before; !gains && i < notes->count; i++)
        gains = is_gain(notes->items[i]);
    if (gains)
        return body;
    for (int i = before; i < notes->count; i++) {
        LicmNote *note = notes->items[i];
        if (note->loop)
            *note = (LicmNote){.e = note->e, .stmt = note->stmt, .from = note->from, .to = note->from, .cost = note->cost, .rule = "nvcc"};
    }
    return k->own;
}

/* The options for one function: what its text says of floating-point exceptions goes before what others say. */
static LicmOptions options_of(const Func *f, const LicmOptions *licm, const LicmOptions *given)
{
    LicmOptions own = *licm;
    if (f->accesses_fenv)
        own.fp = FP_NONE;
    else if (f->is_device && given->fp == FP_BY_TARGET) /* GPUs have no such exceptions */
        own.fp = FP_SPECULATIVE;
    return own;
}

#define KEEP_PASS(name, when, code, what) \
    static Node *run_##name(Ir *ir, const Keeper *k) \
    { \
        (void)ir; \
        return code; \
    }
#include "plan/passes.def"

static const struct KeepPass {
    const char *name;
    unsigned when;
    Node *(*run)(Ir *, const Keeper *);
} passes[] = {
#define KEEP_PASS(name, when, code, what) {#name, when, run_##name},
#include "plan/passes.def"
};
enum { PASSES = sizeof passes / sizeof *passes };

bool pipeline_keep(Ir *ir, const Options *opt, Source *source)
{
    LicmOptions licm = licm_options_of(&opt->licm, source->cuda, false);
    const unsigned never = (source->cuda ? ON_C : ON_CUDA) | (licm.mode == LICM_OFF ? MAY_HOIST : 0);
    const int count = source->functions.count;
    Vec notes = {0};
    if (source->cuda && !licm.notes)
        licm.notes = &notes;
    Keeper *keepers = arena_new_array(ir->arena, Keeper, count + 1);
    for (int i = 0; i < count; i++) {
        Func *f = ((KeptFunc *)source->functions.items[i])->func;
        keepers[i] = (Keeper){f, f->body, options_of(f, &licm, &opt->licm), source->cuda};
    }
    for (int p = 0; p < PASSES; p++) {
        for (int i = 0; i < count; i++) {
            Func *f = keepers[i].func;
            if (!(passes[p].when & never))
                f->body = passes[p].run(ir, &keepers[i]);
            check_func(ir, f, TREE_INLINED, passes[p].name);
        }
        if (diag_errors(ir->diag))
            return false;
        if (opt->look.dump_after && strcmp(opt->look.dump_after, passes[p].name) == 0)
            break;
    }
    return true;
}
