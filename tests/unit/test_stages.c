/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of a plan's stages (plan/stage_list.h), found in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/plan.h"

enum { EACH = 3 };

/* Stages of a kind, of which there are n. */
static void find(Arena *arena, Plan *plan, StageKind kind, Stage *of, int n)
{
    Vec found = {0};
    for (int i = 0; i < n; i++)
        vec_push(arena, &found, &of[i]);
    set_stages(arena, &plan->stages, kind, &found);
}

static void kinds_are_neighbours(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Plan plan = {.func = NULL};
    Stage of[STAGE_KINDS][EACH];
    for (int i = 1; i < STAGE_KINDS; i += 2)
        find(arena, &plan, (StageKind)i, of[i], EACH);
    for (int i = (STAGE_KINDS - 1) / 2 * 2; i >= 0; i -= 2)
        find(arena, &plan, (StageKind)i, of[i], EACH);
    assert_int_equal(plan.stages.first[STAGE_KINDS], EACH * STAGE_KINDS);
    for (int i = 0; i < EACH * STAGE_KINDS; i++) {
        assert_ptr_equal(plan.stages.items[i], &of[i / EACH][i % EACH]);
        assert_int_equal(plan.stages.items[i]->stage_kind, i / EACH);
    }
    arena_free(arena);
}

static void a_kind_is_found_again(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Plan plan = {.func = NULL};
    HostNest nests[EACH];
    Contraction product;
    Wave waves[2];
    Vec found = {0}, products = {0}, none = {0}, two = {0};
    for (int i = 0; i < EACH; i++)
        vec_push(arena, &found, &nests[i]);
    vec_push(arena, &products, &product);
    vec_push(arena, &two, &waves[0]);
    vec_push(arena, &two, &waves[1]);
    set_stages(arena, &plan.stages, STAGE_WAVE, &two);
    set_stages(arena, &plan.stages, STAGE_HOST_NEST, &found);
    set_stages(arena, &plan.stages, STAGE_CONTRACTION, &products);
    found.count = 1;
    set_stages(arena, &plan.stages, STAGE_HOST_NEST, &found);
    assert_int_equal(host_nest_count(&plan), 1);
    assert_ptr_equal(host_nest_at(&plan, 0), &nests[0]);
    assert_ptr_equal(wave_at(&plan, 1), &waves[1]);
    set_stages(arena, &plan.stages, STAGE_HOST_NEST, &none);
    assert_int_equal(host_nest_count(&plan), 0);
    assert_int_equal(wave_count(&plan), 2);
    assert_ptr_equal(wave_at(&plan, 0), &waves[0]);
    assert_ptr_equal(contraction_at(&plan, 0), &product);
    arena_free(arena);
}

/* What the tree has of a stage leads to it; a member of the struct is one of its Stage. */
static void nodes_stand_for_stages(void **state)
{
    (void)state;
    Ir *ir = ir_new(arena_new(), NULL);
    const Loc loc = {0, 0};
    Plan plan = {.func = NULL};
    Contraction products[2] = {{.stem = "first"}, {.stem = "second"}};
    Wave wave = {.stem = "wave"};
    Vec both = {0}, one = {0};
    vec_push(ir->arena, &both, &products[0]);
    vec_push(ir->arena, &both, &products[1]);
    vec_push(ir->arena, &one, &wave);
    set_stages(ir->arena, &plan.stages, STAGE_WAVE, &one);
    set_stages(ir->arena, &plan.stages, STAGE_CONTRACTION, &both);
    assert_string_equal(stage_at(&plan, mk_contract(ir, NULL, 1, 0, NULL, loc))->stem, "second");
    assert_string_equal(stage_at(&plan, mk_launch_of(ir, STAGE_WAVE, 0, 0, NULL, loc))->stem, "wave");
    arena_free(ir->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_neighbours),
        cmocka_unit_test(a_kind_is_found_again),
        cmocka_unit_test(nodes_stand_for_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
