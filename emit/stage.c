/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of the C target: contractions, the functions that describe their operands, their exact covers. */
#include "emit/stage_kind.h"

#include "depend/index.h"
#include "emit/constant.h"
#include "ir/walk.h"
#include "plan/contract/gather.h"
#include "plan/kernels/cover2d.h"

static const char *const epilogue_names[] = {[EPI_STORE] = "store", [EPI_ACCUMULATE] = "accumulate", [EPI_GENERAL] = "general"};

const char *stored_name(Type type)
{
    switch (type) {
    case T_HALF: return "half";
    case T_BF16: return "bf16";
    case T_SCHAR: return "s8";
    case T_UCHAR: return "u8";
    case T_SHORT: return "s16";
    default: return "";
    }
}

/* `b` folded: declarations that give the batch loops' variables, as far as `base` uses them, their values. */
static Node *decode_batch(Ir *ir, const Contraction *c, Sym *b, Node *base)
{
    Node **decls = arena_new_array(ir->arena, Node *, c->ndims + 1);
    int n = 0, first = 0, last = -1;
    for (int i = 0; i < c->ndims; i++)
        if (c->dims[i].role == R_BATCH)
            last = i;
    Node *rest = mk_var(ir, b);
    for (int i = last; i >= first; i--) {
        const LoopDim *d = &c->dims[i];
        Node *t = i > first ? ix_mod(ir, rest, d->extent) : rest;
        Node *value = ix_add(ir, widen(ir, d->lo), ix_mul(ir, ix_int(ir, d->step), t));
        if (uses_sym(base, d->var))
            decls[n++] = mk_decl(ir, d->var, mk_cast(ir, d->var->type, value), d->var->loc);
        rest = ix_div(ir, rest, d->extent);
    }
    return mk_block(ir, n, decls, (Loc){0, 0});
}

/* STEM_SUFFIX(args, b): `base` in batch b, in `array` if that is not NULL. */
static json_t *in_batch(const StageInput *in, Sym *array, Node *base, FunctionSpec spec)
{
    const Contraction *c = in->contraction;
    Sym *b = sym_new(in->ir, S_PARAM, T_INDEX, "b", (Loc){0, 0});
    Sym *flat = array ? linear_sym(in->ir, in->linear, array) : NULL;
    Node *zero = ix_int(in->ir, 0), *also[] = {base, flat ? mk_load(in->ir, flat, 1, &zero) : NULL};
    spec.params = &b, spec.nparams = 1, spec.also = also, spec.nalso = 2;
    spec.args_param = arena_printf(in->ir->arena, "const %s_args *args", in->symbol);
    spec.body = decode_batch(in->ir, c, b, base);
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    /* The variables that `base` names are declared while the body is printed, hence in two steps. */
    Text body;
    text_init(&body, in->ir->arena);
    t.emitter.out = &body;
    emit_stmt(&t.emitter, spec.body, 1);
    const char *tail = emit_expr(&t.emitter, base);
    if (flat)
        tail = is_int(base, 0) ? names_find(t.emitter.names, flat)
                               : arena_printf(in->ir->arena, "%s + (%s)", names_find(t.emitter.names, flat), tail);
    tail = arena_printf(in->ir->arena, "    return %s;\n", tail);
    if (spec.body->nkids == 0)
        tail = arena_printf(in->ir->arena, "    (void)%s;\n%s", names_find(t.emitter.names, b), tail);
    spec.body = mk_block(in->ir, 0, NULL, (Loc){0, 0});
    if (json_array_size(t.unpack) == 0)
        tail = arena_printf(in->ir->arena, "    (void)args;\n%s", tail);
    return function_finish(&t, body.data, tail);
}

json_t *stage_address(const StageInput *in, const Operand *o, const char *suffix, const char *qualifiers, bool is_const)
{
    FunctionSpec spec = {.qualifiers = qualifiers};
    const char *constness = is_const ? "const " : "";
    spec.result = arena_printf(in->ir->arena, "%s%s *", constness, dialect_type(in->dialect, o->array->type));
    spec.name = arena_printf(in->ir->arena, "%s_%s", in->contraction->stem, suffix);
    return in_batch(in, o->array, o->base, spec);
}

/* STEM_SUFFIX_base(args, b): where a gather starts. */
static json_t *gather_base(const StageInput *in, const Gather *g, const char *suffix)
{
    FunctionSpec spec = {.qualifiers = "static", .result = "int64_t"};
    spec.name = arena_printf(in->ir->arena, "%s_base_%s", in->contraction->stem, suffix);
    return in_batch(in, NULL, g->base, spec);
}

