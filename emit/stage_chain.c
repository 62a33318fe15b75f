/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of the C target: products and loops, row-tiled. Three functions are made of them: what runs a stage, what says how much
 * there is to do, where windows lie. */
#include "depend/index.h"
#include "emit/stage_kind.h"
#include "plan/nest_cases.h"

enum { MOST_NUMBERS = 160 };

/* Expressions that a function prints. */
typedef struct Numbers {
    Node *all[MOST_NUMBERS];
    int n;
} Numbers;

static Node *noted(Numbers *numbers, Node *n)
{
    if (n)
        numbers->all[numbers->n++] = n;
    return n;
}

static FunctionText begin(const StageInput *in, const Numbers *numbers, FunctionSpec *spec)
{
    *spec = (FunctionSpec){.also = numbers->all, .nalso = numbers->n, .body = mk_block(in->ir, 0, NULL, in->chain->loc)};
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, spec);
    json_decref(t.params);
    return t;
}

/* ---------------------------------------------------------------- what runs a stage */

/* The iterations of the nest that *r asks for: {begin, end} of the loops that are cut. */
static json_t *piece(Emitter *e, const Chain *chain, const HostNest *nest)
{
    Arena *arena = e->ir->arena;
    const char *inner = nest->cut.loops == 2 ? emit_expr(e, nest->cut.count[1]) : NULL;
    if (chain->outer && nest->cut.loops == 2)
        return json_pack("[s, s, s, s]", "r->outer", "r->outer + 1", "r->row", "r->row + r->rows");
    const char *each = emit_expr(e, chain->outer ? nest->rows.each_second : nest->rows.each);
    const char *base = chain->outer ? arena_printf(arena, "r->outer * (%s) + ", emit_expr(e, nest->rows.each)) : "";
    const char *begin = arena_printf(arena, "%sr->row * (%s)", base, each),
               *end = arena_printf(arena, "%s(r->row + r->rows) * (%s)", base, each);
    return inner ? json_pack("[s, s, s, s]", begin, end, "0", inner) : json_pack("[s, s]", begin, end);
}

/* Of the last row that *r asks for. */
static const char *reach(Emitter *e, Node *first)
{
    return first ? arena_printf(e->ir->arena, "r->row + r->rows - 1 + (%s)", emit_expr(e, first)) : "INT64_MAX";
}

static json_t *runs(const StageInput *in, json_t **unpack)
{
    const Chain *chain = in->chain;
    Numbers numbers = {.n = 0};
    FunctionSpec spec;
    for (int i = 0; i < chain->nstages; i++) {
        const ChainStage *s = &chain->stages[i];
        noted(&numbers, s->when);
        if (s->product) {
            noted(&numbers, s->per_row);
            noted(&numbers, s->rows);
            noted(&numbers, s->columns);
            noted(&numbers, s->steps);
        }
        if (s->nest) {
            noted(&numbers, s->nest->rows.each);
            noted(&numbers, s->nest->rows.each_second);
            noted(&numbers, s->alone ? stage_stored(s->nest) : NULL);
            noted(&numbers, nest_has_classes(s->nest) ? s->nest->costs.touched : NULL);
            noted(&numbers, s->nest->cut.loops == 2 ? s->nest->cut.count[1] : NULL);
        }
    }
    FunctionText t = begin(in, &numbers, &spec);
    Emitter *e = &t.emitter;
    json_t *out = json_array();
    for (int i = 0; i < chain->nstages; i++) {
        const ChainStage *s = &chain->stages[i];
        const HostNest *nest = s->nest;
        json_t *o = json_object();
        json_object_set_new(o, "when", s->when ? json_string(emit_expr(e, s->when)) : json_null());
        json_object_set_new(o, "product",
                            !s->product ? json_null()
                                        : json_pack("{s:s, s:s, s:b, s:s, s:s, s:s}", "stem", s->product->stem, "each",
                                                    emit_expr(e, s->per_row), "folded", s->folded, "count", emit_expr(e, s->rows),
                                                    "columns", reach(e, s->columns), "steps", reach(e, s->steps)));
        const bool by_vectors = nest && stage_has_forms(nest);
        json_object_set_new(o, "nest",
                            !nest ? json_null()
                                  : json_pack("{s:s, s:b, s:o, s:o, s:s?}", "stem", nest->stem, "by_vectors", by_vectors, "piece",
                                              piece(e, chain, nest), "classes", stage_classes(e, nest), "stored",
                                              s->alone && stage_stored(nest) ? emit_expr(e, stage_stored(nest)) : NULL));
        json_array_append_new(out, o);
    }
    *unpack = t.unpack;
    return out;
}

/* ---------------------------------------------------------------- how much there is to do */

