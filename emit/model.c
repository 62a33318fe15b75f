/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model from the top: banner, options, operators with their signatures, checks, bodies and stages. */
#include "emit/model.h"

#include <string.h>

#include "emit/binding.h"
#include "emit/constant.h"
#include "emit/entry_checks.h"
#include "emit/function.h"
#include "emit/sets.h"
#include "emit/signature.h"
#include "emit/stage_kind.h"
#include "emit/table.h"
#include "ir/walk.h"
#include "plan/stack.h"

/* The model while it is being made. */
typedef struct Builder {
    const ModelInput *in;
    Ir *ir;
    const Dialect *dialect;
    Uses uses;
} Builder;

static const char *symbol_of(const Builder *b, const char *name) { return arena_printf(b->ir->arena, "%s%s", b->in->prefix, name); }

/* "int M, int N, const float *A": all parameters, or only the integer ones. */
static const char *declaration(Builder *b, const Plan *plan, bool only_ints)
{
    Emitter e = signature_emitter(b->ir, b->dialect, &b->uses, plan);
    Sym **params = arena_new_array(b->ir->arena, Sym *, plan->ncallers + 1);
    int n = 0;
    for (int i = 0; i < plan->ncallers; i++) {
        Sym *p = plan->callers[i].sym;
        if (!only_ints || (!p->rank && type_is_integer(p->type)))
            params[n++] = p;
    }
    return signature_declaration(&e, params, n);
}

/* All of them, where constants have been prepacked, but for those that others bring, whose names go to `brought`; those of the rest go
 * to `names`. Members of constant structs are packed by themselves. */
static const char *packed_declaration(Builder *b, const Plan *plan, json_t *names, json_t *brought)
{
    const Func *f = plan->func;
    Emitter e = signature_emitter(b->ir, b->dialect, &b->uses, plan);
    const char *text = "";
    for (int i = 0; i < f->nparams; i++) {
        Sym *p = f->params[i]->is_constant ? f->params[i] : whole_param(f->params[i]);
        const char *name = names_find(e.names, p);
        const char *one = p->is_constant ? arena_printf(b->ir->arena, "const void *%s", name) : signature_declaration(&e, &p, 1);
        const bool again = i && p != f->params[i] && whole_param(f->params[i - 1]) == p;
        if (plan->brought_by && plan->brought_by[i])
            json_array_append_new(brought, json_string(name));
        else if (!again) {
            text = arena_printf(b->ir->arena, "%s%s%s", text, *text ? ", " : "", one);
            json_array_append_new(names, json_string(name));
        }
    }
    return text;
}

/* Compilers that make vectors of loops want to know in the struct, too, that arrays do not overlap. */
static bool has_loops_by_compiler(const Plan *plan)
{
    for (int i = 0; i < host_nest_count(plan); i++)
        for (int set = 0; set < SET_COUNT; set++)
            if (host_nest_at(plan, i)->vectors.kind[set] == FORM_COMPILED)
                return true;
    return false;
}

/* "int M, N;", "const float *A;": fields of one type that is no pointer together. */
static json_t *declared_fields(Arena *arena, const Fields *fields, bool distinct)
{
    json_t *lines = json_array();
    for (int i = 0; i < fields->count;) {
        const char *type = fields->items[i].type;
        const bool pointer = type[strlen(type) - 1] == '*';
        const char *line = arena_printf(arena, "%s%s%s", type, pointer && distinct ? "restrict " : "", fields->items[i].name);
        for (i++; i < fields->count && !pointer && strcmp(fields->items[i].type, type) == 0; i++)
            line = arena_printf(arena, "%s, %s", line, fields->items[i].name);
        json_array_append_new(lines, json_string(arena_printf(arena, "%s;", line)));
    }
    return lines;
}

/* Of each parameter inits, [{field, value}]: the fields that it sets; for each member of structs that is used there is one. */
static void add_inits(json_t *params, Arena *arena, const Fields *fields, const Func *f)
{
    size_t at = 0;
    for (int i = 0; i < f->nparams; i++) {
        const Sym *p = f->params[i];
        at += i && whole_param(p) != whole_param(f->params[i - 1]);
        json_t *param = json_array_get(params, at), *inits = json_object_get(param, "inits");
        const char *name = json_string_value(json_object_get(param, "name"));
        if (!inits)
            json_object_set_new(param, "inits", inits = json_array());
        const char *type = fields->items[i].type;
        json_array_append_new(inits, json_pack("{s:s, s:s, s:s}", "field", fields->items[i].name, "value",
                                               p->whole ? arena_printf(arena, "(%s)%s", type, name) : name, "type", type));
    }
}