FunctionText stage_begin(const StageInput *in, FunctionSpec *spec, const char *suffix, const char *more, Text *body)
{
    Arena *arena = in->ir->arena;
    spec->name = arena_printf(arena, "%s_%s", in->contraction->stem, suffix);
    spec->args_param = arena_printf(arena, "const %s_args *args%s", in->symbol, more);
    spec->body = mk_block(in->ir, 0, NULL, (Loc){0, 0});
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, spec);
    text_init(body, arena);
    if (json_array_size(t.unpack) == 0)
        text_puts(body, "    (void)args;\n");
    return t;
}

json_t *stage_problem(const StageInput *in, const char *qualifiers)
{
    const Contraction *c = in->contraction;
    Node *one = ix_int(in->ir, 0);
    struct {
        const char *field;
        Node *value;
    } set[] = {
        {"batch", c->extent[R_BATCH]},
        {"m", c->extent[R_M]},
        {"n", c->extent[R_N]},
        {"k", c->extent[R_K]},
        {"a_m", c->a.strided ? c->a.stride[R_M] : one},
        {"a_k", c->a.strided ? c->a.stride[R_K] : one},
        {"b_k", c->b.strided ? c->b.stride[R_K] : one},
        {"b_n", c->b.strided ? c->b.stride[R_N] : one},
        {"c_m", c->c.strided ? c->c.stride[R_M] : one},
        {"c_n", c->c.strided ? c->c.stride[R_N] : one},
        {"a_in_place", ix_int(in->ir, c->a.in_place)},
        {"b_in_place", ix_int(in->ir, c->b.in_place)},
        {"c_direct", ix_int(in->ir, c->c.in_place)},
    };
    enum { COUNT = sizeof set / sizeof *set };
    Node *also[COUNT];
    for (int i = 0; i < COUNT; i++)
        also[i] = set[i].value;
    FunctionSpec spec = {.qualifiers = qualifiers, .result = "void", .also = also, .nalso = COUNT};
    Text body;
    FunctionText t = stage_begin(in, &spec, "problem", ", mik_problem *problem", &body);
    for (int i = 0; i < COUNT; i++)
        text_printf(&body, "    problem->%s = %s;\n", set[i].field, emit_expr(&t.emitter, set[i].value));
    const struct {
        const Operand *operand;
        const char *call;
    } gathers[] = {
        {&c->a,
         "gather_a(args, &gather);\n    mik_place_gather(&gather, &problem->a_m, &problem->a_k, &problem->a_in_place, &problem->a_rows);\n"
         "    mik_jumps_of(&gather, &problem->a_jumps)"},
        {&c->b, "gather_b(args, &gather);\n    mik_place_gather(&gather, &problem->b_n, &problem->b_k, &problem->b_in_place, NULL)"}};
    bool host = !in->dialect->cuda;
    if (!host)
        text_printf(&body, "    problem->member = %d;\n", c->with.member);
    if (host && (c->a.gather || c->a.rows || c->b.gather))
        text_puts(&body, "    mik_gather gather;\n");
    if (host && c->a.rows)
        text_printf(&body, "    %s_gather_a(args, &gather);\n    problem->a_rows = mik_gathers_rows(&gather);\n", c->stem);
    if (host && c->a.rows && stage_a_is_words(c))
        text_puts(&body, "    int plain;\n    mik_place_gather(&gather, &problem->a_m, &problem->a_k, &plain, NULL);\n"
                         "    mik_jumps_of(&gather, &problem->a_jumps);\n");
    for (int i = 0; i < 2; i++)
        if (host && gathers[i].operand->gather)
            text_printf(&body, "    %s_%s;\n", c->stem, gathers[i].call);
    if (c->a.strided && !c->a.in_place)
        text_puts(&body, "    problem->a_rows = problem->a_k == 1 && problem->k >= 16;\n");
    return function_finish(&t, body.data, NULL);
}

