/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of the C target: pipelined nests. */
#include "depend/index.h"
#include "emit/stage_kind.h"
#include "plan/nest_cases.h"

/* The numbers of all stages and of the wave. */
enum { MOST_NUMBERS = 176 };

static int gather_numbers(const Wave *wave, Node **all)
{
    int n = 0;
    for (int i = 0; i < wave->nstages; i++) {
        const WaveStage *s = &wave->stages[i];
        Node *const numbers[] = {s->nest->cut.count[0],
                                 s->nest->cut.count[1],
                                 s->nest->costs.work,
                                 stage_stored(s->nest),
                                 nest_has_classes(s->nest) ? s->nest->costs.touched : NULL,
                                 s->row,
                                 s->rows,
                                 s->per_row,
                                 s->when,
                                 s->nest->vectors.few};
        for (size_t j = 0; j < sizeof numbers / sizeof *numbers; j++)
            if (numbers[j])
                all[n++] = numbers[j];
    }
    if (wave->steps)
        all[n++] = wave->steps;
    all[n++] = wave->row_bytes;
    return n;
}

static json_t *stage(const StageInput *in, Emitter *e, const WaveStage *s)
{
    const HostNest *nest = s->nest;
    const bool by_vectors = stage_has_forms(nest);
    json_t *count = json_array();
    for (int i = 0; i < nest->cut.loops; i++)
        json_array_append_new(count, json_string(emit_expr(e, nest->cut.count[i])));
    const char *rows = emit_expr(e, s->rows);
    return json_pack("{s:s, s:b, s:s?, s:o, s:s, s:s?, s:o, s:s, s:s, s:s, s:I, s:I, s:b}", "stem", nest->stem, "by_vectors", by_vectors,
                     "few", nest->vectors.few ? emit_conjunct(e, nest->vectors.few) : NULL, "count", count, "work",
                     emit_expr(e, nest->costs.work), "stored", stage_stored(nest) ? emit_expr(e, stage_stored(nest)) : NULL, "classes",
                     stage_classes(e, nest), "row", emit_expr(e, s->row), "rows",
                     s->when ? arena_printf(in->ir->arena, "(%s) ? %s : 0", emit_expr(e, s->when), rows) : rows, "per_row",
                     emit_expr(e, s->per_row), "behind", (json_int_t)s->behind, "ahead", (json_int_t)s->ahead, "alone", s->alone);
}

/* STEM_step(args, step), which hands the stages the variable that counts steps; null: none reads it. */
static json_t *set_step(const StageInput *in)
{
    Ir *ir = in->ir;
    const Wave *wave = in->wave;
    if (!wave->step)
        return json_null();
    Sym *step = sym_new(ir, S_PARAM, T_INDEX, "step", wave->loc);
    Node *value = ix_add(ir, wave->step_first, ix_mul(ir, mk_var(ir, step), ix_int(ir, wave->step_by)));
    FunctionSpec spec = {.params = &step, .nparams = 1, .also = &value, .nalso = 1, .body = mk_block(ir, 0, NULL, wave->loc)};
    FunctionText t = function_begin(ir, in->dialect, in->uses, in->fields, &spec);
    return json_pack("{s:s, s:o, s:o, s:s, s:s}", "name", arena_printf(ir->arena, "%s_step", wave->stem), "params", t.params, "unpack",
                     t.unpack, "field", function_field(in->fields, wave->step), "value", emit_expr(&t.emitter, value));
}

static json_t *build(const StageInput *in)
{
    Ir *ir = in->ir;
    const Wave *wave = in->wave;
    Node *numbers[MOST_NUMBERS];
    FunctionSpec spec = {.also = numbers, .nalso = gather_numbers(wave, numbers), .body = mk_block(ir, 0, NULL, wave->loc)};
    FunctionText t = function_begin(ir, in->dialect, in->uses, in->fields, &spec);
    json_t *stages = json_array();
    const char *describe = "";
    for (int i = 0; i < wave->nstages; i++) {
        const HostNest *nest = wave->stages[i].nest;
        int line, column;
        diag_line_column(ir->diag, nest->loc, &line, &column);
        describe = arena_printf(ir->arena, "%s%s%d", describe, !i ? "" : i < wave->nstages - 1 ? ", " : " and ", line);
        json_array_append_new(stages, stage(in, &t.emitter, &wave->stages[i]));
    }
    json_decref(t.params);
    return json_pack("{s:s, s:s, s:o, s:s, s:I, s:I, s:s, s:o, s:o}", "stem", wave->stem, "describe",
                     arena_printf(ir->arena, "the loops at %s %s of %s, pipelined by rows", wave->nstages > 1 ? "lines" : "line", describe,
                                  diag_spec(ir->diag, wave->loc)),
                     "unpack", t.unpack, "steps", wave->steps ? emit_expr(&t.emitter, wave->steps) : "1", "apart", (json_int_t)wave->apart,
                     "onward", (json_int_t)wave->onward, "row_bytes", emit_expr(&t.emitter, wave->row_bytes), "set_step", set_step(in),
                     "stages", stages);
}

/* // f_wave1, line 4: f_nest1, f_nest2 1 behind; steps 2 apart */
static void print(Ir *ir, const Stage *stage, Text *out)
{
    const Wave *wave = (const Wave *)stage;
    int line, column;
    diag_line_column(ir->diag, wave->loc, &line, &column);
    text_printf(out, "// %s, line %d: ", wave->stem, line);
    for (int i = 0; i < wave->nstages; i++) {
        const WaveStage *s = &wave->stages[i];
        text_printf(out, "%s%s", i ? ", " : "", s->nest->stem);
        if (i)
            text_printf(out, " %lld behind", (long long)s->behind);
    }
    if (wave->steps)
        text_printf(out, "; steps %lld apart", (long long)wave->apart);
    text_puts(out, "\n");
}

/* None may overtake the one before. */
static void check(const Plan *plan, const Stage *stage)
{
    const Wave *wave = (const Wave *)stage;
    (void)plan;
    for (int i = 0; i < wave->nstages; i++)
        if (!wave->stages[i].nest->in_wave || wave->stages[i].behind < (i ? wave->stages[i - 1].behind : 0))
            internal_error("%s: stage %d would run ahead of the one before", wave->stem, i);
}

const StageOps stage_wave = {.check = check, .print = print, .build = build};
