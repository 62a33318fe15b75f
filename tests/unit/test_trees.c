/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees as text: evaluated by hand and against a walk from the root, back bit for bit, and every wrong line refused with its place and
 * what to write instead. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tune/search/constraint_walk.h"
#include "tune/search/trees.h"

#define TOP  "mikgen-trees 1\n"
#define HEAD TOP "features copies rows\nbase 0.5\n"

static const char two_trees[] = HEAD "trees 2\n"
                                     "tree 0\n"
                                     "  if copies < 4\n"
                                     "    leaf 0.25\n"
                                     "    if rows < 16\n"
                                     "      leaf -0.5\n"
                                     "      leaf 0.125\n"
                                     "tree 1\n"
                                     "  leaf 1\n";

static const Trees *read_trees(Arena *arena, const char *text)
{
    Diag *diag = diag_new(arena, "test.trees", text, strlen(text), stderr);
    const Trees *trees = trees_parse(arena, diag, text);
    assert_non_null(trees);
    assert_int_equal(diag_errors(diag), 0);
    return trees;
}

/* ---------------------------------------------------------------- values */

static void evaluated_by_hand(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const Trees *trees = read_trees(arena, two_trees);
    assert_int_equal(trees_count(trees), 2);
    assert_string_equal(trees_feature(trees, 0), "copies");
    assert_string_equal(trees_feature(trees, 1), "rows");
    assert_null(trees_feature(trees, 2));
    assert_true(trees_evaluate(trees, (double[]){3, 99}) == 1.75);
    assert_true(trees_evaluate(trees, (double[]){4, 15}) == 1);
    assert_true(trees_evaluate(trees, (double[]){4, 16}) == 1.625);
    /* as a float this is 4, which is not less */
    assert_true(trees_evaluate(trees, (double[]){3.99999999999, 16}) == 1.625);
    /* nothing is known of NaN: as if it were large */
    assert_true(trees_evaluate(trees, (double[]){NAN, NAN}) == 1.625);
    arena_free(arena);
}

static void without_trees_the_base(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const Trees *trees = read_trees(arena, HEAD "trees 0\n");
    assert_int_equal(trees_count(trees), 0);
    assert_true(trees_evaluate(trees, (double[]){1, 2}) == 0.5);
    arena_free(arena);
}

/* The sum is one of floats: from 2^24 on, 1 is lost, and doubles would keep it. */
static void sums_are_floats(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const Trees *trees = read_trees(arena, TOP "features a\nbase 16777216\ntrees 2\ntree 0\nleaf 1\ntree 1\nleaf 1\n");
    assert_true(trees_evaluate(trees, (double[]){0}) == 16777216);
    arena_free(arena);
}

/* ---------------------------------------------------------------- text */

static void blanks_and_comments_do_not_matter(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    assert_string_equal(trees_print(arena, read_trees(arena, two_trees)), two_trees);
    const Trees *trees = read_trees(arena,
                                    "# by hand\n\n\tmikgen-trees   1 # the version\r\nfeatures copies\trows\nbase 5e-1#here\ntrees 2\n"
                                    "tree 0\nif copies < 4.0\n\n  # few\nleaf .25\nif rows < +16\nleaf -0.5\nleaf 125e-3\n"
                                    "tree 01\nleaf 1 # the last");
    assert_string_equal(trees_print(arena, trees), two_trees);
    arena_free(arena);
}

static void what_they_are_about(void **state)
{
    (void)state;
    static const char text[] = TOP "about avx2\nfeatures about\nbase 0\ntrees 0\n";
    Arena *arena = arena_new();
    const Trees *trees = read_trees(arena, text);
    assert_string_equal(trees_about(trees), "avx2");
    assert_string_equal(trees_print(arena, trees), text);
    assert_null(trees_about(read_trees(arena, two_trees)));
    arena_free(arena);
}

/* A node of a random tree, with pointers. */
typedef struct Node {
    int feature; /* -1: a leaf */
    float value;
    struct Node *holds, *fails;
} Node;

enum { FEATURES = 5, MODELS = 300, POINTS = 40 };

static const char *const names[FEATURES] = {"copies", "rows", "if", "log2(n/8)", "leaf"};

