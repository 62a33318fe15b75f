/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of the C target: loops that clear an array of bools, which are a call of memset() where it is long. */
#include "depend/parallel.h"
#include "emit/stage_kind.h"
#include "ir/branch.h"
#include "ir/walk.h"

struct Fill {
    STAGE_HEAD
    Sym *array;
    Node *count; /* T_INDEX: so many elements, from the first on */
};

typedef struct Search {
    Ir *ir;
    Plan *plan;
    Vec found;
} Search;

/* The array that the loop clears; NULL: it does something else. */
static Sym *cleared(const Node *loop)
{
    Bounds b;
    if (loop->kind != N_FOR || !for_bounds(loop, &b) || b.step != 1 || !is_int(b.lo, 0))
        return NULL;
    const Node *n = only_statement(loop->kid[2]);
    const bool stores = n->kind == N_STORE && !n->aux && n->nkids == 2 && n->kid[0]->kind == N_VAR && n->kid[0]->sym == loop->sym;
    return stores && n->sym->type == T_BOOL && is_int(n->kid[1], 0) ? n->sym : NULL;
}

static Node *replaced(void *user, Node *n)
{
    Search *s = user;
    if (n->kind != N_LAUNCH || n->aux != STAGE_HOST_NEST)
        return n;
    HostNest *nest = (HostNest *)stage_at(s->plan, n);
    Sym *array = cleared(nest->source);
    Node *count = array ? trip_count(s->ir, nest->source) : NULL;
    if (!count)
        return n;
    Fill *fill = arena_alloc(s->ir->arena, sizeof *fill);
    *fill = (Fill){
        .loc = nest->loc, .captured = nest->captured, .ncaptured = nest->ncaptured, .nmembers = 1, .array = array, .count = count};
    fill->stem = arena_printf(s->ir->arena, "%s_fill%d", s->plan->func->name, s->found.count + 1);
    fill->members = arena_new_array(s->ir->arena, Stage *, 1);
    fill->members[0] = &nest->stage;
    vec_push(s->ir->arena, &s->found, fill);
    return mk_launch_of(s->ir, STAGE_FILL, s->found.count - 1, n->nkids, n->kid, n->loc);
}

static void find(Ir *ir, Plan *plan, const PlanOptions *opt)
{
    Search s = {.ir = ir, .plan = plan};
    (void)opt;
    plan->func->body = rewrite(&(Rewriter){.ir = ir, .post = replaced, .user = &s}, plan->func->body);
    set_stages(ir->arena, &plan->stages, STAGE_FILL, &s.found);
}

static void check(const Plan *plan, const Stage *stage)
{
    (void)plan;
    if (((const Fill *)stage)->array->type != T_BOOL)
        internal_error("%s: its array is none of bools", stage->stem);
}

static void print(Ir *ir, const Stage *stage, Text *out)
{
    (void)ir;
    text_printf(out, "// %s: %s by memset, or %s\n", stage->stem, ((const Fill *)stage)->array->name, stage->members[0]->stem);
}

static json_t *build(const StageInput *in)
{
    const Fill *fill = in->fill;
    Node *count = fill->count;
    FunctionSpec spec = {.also = &count, .nalso = 1, .body = mk_block(in->ir, 0, NULL, fill->loc)};
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    json_decref(t.params);
    return json_pack("{s:s, s:s, s:s, s:o, s:s}", "stem", fill->stem, "nest", fill->members[0]->stem, "field",
                     function_field(in->fields, fill->array), "unpack", t.unpack, "count", emit_expr(&t.emitter, count));
}

const StageOps stage_fill = {.find = find, .check = check, .print = print, .build = build};