static void add_fields(json_t *op, Arena *arena, const Fields *fields, const Plan *plan)
{
    json_t *list = json_array();
    json_object_set_new(op, "declared", declared_fields(arena, fields, has_loops_by_compiler(plan)));
    for (int i = 0; i < fields->count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "type", fields->items[i].type, "name", fields->items[i].name));
    add_inits(json_object_get(op, "params"), arena, fields, plan->func);
    json_object_set_new(op, "fields", list);
}

/* What begins the extents of a local array that lies in the room of a stage, or nowhere, while that runs. */
static const char *unless_elsewhere(StageInput *in, const Sym *array)
{
    const char *text = NULL;
    for (int i = 0; i < in->plan->stages.first[STAGE_KINDS] && !text; i++) {
        in->stage = in->plan->stages.items[i];
        const StageOps *ops = stage_ops[in->stage->stage_kind];
        text = ops->elsewhere ? ops->elsewhere(in, array) : NULL;
    }
    return text ? text : "";
}

/* NAME_room: where the intermediate arrays lie in `room`, and how many bytes they take. */
static json_t *room_function(Builder *b, StageInput *stage)
{
    const Plan *plan = stage->plan;
    const Fields *fields = stage->fields;
    FunctionSpec spec = {.qualifiers = "static", .result = "int64_t", .name = arena_printf(b->ir->arena, "%s_room", stage->symbol)};
    spec.args_param = arena_printf(b->ir->arena, "%s_args *args, char *room", stage->symbol);
    spec.body = mk_block(b->ir, 0, NULL, (Loc){0, 0});
    Sym **arrays = arena_new_array(b->ir->arena, Sym *, plan->ntemporaries);
    for (int i = 0; i < plan->ntemporaries; i++)
        arrays[i] = plan->temporaries[i].array;
    spec.also = check_extents(b->ir, arrays, plan->ntemporaries, &spec.nalso);
    FunctionText t = function_begin(b->ir, b->dialect, &b->uses, fields, &spec);
    Text text;
    text_init(&text, b->ir->arena);
    text_puts(&text, "    int64_t bytes = 0;\n");
    for (int i = 0; i < plan->ntemporaries; i++) {
        const char *field = fields->items[plan->func->nparams + i].name;
        const Sym *array = plan->temporaries[i].array;
        text_printf(&text, "    const int64_t mik_%s_extent[] = {%s%s};\n", field, unless_elsewhere(stage, array),
                    check_extent_list(&t.emitter, array));
        text_printf(&text, "    args->%s = (%s *)mik_add_room(room, &bytes, sizeof *args->%s, mik_%s_extent, %d);\n", field,
                    dialect_type(b->dialect, array->type), field, field, array->rank);
    }
    for (int i = 0; i < plan->stages.first[STAGE_KINDS]; i++) {
        stage->stage = plan->stages.items[i];
        if (stage_ops[stage->stage->stage_kind]->room)
            stage_ops[stage->stage->stage_kind]->room(stage, &text);
    }
    text_puts(&text, "    return bytes;\n");
    return function_finish(&t, text.data, NULL);
}

/* The call of a stage's run function, with the local scalars that it reads handed over. */
typedef struct StageCall {
    const Plan *plan;
    const Fields *fields;
    const Node *last; /* the one that ends the body, whose status is the operator's; NULL: there is none */
    int others;
} StageCall;

static bool calls_stage(const Node *n) { return n->kind == N_CONTRACT || n->kind == N_LAUNCH; }

static bool count_stage(void *user, Node *n)
{
    StageCall *c = user;
    c->others += calls_stage(n) && n != c->last;
    return !is_expr(n);
}

static StageCall find_stage_calls(const Plan *plan, const Fields *fields)
{
    StageCall c = {.plan = plan, .fields = fields};
    Node *last = plan->func->body;
    while (last->kind == N_BLOCK && last->nkids)
        last = last->kid[last->nkids - 1];
    c.last = calls_stage(last) ? last : NULL;
    walk(&(Walker){.pre = count_stage, .user = &c}, plan->func->body);
    return c;
}