/* STEM_NAME, a set's function behind its name; set NULL: the loops as they are, which compilers without vectors take for the portable form. */
static json_t *hook_function(const StageInput *in, const Hook *h, const Func *f, const VectorSet *set)
{
    FunctionSpec spec = {.qualifiers = "static", .result = dialect_type(in->dialect, f->result), .assumed_distinct = true};
    const char *name = set ? set->name : h->form[SET_PORTABLE] ? vector_sets[SET_PORTABLE].name : NULL;
    spec.name = arena_printf(in->ir->arena, "%s_%s%s%s", in->contraction->stem, h->name, name ? "_" : "", name ? name : "");
    spec.args_param = arena_printf(in->ir->arena, "const %s_args *args", in->symbol);
    spec.params = f->params;
    spec.nparams = f->nparams;
    spec.body = f->body;
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    t.emitter.set = set;
    return function_finish(&t, function_unused(&t), NULL);
}

/* {hook, loops, forms[] {set, isa, function}} */
static json_t *hook_forms(const StageInput *in, const Hook *h)
{
    json_t *forms = json_array();
    for (int i = 0; i < SET_COUNT; i++)
        if (h->form[i])
            json_array_append_new(forms, json_pack("{s:s, s:i, s:[i], s:o}", "set", vector_sets[i].name, "isa", vector_sets[i].number,
                                                   "numbers", 0, "function", hook_function(in, h, h->form[i], &vector_sets[i])));
    return json_pack("{s:s, s:o, s:o}", "hook", h->name, "loops", hook_function(in, h, h->func, NULL), "forms", forms);
}

/* STEM_ahead_SUFFIX(args, b): of batch b, a number about factors that were prepacked. */
static json_t *ahead_number(const StageInput *in, Node *value, const char *suffix)
{
    FunctionSpec spec = {.qualifiers = "static", .result = "int64_t"};
    spec.name = arena_printf(in->ir->arena, "%s_ahead_%s", in->contraction->stem, suffix);
    return in_batch(in, NULL, value, spec);
}

const Sym *stage_packs(const Operand *o) { return o->rows ? o->rows->array : o->strided ? o->array : NULL; }

bool stage_a_is_words(const Contraction *c)
{
    const Sym *array = stage_packs(&c->a);
    if (!array || c->dots == FAM_COUNT)
        return false;
    return c->dots == FAM_BF16 ? array->type == T_BF16 : array->type == T_UCHAR && c->a.plus + c->a.dots_plus == 0 && c->b.dots_plus == 0;
}

/* {in_place, strided, gather, rows, stored, plus, dots_plus}: how an operand gets into panels. */
static json_t *operand(const Operand *o)
{
    const Sym *array = o->array; /* that might come packed, were it said to be constant */
    const bool could = array && array->kind == S_ARRAY && array->is_const && !array->is_constant;
    return json_pack("{s:s, s:b, s:b, s:b, s:b, s:s, s:I, s:I}", "wish", could ? array->name : "", "in_place", o->in_place, "strided",
                     o->strided, "gather", o->gather != NULL, "rows", o->rows != NULL, "stored",
                     stage_packs(o) ? stored_name(stage_packs(o)->type) : "", "plus", (json_int_t)o->plus, "dots_plus",
                     (json_int_t)o->dots_plus);
}

/* The templates convert elements of these types themselves. */
static void note_narrow(Uses *uses, const Operand *o)
{
    const Sym *array = stage_packs(o);
    uses->half |= array && array->type == T_HALF;
    uses->bf16 |= array && array->type == T_BF16;
}

/* The kernel of mr rows and nv vectors. */
static int tile_of(const KernelSet *set, int mr, int nv)
{
    int i = 0;
    while (i < set->ntiles && !(set->tiles[i].mr == mr && set->tiles[i].nv == nv))
        i++;
    return i;
}

static json_t *cover_bands(const KernelSet *set, const Cover2d *cover)
{
    json_t *bands = json_array();
    for (int i = 0; i < cover->nbands; i++) {
        const CoverBand *band = &cover->bands[i];
        json_t *parts = json_array();
        for (int j = 0; j < band->nparts; j++) {
            const int part = band->parts[j].side, side = band->band.side;
            json_array_append_new(parts,
                                  json_pack("{s:i, s:I}", "kernel", cover->rows_first ? tile_of(set, side, part) : tile_of(set, part, side),
                                            "count", (json_int_t)band->parts[j].count));
        }
        json_array_append_new(bands, json_pack("{s:I, s:o}", "count", (json_int_t)band->band.count, "parts", parts));
    }
    return json_pack("{s:s, s:b, s:o}", "isa", set->isa, "rows_first", cover->rows_first, "bands", bands);
}

