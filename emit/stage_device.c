/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of the CUDA target: contractions. */
#include "emit/stage_kind.h"

#include <string.h>

#include "depend/index.h"
#include "ir/walk.h"
#include "plan/contract/gather.h"
#include "plan/kernels/gpu_measured.h"

static const char host_and_device[] = "static __host__ __device__", device_inline[] = "static __device__ __forceinline__";

/* Device functions take the arguments as they are; parameters that a body does not need are named all the same. */
static json_t *qualified_function(const StageInput *in, const char *qualifiers, const char *suffix, const Func *f)
{
    FunctionSpec spec = {.qualifiers = qualifiers,
                         .result = dialect_type(in->dialect, f->result),
                         .assumed_distinct = true,
                         .params = f->params,
                         .nparams = f->nparams,
                         .body = f->body};
    spec.name = arena_printf(in->ir->arena, "%s_%s", in->contraction->stem, suffix);
    spec.args_param = arena_printf(in->ir->arena, "const %s_args *args", in->symbol);
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    return function_finish(&t, function_unused(&t), NULL);
}

static json_t *device_function(const StageInput *in, const char *suffix, const Func *f)
{
    return qualified_function(in, device_inline, suffix, f);
}

/* Kernels are symbols of the file, as its entry points are: with the prefix in front. */
const char *stage_kernel_symbol(const StageInput *in, const char *name)
{
    size_t prefix = strlen(in->symbol) - strlen(in->plan->func->name);
    return arena_printf(in->ir->arena, "%.*s%s", (int)prefix, in->symbol, name);
}

static json_t *rates(const GpuKernel *k)
{
    json_t *out = json_array();
    for (int g = 0; g < GPU_COUNT; g++)
        json_array_append_new(
            out, json_pack("{s:i, s:i, s:i}", "fixed", k->rates[g].fixed, "step", k->rates[g].step, "alone", k->rates[g].alone));
    return out;
}

json_t *stage_kernel(const StageInput *in, const char *name, const GpuKernel *k)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:b, s:i, s:i, s:b, s:i, s:b, s:i, s:o}", "symbol",
                     stage_kernel_symbol(in, name), "m", k->m, "n", k->n, "k", k->k, "threads", k->threads, "blocks", k->blocks, "shared",
                     k->shared, "align", k->align, "tma", k->tma, "cluster", k->cluster, "box", k->box, "beside", k->beside, "turns",
                     k->turns, "split_k", k->split_k, "exchange", k->exchange, "rates", rates(k));
}

/* Sets kernels and twins. */
static void add_kernels(const StageInput *in, const GpuKernel *list, int count, json_t *stage)
{
    Arena *arena = in->ir->arena;
    const Contraction *c = in->contraction;
    int ntwins = 0;
    const GpuTwin *twins = c->with.ragged ? NULL : gpu_twins(arena, list, count, &ntwins);
    bool tensor = gpu_product(c);
    json_t *out = json_array(), *both = json_array();
    for (int i = 0; i < count; i++) {
        const GpuKernel *k = &list[i];
        in->uses->tma |= k->tma;
        json_t *o = stage_kernel(in, gpu_symbol(arena, c, k), k);
        json_object_set_new(o, "stages", json_integer(k->stages));
        json_object_set_new(o, "slices", json_integer(k->slices));
        json_object_set_new(o, "turned", json_boolean(k->turned));
        json_object_set_new(o, "row", json_boolean(k->row));
        json_object_set_new(o, "codes", json_boolean(k->codes));
        json_object_set_new(o, "gathers", json_boolean(k->gathers));
        json_object_set_new(o, tensor ? "wm" : "tm", json_integer(k->inner_m));
        json_object_set_new(o, tensor ? "wn" : "tn", json_integer(k->inner_n));
        json_array_append_new(out, o);
    }
    for (int i = 0; i < ntwins; i++) {
        const GpuKernel *a = &list[twins[i].first], *b = &list[twins[i].second];
        const char *symbol = arena_printf(arena, "mik_%s_twin_%dx%d_%dx%d_%s", c->stem, a->m, a->n, b->m, b->n, a->tma ? "sm90a" : "sm80");
        json_array_append_new(both,
                              json_pack("{s:s, s:i, s:i, s:i, s:i}", "symbol", stage_kernel_symbol(in, symbol), "first", twins[i].first,
                                        "second", twins[i].second, "shared", twins[i].shared, "blocks", twins[i].blocks));
    }
    json_object_set_new(stage, "kernels", out);
    json_object_set_new(stage, "twins", both);
}