/* Any finite float, by its bits; now and then a small whole number, so that points lie on thresholds. */
static float random_float(uint64_t *seed)
{
    if (tune_random(seed, 2))
        return (float)tune_random(seed, 8) / 2;
    float x;
    do {
        uint32_t bits = (uint32_t)tune_random(seed, 1 << 16) << 16 | (uint32_t)tune_random(seed, 1 << 16);
        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x));
    return x;
}

static Node *random_node(Arena *arena, uint64_t *seed, int depth)
{
    Node *n = arena_new_array(arena, Node, 1);
    n->value = random_float(seed);
    n->feature = depth < 7 && tune_random(seed, 4) ? tune_random(seed, FEATURES) : -1;
    if (n->feature >= 0) {
        n->holds = random_node(arena, seed, depth + 1);
        n->fails = random_node(arena, seed, depth + 1);
    }
    return n;
}

static void build(Arena *arena, Trees *trees, const Node *n, int depth)
{
    assert_int_equal(trees_depth(trees), depth);
    if (n->feature < 0) {
        trees_add_leaf(arena, trees, n->value);
        return;
    }
    trees_add_split(arena, trees, n->feature, n->value);
    assert_true(trees_next_holds(trees));
    build(arena, trees, n->holds, depth + 1);
    assert_false(trees_next_holds(trees));
    build(arena, trees, n->fails, depth + 1);
}

static float leaf_of(const Node *n, const float *features)
{
    return n->feature < 0 ? n->value : leaf_of(features[n->feature] < n->value ? n->holds : n->fails, features);
}

static bool same_bits(double x, float y)
{
    const float rounded = (float)x;
    return memcmp(&rounded, &y, sizeof y) == 0 || (isnan(rounded) && isnan(y));
}

static void one_random_model(uint64_t *seed)
{
    Arena *arena = arena_new();
    const float base = random_float(seed);
    const int count = tune_random(seed, 12);
    Node *roots[12];
    Trees *built = trees_new(arena, NULL, names, FEATURES, base);
    for (int i = 0; i < count; i++)
        build(arena, built, roots[i] = random_node(arena, seed, 0), 0);
    assert_int_equal(trees_depth(built), 0);
    const char *text = trees_print(arena, built);
    const Trees *back = read_trees(arena, text);
    assert_string_equal(trees_print(arena, back), text);
    for (int p = 0; p < POINTS; p++) {
        float features[FEATURES];
        double given[FEATURES];
        for (int f = 0; f < FEATURES; f++)
            given[f] = features[f] = random_float(seed);
        float sum = base;
        for (int i = 0; i < count; i++)
            sum += leaf_of(roots[i], features);
        assert_true(same_bits(trees_evaluate(built, given), sum));
        assert_true(same_bits(trees_evaluate(back, given), sum));
    }
    arena_free(arena);
}

static void random_models(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < MODELS; i++)
        one_random_model(&seed);
}

/* ---------------------------------------------------------------- messages */

/* The text must be refused with one message, in this place, that says `part`, and helps with `help`. */
static void refuse(const char *text, int line, int column, const char *part, const char *help)
{
    Arena *arena = arena_new();
    char *message = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&message, &size);
    Diag *diag = diag_new(arena, "test.trees", text, strlen(text), out);
    assert_null(trees_parse(arena, diag, text));
    fclose(out);
    assert_int_equal(diag_errors(diag), 1);
    char *place = arena_printf(arena, "test.trees:%d:%d: error: %s\n", line, column, part);
    if (strncmp(message, place, strlen(place)) != 0)
        fail_msg("instead of '%s':\n%s", place, message);
    const char *helped = strstr(message, "\nhelp: ");
    if (!helped || !strstr(helped, help))
        fail_msg("no help '%s':\n%s", help, message);
    free(message);
    arena_free(arena);
}