static json_t *amounts(const StageInput *in)
{
    Ir *ir = in->ir;
    const Chain *chain = in->chain;
    Numbers numbers = {.n = 0};
    FunctionSpec spec;
    Node *outer = noted(&numbers, chain->outer ? chain->outer : ix_int(ir, 1));
    Node *row_bytes = noted(&numbers, chain->row_bytes), *moved = noted(&numbers, chain->moved);
    const int first = numbers.n;
    for (int i = 0; i < chain->nstages; i++) {
        const ChainStage *s = &chain->stages[i];
        noted(&numbers, s->first);
        noted(&numbers, s->rows);
        noted(&numbers, s->work);
        noted(&numbers, s->again ? s->again : mk_float(ir, T_DOUBLE, 0));
    }
    FunctionText t = begin(in, &numbers, &spec);
    Emitter *e = &t.emitter;
    json_t *stages = json_array();
    for (int i = 0; i < chain->nstages; i++) {
        const ChainStage *s = &chain->stages[i];
        Node *const *of = numbers.all + first + 4 * i;
        json_array_append_new(stages, json_pack("{s:s, s:s, s:I, s:I, s:s, s:s}", "first", emit_expr(e, of[0]), "rows", emit_expr(e, of[1]),
                                                "before", (json_int_t)s->before, "after", (json_int_t)s->after, "work", emit_expr(e, of[2]),
                                                "again", emit_expr(e, of[3])));
    }
    return json_pack("{s:o, s:s, s:s, s:s, s:o}", "unpack", t.unpack, "outer", emit_expr(e, outer), "row_bytes", emit_expr(e, row_bytes),
                     "moved", emit_expr(e, moved), "stages", stages);
}

/* ---------------------------------------------------------------- windows */

static json_t *windows(const StageInput *in)
{
    const Chain *chain = in->chain;
    Numbers numbers = {.n = 0};
    FunctionSpec spec;
    for (int i = 0; i < chain->nwindows; i++) {
        noted(&numbers, chain->windows[i].row);
        noted(&numbers, chain->outer ? chain->windows[i].rows : NULL);
    }
    FunctionText t = begin(in, &numbers, &spec);
    json_t *list = json_array();
    for (int i = 0; i < chain->nwindows; i++) {
        const ChainWindow *w = &chain->windows[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s?, s:I, s:I}", "field", function_field(in->fields, w->array), "type",
                                              dialect_type(in->dialect, w->array->type), "row", emit_expr(&t.emitter, w->row), "rows",
                                              chain->outer ? emit_expr(&t.emitter, w->rows) : NULL, "before", (json_int_t)w->before,
                                              "after", (json_int_t)w->after));
    }
    return json_pack("{s:o, s:o}", "unpack", t.unpack, "list", list);
}

/* ---------------------------------------------------------------- */

/* Of the args struct: how a call runs it. */
static const char *field(const StageInput *in)
{
    int number = 1;
    while (&chain_at(in->plan, number - 1)->stage != in->stage)
        number++;
    return arena_printf(in->ir->arena, "mik_chain%d", number);
}

static json_t *build(const StageInput *in)
{
    Ir *ir = in->ir;
    const Chain *chain = in->chain;
    const char *lines = "";
    bool early = false;
    json_t *unpack, *stages = runs(in, &unpack);
    for (int i = 0; i < chain->nstages; i++) {
        const ChainStage *s = &chain->stages[i];
        int line, column;
        early = early || s->columns || s->steps;
        diag_line_column(ir->diag, s->product ? s->product->loc : s->nest->loc, &line, &column);
        lines = arena_printf(ir->arena, "%s%s%d", lines, !i ? "" : i < chain->nstages - 1 ? ", " : " and ", line);
    }
    return json_pack("{s:s, s:s, s:b, s:s, s:o, s:o, s:o, s:o}", "stem", chain->stem, "field", field(in), "early", early, "describe",
                     arena_printf(ir->arena, "the stages at lines %s of %s", lines, diag_spec(ir->diag, chain->loc)), "unpack", unpack,
                     "stages", stages, "amounts", amounts(in), "windows", windows(in));
}

/* // f_chain1, line 4: f_s1 or f_nest1, f_nest2, f_s2; by rows: S, T 1 before 1 behind */
static void print(Ir *ir, const Stage *stage, Text *out)
{
    const Chain *chain = (const Chain *)stage;
    int line, column;
    diag_line_column(ir->diag, chain->loc, &line, &column);
    text_printf(out, "// %s, line %d: ", chain->stem, line);
    for (int i = 0; i < chain->nstages; i++) {
        const ChainStage *s = &chain->stages[i];
        text_printf(out, "%s%s%s%s", i ? ", " : "", s->product ? s->product->stem : "", s->when ? " or " : "",
                    s->nest ? s->nest->stem : "");
        if (s->columns || s->steps)
            text_printf(out, " with %s that end early", s->columns ? "columns" : "steps");
        if (s->before || s->after)
            text_printf(out, " with %lld rows before and %lld behind", (long long)s->before, (long long)s->after);
    }
    text_printf(out, "; by %srows: %s\n", chain->around == 2 ? "third " : chain->around ? "second " : "", chain->window_names);
}

/* A window lies in the room of the chain when that runs by blocks. */
static const char *elsewhere(const StageInput *in, const Sym *array)
{
    for (int i = 0; i < in->chain->nwindows; i++)
        if (in->chain->windows[i].array == array)
            return arena_printf(in->ir->arena, "args->%s.rows ? 0 : ", field(in));
    return NULL;
}

static void room(const StageInput *in, Text *out)
{
    const char *name = field(in);
    text_printf(out, "    const int64_t %s_extent[] = {args->%s.tasks, args->%s.slice};\n", name, name, name);
    text_printf(out, "    args->%s.room = (char *)mik_add_room(room, &bytes, 1, %s_extent, 2);\n", name, name);
}

const StageOps stage_chain = {.print = print, .build = build, .elsewhere = elsewhere, .room = room};
