/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in models: each chooses for loops of the instruction set that its text is about, and for no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gen/driver/nest_choice.h"
#include "gen/driver/pipeline.h"
#include "tests/unit/tree.h"
#include "tune/nests/nest_model.h"

/* Of one tree, by which maps have e times the speed once a turn has at least two vectors more than planned. */
static const char *likes_many(Arena *arena, const char *set)
{
    Trees *trees = trees_new(arena, set, model_names(arena), MODEL_FEATURES, 0);
    trees_add_split(arena, trees, NEST_FEATURES + KNOB_UNROLL, 2);
    trees_add_leaf(arena, trees, 0);
    trees_add_leaf(arena, trees, 1);
    return trees_print(arena, trees);
}

static void each_set_has_its_own(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const char *const texts[] = {likes_many(arena, "portable"), likes_many(arena, "avx512"), NULL};
    const Trees *models[SET_COUNT];
    models_read(arena, texts, models);
    assert_null(models[SET_AVX2]);
    assert_string_equal(trees_print(arena, models[SET_PORTABLE]), texts[0]);
    assert_string_equal(trees_print(arena, models[SET_AVX512]), texts[1]);
    arena_free(arena);
}

static void the_executable_has_one_for_avx2(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const Trees *models[SET_COUNT];
    models_read(arena, built_in_models, models);
    assert_non_null(models[SET_AVX2]);
    arena_free(arena);
}

/* Texts that the executable cannot have: of another set, of none, of other features. */
static void others_are_no_models(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    assert_int_equal(model_set(trees_new(arena, "avx2", model_names(arena), MODEL_FEATURES, 0)), SET_AVX2);
    assert_int_equal(model_set(trees_new(arena, "avx1", model_names(arena), MODEL_FEATURES, 0)), SET_COUNT);
    assert_int_equal(model_set(trees_new(arena, NULL, model_names(arena), MODEL_FEATURES, 0)), SET_COUNT);
    assert_int_equal(model_set(trees_new(arena, "avx2", model_names(arena), MODEL_FEATURES - 1, 0)), SET_COUNT);
    arena_free(arena);
}

static void sets_with_a_model_are_chosen_for(void **state)
{
    (void)state;
    static const char spec[] = "void f(int n, const float x[n], float y[n]) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }";
    Tree t = tree_new();
    const char *const texts[] = {likes_many(t.arena, "portable"), likes_many(t.arena, "avx512"), NULL};
    Options opt = {.planner.target = "c", .emit.prefix = "", .licm = LICM_DEFAULTS};
    models_read(t.arena, texts, opt.planner.nest_models);
    Program program;
    Text dump;
    text_init(&dump, t.arena);
    t.ir->diag = diag_new(t.arena, "test.spec", spec, strlen(spec), stderr);
    Unit *unit = spec_parse(t.ir, "test.spec", spec, strlen(spec));
    assert_non_null(unit);
    assert_true(pipeline_run(t.ir, &opt, unit, &program, &dump));
    const HostNest *nest = host_nest_at(program.operators[0].plan, 0);
    for (int set = 0; set < SET_COUNT; set++) {
        assert_int_equal(nest->chosen.expected[set] != NULL, set != SET_AVX2);
        assert_int_equal(nest->chosen.knobs[set].value[KNOB_UNROLL] >= 2, set != SET_AVX2);
    }
    arena_free(t.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_set_has_its_own),
        cmocka_unit_test(the_executable_has_one_for_avx2),
        cmocka_unit_test(others_are_no_models),
        cmocka_unit_test(sets_with_a_model_are_chosen_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