static void wrong_heads(void **state)
{
    (void)state;
    static const char first[] = "the first line is: mikgen-trees 1";
    refuse("", 1, 1, "these are no trees", first);
    refuse("# nothing\n", 2, 1, "these are no trees", first);
    refuse("mikgen-profile 1\n", 1, 1, "these are no trees", first);
    refuse("mikgen-trees\n", 1, 13, "the version of the trees is missing", first);
    refuse("mikgen-trees 2\n", 1, 14, "the trees are of version '2', this mikgen reads version 1", "train again with this mikgen");
    refuse("mikgen-trees 1 b\n", 1, 16, "'b' does not belong here", first);
    static const char about[] = "as one word, for example: about avx2";
    refuse(TOP "about # nothing\n", 2, 7, "the line ends before its word", about);
    refuse(TOP "about avx2 avx512\n", 2, 12, "'avx512' does not belong here", about);
    refuse(TOP "about avx2\nabout avx2\n", 3, 1, "the line 'features' is missing before 'about'", "list the features by their names");
    refuse(TOP, 2, 1, "the text ends before its line 'features'", "list the features by their names, for example: features copies rows");
    refuse(TOP "base 0\n", 2, 1, "the line 'features' is missing before 'base'", "list the features by their names");
    refuse(TOP "features # none\n", 2, 10, "there are no features", "list the features by their names");
    refuse(TOP "features a b a\n", 2, 14, "the feature 'a' is given twice", "leave one of the two away");
    refuse(TOP "features a\nbase\n", 3, 5, "the line ends before the base", "write the base as a number, for example -0.125");
    refuse(TOP "features a\ntrees 1\n", 3, 1, "the line 'base' is missing before 'trees'", "for example: base 0");
    refuse(TOP "features a\nbase 0 1\n", 3, 8, "'1' does not belong here", "write the base as a number");
    refuse(TOP "features a\nbase 0x1\n", 3, 6, "'0x1' is no number", "write the base as a number");
    refuse(TOP "features a\nbase 1.5.2\n", 3, 6, "'1.5.2' is no number", "write the base as a number");
    refuse(TOP "features a\nbase nan\n", 3, 6, "'nan' is no number", "write the base as a number");
    refuse(TOP "features a\nbase -1e39\n", 3, 6, "'-1e39' is too large", "floats end at 3.40282347e+38");
    static const char trees[] = "write how many trees follow, for example: trees 50";
    refuse(HEAD "tree 0\n", 4, 1, "the line 'trees' is missing before 'tree'", trees);
    refuse(HEAD, 4, 1, "the text ends before its line 'trees'", trees);
    refuse(HEAD "trees\n", 4, 6, "the line ends before its number", trees);
    refuse(HEAD "trees two\n", 4, 7, "'two' is no number", trees);
    refuse(HEAD "trees 4097\n", 4, 7, "'4097' is too large", "at most 4096");
    refuse(HEAD "trees 1 2\n", 4, 9, "'2' does not belong here", trees);
}

static void wrong_nodes(void **state)
{
    (void)state;
#define IN_TREE HEAD "trees 1\ntree 0\n"
    static const char split[] = "a split is, for example: if copies < 4", node[] = "write 'leaf', for example: leaf -0.125, or 'if'";
    refuse(IN_TREE, 6, 1, "tree 0 has no node", node);
    refuse(IN_TREE "tree 1\n", 6, 1, "tree 0 has no node", node);
    refuse(IN_TREE "  node 0\n", 6, 3, "there is no node 'node'", "write 'if' or 'leaf'");
    refuse(IN_TREE "if\n", 6, 3, "the line ends before its feature", split);
    refuse(IN_TREE "if columns < 4\n", 6, 4, "there is no feature 'columns'", "write copies or rows, or name it in the line 'features'");
    refuse(IN_TREE "if rows\n", 6, 8, "the line ends before its '<'", split);
    refuse(IN_TREE "if rows <= 4\n", 6, 9, "trees compare by '<' only, not by '<='", split);
    refuse(IN_TREE "if rows <\n", 6, 10, "the line ends before the threshold", "write the threshold as a number");
    refuse(IN_TREE "if rows < few\n", 6, 11, "'few' is no number", "write the threshold as a number");
    refuse(IN_TREE "if rows < 4 1\n", 6, 13, "'1' does not belong here", "write the threshold as a number");
    refuse(IN_TREE "leaf\n", 6, 5, "the line ends before the leaf's value", "write the leaf's value as a number");
    refuse(IN_TREE "leaf inf\n", 6, 6, "'inf' is no number", "write the leaf's value as a number");
    refuse(IN_TREE "leaf 1 2\n", 6, 8, "'2' does not belong here", "write the leaf's value as a number");
    refuse(IN_TREE "if rows < 4\n", 6, 1, "tree 0 has no node for where this holds", node);
    refuse(IN_TREE "if rows < 4\n  leaf 1\n", 6, 1, "tree 0 has no node for where this does not hold", node);
    refuse(IN_TREE "if rows < 4\n  if copies < 2\n    leaf 1\n    leaf 2\ntree 1\n", 6, 1,
           "tree 0 has no node for where this does not hold", node);
    refuse(IN_TREE "if rows < 4\n  if copies < 2\n    leaf 1\ntree 1\n", 7, 3, "tree 0 has no node for where this does not hold", node);
}