static void print_stage_call(Emitter *e, const Node *n, int indent, void *user)
{
    const StageCall *c = user;
    const char *stem = stage_at(c->plan, n)->stem;
    for (int i = 0; i < n->nkids; i++)
        for (int f = 0; f < c->fields->count; f++)
            if (c->fields->items[f].sym == n->kid[i]->sym)
                text_printf(e->out, "%*sargs->%s = %s;\n", 4 * indent, "", c->fields->items[f].name, emit_expr(e, n->kid[i]));
    const char *call = arena_printf(e->ir->arena, "%s_run(args, opt%s)", stem, e->dialect->cuda ? ", stream" : "");
    if (n == c->last)
        text_printf(e->out, "%*sreturn %s;\n", 4 * indent, "", call);
    else
        text_printf(e->out, "%*sif ((status = %s) != %s)\n%*sreturn status;\n", 4 * indent, "", call, e->dialect->status_ok, 4 * indent + 4,
                    "");
}

/* The call of a stage, of the C target, that is all of the operator and is handed nothing; NULL: there is more to it. */
static const Node *only_stage(const Builder *b, const Plan *plan)
{
    const Node *n = plan->func->body;
    while (n->kind == N_BLOCK && n->nkids == 1)
        n = n->kid[0];
    return !b->dialect->cuda && calls_stage(n) && n->nkids == 0 ? n : NULL;
}

/* What runs the operator when its intermediate arrays have room. */
static const char *run_name(const Builder *b, const Plan *plan, const char *symbol)
{
    const Node *only = only_stage(b, plan);
    return arena_printf(b->ir->arena, only ? "%s_run" : "%s_body", only ? stage_at(plan, only)->stem : symbol);
}

/* NAME_body: the operator itself; for CUDA its host part. null: it is what its only stage does. */
static json_t *body_function(Builder *b, const Plan *plan, const Fields *fields, const char *symbol)
{
    const Dialect *d = b->dialect;
    if (only_stage(b, plan))
        return json_null();
    FunctionSpec spec = {.qualifiers = "static", .result = d->status_type, .name = arena_printf(b->ir->arena, "%s_body", symbol)};
    spec.args_param = arena_printf(b->ir->arena, "%s_args *args, const %s_options *opt%s", symbol, symbol,
                                   d->cuda ? ", cudaStream_t stream" : "");
    spec.body = plan->func->body;
    /* Stages reach the same arrays through the args struct, which restrict pointers here would forbid. */
    spec.assumed_distinct = contraction_count(plan) == 0 && host_nest_count(plan) == 0;
    FunctionText t = function_begin(b->ir, d, &b->uses, fields, &spec);
    StageCall call = find_stage_calls(plan, fields);
    t.emitter.stage_call = print_stage_call;
    t.emitter.user = &call;
    const char *unused = arena_printf(b->ir->arena, "%s    (void)opt;\n%s", function_unused(&t), d->cuda ? "    (void)stream;\n" : "");
    const char *lead = call.others ? arena_printf(b->ir->arena, "    %s status;\n", d->status_type) : call.last ? NULL : unused;
    return function_finish(&t, lead, call.last ? NULL : arena_printf(b->ir->arena, "    return %s;\n", d->status_ok));
}

static bool goes_by_vectors(const Plan *plan)
{
    for (int i = 0; i < host_nest_count(plan); i++)
        if (host_nest_at(plan, i)->vectors.form[SET_PORTABLE])
            return true;
    return false;
}

static const char *summary(Builder *b, const Plan *plan)
{
    if (contraction_count(plan) == 0)
        return b->dialect->cuda        ? "loops on the device; no contraction in it"
               : goes_by_vectors(plan) ? "vectorized loops; no contraction in it"
                                       : "loops as written; no contraction in it";
    Text t;
    text_init(&t, b->ir->arena);
    text_printf(&t, "%d contraction%s (", contraction_count(plan), contraction_count(plan) > 1 ? "s" : "");
    for (int i = 0; i < contraction_count(plan); i++)
        text_printf(&t, "%s%s", i ? ", " : "", family_name(contraction_at(plan, i)->family));
    text_puts(&t, "), the rest loops");
    return t.data;
}

/* CUDA needs the headers of the narrow types wherever they are named, not only where they are converted. */
static void note_types(Builder *b, const Plan *plan)
{
    for (int i = 0; b->dialect->cuda && i < plan->func->nparams + plan->ntemporaries; i++) {
        int t = i - plan->func->nparams;
        Type type = t < 0 ? plan->func->params[i]->type : plan->temporaries[t].array->type;
        b->uses.half |= type == T_HALF;
        b->uses.bf16 |= type == T_BF16;
        b->uses.fp8 |= type_is_fp8(type);
    }
}

