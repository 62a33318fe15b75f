/* Trees from text: lines of words with blanks between them, in a fixed order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/search/trees.h"

static const char magic[] = "mikgen-trees";

typedef struct Word {
    const char *beg;
    int len;
} Word;

/* The text while it is read. */
typedef struct Reader {
    Arena *arena;
    Diag *diag;
    const char *text, *at; /* its beginning; how far it is read */
    Word first;            /* of the current line; of length 0 behind the last line */
    const char *features[TREES_MOST_FEATURES];
    int nfeatures;
    Trees *trees;
    Word open[TREES_MOST_DEPTH]; /* the splits above the next node */
} Reader;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_end(char c) { return c == '\0' || c == '\n' || c == '#'; }

/* The next word of the line; of length 0 at its end. */
static Word next_word(Reader *r)
{
    while (is_blank(*r->at))
        r->at++;
    Word w = {r->at, 0};
    while (!is_blank(*r->at) && !is_end(*r->at))
        r->at++;
    w.len = (int)(r->at - w.beg);
    return w;
}

static bool is_word(Word w, const char *s) { return strlen(s) == (size_t)w.len && memcmp(w.beg, s, (size_t)w.len) == 0; }

static bool refuse(const Reader *r, Word w, const char *help, const char *format, ...) __attribute__((format(printf, 4, 5)));
static bool refuse(const Reader *r, Word w, const char *help, const char *format, ...)
{
    Loc loc = {(uint32_t)(w.beg - r->text) + 1, (uint32_t)(w.beg - r->text) + 1 + (uint32_t)w.len};
    va_list args;
    va_start(args, format);
    diag_verror(r->diag, loc, help, format, args);
    va_end(args);
    return false;
}

/* To the first word of the next line that has one. */
static void next_line(Reader *r)
{
    while ((r->first = next_word(r)).len == 0 && *r->at) {
        r->at += strcspn(r->at, "\n");
        r->at += *r->at == '\n';
    }
}

/* That the line is over; then to the next one. */
static bool end_line(Reader *r, const char *help)
{
    Word rest = next_word(r);
    if (rest.len)
        return refuse(r, rest, help, "'%.*s' does not belong here", rest.len, rest.beg);
    next_line(r);
    return true;
}

/* That the line begins with `name`. */
static bool begin_line(Reader *r, const char *name, const char *help)
{
    if (r->first.len == 0)
        return refuse(r, r->first, help, "the text ends before its line '%s'", name);
    return is_word(r->first, name) || refuse(r, r->first, help, "the line '%s' is missing before '%.*s'", name, r->first.len, r->first.beg);
}

static bool read_header(Reader *r)
{
    static const char help[] = "the first line is: mikgen-trees 1";
    if (!is_word(r->first, magic))
        return refuse(r, r->first, help, "these are no trees");
    Word version = next_word(r);
    if (version.len == 0)
        return refuse(r, version, help, "the version of the trees is missing");
    if (!is_word(version, "1"))
        return refuse(r, version, "train again with this mikgen", "the trees are of version '%.*s', this mikgen reads version 1",
                      version.len, version.beg);
    return end_line(r, help);
}

/* Which feature has this name; -1: none. */
static int find_feature(const Reader *r, Word w)
{
    int f = r->nfeatures - 1;
    while (f >= 0 && !is_word(w, r->features[f]))
        f--;
    return f;
}

static bool read_features(Reader *r)
{
    static const char help[] = "list the features by their names, for example: features copies rows";
    if (!begin_line(r, "features", help))
        return false;
    for (Word w; (w = next_word(r)).len;) {
        if (find_feature(r, w) >= 0)
            return refuse(r, w, "leave one of the two away", "the feature '%.*s' is given twice", w.len, w.beg);
        if (r->nfeatures == TREES_MOST_FEATURES)
            return refuse(r, w, "leave some away", "there are more than %d features", TREES_MOST_FEATURES);
        r->features[r->nfeatures++] = arena_strndup(r->arena, w.beg, (size_t)w.len);
    }
    return r->nfeatures ? end_line(r, help) : refuse(r, next_word(r), help, "there are no features");
}

/* The float that comes next, and the end of the line. */
static bool read_float(Reader *r, const char *what, float *out)
{
    const char *help = arena_printf(r->arena, "write %s as a number, for example -0.125", what);
    Word w = next_word(r);
    if (w.len == 0)
        return refuse(r, w, help, "the line ends before %s", what);
    char *copy = arena_strndup(r->arena, w.beg, (size_t)w.len), *end;
    *out = strtof(copy, &end);
    if (*end || strspn(copy, "+-.0123456789eE") != (size_t)w.len)
        return refuse(r, w, help, "'%s' is no number", copy);
    if (!isfinite(*out))
        return refuse(r, w, "floats end at 3.40282347e+38", "'%s' is too large", copy);
    return end_line(r, help);
}