/* fixed_cover: the exact cover (plan/kernels/cover2d.h) of an output of constant extents for each instruction set; null elsewhere. */
static json_t *fixed_cover(const StageInput *in)
{
    const Contraction *c = in->contraction;
    if (!c->chosen.covers)
        return json_null();
    json_t *isas = json_array();
    const KernelSet *sets = kernels_of(in->kernels, c->family);
    for (int i = 0; i < kernel_set_count(c->family, &in->kernels->opt); i++)
        json_array_append_new(isas, cover_bands(&sets[i], c->chosen.covers[i]));
    return isas;
}

/* A single row of outputs with an epilogue, which the engine may compute as a column: its other operand has no rows in place. */
static bool is_of_row(const Contraction *c)
{
    return c->kind == EPI_GENERAL && is_int(c->extent[R_M], 1) && c->a.in_place && c->b.in_place && !is_int(c->b.stride[R_N], 1);
}

/* {parts, part, whole}: where A lies that was prepacked. */
static json_t *ahead_a(const StageInput *in)
{
    const Contraction *c = in->contraction;
    return json_pack("{s:s, s:i, s:i}", "parts", constant_field(in->ir, c->ahead_a.of), "part", c->ahead_a.part, "whole",
                     c->ahead_a.of->nparts + 1);
}

/* [{name, bytes, parts, part}]: what groups of steps share of a B that comes as codes; bytes: of each; parts, part: where it lies, null
 * where there is no such thing. */
static json_t *shared(const StageInput *in)
{
    static const char *const names[] = {"scales", "zeros", "offsets", "factors"};
    const Contraction *c = in->contraction;
    json_t *list = json_array();
    for (int i = 0; i < SHARED_COUNT; i++) {
        const Constant *home = c->ahead_shared[i].of;
        json_array_append_new(list, json_pack("{s:s, s:i, s:s?, s:i}", "name", names[i], "bytes", c->quantized->bytes[i], "parts",
                                              home ? constant_field(in->ir, home) : NULL, "part", c->ahead_shared[i].part));
        in->uses->half |= c->quantized->bytes[i] == 2;
    }
    return list;
}

/* {parts, part, whole, loop, quantized}: where B lies that was prepacked, and in which form. */
static json_t *ahead(const StageInput *in)
{
    const Contraction *c = in->contraction;
    const Quantized *q = c->quantized;
    json_t *quantized = json_null();
    if (q) {
        in->uses->half |= q->code->type == T_HALF;
        in->uses->bf16 |= q->code->type == T_BF16;
        quantized = json_pack("{s:i, s:i, s:I, s:I, s:b, s:I, s:o}", "bits", q->bits, "kind", q->kind, "least", (json_int_t)q->least,
                              "least_zero", (json_int_t)q->least_zero, "bf16", q->code->type == T_BF16, "group", (json_int_t)q->group,
                              "shared", shared(in));
    }
    return json_pack("{s:s, s:i, s:i, s:s?, s:o}", "parts", constant_field(in->ir, c->ahead_b.of), "part", c->ahead_b.part, "whole",
                     c->ahead_b.of->nparts + 1, "loop", c->ahead_loop ? function_field(in->fields, c->with.ragged->loop) : NULL,
                     "quantized", quantized);
}

