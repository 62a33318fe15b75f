/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees as arrays: nodes in the order of the text, so that one of two branches is always the next node. */
#include "tune/search/trees.h"

#include <assert.h>
#include <string.h>

typedef struct TreeNode {
    int feature; /* that is compared; -1: a leaf */
    int right;   /* of a split: the node where it does not hold, 0 as long as that has no place; where it holds: the next node */
    float value; /* of a leaf; of a split the threshold */
} TreeNode;

struct Trees {
    const char *about;
    const char *const *features;
    int nfeatures;
    float base;
    TreeNode *nodes;
    int nnodes, capacity;
    int roots[TREES_MOST], count;
    int open[TREES_MOST_DEPTH], nopen; /* splits above the next node */
};

Trees *trees_new(Arena *arena, const char *about, const char *const *features, int nfeatures, float base)
{
    assert(nfeatures > 0 && nfeatures <= TREES_MOST_FEATURES);
    Trees *t = arena_new_array(arena, Trees, 1);
    const char **names = arena_new_array(arena, const char *, nfeatures);
    memcpy(names, features, sizeof *names * (size_t)nfeatures);
    t->about = about;
    t->features = names;
    t->nfeatures = nfeatures;
    t->base = base;
    return t;
}

static void add_node(Arena *arena, Trees *t, TreeNode node)
{
    if (t->nopen == 0) {
        assert(t->count < TREES_MOST);
        t->roots[t->count++] = t->nnodes;
    }
    if (t->nnodes == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 256;
        TreeNode *nodes = arena_new_array(arena, TreeNode, t->capacity);
        if (t->nnodes)
            memcpy(nodes, t->nodes, sizeof *nodes * (size_t)t->nnodes);
        t->nodes = nodes;
    }
    t->nodes[t->nnodes++] = node;
}

void trees_add_split(Arena *arena, Trees *t, int feature, float threshold)
{
    assert(t->nopen < TREES_MOST_DEPTH && feature >= 0 && feature < t->nfeatures);
    add_node(arena, t, (TreeNode){.feature = feature, .value = threshold});
    t->open[t->nopen++] = t->nnodes - 1;
}

void trees_add_leaf(Arena *arena, Trees *t, float value)
{
    add_node(arena, t, (TreeNode){.feature = -1, .value = value});
    while (t->nopen && t->nodes[t->open[t->nopen - 1]].right)
        t->nopen--;
    if (t->nopen)
        t->nodes[t->open[t->nopen - 1]].right = t->nnodes;
}

int trees_depth(const Trees *t) { return t->nopen; }

bool trees_next_holds(const Trees *t) { return t->nopen && t->nodes[t->open[t->nopen - 1]].right == 0; }

int trees_count(const Trees *t) { return t->count; }

const char *trees_about(const Trees *t) { return t->about; }

const char *trees_feature(const Trees *t, int i) { return i < t->nfeatures ? t->features[i] : NULL; }

double trees_evaluate(const Trees *t, const double *features)
{
    float sum = t->base;
    for (int i = 0; i < t->count; i++) {
        const TreeNode *n = t->nodes + t->roots[i];
        while (n->feature >= 0)
            n = (float)features[n->feature] < n->value ? n + 1 : t->nodes + n->right;
        sum += n->value;
    }
    return sum;
}

/* Prints a node and all below it. */
static void print_node(Text *text, const Trees *t, int node, int depth)
{
    const TreeNode *n = &t->nodes[node];
    text_printf(text, "%*s", 2 + 2 * depth, "");
    if (n->feature < 0) {
        text_printf(text, "leaf %.9g\n", (double)n->value);
        return;
    }
    text_printf(text, "if %s < %.9g\n", t->features[n->feature], (double)n->value);
    print_node(text, t, node + 1, depth + 1);
    print_node(text, t, n->right, depth + 1);
}

const char *trees_print(Arena *arena, const Trees *t)
{
    assert(t->nopen == 0);
    Text text;
    text_init(&text, arena);
    text_puts(&text, "mikgen-trees 1\n");
    if (t->about)
        text_printf(&text, "about %s\n", t->about);
    text_puts(&text, "features");
    for (int i = 0; i < t->nfeatures; i++)
        text_printf(&text, " %s", t->features[i]);
    text_printf(&text, "\nbase %.9g\ntrees %d\n", (double)t->base, t->count);
    for (int i = 0; i < t->count; i++) {
        text_printf(&text, "tree %d\n", i);
        print_node(&text, t, t->roots[i], 0);
    }
    return text.data;
}