static bool read_base(Reader *r, float *base)
{
    return begin_line(r, "base", "write what the trees are added to, for example: base 0") && read_float(r, "the base", base);
}

/* The number that comes next, from 0 to `most`, and the end of the line. */
static bool read_count(Reader *r, int most, const char *help, int *count)
{
    Word w = next_word(r);
    if (w.len == 0)
        return refuse(r, w, help, "the line ends before its number");
    *count = 0;
    for (int i = 0; i < w.len; i++) {
        if (w.beg[i] < '0' || w.beg[i] > '9')
            return refuse(r, w, help, "'%.*s' is no number", w.len, w.beg);
        *count = 10 * *count + (w.beg[i] - '0');
        if (*count > most)
            return refuse(r, w, arena_printf(r->arena, "at most %d", most), "'%.*s' is too large", w.len, w.beg);
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
        return refuse(r, first, "let a leaf be here", "more than %d splits are above each other", TREES_MOST_DEPTH);
    Word name = next_word(r);
    if (name.len == 0)
        return refuse(r, name, help, "the line ends before its feature");
    const int feature = find_feature(r, name);
    if (feature < 0)
        return refuse(r, name, arena_printf(r->arena, "write %s, or name it in the line 'features'", listed_features(r)),
                      "there is no feature '%.*s'", name.len, name.beg);
    Word less = next_word(r);
    if (less.len == 0)
        return refuse(r, less, help, "the line ends before its '<'");
    if (!is_word(less, "<"))
        return refuse(r, less, help, "trees compare by '<' only, not by '%.*s'", less.len, less.beg);
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
        return refuse(r, r->first, help, "tree %d has no node", tree);
    return refuse(r, r->open[depth - 1], help, "tree %d has no node for where this %s", tree,
                  trees_next_holds(r->trees) ? "holds" : "does not hold");
}

/* A node and all below it. */
static bool read_nodes(Reader *r, int tree)
{
    do {
        Word first = r->first;
        if (first.len == 0 || is_word(first, "tree"))
            return lacks_node(r, tree);
        const bool is_split = is_word(first, "if");
        if (!is_split && !is_word(first, "leaf"))
            return refuse(r, first, "write 'if' or 'leaf'", "there is no node '%.*s'", first.len, first.beg);
        if (is_split ? !read_split(r, first) : !read_leaf(r))
            return false;
    } while (trees_depth(r->trees));
    return true;
}

static bool read_tree(Reader *r, int tree, int count)
{
    const char *help = arena_printf(r->arena, "write 'tree %d' and its nodes, or another number behind 'trees'", tree);
    if (r->first.len == 0)
        return refuse(r, r->first, help, "the text ends after %d of %d trees", tree, count);
    const bool is_node = is_word(r->first, "if") || is_word(r->first, "leaf");
    if (is_node && tree == 0)
        return refuse(r, r->first, help, "this node is in no tree");
    if (is_node)
        return refuse(r, r->first, help, "tree %d has all its nodes before this one", tree - 1);
    if (!is_word(r->first, "tree"))
        return refuse(r, r->first, help, "there is no line '%.*s'", r->first.len, r->first.beg);
    Word first = r->first;
    int number;
    if (!read_count(r, TREES_MOST, "number the trees from 0, for example: tree 0", &number))
        return false;
    if (number != tree)
        return refuse(r, first, "number the trees from 0, without gaps", "this is tree %d, not %d", tree, number);
    return read_nodes(r, tree);
}

const Trees *trees_parse(Arena *arena, Diag *diag, const char *text)
{
    Reader *r = arena_new_array(arena, Reader, 1);
    *r = (Reader){.arena = arena, .diag = diag, .text = text, .at = text};
    float base;
    int count;
    next_line(r);
    if (!read_header(r) || !read_features(r) || !read_base(r, &base) || !read_tree_count(r, &count))
        return NULL;
    r->trees = trees_new(arena, r->features, r->nfeatures, base);
    for (int i = 0; i < count; i++)
        if (!read_tree(r, i, count))
            return NULL;
    if (r->first.len == 0)
        return r->trees;
    refuse(r, r->first, "leave it away, or write another number behind 'trees'", "all %d trees are before this line", count);
    return NULL;
}