/* Is the operator one contraction and nothing else? */
static bool is_one_contraction(const Plan *plan)
{
    const Node *body = plan->func->body;
    return plan->ntemporaries == 0 && body->nkids == 1 && body->kid[0]->kind == N_CONTRACT && body->kid[0]->nkids == 0;
}

/* What NAME_explain says of nests that are loops, a line each. */
static json_t *missed(Builder *b, const Plan *plan)
{
    json_t *lines = json_array();
    for (int i = 0; !b->dialect->cuda && i < plan->remarks.count; i++) {
        const PlanRemark *remark = plan->remarks.items[i];
        int line, column;
        diag_line_column(b->ir->diag, remark->loc, &line, &column);
        if (remark->kind == REMARK_MISSED && remark->is_of_nest)
            json_array_append_new(lines, json_string(arena_printf(b->ir->arena, "loops at line %d of %s: %s", line,
                                                                  diag_spec(b->ir->diag, remark->loc), remark->text)));
    }
    return lines;
}

/* CUDA: have calls a use for device memory besides their arrays? */
static bool uses_workspace(const Plan *plan)
{
    bool parts = false;
    for (int i = 0; i < device_nest_count(plan); i++)
        parts = parts || device_nest_at(plan, i)->form[FORM_WHOLE];
    return parts || plan->ntemporaries || contraction_count(plan);
}

/* C target: local arrays of loops, whose places can be chosen, and where each is computed. */
static json_t *producers(const Plan *plan)
{
    json_t *all = json_array();
    for (int i = 0; i < plan->nproducers; i++) {
        const Producer *p = &plan->producers[i];
        const Placement placement = p->fits ? p->placement : PLACE_PLANNED;
        json_array_append_new(
            all, json_pack("{s:s, s:i, s:s}", "array", p->array->name, "number", p->number, "placement", placement_info[placement].word));
    }
    return all;
}

static json_t *comment(Builder *b, const Func *f)
{
    const char *both = f->returned && f->returned->part ? arena_printf(b->ir->arena, " and %s[1]", f->returned->name) : "";
    const char *value = f->returned ? arena_printf(b->ir->arena, ", its value in %s[0]%s", f->returned->name, both) : "";
    return json_pack("[s]", arena_printf(b->ir->arena, "/* As the spec says%s; 0 (MIKGEN_OK) or one of the codes above. */", value));
}