/* What the arguments call an array. */
static const char *array_field(const StageInput *in, Sym *array)
{
    for (int i = 0; i < in->fields->count; i++)
        if (in->fields->items[i].sym == array)
            return in->fields->items[i].name;
    return NULL;
}

/* {type, bytes, in_place, inner, gather}: along which dimension neighbours in memory lie; "k" when nobody knows. */
static json_t *operand(const StageInput *in, const Operand *o, Role outer, const char *outer_name)
{
    Type type = o->value->type;
    json_t *gather = o->gather ? json_pack("{s:s, s:i, s:b}", "array", array_field(in, o->gather->array), "conditions",
                                           o->gather->nconditions, "placed", o->gather->placed != NULL)
                               : json_null();
    return json_pack("{s:s, s:i, s:b, s:s, s:o}", "type", dialect_type(in->dialect, type), "bytes", type_bits(type) / 8, "in_place",
                     o->in_place, "inner", gpu_inner(in->contraction, o, outer) == outer ? outer_name : "k", "gather", gather);
}

/* {array, across, bits, half, signed, least, scales, scale, group, bytes}: scales null where there are none; bytes that a step of a
 * column takes. */
static json_t *codes(const StageInput *in, const DeviceCodes *d)
{
    if (!d)
        return json_null();
    const Type scale = d->scales ? d->scales->array->type : T_FLOAT;
    const double shared = d->scales && d->group ? type_bits(scale) / 8.0 / (double)d->group : 0;
    return json_pack("{s:s, s:b, s:i, s:i, s:b, s:i, s:s?, s:s, s:I, s:s}", "array", array_field(in, d->bytes->array), "across", d->across,
                     "bits", d->bits, "half", d->half, "signed", d->is_signed, "least", d->least, "scales",
                     d->scales ? array_field(in, d->scales->array) : NULL, "scale", dialect_type(in->dialect, scale), "group",
                     (json_int_t)d->group, "bytes", arena_printf(in->ir->arena, "%.6g", d->bits / 8.0 + shared));
}

static json_t *product(const Contraction *c)
{
    const GpuProduct *p = gpu_product(c);
    return p ? json_pack("{s:s, s:s, s:b}", "a", p->a, "b", p->b, "thrice", c->tf32 == TF32_THRICE) : json_null();
}

/* STEM_units_ROLE(args, unit): how many folded iterations one step of each of the role's loops is, innermost first. */
static json_t *units_function(const StageInput *in, Role role, const char *name)
{
    const Contraction *c = in->contraction;
    Ir *ir = in->ir;
    Node **units = arena_new_array(ir->arena, Node *, c->ndims + 1), *unit = ix_int(ir, 1);
    int n = 0;
    for (int i = c->ndims - 1; i >= 0; i--)
        if (c->dims[i].role == role) {
            units[n++] = unit;
            unit = ix_mul(ir, unit, c->dims[i].extent);
        }
    FunctionSpec spec = {.qualifiers = c->with.ragged ? device_inline : "static", .result = "int", .also = units, .nalso = n};
    Text body;
    FunctionText t = stage_begin(in, &spec, arena_printf(ir->arena, "units_%s", name), ", int64_t *unit", &body);
    if (n == 0)
        text_puts(&body, "    (void)unit;\n");
    for (int i = 0; i < n; i++)
        text_printf(&body, "    unit[%d] = %s;\n", i, emit_expr(&t.emitter, units[i]));
    text_printf(&body, "    return %d;\n", n);
    return function_finish(&t, body.data, NULL);
}

/* STEM_apart_SUFFIX(args): a number whose lowest bits are those that rows (columns) which memory places are multiples of. */
static json_t *apart_function(const StageInput *in, Node *apart, const char *suffix)
{
    FunctionSpec spec = {.qualifiers = device_inline, .result = "int64_t", .also = &apart, .nalso = 1};
    Text body;
    FunctionText t = stage_begin(in, &spec, arena_printf(in->ir->arena, "apart_%s", suffix), "", &body);
    text_printf(&body, "    return %s;\n", emit_expr(&t.emitter, apart));
    return function_finish(&t, body.data, NULL);
}

