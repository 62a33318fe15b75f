/* SPDX-License-Identifier: GPL-3.0-or-later */
/* normalize and licm on the cases of tests/unit/licm_cases: x.spec, x.normalized.spec and x.hoisted.spec. A
 * line of x.spec that starts with "options:" in a comment sets options and ranges of parameters. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ir/check.h"
#include "licm/licm.h"
#include "normalize/normalize.h"
#include "tests/unit/tree.h"

#define CASES "tests/unit/licm_cases/"

static char *read_case(Arena *arena, const char *name, const char *suffix)
{
    const char *path = arena_printf(arena, CASES "%s%s", name, suffix);
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("cannot read %s", path);
    char *text = arena_alloc(arena, 1 << 16);
    size_t size = fread(text, 1, (1 << 16) - 1, f);
    fclose(f);
    text[size] = '\0';
    return text;
}

static void set_option(LicmOptions *opt, Func *f, const char *option)
{
    char name[64];
    long long lo, hi;
    if (sscanf(option, "range=%63[^:]:%lld:%lld", name, &lo, &hi) == 3) {
        for (int i = 0; i < f->nparams; i++)
            if (strcmp(f->params[i]->name, name) == 0)
                f->params[i]->has_range = true, f->params[i]->lo = lo, f->params[i]->hi = hi;
    } else if (sscanf(option, "K=%d", &opt->threshold) == 1 || sscanf(option, "T=%d", &opt->unroll_limit) == 1) {
        return;
    } else if (strcmp(option, "const_pos=low") == 0) {
        opt->const_pos_low = true;
    } else if (strcmp(option, "loads=proven") == 0) {
        opt->loads_proven = true;
    } else if (strcmp(option, "overflow=keep") == 0) {
        opt->overflow = OVERFLOW_KEEP;
    } else if (strcmp(option, "overflow=assume") == 0) {
        opt->overflow = OVERFLOW_ASSUME;
    } else if (strcmp(option, "mode=halide") == 0) {
        opt->mode = LICM_HALIDE;
    } else {
        fail_msg("unknown option %s", option);
    }
}

static LicmOptions read_options(Arena *arena, const char *text, Func *f)
{
    LicmOptions opt = {.mode = LICM_FULL, .threshold = 1, .fp = FP_SPECULATIVE};
    const char *line = strstr(text, "/* options: ");
    if (!line)
        return opt;
    line += strlen("/* options: ");
    char *list = arena_strndup(arena, line, (size_t)(strstr(line, " */") - line));
    for (char *option = strtok(list, " "); option; option = strtok(NULL, " "))
        set_option(&opt, f, option);
    return opt;
}

static void expect_tree(Tree t, const Func *f, const char *name, const char *suffix)
{
    Func *expected = tree_parse(t, name, read_case(t.arena, name, suffix));
    assert_non_null(expected);
    if (!tree_equal(t, f, expected))
        fail_msg("%s%s:\n--- expected\n%s--- got\n%s", name, suffix, tree_text(t, expected), tree_text(t, f));
}

static void check_case(const char *name)
{
    Tree t = tree_new();
    const char *text = read_case(t.arena, name, ".spec");
    Func *f = tree_parse(t, name, text);
    assert_non_null(f);
    LicmOptions opt = read_options(t.arena, text, f);
    f->body = normalize(t.ir, f, f->body, &opt);
    check_func(t.ir, f, TREE_INLINED, "normalize");
    assert_ptr_equal(normalize(t.ir, f, f->body, &opt), f->body);
    expect_tree(t, f, name, ".normalized.spec");
    f->body = licm(t.ir, f, f->body, &opt);
    check_func(t.ir, f, TREE_INLINED, "licm");
    assert_ptr_equal(normalize(t.ir, f, f->body, &opt), f->body);
    assert_ptr_equal(licm(t.ir, f, f->body, &opt), f->body);
    expect_tree(t, f, name, ".hoisted.spec");
    arena_free(t.arena);
}

static void test_case(void **state) { check_case(*state); }

static int is_case(const struct dirent *entry)
{
    const char *dot = strchr(entry->d_name, '.');
    return dot && strcmp(dot, ".spec") == 0;
}

static void test_off(void **state)
{
    (void)state;
    Tree t = tree_new();
    Func *f = tree_parse(t, "p04", read_case(t.arena, "p04", ".spec"));
    LicmOptions off = {.mode = LICM_OFF, .threshold = 1};
    assert_ptr_equal(normalize(t.ir, f, f->body, &off), f->body);
    assert_ptr_equal(licm(t.ir, f, f->body, &off), f->body);
    arena_free(t.arena);
}

int main(void)
{
    struct dirent **cases;
    int n = scandir(CASES, &cases, is_case, alphasort);
    if (n <= 0) {
        fprintf(stderr, "no cases in " CASES "\n");
        return 1;
    }
    struct CMUnitTest *tests = calloc((size_t)n + 1, sizeof *tests);
    for (int i = 0; i < n; i++) {
        *strchr(cases[i]->d_name, '.') = '\0';
        tests[i] = (struct CMUnitTest){.name = cases[i]->d_name, .test_func = test_case, .initial_state = cases[i]->d_name};
    }
    tests[n] = (struct CMUnitTest){.name = "off", .test_func = test_off};
    return _cmocka_run_group_tests("licm", tests, (size_t)n + 1, NULL, NULL);
}