static void wrong_trees(void **state)
{
    (void)state;
#define TWO HEAD "trees 2\n"
    static const char first[] = "write 'tree 0' and its nodes, or another number behind 'trees'",
                      second[] = "write 'tree 1' and its nodes, or another number behind 'trees'";
    refuse(TWO "leaf 1\n", 5, 1, "this node is in no tree", first);
    refuse(TWO "branch\n", 5, 1, "there is no line 'branch'", first);
    refuse(TWO, 5, 1, "the text ends after 0 of 2 trees", first);
    refuse(TWO "tree\n", 5, 5, "the line ends before its number", "number the trees from 0, for example: tree 0");
    refuse(TWO "tree -1\n", 5, 6, "'-1' is no number", "number the trees from 0, for example: tree 0");
    refuse(TWO "tree 1\nleaf 1\n", 5, 1, "this is tree 0, not 1", "number the trees from 0, without gaps");
    refuse(TWO "tree 0\nleaf 1\n", 7, 1, "the text ends after 1 of 2 trees", second);
    refuse(TWO "tree 0\nleaf 1\nleaf 2\n", 7, 1, "tree 0 has all its nodes before this one", second);
    refuse(TWO "tree 0\nleaf 1\ntree 1\nleaf 2\ntree 2\nleaf 3\n", 9, 1, "all 2 trees are before this line",
           "leave it away, or write another number behind 'trees'");
}

/* A model of `nfeatures` features with one tree, `depth` splits below each other. */
static char *large(Arena *arena, int nfeatures, int depth)
{
    Text t;
    text_init(&t, arena);
    text_puts(&t, TOP "features");
    for (int i = 0; i < nfeatures; i++)
        text_printf(&t, " f%d", i);
    text_puts(&t, "\nbase 0\ntrees 1\ntree 0\n");
    for (int i = 0; i < depth; i++)
        text_printf(&t, "if f0 < %d\n", depth - i);
    for (int i = 0; i <= depth; i++)
        text_printf(&t, "leaf %d\n", i);
    return t.data;
}

static void sizes_are_limited(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const Trees *trees = read_trees(arena, large(arena, TREES_MOST_FEATURES, TREES_MOST_DEPTH));
    double features[TREES_MOST_FEATURES] = {32};
    assert_true(trees_evaluate(trees, features) == 32);
    features[0] = 0.5;
    assert_true(trees_evaluate(trees, features) == 0);
    refuse(large(arena, 1, TREES_MOST_DEPTH + 1), 6 + TREES_MOST_DEPTH, 1, "more than 32 splits are above each other",
           "let a leaf be here");
    const char *many = large(arena, TREES_MOST_FEATURES + 1, 0);
    refuse(many, 2, (int)(strstr(many, " f256") - strstr(many, "features")) + 2, "there are more than 256 features", "leave some away");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluated_by_hand),   cmocka_unit_test(without_trees_the_base),
        cmocka_unit_test(sums_are_floats),     cmocka_unit_test(blanks_and_comments_do_not_matter),
        cmocka_unit_test(what_they_are_about), cmocka_unit_test(random_models),
        cmocka_unit_test(wrong_heads),         cmocka_unit_test(wrong_nodes),
        cmocka_unit_test(wrong_trees),         cmocka_unit_test(sizes_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
