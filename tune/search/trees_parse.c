/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees from text: lines of words with blanks between them, in a fixed order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/word_reader.h"
#include "tune/search/trees.h"

static const char magic[] = "mikgen-trees";

/* The text while it is read. */
typedef struct Reader {
    Arena *arena;
    Words words;
    Word first; /* of the current line; of length 0 behind the last line */
    const char *features[TREES_MOST_FEATURES];
    int nfeatures;
    Trees *trees;
    Word open[TREES_MOST_DEPTH]; /* the splits above the next node */
} Reader;

/* To the first word of the next line that has one. */
static void next_line(Reader *r)
{
    while ((r->first = words_next(&r->words)).len == 0 && *r->words.at)
        words_skip_line(&r->words);
}

/* That the line is over; then to the next one. */
static bool end_line(Reader *r, const char *help)
{
    if (!words_line_ends(&r->words, help))
        return false;
    next_line(r);
    return true;
}

/* That the line begins with `name`. */
static bool begin_line(Reader *r, const char *name, const char *help)
{
    if (r->first.len == 0)
        return words_refuse(&r->words, r->first, help, "the text ends before its line '%s'", name);
    return word_is(r->first, name) ||
           words_refuse(&r->words, r->first, help, "the line '%s' is missing before '%.*s'", name, r->first.len, r->first.beg);
}

static bool read_header(Reader *r)
{
    static const char help[] = "the first line is: mikgen-trees 1";
    if (!word_is(r->first, magic))
        return words_refuse(&r->words, r->first, help, "these are no trees");
    Word version = words_next(&r->words);
    if (version.len == 0)
        return words_refuse(&r->words, version, help, "the version of the trees is missing");
    if (!word_is(version, "1"))
        return words_refuse(&r->words, version, "train again with this mikgen",
                            "the trees are of version '%.*s', this mikgen reads version 1", version.len, version.beg);
    return end_line(r, help);
}

/* Which feature has this name; -1: none. */
static int find_feature(const Reader *r, Word w)
{
    int f = r->nfeatures - 1;
    while (f >= 0 && !word_is(w, r->features[f]))
        f--;
    return f;
}

/* The line may be missing: *about is NULL then. */
static bool read_about(Reader *r, const char **about)
{
    static const char help[] = "write what the trees are about as one word, for example: about avx2";
    *about = NULL;
    if (!word_is(r->first, "about"))
        return true;
    Word w = words_next(&r->words);
    if (w.len == 0)
        return words_refuse(&r->words, w, help, "the line ends before its word");
    *about = arena_strndup(r->arena, w.beg, (size_t)w.len);
    return end_line(r, help);
}

static bool read_features(Reader *r)
{
    static const char help[] = "list the features by their names, for example: features copies rows";
    if (!begin_line(r, "features", help))
        return false;
    for (Word w; (w = words_next(&r->words)).len;) {
        if (find_feature(r, w) >= 0)
            return words_refuse(&r->words, w, "leave one of the two away", "the feature '%.*s' is given twice", w.len, w.beg);
        if (r->nfeatures == TREES_MOST_FEATURES)
            return words_refuse(&r->words, w, "leave some away", "there are more than %d features", TREES_MOST_FEATURES);
        r->features[r->nfeatures++] = arena_strndup(r->arena, w.beg, (size_t)w.len);
    }
    return r->nfeatures ? end_line(r, help) : words_refuse(&r->words, words_next(&r->words), help, "there are no features");
}

/* The float that comes next, and the end of the line. */
static bool read_float(Reader *r, const char *what, float *out)
{
    const char *help = arena_printf(r->arena, "write %s as a number, for example -0.125", what);
    Word w = words_next(&r->words);
    if (w.len == 0)
        return words_refuse(&r->words, w, help, "the line ends before %s", what);
    char *copy = arena_strndup(r->arena, w.beg, (size_t)w.len), *end;
    *out = strtof(copy, &end);
    if (*end || strspn(copy, "+-.0123456789eE") != (size_t)w.len)
        return words_refuse(&r->words, w, help, "'%s' is no number", copy);
    if (!isfinite(*out))
        return words_refuse(&r->words, w, "floats end at 3.40282347e+38", "'%s' is too large", copy);
    return end_line(r, help);
}

static bool read_base(Reader *r, float *base)
{
    return begin_line(r, "base", "write what the trees are added to, for example: base 0") && read_float(r, "the base", base);
}

/* The number that comes next, from 0 to `most`, and the end of the line. */
static bool read_count(Reader *r, int most, const char *help, int *count)
{
    Word w = words_next(&r->words);
    if (w.len == 0)
        return words_refuse(&r->words, w, help, "the line ends before its number");
    *count = 0;
    for (int i = 0; i < w.len; i++) {
        if (w.beg[i] < '0' || w.beg[i] > '9')
            return words_refuse(&r->words, w, help, "'%.*s' is no number", w.len, w.beg);
        *count = 10 * *count + (w.beg[i] - '0');
        if (*count > most)
            return words_refuse(&r->words, w, arena_printf(r->arena, "at most %d", most), "'%.*s' is too large", w.len, w.beg);
    }
    return end_line(r, help);
}

