/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stages of the C target: non-GEMM loops. */
#include "emit/constant.h"
#include "emit/entry_checks.h"
#include "emit/stage_kind.h"
#include "ir/print.h"
#include "ir/walk.h"
#include "plan/nest_cases.h"

/* NULL: no set has one. */
static const Func *some_form(const HostNest *nest)
{
    for (int i = 0; i < SET_COUNT; i++)
        if (nest->vectors.form[i])
            return nest->vectors.form[i];
    return NULL;
}

/* What a form's name ends with: the first class that it is for, else its number; the first has nothing. */
static const char *form_suffix(const StageInput *in, const VectorSet *set, int number)
{
    const char *word = NULL;
    for (int shape = CLASS_ALL + 1; number && !word && shape < CLASS_COUNT; shape++)
        if (in->host_nest->vectors.of_class[set - vector_sets][shape] == number)
            word = shape_classes[shape].word;
    return !number ? "" : word ? arena_printf(in->ir->arena, "_%s", word) : arena_printf(in->ir->arena, "_%d", number);
}

/* The nest's function for a set, number 0 or one of those more; NULL: the loops as they are, which compilers without vectors take for the
 * portable form. */
static json_t *form(const StageInput *in, const Func *f, const VectorSet *set, int number)
{
    const HostNest *nest = in->host_nest;
    const bool portable = nest->vectors.form[SET_PORTABLE] != NULL;
    const Func *some = some_form(nest), *like = some ? some : f; /* they are called alike */
    const bool by_compiler = some && nest->vectors.kind[set ? set - vector_sets : SET_PORTABLE] == FORM_COMPILED && !number;
    FunctionSpec spec = {.qualifiers = by_compiler ? "MIK_BY_COMPILER static" : "static",
                         .result = "void",
                         .name = arena_printf(in->ir->arena, "%s_%s%s", nest->stem,
                                              set                              ? set->name
                                              : portable && !nest->vectors.few ? "portable"
                                                                               : "loops",
                                              form_suffix(in, set, number)),
                         .assumed_distinct = true,
                         .params = like->params,
                         .nparams = like->nparams - (like->nparams && like->params[like->nparams - 1] == nest->non_temporal &&
                                                     !nest->vectors.is_non_temporal),
                         .body = f->body};
    spec.args_param = arena_printf(in->ir->arena, "const %s_args *%sargs", in->symbol, by_compiler ? "restrict " : "");
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    t.emitter.set = set;
    return function_finish(&t, function_unused(&t), NULL);
}

static bool search_few(void *user, Node *n)
{
    (void)user;
    return n->kind == N_FOR && n->aux & FOR_FEW;
}

/* Is there a loop among them that had better go one by one? */
static bool has_few(const HostNest *nest) { return any_stmt(nest->loops->body, search_few, NULL); }

bool stage_has_forms(const HostNest *nest) { return some_form(nest) != NULL; }

Node *stage_stored(const HostNest *nest) { return nest->vectors.is_non_temporal ? nest->costs.stored : NULL; }

/* {field, extent, rank, parts, part, whole}: the array that may come packed with the constant one that it is made of; null: none. */
static json_t *made(const StageInput *in, Emitter *e)
{
    const HostNest *nest = in->host_nest;
    return !nest->made.array
               ? json_null()
               : json_pack("{s:s, s:s, s:i, s:s, s:i, s:i}", "field", function_field(in->fields, nest->made.array), "extent",
                           check_extent_list(e, nest->made.array), "rank", nest->made.array->rank, "parts",
                           constant_field(in->ir, nest->made.of), "part", nest->made.part, "whole", nest->made.of->nparts + 1);
}

json_t *stage_classes(Emitter *e, const HostNest *nest)
{
    if (!nest_has_classes(nest))
        return json_null();
    json_t *limits = json_array();
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT - 1; shape++)
        json_array_append_new(limits, json_pack("{s:s, s:I, s:s}", "word", shape_classes[shape].word, "bytes",
                                                (json_int_t)shape_classes[shape].bytes, "what", shape_classes[shape].what));
    return json_pack("{s:s, s:o}", "touched", emit_expr(e, nest->costs.touched), "limits", limits);
}