/* The functions that say where the elements of a gathered operand are. */
static void add_places(const StageInput *in, const Operand *o, Role role, const char *outer, int slot, const char *place, const char *step,
                       bool aligned, json_t *hooks)
{
    static const char both[] = "static __host__ __device__ __forceinline__";
    const Contraction *c = in->contraction;
    if (!o->gather)
        return;
    json_array_append_new(hooks, qualified_function(in, gpu_product(c) ? both : device_inline, place, c->lowered.hooks[slot].func));
    json_array_append_new(hooks, qualified_function(in, gpu_product(c) ? both : device_inline, step, c->lowered.hooks[slot + 1].func));
    if (aligned)
        json_array_append_new(hooks, units_function(in, role, outer));
    if (aligned && o->gather->placed)
        json_array_append_new(hooks, apart_function(in, o->gather->apart, role == R_M ? "a" : "b"));
}

/* Does a kernel ask for aligned operands? Then the host has to find out whether they are. */
static bool asks_alignment(const GpuKernel *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i].align > 1)
            return true;
    return false;
}

/* In a ragged batch, where the host does not know where operands start: those for aligned operands, which look for themselves, and do it as
 * others do where they are not; those for any where there are no such. */
static const GpuKernel *ragged_kernels(Arena *arena, const GpuKernel *list, int *count)
{
    GpuKernel *kept = arena_new_array(arena, GpuKernel, *count + 1);
    int n = 0, align = 1;
    for (int i = 0; i < *count; i++)
        align = !list[i].tma && !list[i].row && list[i].align > align ? list[i].align : align;
    for (int i = 0; i < *count; i++)
        if (!list[i].tma && !list[i].row && list[i].align == align)
            kept[n++] = list[i];
    *count = n;
    return kept;
}

/* STEM_usual(args, problem): the extents that the host takes the products of a ragged batch to have. */
static json_t *usual_function(const StageInput *in)
{
    static const char *const fields[R_COUNT] = {"batch", "m", "n", "k"};
    const Contraction *c = in->contraction;
    FunctionSpec spec = {.qualifiers = "static", .result = "void", .also = c->with.usual, .nalso = R_COUNT};
    Text body;
    FunctionText t = stage_begin(in, &spec, "usual", ", mik_problem *problem", &body);
    for (int role = 0; role < R_COUNT; role++)
        text_printf(&body, "    problem->%s = %s;\n", fields[role], emit_expr(&t.emitter, c->with.usual[role]));
    return function_finish(&t, body.data, NULL);
}

/* {stem, in_turn, members[]}, of stems; null: it has a launch of its own. */
static json_t *group(const ProductGroup *g)
{
    if (!g)
        return json_null();
    json_t *members = json_array();
    for (int i = 0; i < g->nmembers; i++)
        json_array_append_new(members, json_string(g->members[i]->stem));
    return json_pack("{s:s, s:b, s:o}", "stem", g->stem, "in_turn", g->in_turn, "members", members);
}

