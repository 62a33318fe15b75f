/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libFuzzer: any bytes as the trees of a model. What is accepted is printed, and read again gives the same text and the same values.
 * Crashes, sanitizers' reports and an "internal error" are findings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tune/nests/nest_model.h"
#include "tune/search/trees.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const Trees *parse(Arena *arena, const char *text, FILE *messages)
{
    return trees_parse(arena, diag_new(arena, "fuzz.trees", text, strlen(text), messages), text);
}

/* At a point between the thresholds that trees usually have, and at what no feature should be. */
static void compare_values(const Trees *trees, const Trees *again)
{
    static const double points[] = {0, 1, -0.25, 1e30, -HUGE_VAL, HUGE_VAL, NAN};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        double features[TREES_MOST_FEATURES];
        for (int f = 0; f < TREES_MOST_FEATURES; f++)
            features[f] = f % 3 ? points[i] : -points[i];
        const double one = trees_evaluate(trees, features), other = trees_evaluate(again, features);
        if (memcmp(&one, &other, sizeof one) != 0)
            internal_error("trees have other values once they are printed and read");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *messages;
    if (!messages && !(messages = fopen("/dev/null", "w")))
        return 0;
    Arena *arena = arena_new();
    const Trees *trees = parse(arena, arena_strndup(arena, (const char *)data, size), messages);
    if (trees) {
        const char *printed = trees_print(arena, trees);
        const Trees *again = parse(arena, printed, messages);
        if (!again || strcmp(trees_print(arena, again), printed) != 0)
            internal_error("trees are not read as they are printed");
        compare_values(trees, again);
        model_set(trees);
    }
    arena_free(arena);
    return 0;
}
