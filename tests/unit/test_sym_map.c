/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps from numbers: what is put in is there, and room is taken for the numbers that are there alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/sym_map.h"

enum { MIDDLE = 1000, APART = 997 };

static int number(int i) { return (MIDDLE + (i % 2 ? i : -i)) * APART; }

static void test_everything_is_there(void **state)
{
    (void)state;
    static char values[1000];
    Arena *arena = arena_new();
    Map map = {0};
    for (int i = 0; i < 1000; i++) /* from the middle to both sides */
        *map_at(arena, &map, number(i)) = &values[i];
    for (int i = 0; i < 1000; i++)
        assert_ptr_equal(map_get(&map, number(i)), &values[i]);
    for (int i = 1; i < 500; i++)
        assert_null(map_get(&map, i * APART + 1));
    *map_at(arena, &map, -MAP_BELOW_ZERO) = values;
    assert_ptr_equal(map_get(&map, -MAP_BELOW_ZERO), values);
    assert_ptr_equal(map_get(&map, number(0)), &values[0]);
    assert_null(map_get(&map, 1 << 30));
    arena_free(arena);
}

static void test_large_numbers_take_no_room(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Map map = {0};
    *map_at(arena, &map, 1 << 30) = arena;
    assert_int_equal(map.bits, 2);
    assert_null(map_get(&map, 0));
    assert_null(map_get(&map, (1 << 30) + (1 << 20)));
    assert_ptr_equal(map_get(&map, 1 << 30), arena);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_everything_is_there), cmocka_unit_test(test_large_numbers_take_no_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
