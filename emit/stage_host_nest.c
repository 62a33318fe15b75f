/* Stages of the C target: loops that are no contraction. */
#include "emit/stage.h"
#include "ir/walk.h"

/* The nest's function for a set; NULL: the loops as they are. */
static json_t *form(const StageInput *in, const Func *f, const VectorSet *set)
{
    const HostNest *nest = in->host_nest;
    FunctionSpec spec = {.qualifiers = "static",
                         .result = "void",
                         .name = arena_printf(in->ir->arena, "%s_%s", nest->stem, set ? set->name : "loops"),
                         .assumed_distinct = true,
                         .params = f->params,
                         .nparams = f->nparams,
                         .body = f->body};
    spec.args_param = arena_printf(in->ir->arena, "const %s_args *args", in->symbol);
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    t.emitter.set = set;
    return function_finish(&t, function_unused(&t), NULL);
}

/* A function of the arguments that returns a value. */
static json_t *value_function(const StageInput *in, const char *result, const char *name, Node *value)
{
    const HostNest *nest = in->host_nest;
    FunctionSpec spec = {.qualifiers = "static", .result = result, .also = &value, .nalso = 1};
    spec.name = arena_printf(in->ir->arena, "%s_%s", nest->stem, name);
    spec.args_param = arena_printf(in->ir->arena, "const %s_args *args", in->symbol);
    spec.body = mk_block(in->ir, 0, NULL, nest->loc);
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    const char *text = emit_expr(&t.emitter, value);
    return function_finish(&t, function_unused(&t), arena_printf(in->ir->arena, "    return %s;\n", text));
}

json_t *stage_build_host_nest(const StageInput *in)
{
    static const char *const names[] = {"count", "inner_count"};
    const HostNest *nest = in->host_nest;
    json_t *forms = json_array(), *count = json_array();
    for (int i = 0; i < SET_COUNT; i++)
        if (nest->form[i])
            json_array_append_new(forms, json_pack("{s:s, s:i, s:o}", "set", vector_sets[i].name, "isa", vector_sets[i].isa, "function",
                                                   form(in, nest->form[i], &vector_sets[i])));
    for (int i = 0; i < nest->ncounts; i++)
        json_array_append_new(count, value_function(in, "int64_t", names[i], nest->count[i]));
    int line, column;
    diag_line_column(in->ir->diag, nest->loc, &line, &column);
    return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o}", "stem", nest->stem, "describe",
                     arena_printf(in->ir->arena, "the loops at line %d of %s", line, diag_spec(in->ir->diag, nest->loc)), "reorders",
                     nest->reorders, "stored", nest->stored ? value_function(in, "double", "stored", nest->stored) : json_null(), "count",
                     count, "work", nest->ncounts ? value_function(in, "double", "work", nest->work) : json_null(), "loops",
                     form(in, nest->loops, NULL), "forms", forms);
}