json_t *stage_build_device(const StageInput *in)
{
    const Contraction *c = in->contraction;
    json_t *hooks = json_array();
    int count;
    const GpuKernel *list = gpu_measured_kernels(in->ir->arena, c, &in->kernels->opt, &count);
    if (c->with.ragged)
        list = ragged_kernels(in->ir->arena, list, &count);
    const bool aligned = asks_alignment(list, count);
    json_array_append_new(hooks, stage_problem(in, c->with.ragged ? device_inline : host_and_device));
    if (c->with.ragged)
        json_array_append_new(hooks, usual_function(in));
    const char *address = gpu_product(c) ? "static __host__ __device__ __forceinline__" : device_inline;
    if (c->a.in_place)
        json_array_append_new(hooks, stage_address(in, &c->a, "a_ptr", address, true));
    if (c->b.in_place)
        json_array_append_new(hooks, stage_address(in, &c->b, "b_ptr", address, true));
    if (c->a.in_place && c->b.in_place && aligned)
        json_array_append_new(hooks, units_function(in, R_BATCH, "b"));
    add_places(in, &c->a, R_M, "m", HOOK_PLACE_A, "place_a", "step_a", aligned, hooks);
    add_places(in, &c->b, R_N, "n", HOOK_PLACE_B, "place_b", "step_b", aligned, hooks);
    if (aligned && (c->a.gather || c->b.gather)) {
        json_array_append_new(hooks, units_function(in, R_BATCH, "b"));
        json_array_append_new(hooks, units_function(in, R_K, "k"));
    }
    if (!c->a.gather)
        json_array_append_new(hooks, device_function(in, "a", c->lowered.hooks[HOOK_VALUE_A].func));
    if (!c->b.gather)
        json_array_append_new(hooks, device_function(in, "b", c->lowered.hooks[HOOK_VALUE_B].func));
    if (c->codes)
        json_array_append_new(hooks, device_function(in, "place_codes", c->lowered.hooks[HOOK_PLACE_CODES].func));
    if (c->codes && c->codes->across)
        json_array_append_new(hooks, device_function(in, "step_codes", c->lowered.hooks[HOOK_STEP_CODES].func));
    if (c->codes && c->codes->scales)
        json_array_append_new(hooks, device_function(in, "place_scales", c->lowered.hooks[HOOK_PLACE_SCALES].func));
    json_array_append_new(hooks, device_function(in, "epilogue", c->lowered.hooks[HOOK_POINT].func));
    bool wide = c->lowered.hooks[HOOK_FINISHED].func;
    if (wide) {
        json_array_append_new(hooks, stage_address(in, &c->c, "c_ptr", gpu_maps_output(c) ? address : device_inline, false));
        json_array_append_new(hooks, device_function(in, "finished", c->lowered.hooks[HOOK_FINISHED].func));
    }
    bool repeats, varies;
    json_t *times = c->with.ragged ? NULL : stage_times(in, &repeats, &varies);
    if (times)
        json_array_append_new(hooks, times);
    Type out = c->c.value->type;
    json_t *output = json_pack("{s:s, s:i, s:b, s:b}", "type", dialect_type(in->dialect, out), "bytes", type_bits(out) / 8, "wide", wide,
                               "mapped", gpu_maps_output(c));
    int line, column;
    diag_line_column(in->ir->diag, c->loc, &line, &column);
    json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:b}", "kind", "contraction", "stem", c->stem, "family",
                          family_name(c->family), "acc", dialect_type(in->dialect, c->acc), "a", operand(in, &c->a, R_M, "m"), "b",
                          operand(in, &c->b, R_N, "n"), "c", output, "mma", product(c), "hooks", hooks, "captures",
                          c->ncaptured > 0 && (!times || varies));
    add_kernels(in, list, count, o);
    json_object_set_new(o, "counted", json_boolean(times != NULL));
    json_object_set_new(o, "repeated", json_boolean(times && repeats));
    json_object_set_new(o, "varies", json_boolean(times && varies));
    json_object_set_new(o, "codes", codes(in, c->codes));
    json_object_set_new(o, "group", group(c->with.group));
    json_object_set_new(o, "ragged", c->with.ragged ? json_string(c->with.ragged->stem) : json_null());
    json_object_set_new(o, "conditional", json_boolean(c->applies.condition || c->applies.is_otherwise));
    json_object_set_new(
        o, "describe", json_string(arena_printf(in->ir->arena, "The contraction at line %d of %s", line, diag_spec(in->ir->diag, c->loc))));
    return o;
}

static json_t *gpu_number(Arena *arena, double x) { return json_string(arena_printf(arena, x < 10000 ? "%.4g" : "%.0f", x)); }

json_t *stage_gpus(Arena *arena, const KernelOptions *opt)
{
    json_t *out = json_array();
    for (int g = 0; g < GPU_COUNT; g++) {
        const GpuCosts costs = gpu_measured_costs(opt, g);
        json_array_append_new(out, json_pack("{s:o, s:o, s:o, s:o, s:o}", "bandwidth", gpu_number(arena, 1e-3 * costs.bandwidth), "reached",
                                             gpu_number(arena, costs.reached), "launch", gpu_number(arena, 1e3 * costs.launch), "reduction",
                                             gpu_number(arena, 1e3 * costs.reduction), "partial", gpu_number(arena, 1e3 * costs.partial)));
    }
    return out;
}

/* Its text is that of its members. */
static void check_group(const Plan *plan, const Stage *stage)
{
    (void)plan;
    for (int i = 0; i < stage->nmembers; i++)
        if (stage->nmembers > GROUP_MEMBERS || &((const Contraction *)stage->members[i])->with.group->stage != stage)
            internal_error("%s: its member %s is not its own", stage->stem, stage->members[i]->stem);
}

const StageOps stage_group = {.check = check_group};