static json_t *build_op(Builder *b, const Plan *plan, LinearMap *linear)
{
    const Func *f = plan->func;
    const char *symbol = symbol_of(b, f->name);
    Fields fields = function_fields(b->ir, b->dialect, plan, linear);
    Emitter e = signature_emitter(b->ir, b->dialect, &b->uses, plan);
    note_types(b, plan);
    StageInput stage = {.ir = b->ir,
                        .dialect = b->dialect,
                        .uses = &b->uses,
                        .plan = plan,
                        .kernels = b->in->kernels,
                        .fields = &fields,
                        .linear = linear,
                        .symbol = symbol};
    json_t *op = json_object();
    json_object_set_new(op, "name", json_string(f->name));
    json_object_set_new(op, "symbol", json_string(symbol));
    json_object_set_new(op, "args_type", json_string(arena_printf(b->ir->arena, "%s_args", symbol)));
    json_object_set_new(op, "options_type", json_string(arena_printf(b->ir->arena, "%s_options", symbol)));
    json_object_set_new(op, "comment", comment(b, f));
    json_object_set_new(op, "summary", json_string(summary(b, plan)));
    json_object_set_new(op, "missed", missed(b, plan));
    json_object_set_new(op, "params", signature_params(&e, plan));
    json_object_set_new(op, "given", signature_given(&e, plan));
    if (b->in->binds)
        binding_add(op, &e, plan);
    json_object_set_new(op, "declaration", json_string(declaration(b, plan, false)));
    json_object_set_new(op, "int_declaration", json_string(declaration(b, plan, true)));
    json_t *brought = json_array(), *packed_names = json_array();
    json_object_set_new(op, "packed_declaration", json_string(packed_declaration(b, plan, packed_names, brought)));
    json_object_set_new(op, "packed_names", packed_names);
    json_object_set_new(op, "brought", brought);
    add_fields(op, b->ir->arena, &fields, plan);
    json_t *temporaries = json_array();
    for (int i = 0; i < plan->ntemporaries; i++)
        json_array_append_new(temporaries, json_string(fields.items[f->nparams + i].name));
    json_object_set_new(op, "temporaries", temporaries);
    if (!b->dialect->cuda)
        json_object_set_new(op, "producers", producers(plan));
    if (!b->dialect->cuda)
        json_object_set_new(op, "small_room", json_integer(stack_small_room(b->in->stack, contraction_count(plan) > 0)));
    json_object_set_new(op, "room", plan->ntemporaries ? room_function(b, &stage) : json_null());
    json_object_set_new(op, "divisors", signature_divisors(&e, plan));
    json_object_set_new(op, "outputs", signature_outputs(&e, plan));
    const bool is_short = !b->dialect->cuda && is_one_contraction(plan) && contraction_at(plan, 0)->chosen.at_once;
    const CheckInput check = {b->ir, b->dialect, &b->uses, plan, &fields, symbol, is_short, linear};
    json_object_set_new(op, "quick", check_quick(&check));
    json_object_set_new(op, "short", b->in->trace ? json_null() : check_short(&check));
    json_object_set_new(op, "check", check_arguments(&check));
    json_object_set_new(op, "works", check_works(&check));
    json_object_set_new(op, "overlap", json_boolean(check_has_pairs(plan)));
    json_object_set_new(op, "many_pairs", json_boolean(check_has_many_pairs(plan)));
    json_object_set_new(op, "meets", check_meets(&check));
    json_object_set_new(op, "body", body_function(b, plan, &fields, symbol));
    json_object_set_new(op, "run", json_string(run_name(b, plan, symbol)));
    json_object_set_new(op, "one_contraction", json_boolean(is_one_contraction(plan)));
    json_object_set_new(op, "packed", f->packed ? json_string(function_field(&fields, f->packed)) : json_null());
    json_object_set_new(op, "constants", constants_build(&stage, b->in->unit->hash));
    stages_build(&stage, op);
    json_object_set_new(op, "owns", json_boolean(b->dialect->cuda && uses_workspace(plan)));
    json_object_set_new(op, "plans",
                        json_boolean(b->dialect->cuda && contraction_count(plan) == 1 && contraction_at(plan, 0)->ncaptured == 0));
    return op;
}

/* The header's include guard. */
static const char *guard(const Builder *b, const Plan *plan)
{
    char *g = arena_printf(b->ir->arena, "%s_DYN_H", symbol_of(b, plan->func->name));
    for (char *p = g; *p; p++)
        *p = (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p);
    return g;
}

/* Is an operand of some contraction gathered? */
static bool has_gather(const ModelInput *in)
{
    bool any = false;
    for (int i = 0; i < in->unit->nfuncs; i++)
        for (int j = 0; j < contraction_count(in->plans[i]); j++)
            any = any || contraction_at(in->plans[i], j)->a.gather || contraction_at(in->plans[i], j)->a.rows ||
                  contraction_at(in->plans[i], j)->b.gather;
    return any;
}

/* What every file's model has. */
static json_t *model_of_file(const ModelInput *in)
{
    json_t *model = json_object();
    json_object_set_new(model, "license", in->license ? json_string(in->license) : json_null());
    json_object_set_new(model, "target", json_string(in->cuda ? "cuda" : "c"));
    json_object_set_new(model, "prefix", json_string(in->prefix));
    json_object_set_new(model, "options_type", json_string("mikgen_options"));
    json_object_set_new(model, "linkage", json_string(in->shares ? "shared" : "static"));
    json_object_set_new(model, "trace", json_boolean(in->trace));
    if (in->kernels && in->kernels->opt.held)
        json_object_set_new(model, "sets", sets_held(in->kernels->opt.held));
    return model;
}

static void print_members(Text *text, const Dialect *d, const StructType *s, int indent)
{
    for (int i = 0; i < s->nmembers; i++) {
        const Member *m = &s->members[i];
        text_printf(text, "%*s", 4 * indent, "");
        if (m->inner) {
            text_puts(text, "struct {\n");
            print_members(text, d, m->inner, indent + 1);
            text_printf(text, "%*s}", 4 * indent, "");
        } else {
            text_puts(text, m->spelling ? m->spelling : dialect_type(d, m->type));
        }
        text_printf(text, " %s", m->name);
        for (int k = 0; k < m->rank; k++)
            text_printf(text, "[%lld]", (long long)m->dims[k]);
        text_puts(text, ";\n");
    }
}