/* What a call decides with: numbers made of the arguments, which are unpacked before them. */
static json_t *numbers(const StageInput *in)
{
    const HostNest *nest = in->host_nest;
    Sym *made_array = nest->made.array;
    int nextents;
    Node **extents = check_extents(in->ir, &made_array, made_array ? 1 : 0, &nextents);
    Node **all = arena_new_array(in->ir->arena, Node *, 6 + nextents), *stored = stage_stored(nest);
    Node *few = nest->vectors.few;
    FunctionSpec spec = {.also = all, .body = mk_block(in->ir, 0, NULL, nest->loc)};
    for (int i = 0; i < nextents; i++)
        all[spec.nalso++] = extents[i];
    json_t *count = json_array();
    for (int i = 0; i < nest->cut.loops; i++)
        all[spec.nalso++] = nest->cut.count[i];
    if (nest->cut.loops)
        all[spec.nalso++] = nest->costs.work;
    if (stored)
        all[spec.nalso++] = stored;
    if (few)
        all[spec.nalso++] = few;
    if (nest_has_classes(nest))
        all[spec.nalso++] = nest->costs.touched;
    FunctionText t = function_begin(in->ir, in->dialect, in->uses, in->fields, &spec);
    for (int i = 0; i < nest->cut.loops; i++)
        json_array_append_new(count, json_string(emit_expr(&t.emitter, nest->cut.count[i])));
    json_decref(t.params);
    return json_pack("{s:o, s:o, s:s?, s:s?, s:s?, s:o, s:o}", "unpack", t.unpack, "count", count, "work",
                     nest->cut.loops ? emit_expr(&t.emitter, nest->costs.work) : NULL, "stored",
                     stored ? emit_expr(&t.emitter, stored) : NULL, "few", few ? emit_conjunct(&t.emitter, few) : NULL, "made",
                     made(in, &t.emitter), "classes", stage_classes(&t.emitter, nest));
}

/* What it is asked for by: numbers of the classes that it is for, 0 of the first; without classes its own. */
static json_t *form_numbers(const HostNest *nest, const VectorSet *set, int number)
{
    if (!nest_has_classes(nest))
        return json_pack("[i]", number);
    json_t *numbers = json_array();
    for (int shape = CLASS_ALL + 1; shape < CLASS_COUNT; shape++)
        if (nest->vectors.of_class[set - vector_sets][shape] == number)
            json_array_append_new(numbers, json_integer(shape - (CLASS_ALL + 1)));
    return numbers;
}

/* [{set, isa, numbers[], tasks}]: calls in which each thread gets more than one task; by numbers as form_numbers() has them. */
static json_t *more_tasks(const HostNest *nest)
{
    json_t *all = json_array();
    for (int set = 0; set < SET_COUNT && nest_is_cut(nest) && stage_has_forms(nest); set++)
        for (int i = 0; i < nest_cases(nest, (VectorSetId)set); i++) {
            const int tasks = nest_tasks(nest, (VectorSetId)set, i);
            if (tasks > 1)
                json_array_append_new(all, json_pack("{s:s, s:i, s:[i], s:i}", "set", vector_sets[set].name, "isa", vector_sets[set].number,
                                                     "numbers", i, "tasks", tasks));
        }
    return all;
}

/* "map 8 ahead 4"; "as planned". */
static const char *form_knobs(const StageInput *in, const VectorSet *set, int number)
{
    const int at = (int)(set - vector_sets);
    const NestForms *compared = in->host_nest->chosen.compared;
    const NestKnobs *knobs = compared && number ? &compared->knobs[number - 1] : &in->host_nest->chosen.knobs[at];
    for (int shape = CLASS_ALL + 1; number && shape < CLASS_COUNT; shape++)
        if (in->host_nest->vectors.of_class[at][shape] == number)
            knobs = &in->host_nest->chosen.of_class[at][shape].knobs;
    return knobs_words(in->ir->arena, knobs);
}

