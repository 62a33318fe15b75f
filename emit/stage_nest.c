/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of the CUDA target: loop nests. */
#include "emit/stage_kind.h"

#include <inttypes.h>

#include "ir/print.h"
#include "ir/walk.h"
#include "plan/profile/profile.h"

/* One function of a nest. */
static json_t *form(const StageInput *in, const Func *f, bool aligned)
{
    FunctionSpec spec = {.qualifiers = "static __device__ __forceinline__",
                         .result = dialect_type(in->dialect, f->result),
                         .name = f->name,
                         .assumed_distinct = true,
                         .aligned = aligned,
                         .params = f->params,
                         .nparams = f->nparams,
                         .body = f->body};
    spec.args_param = arena_printf(in->ir->arena, "const %s_args *args", in->symbol);
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    return function_finish(&t, function_unused(&t), NULL);
}

/* The addresses of all arrays that a function reaches are multiples of 16. */
static const char *alignment(const StageInput *in, const Func *f)
{
    Text t;
    text_init(&t, in->ir->arena);
    for (int i = 0; i < in->fields->count; i++)
        if (in->fields->items[i].sym->rank && uses_sym(f->body, in->fields->items[i].flat))
            text_printf(&t, "%s(uintptr_t)args->%s", t.size ? " | " : "", in->fields->items[i].name);
    return arena_printf(in->ir->arena, "((%s) & 15) == 0", t.data);
}

/* STEM_extents(args, extents): what the host knows of the nest. */
static json_t *nest_extents(const StageInput *in)
{
    const DeviceNest *n = in->device_nest;
    Arena *arena = in->ir->arena;
    struct {
        const char *field;
        Node *value;
        const char *otherwise;
    } set[] = {{"x", n->extent[AXIS_X], ""},
               {"y", n->extent[AXIS_Y], ""},
               {"z", n->extent[AXIS_Z], ""},
               {"steps", n->steps, "-1"},
               {"reach", n->reach, "0"}};
    enum { COUNT = sizeof set / sizeof *set };
    FunctionSpec spec = {.qualifiers = "static", .result = "void", .name = arena_printf(arena, "%s_extents", n->stem)};
    Node *also[COUNT];
    for (int i = 0; i < COUNT; i++)
        also[i] = set[i].value;
    spec.args_param = arena_printf(arena, "const %s_args *args, mik_extents *extents", in->symbol);
    spec.body = mk_block(in->ir, 0, NULL, n->loc);
    spec.also = also;
    spec.nalso = COUNT;
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    Text body;
    text_init(&body, arena);
    if (json_array_size(t.unpack) == 0 && !n->form[FORM_VECTOR])
        text_puts(&body, "    (void)args;\n");
    for (int i = 0; i < COUNT; i++)
        text_printf(&body, "    extents->%s = %s;\n", set[i].field, set[i].value ? emit_expr(&t.emitter, set[i].value) : set[i].otherwise);
    text_printf(&body, "    extents->aligned = %s;\n", n->form[FORM_VECTOR] ? alignment(in, n->form[FORM_VECTOR]) : "1");
    return function_finish(&t, body.data, NULL);
}

/* Do the extents follow from the operator's parameters alone? */
static bool has_known_extents(const DeviceNest *n)
{
    Node *const used[] = {n->extent[AXIS_X], n->extent[AXIS_Y], n->extent[AXIS_Z], n->steps, n->reach};
    for (int i = 0; i < n->ncaptured; i++)
        for (size_t j = 0; j < sizeof used / sizeof *used; j++)
            if (used[j] && uses_sym(used[j], n->captured[i]))
                return false;
    return true;
}

static json_t *grid_knobs(const DeviceNest *n)
{
    json_t *knobs = json_object();
    for (int i = 0; i < GRID_KNOBS; i++)
        json_object_set_new(knobs, grid_knob_info[i].name, json_integer(grid_knob(&n->knobs, (GridKnob)i)));
    return knobs;
}

static json_t *build(const StageInput *in)
{
    static const char *const names[FORM_COUNT] = {"point", "warp", "block", "columns", "vector", "tile", "fetch", "parts", "whole"};
    const DeviceNest *n = in->device_nest;
    Arena *arena = in->ir->arena;
    json_t *hooks = json_array(), *forms = json_array(), *ordered = json_array();
    json_array_append_new(hooks, nest_extents(in));
    for (int i = 0; i < FORM_COUNT; i++)
        if (n->form[i]) {
            json_array_append_new(hooks, form(in, n->form[i], i == FORM_VECTOR));
            if (i != FORM_FETCH && i != FORM_WHOLE)
                json_array_append_new(forms, json_string(names[i]));
        }
    for (int i = 0; n->ordered[i]; i++)
        json_array_append_new(ordered, json_string(n->ordered[i]));
    json_t *parts = json_array(); /* types of what chunks leave */
    for (int i = 3; n->form[FORM_WHOLE] && i < n->form[FORM_WHOLE]->nparams; i++)
        json_array_append_new(parts, json_string(dialect_type(in->dialect, n->form[FORM_WHOLE]->params[i]->type)));
    json_t *index = json_array(); /* types of the numbers along the axes */
    for (int i = 0; i < n->naxes; i++)
        json_array_append_new(index, json_string(n->form[FORM_POINT]->params[i]->type == T_INT ? "int" : "int64_t"));
    json_t *more = json_array(); /* stages for `mikgen tune` */
    for (int i = 0; i < n->more.count; i++) {
        StageInput other = *in;
        other.device_nest = n->more.items[i];
        json_array_append_new(more, build(&other));
    }
    int line, column;
    diag_line_column(in->ir->diag, n->loc, &line, &column);
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:o, s:b, s:i, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:i, s:s}", "kind", "nest", "stem",
                     n->stem, "symbol", stage_kernel_symbol(in, arena_printf(arena, "mik_%s", n->stem)), "describe",
                     arena_printf(arena, "The loops at line %d of %s", line, diag_spec(in->ir->diag, n->loc)), "known",
                     has_known_extents(n), "axes", index, "prefers_lanes", n->prefers_lanes, "width", n->width, "knobs", grid_knobs(n),
                     "fetched", n->form[FORM_FETCH] ? dialect_type(in->dialect, n->form[FORM_FETCH]->result) : "", "parts", parts, "forms",
                     forms, "ordered", ordered, "hooks", hooks, "more", more, "number", n->number, "choice",
                     arena_printf(arena, "%016" PRIx64 " %s", n->fingerprint, grid_knobs_text(arena, &n->knobs)));
}

static void visit(const Stage *stage, const FuncVisitor *v)
{
    const DeviceNest *nest = (const DeviceNest *)stage;
    for (int h = 0; h < FORM_COUNT; h++)
        if (nest->form[h])
            v->visit(v->user, nest->form[h]);
    for (int i = 0; i < nest->more.count; i++)
        visit(nest->more.items[i], v);
}

static void print(Ir *ir, const Stage *stage, Text *out)
{
    const DeviceNest *nest = (const DeviceNest *)stage;
    text_printf(out, "// %s, %s\n", nest->stem, profile_nest_name(ir->arena, nest->fingerprint));
    for (int h = 0; h < FORM_COUNT; h++)
        if (nest->form[h])
            print_func(out, nest->form[h]);
}

const StageOps stage_device_nest = {.print = print, .visit = visit, .build = build};
