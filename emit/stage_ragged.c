/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages: ragged batches. */
#include "emit/stage_kind.h"

/* The end of an iteration's group function: its scalars become fields of the arguments, and its interval is told. */
static void print_hand_over(Emitter *e, const Node *n, int indent, void *user)
{
    const StageInput *in = user;
    const RaggedBatch *batch = in->ragged;
    for (int i = 0; i < n->nkids; i++) {
        const Sym *sym = n->kid[i]->sym;
        const char *field = function_field(in->fields, sym == batch->number ? batch->loop : sym);
        if (field)
            text_printf(e->out, "%*sargs->%s = %s;\n", 4 * indent, "", field, emit_expr(e, n->kid[i]));
    }
    text_printf(e->out, "%*s*mik_first = %s;\n", 4 * indent, "", batch->first ? emit_expr(e, batch->first) : "mik_index");
    text_printf(e->out, "%*s*mik_end = %s;\n", 4 * indent, "", batch->first ? emit_expr(e, batch->end) : "mik_index + 1");
}

static json_t *group(const StageInput *in)
{
    const Func *f = in->ragged->group;
    Node *const interval[] = {in->ragged->first, in->ragged->end};
    FunctionSpec spec = {.also = interval,
                         .nalso = 2,
                         .qualifiers = "static",
                         .result = "void",
                         .name = f->name,
                         .params = f->params,
                         .nparams = f->nparams,
                         .body = f->body};
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    t.emitter.stage_call = print_hand_over;
    t.emitter.user = (void *)in;
    return function_finish(&t, NULL, NULL);
}

static json_t *build(const StageInput *in)
{
    Ir *ir = in->ir;
    const RaggedBatch *batch = in->ragged;
    Node *count = batch->count;
    FunctionSpec spec = {.also = &count, .nalso = 1, .body = mk_block(ir, 0, NULL, batch->loc)};
    FunctionText t = function_begin(ir, in->dialect, in->uses, in->fields, &spec);
    json_t *products = json_array();
    for (int i = 0; i < batch->nmembers; i++)
        json_array_append_new(products, json_string(batch->members[i]->stem));
    int line, column;
    diag_line_column(ir->diag, batch->loc, &line, &column);
    json_decref(t.params);
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:b, s:o, s:o}", "stem", batch->stem, "symbol",
                     stage_kernel_symbol(in, arena_printf(ir->arena, "mik_%s", batch->stem)), "describe",
                     arena_printf(ir->arena, "the ragged batch at line %d of %s", line, diag_spec(ir->diag, batch->loc)), "unpack",
                     t.unpack, "count", emit_expr(&t.emitter, count), "ordered", batch->first != NULL, "group", group(in), "products",
                     products);
}

static void visit(const Stage *stage, const FuncVisitor *v) { v->visit(v->user, ((const RaggedBatch *)stage)->group); }

const StageOps stage_ragged = {.visit = visit, .build = build};