static bool read_tree_count(Reader *r, int *count)
{
    static const char help[] = "write how many trees follow, for example: trees 50";
    return begin_line(r, "trees", help) && read_count(r, TREES_MOST, help, count);
}

static const char *listed_features(const Reader *r)
{
    Text t;
    text_init(&t, r->arena);
    for (int i = 0; i < r->nfeatures; i++)
        text_printf(&t, "%s%s", i == 0 ? "" : i == r->nfeatures - 1 ? " or " : ", ", r->features[i]);
    return t.data;
}

/* "copies < 4", behind the word `first`. */
static bool read_split(Reader *r, Word first)
{
    static const char help[] = "a split is, for example: if copies < 4";
    const int depth = trees_depth(r->trees);
    if (depth == TREES_MOST_DEPTH)
        return words_refuse(&r->words, first, "let a leaf be here", "more than %d splits are above each other", TREES_MOST_DEPTH);
    Word name = words_next(&r->words);
    if (name.len == 0)
        return words_refuse(&r->words, name, help, "the line ends before its feature");
    const int feature = find_feature(r, name);
    if (feature < 0)
        return words_refuse(&r->words, name, arena_printf(r->arena, "write %s, or name it in the line 'features'", listed_features(r)),
                            "there is no feature '%.*s'", name.len, name.beg);
    Word less = words_next(&r->words);
    if (less.len == 0)
        return words_refuse(&r->words, less, help, "the line ends before its '<'");
    if (!word_is(less, "<"))
        return words_refuse(&r->words, less, help, "trees compare by '<' only, not by '%.*s'", less.len, less.beg);
    float threshold;
    if (!read_float(r, "the threshold", &threshold))
        return false;
    r->open[depth] = first;
    trees_add_split(r->arena, r->trees, feature, threshold);
    return true;
}

static bool read_leaf(Reader *r)
{
    float value;
    if (!read_float(r, "the leaf's value", &value))
        return false;
    trees_add_leaf(r->arena, r->trees, value);
    return true;
}

/* Says that the next node is missing. */
static bool lacks_node(const Reader *r, int tree)
{
    static const char help[] = "write 'leaf', for example: leaf -0.125, or 'if', for example: if copies < 4";
    const int depth = trees_depth(r->trees);
    if (depth == 0)
        return words_refuse(&r->words, r->first, help, "tree %d has no node", tree);
    return words_refuse(&r->words, r->open[depth - 1], help, "tree %d has no node for where this %s", tree,
                        trees_next_holds(r->trees) ? "holds" : "does not hold");
}

/* A node and all below it. */
static bool read_nodes(Reader *r, int tree)
{
    do {
        Word first = r->first;
        if (first.len == 0 || word_is(first, "tree"))
            return lacks_node(r, tree);
        const bool is_split = word_is(first, "if");
        if (!is_split && !word_is(first, "leaf"))
            return words_refuse(&r->words, first, "write 'if' or 'leaf'", "there is no node '%.*s'", first.len, first.beg);
        if (is_split ? !read_split(r, first) : !read_leaf(r))
            return false;
    } while (trees_depth(r->trees));
    return true;
}

static bool read_tree(Reader *r, int tree, int count)
{
    const char *help = arena_printf(r->arena, "write 'tree %d' and its nodes, or another number behind 'trees'", tree);
    if (r->first.len == 0)
        return words_refuse(&r->words, r->first, help, "the text ends after %d of %d trees", tree, count);
    const bool is_node = word_is(r->first, "if") || word_is(r->first, "leaf");
    if (is_node && tree == 0)
        return words_refuse(&r->words, r->first, help, "this node is in no tree");
    if (is_node)
        return words_refuse(&r->words, r->first, help, "tree %d has all its nodes before this one", tree - 1);
    if (!word_is(r->first, "tree"))
        return words_refuse(&r->words, r->first, help, "there is no line '%.*s'", r->first.len, r->first.beg);
    Word first = r->first;
    int number;
    if (!read_count(r, TREES_MOST, "number the trees from 0, for example: tree 0", &number))
        return false;
    if (number != tree)
        return words_refuse(&r->words, first, "number the trees from 0, without gaps", "this is tree %d, not %d", tree, number);
    return read_nodes(r, tree);
}

const Trees *trees_parse(Arena *arena, Diag *diag, const char *text)
{
    Reader *r = arena_new_array(arena, Reader, 1);
    *r = (Reader){.arena = arena, .words = words_of(diag, text)};
    const char *about;
    float base;
    int count;
    next_line(r);
    if (!read_header(r) || !read_about(r, &about) || !read_features(r) || !read_base(r, &base) || !read_tree_count(r, &count))
        return NULL;
    r->trees = trees_new(arena, about, r->features, r->nfeatures, base);
    for (int i = 0; i < count; i++)
        if (!read_tree(r, i, count))
            return NULL;
    if (r->first.len == 0)
        return r->trees;
    words_refuse(&r->words, r->first, "leave it away, or write another number behind 'trees'", "all %d trees are before this line", count);
    return NULL;
}
