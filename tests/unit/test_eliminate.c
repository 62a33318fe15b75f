/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random small systems have an integer point before unknowns go out of them if and only if they have one afterwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "depend/eliminate.h"

/* All unknowns but the first are within BOX of 0; where these are, the first one's bounds are within REACH. */
enum { UNKNOWNS = 4, BOX = 2, REACH = 40, SYSTEMS = 1500 };

static int draw(uint64_t *state, int least, int most)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return least + (int)(*state >> 33) % (most - least + 1);
}

static System random_system(uint64_t *state)
{
    System sys;
    system_init(&sys, NULL);
    sys.ndims = UNKNOWNS;
    for (int i = 1; i < UNKNOWNS; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            Form within = {{0}, BOX};
            within.coef[i] = sign;
            system_at_least(&sys, within, 0);
        }
    for (int i = draw(state, 1, 5); i > 0; i--) {
        Form f = {{0}, draw(state, -7, 7)};
        for (int k = 0; k < UNKNOWNS; k++)
            f.coef[k] = draw(state, 0, 2) ? 0 : draw(state, -3, 3);
        if (draw(state, 0, 3))
            system_at_least(&sys, f, 0);
        else
            system_equal(&sys, f);
    }
    return sys;
}

static bool holds(const System *sys, const int *point)
{
    for (int i = 0; i < sys->nconstraints; i++) {
        int64_t sum = sys->constraint[i].form.constant;
        for (int k = 0; k < UNKNOWNS; k++)
            sum += sys->constraint[i].form.coef[k] * point[k];
        if (sys->constraint[i].equal ? sum != 0 : sum < 0)
            return false;
    }
    return true;
}

/* Tries values of unknown `k` and of those after it. */
static bool has_point(const System *sys, int *point, int k)
{
    if (k == UNKNOWNS)
        return holds(sys, point);
    const int far = k ? BOX : REACH;
    bool found = false;
    for (point[k] = -far; point[k] <= far && !found; point[k]++)
        found = has_point(sys, point, k + 1);
    return found;
}

static void test_random(void **unused)
{
    (void)unused;
    int point[UNKNOWNS], empty = 0, seen = 0, left = 0;
    for (uint64_t seed = 1; seed <= SYSTEMS; seed++) {
        uint64_t state = seed;
        System sys = random_system(&state);
        const bool before = has_point(&sys, point, 0);
        const bool after = eliminate_unknowns(&sys) && has_point(&sys, point, 0);
        if (before != after)
            fail_msg("system %d has %s point", (int)seed, before ? "lost its" : "got a");
        empty += !before;
        seen += before;
        left += sys.nconstraints > 0;
    }
    assert_true(empty > SYSTEMS / 10 && seen > SYSTEMS / 10 && left > SYSTEMS / 20);
}

static System of(int nconstraints, const Form *forms)
{
    System sys;
    system_init(&sys, NULL);
    sys.ndims = UNKNOWNS;
    for (int i = 0; i < nconstraints; i++)
        system_at_least(&sys, forms[i], 0);
    return sys;
}

/* 3 a >= 1 and 2 a <= 1: none of the bounds says what a is, and what follows of them, 3 >= 2, is true, yet no integer is between. */
static void test_inexact(void **unused)
{
    (void)unused;
    System sys = of(2, (Form[]){{{3}, -1}, {{-2}, 1}});
    assert_true(eliminate_unknowns(&sys));
    assert_int_equal(sys.nconstraints, 2);
}

/* Loops around go away, whatever they share. */
static void test_loops(void **unused)
{
    (void)unused;
    System sys = of(6, (Form[]){{{1}, 0}, {{-1, 0, 0, 1}, -1}, {{0, 1}, 0}, {{0, -1, 0, 1}, -1}, {{0, 0, 1}, 0}, {{0, 0, -1, 1}, -1}});
    assert_true(eliminate_unknowns(&sys));
    assert_int_equal(sys.nconstraints, 0);
}

/* Numbers that do not fit stay where they are. */
static void test_overflow(void **unused)
{
    (void)unused;
    System sys = of(3, (Form[]){{{1, INT64_MAX}, 0}, {{-2, INT64_MAX}, 0}, {{0, 2, 3}, 0}});
    sys.constraint[2].equal = true;
    assert_true(eliminate_unknowns(&sys));
    assert_int_equal(sys.nconstraints, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_inexact),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