static bool has_bool(const StructType *s)
{
    bool found = false;
    for (int i = 0; i < s->nmembers; i++)
        found = found || (s->members[i].inner ? has_bool(s->members[i].inner) : s->members[i].type == T_BOOL);
    return found;
}

/* [{tag, bytes, members, bools}]: the structs of arrays that callers hand over, each once; members is text. */
static json_t *structs(const Builder *b, const Unit *unit)
{
    json_t *out = json_array(), *seen = json_object();
    for (int i = 0; i < unit->nfuncs; i++)
        for (int j = 0; j < unit->funcs[i]->nparams; j++) {
            const StructType *s = whole_param(unit->funcs[i]->params[j])->elements;
            if (!s || json_object_get(seen, s->tag))
                continue;
            Text text;
            text_init(&text, b->ir->arena);
            print_members(&text, b->dialect, s, 1);
            json_object_set_new(seen, s->tag, json_true());
            json_array_append_new(out, json_pack("{s:s, s:I, s:s, s:b}", "tag", s->tag, "bytes", (json_int_t)s->bytes, "members", text.data,
                                                 "bools", has_bool(s)));
        }
    json_decref(seen);
    return out;
}

json_t *model_build(const ModelInput *in)
{
    Builder b = {.in = in, .ir = in->ir, .dialect = in->cuda ? &dialect_cuda : &dialect_c};
    json_t *ops = json_array();
    for (int i = 0; i < in->unit->nfuncs; i++)
        json_array_append_new(ops, build_op(&b, in->plans[i], in->linear[i]));
    json_t *model = model_of_file(in);
    json_object_set_new(model, "tool",
                        json_pack("{s:s, s:s, s:s, s:s, s:s}", "version", in->version, "command", in->command, "spec", in->spec_name,
                                  "definitions", in->definitions, "spec_hash",
                                  arena_printf(in->ir->arena, "%016llx", (unsigned long long)in->unit->hash)));
    json_object_set_new(model, "arch", json_string(in->arch));
    json_object_set_new(model, "kinds", stages_kinds(in->cuda));
    json_object_set_new(model, "guard", json_string(guard(&b, in->plans[0])));
    json_object_set_new(model, "uses",
                        json_pack("{s:b, s:b, s:b, s:b, s:b, s:b, s:b}", "math", b.uses.math, "stdlib", b.uses.stdlib, "half", b.uses.half,
                                  "bf16", b.uses.bf16, "fp8", b.uses.fp8, "long_narrow", b.uses.long_narrow, "tma", b.uses.tma));
    json_object_set_new(model, "tables", tables_build(b.ir, b.dialect, &b.uses));
    json_object_set_new(model, "stack", json_pack("{s:i, s:i}", "bytes", in->stack, "room", stack_room(in->stack, has_gather(in))));
    bool used[FAM_COUNT] = {false};
    for (int i = 0; !in->cuda && i < in->unit->nfuncs; i++)
        for (int j = 0; j < contraction_count(in->plans[i]); j++)
            note_families(contraction_at(in->plans[i], j), used);
    json_object_set_new(model, "families",
                        in->shares ? stage_whole_families(used, in->kernels, 0)
                                   : stage_families(in->plans, in->unit->nfuncs, in->kernels, in->cuda));
    if (in->cuda)
        json_object_set_new(model, "gpus", stage_gpus(in->ir->arena, &in->kernels->opt));
    if (in->kernels->opt.vary)
        json_object_set_new(model, "engine_numbers", stage_engine_numbers());
    json_object_set_new(model, "ops", ops);
    json_object_set_new(model, "structs", structs(&b, in->unit));
    return model;
}

json_t *model_plain(const ModelInput *in)
{
    json_t *model = model_of_file(in);
    json_object_set_new(model, "tool", json_pack("{s:s, s:s, s:n}", "version", in->version, "command", in->command, "spec"));
    return model;
}

json_t *model_engine(const ModelInput *in, const bool *families)
{
    json_t *model = model_plain(in);
    json_object_set_new(model, "uses", json_pack("{s:b, s:b, s:b, s:b, s:b}", "math", 0, "half", 1, "bf16", 1, "fp8", 0, "long_narrow", 1));
    json_object_set_new(model, "stack", json_pack("{s:i, s:i}", "bytes", in->stack, "room", stack_room(in->stack, true)));
    json_object_set_new(model, "families", stage_whole_families(families, in->kernels, in->winograd));
    json_object_set_new(model, "ops", json_array());
    return model;
}