static json_t *build_host(const StageInput *in)
{
    const Contraction *c = in->contraction;
    note_narrow(in->uses, &c->a);
    note_narrow(in->uses, &c->b);
    note_narrow(in->uses, &c->c);
    json_t *hooks = json_array(), *by_isa = json_array();
    const struct {
        const Gather *gather;
        Role role;
        const char *suffix;
    } gathers[] = {{c->a.rows ? c->a.rows : c->a.gather, R_M, "a"}, {c->b.gather, R_N, "b"}};
    for (int i = 0; i < 2; i++)
        if (gathers[i].gather) {
            json_array_append_new(hooks, stage_gather(in, gathers[i].gather, gathers[i].role, gathers[i].suffix));
            json_array_append_new(hooks, gather_base(in, gathers[i].gather, gathers[i].suffix));
        }
    json_array_append_new(hooks, stage_problem(in, "static"));
    if (c->a.strided)
        json_array_append_new(hooks, stage_address(in, &c->a, "a", "static", true));
    if (c->b.strided)
        json_array_append_new(hooks, stage_address(in, &c->b, "b", "static", true));
    if (c->c.in_place || c->lowered.converts)
        json_array_append_new(hooks, stage_address(in, &c->c, "c", "static", false));
    if (c->ahead_b.of) {
        json_array_append_new(hooks, ahead_number(in, c->ahead_b.batch, "batch"));
        json_array_append_new(hooks, ahead_number(in, c->ahead_b.batches, "batches"));
    }
    if (c->ahead_a.of) {
        json_array_append_new(hooks, ahead_number(in, c->ahead_a.batch, "a_batch"));
        json_array_append_new(hooks, ahead_number(in, c->ahead_a.batches, "a_batches"));
    }
    const int inner = c->turns ? stage_turned(in, hooks) : 0;
    if (c->ahead_b.of && c->ahead_loop) {
        json_array_append_new(hooks, ahead_number(in, c->with.ragged->from, "first"));
        json_array_append_new(hooks, ahead_number(in, c->with.ragged->count, "groups"));
    }
    for (int h = HOOK_CODES; h <= HOOK_FACTORS && c->ahead_b.of && c->quantized; h++)
        if (c->lowered.hooks[h].func)
            json_array_append_new(hooks, hook_function(in, &c->lowered.hooks[h], c->lowered.hooks[h].func, NULL));
    for (int h = HOOK_PACK_A; h <= HOOK_MORE; h++)
        if (c->lowered.hooks[h].func && !(h == HOOK_PACK_A && c->a.gather) && !(h == HOOK_PACK_B && c->b.gather))
            json_array_append_new(by_isa, hook_forms(in, &c->lowered.hooks[h]));
    bool repeats, varies;
    json_t *times = stage_times(in, &repeats, &varies);
    if (repeats)
        json_array_append_new(hooks, times);
    else
        json_decref(times);
    int line, column;
    diag_line_column(in->ir->diag, c->loc, &line, &column);
    json_t *o = json_object();
    json_object_set_new(o, "repeated", json_boolean(repeats));
    json_object_set_new(o, "varies", json_boolean(varies));
    json_object_set_new(o, "stem", json_string(c->stem));
    json_object_set_new(o, "family", json_string(family_name(c->family)));
    json_object_set_new(o, "args_type", json_string(arena_printf(in->ir->arena, "%s_args", in->symbol)));
    json_object_set_new(o, "dots", c->dots == FAM_COUNT ? json_null() : json_string(family_name(c->dots)));
    json_object_set_new(o, "a", operand(&c->a));
    json_object_set_new(o, "b", operand(&c->b));
    json_object_set_new(o, "a_words", json_boolean(stage_a_is_words(c)));
    json_object_set_new(o, "c", json_pack("{s:b, s:s}", "direct", c->c.in_place, "stored", stored_name(c->c.array->type)));
    json_object_set_new(o, "epilogue",
                        json_pack("{s:s, s:b, s:b, s:b, s:b, s:b}", "kind", epilogue_names[c->kind], "partial_in_c", c->partial_in_c,
                                  "first_beta", c->first_beta, "of_row", is_of_row(c), "converts", c->lowered.converts, "finishes",
                                  c->lowered.converts && c->lowered.hooks[HOOK_EPILOGUE].func));
    json_object_set_new(
        o, "describe", json_string(arena_printf(in->ir->arena, "the contraction at line %d of %s", line, diag_spec(in->ir->diag, c->loc))));
    json_object_set_new(o, "conditional", json_boolean(c->applies.condition || c->applies.is_otherwise));
    json_object_set_new(o, "hooks", hooks);
    json_object_set_new(o, "by_isa", by_isa);
    json_object_set_new(o, "fixed_cover", fixed_cover(in));
    json_object_set_new(o, "winograd", json_integer(c->winograd));
    json_object_set_new(o, "at_once", json_boolean(c->chosen.at_once));
    json_object_set_new(o, "in_chain", json_boolean(c->with.in_chain));
    json_object_set_new(o, "in_ragged", json_boolean(c->with.ragged != NULL));
    json_object_set_new(o, "ahead", c->ahead_b.of ? ahead(in) : json_null());
    json_object_set_new(o, "turned", inner ? json_pack("{s:i}", "inner", inner) : json_null());
    json_object_set_new(o, "ahead_a", c->ahead_a.of ? ahead_a(in) : json_null());
    return o;
}

static json_t *build(const StageInput *in) { return in->dialect->cuda ? stage_build_device(in) : build_host(in); }

static void visit(const Stage *stage, const FuncVisitor *v)
{
    const Contraction *c = (const Contraction *)stage;
    for (int h = 0; h < HOOK_COUNT; h++)
        if (c->lowered.hooks[h].func)
            v->visit(v->user, c->lowered.hooks[h].func);
}

const StageOps stage_contraction = {.visit = visit, .build = build};
