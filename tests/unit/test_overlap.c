/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many arrays are found to overlap where two of them do, compared pair by pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "templates/engine/c/overlap_many.h"

enum { MOST = 60 };

static int by_pairs(const mik_bytes_at *all, int written, int n)
{
    for (int i = 0; i < written; i++)
        for (int j = 0; j < n; j++)
            if (i != j && mik_overlap(all[i].at, all[i].bytes, all[j].at, all[j].bytes))
                return 1;
    return 0;
}

static void judge(const mik_bytes_at *all, int written, int n, long *overlapping)
{
    mik_bytes_at copy[MOST];
    memcpy(copy, all, (size_t)n * sizeof *all);
    const int expected = by_pairs(all, written, n);
    assert_int_equal(mik_any_overlap(copy, written, n), expected);
    assert_memory_equal(copy + written, all + written, (size_t)(n - written) * sizeof *all);
    *overlapping += expected;
}

/* Around address 0, too, where a null pointer has no bytes; some are empty. */
static void test_random_places(void **state)
{
    (void)state;
    enum { ROUNDS = 200000 };
    long overlapping = 0;
    srand(1);
    for (int round = 0; round < ROUNDS; round++) {
        mik_bytes_at all[MOST];
        const int n = rand() % 12, written = rand() % (n + 1), room = 1 + rand() % 400, most = 1 + rand() % 20;
        for (int i = 0; i < n; i++)
            all[i] = (mik_bytes_at){(const void *)((uintptr_t)(rand() % room) - (uintptr_t)(room / 2)), (uint64_t)(rand() % most)};
        judge(all, written, n, &overlapping);
    }
    assert_in_range(overlapping, ROUNDS / 4, ROUNDS / 4 * 3);
}

/* Side by side in any order, and then one of them a byte longer, or moved. */
static void test_neighbours(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    long overlapping = 0;
    srand(2);
    for (int round = 0; round < ROUNDS; round++) {
        mik_bytes_at all[MOST];
        const int n = 1 + rand() % MOST, written = rand() % (n + 1);
        uintptr_t at = rand() % 2 ? 4096 : (uintptr_t)-200;
        for (int i = 0; i < n; i++) {
            all[i] = (mik_bytes_at){(const void *)at, 1 + (uint64_t)(rand() % 9)};
            at += all[i].bytes;
        }
        for (int i = n - 1; i > 0; i--) {
            const int j = rand() % (i + 1);
            const mik_bytes_at own = all[i];
            all[i] = all[j], all[j] = own;
        }
        long none = 0;
        judge(all, written, n, &none);
        assert_int_equal(none, 0);
        all[rand() % n].bytes++;
        judge(all, written, n, &overlapping);
        all[rand() % n].at = all[rand() % n].at;
        judge(all, written, n, &overlapping);
    }
    assert_in_range(overlapping, ROUNDS / 2, 2 * ROUNDS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_places), cmocka_unit_test(test_neighbours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
