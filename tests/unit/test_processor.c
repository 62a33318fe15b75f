/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the C target's engine finds out about x86 processors: the compiler's own answers here, and words that other machines would give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#if defined(__x86_64__)
#pragma GCC diagnostic ignored "-Wunused-function"
#include "templates/engine/c/processor.h"

static void this_machine_has_what_the_compiler_finds(void **state)
{
    (void)state;
    __builtin_cpu_init();
    const struct {
        int set;
        bool has;
        const char *name;
    } sets[] = {
        {MIK_HAS_AVX2, __builtin_cpu_supports("avx2"), "avx2"},
        {MIK_HAS_FMA, __builtin_cpu_supports("fma"), "fma"},
        {MIK_HAS_F16C, __builtin_cpu_supports("f16c"), "f16c"},
        {MIK_HAS_AVX512F, __builtin_cpu_supports("avx512f"), "avx512f"},
        {MIK_HAS_AVX512BW, __builtin_cpu_supports("avx512bw"), "avx512bw"},
        {MIK_HAS_AVX512DQ, __builtin_cpu_supports("avx512dq"), "avx512dq"},
        {MIK_HAS_AVX512VL, __builtin_cpu_supports("avx512vl"), "avx512vl"},
        {MIK_HAS_AVX512VNNI, __builtin_cpu_supports("avx512vnni"), "avx512vnni"},
        {MIK_HAS_AVX512BF16, __builtin_cpu_supports("avx512bf16"), "avx512bf16"},
    };
    char text[200], want[200] = "";
    int all = MIK_HAS_BEEN_ASKED;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        if (mik_has(mik_sets(), sets[i].set) != sets[i].has)
            fail_msg("%s: %d, and to the compiler %d", sets[i].name, mik_has(mik_sets(), sets[i].set), sets[i].has);
        all |= sets[i].has ? sets[i].set : 0;
        if (sets[i].has)
            snprintf(want + strlen(want), sizeof want - strlen(want), " %s", sets[i].name);
    }
    assert_int_equal(mik_ask_processor(), all);
    assert_int_equal(mik_sets(), all);
    const int length = mik_say_sets(text, sizeof text);
    assert_int_equal(length, (int)strlen(text));
    assert_string_equal(strrchr(text, ':') + 1, strcat(want[0] ? want : strcpy(want, " none"), "\n"));
}

/* A processor with all of it, under systems that save less of its registers. */
static void what_nobody_saves_is_not_there(void **state)
{
    (void)state;
    const int avx = MIK_HAS_AVX2 | MIK_HAS_FMA | MIK_HAS_F16C, all = 2 * MIK_HAS_AVX512BF16 - 1;
    const struct {
        uint32_t saved;
        int sets;
    } systems[] = {{0xe7, all}, {0xe6, all}, {0x67, avx}, {0xa7, avx}, {0xc7, avx}, {0x07, avx}, {0xe3, 0}, {0xe5, 0}, {0x03, 0}, {0, 0}};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        const mik_processor p = {~0u, ~0u, ~0u, ~0u, systems[i].saved};
        if (mik_sets_of(&p) != (systems[i].sets | MIK_HAS_BEEN_ASKED))
            fail_msg("saved %#x: sets %#x instead of %#x", systems[i].saved, mik_sets_of(&p), systems[i].sets);
    }
}

/* One bit of CPUID missing, another set less; those that stand on it, too. */
static void each_set_has_its_bit(void **state)
{
    (void)state;
    const int all = 2 * MIK_HAS_AVX512BF16 - 1;
    const struct {
        int word, bit, without;
    } bits[] = {
        {0, 28, all}, /* AVX */
        {0, 12, MIK_HAS_FMA},
        {0, 29, MIK_HAS_F16C},
        {1, 5, MIK_HAS_AVX2},
        {1, 16, all & ~(MIK_HAS_AVX2 | MIK_HAS_FMA | MIK_HAS_F16C)},
        {1, 17, MIK_HAS_AVX512DQ},
        {1, 30, MIK_HAS_AVX512BW},
        {1, 31, MIK_HAS_AVX512VL},
        {2, 11, MIK_HAS_AVX512VNNI},
        {3, 5, MIK_HAS_AVX512BF16},
    };
    for (int word = 0; word < 4; word++)
        for (int bit = 0; bit < 32; bit++) {
            uint32_t words[4] = {~0u, ~0u, ~0u, ~0u};
            int without = 0;
            for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
                without |= bits[i].word == word && bits[i].bit == bit ? bits[i].without : 0;
            words[word] ^= 1u << bit;
            const mik_processor p = {words[0], words[1], words[2], words[3], 0xe7};
            if (mik_sets_of(&p) != ((all & ~without) | MIK_HAS_BEEN_ASKED))
                fail_msg("without bit %d of word %d: sets %#x", bit, word, mik_sets_of(&p));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_machine_has_what_the_compiler_finds),
        cmocka_unit_test(what_nobody_saves_is_not_there),
        cmocka_unit_test(each_set_has_its_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 0; }
#endif