/* The set whose number this one's form is for as well; "": none. */
static const char *above(const HostNest *nest, const VectorSet *set, int number)
{
    const ptrdiff_t at = set - vector_sets;
    return at > 0 && number == 0 && nest->vectors.by_base[at - 1] ? vector_sets[at - 1].name : "";
}

static void add_form(const StageInput *in, json_t *forms, const Func *f, const VectorSet *set, int number)
{
    json_array_append_new(forms, json_pack("{s:s, s:s, s:i, s:o, s:s, s:o}", "set", set->name, "above", above(in->host_nest, set, number),
                                           "isa", set->number, "numbers", form_numbers(in->host_nest, set, number), "knobs",
                                           form_knobs(in, set, number), "function", form(in, f, set, number)));
}

/* {name: {planned, chosen}} */
static json_t *expected_features(const NestExpectation *e)
{
    json_t *features = json_object();
    for (int i = 0; i < e->count; i++)
        json_object_set_new(features, e->names[i], json_pack("{s:f, s:f}", "planned", e->planned[i], "chosen", e->chosen[i]));
    return features;
}

/* [{set, knobs, speed, features}]: what a model has chosen, how many times as fast as planned it is expected to be, and why. */
static json_t *expected(const StageInput *in)
{
    json_t *all = json_array();
    for (int set = 0; set < SET_COUNT; set++) {
        const NestExpectation *e = in->host_nest->chosen.expected[set];
        if (e)
            json_array_append_new(all, json_pack("{s:s, s:s, s:f, s:o}", "set", vector_sets[set].name, "knobs",
                                                 knobs_words(in->ir->arena, &in->host_nest->chosen.knobs[set]), "speed", e->speed,
                                                 "features", expected_features(e)));
    }
    return all;
}

static json_t *build(const StageInput *in)
{
    const HostNest *nest = in->host_nest;
    json_t *forms = json_array(), *built = numbers(in);
    int most = 0;
    for (int i = 0; i < SET_COUNT; i++) {
        if (nest->vectors.form[i])
            add_form(in, forms, nest->vectors.form[i], &vector_sets[i], 0);
        for (int j = 0; j < nest->vectors.more[i].count; j++)
            add_form(in, forms, nest->vectors.more[i].items[j], &vector_sets[i], j + 1);
        most = nest->vectors.more[i].count > most && !nest_has_classes(nest) ? nest->vectors.more[i].count : most;
    }
    bool by_compiler = false;
    for (int i = 0; i < SET_COUNT; i++)
        by_compiler = by_compiler || nest->vectors.kind[i] == FORM_COMPILED;
    json_object_set_new(built, "by_compiler", json_boolean(by_compiler));
    int line, column;
    diag_line_column(in->ir->diag, nest->loc, &line, &column);
    json_object_update_new(built,
                           json_pack("{s:s, s:i, s:b, s:b, s:s, s:b, s:o, s:o, s:o, s:o}", "stem", nest->stem, "more", most, "one_by_one",
                                     has_few(nest), "in_wave", nest->in_wave, "describe",
                                     arena_printf(in->ir->arena, "the loops at line %d of %s", line, diag_spec(in->ir->diag, nest->loc)),
                                     "reorders", nest->vectors.reorders, "loops", form(in, nest->loops, NULL, 0), "forms", forms,
                                     "expected", expected(in), "tasks", more_tasks(nest)));
    return built;
}

static void visit(const Stage *stage, const FuncVisitor *v)
{
    const HostNest *nest = (const HostNest *)stage;
    v->visit(v->user, nest->loops);
    if (nest->plain)
        v->visit(v->user, nest->plain);
}

static void print(Ir *ir, const Stage *stage, Text *out)
{
    (void)ir;
    const HostNest *nest = (const HostNest *)stage;
    print_func(out, nest->vectors.form[0] ? nest->vectors.form[0] : nest->loops);
}

const StageOps stage_host_nest = {.print = print, .visit = visit, .build = build};
