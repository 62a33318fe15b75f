/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kahn's algorithm, and the cycle where it comes to a stop. */
#include "tune/search/topological.h"

#include <stdbool.h>

/* A free one that has no place yet, the smallest; -1: none. */
static int next_free(const int *before, const bool *is_placed, int n)
{
    for (int i = 0; i < n; i++)
        if (!is_placed[i] && before[i] == 0)
            return i;
    return -1;
}

/* The smallest without a place that comes before `to`: there is one, or `to` would be free. */
static int some_before(int to, const bool *is_placed, int n, const TuneEdge *edges, int nedges)
{
    int least = n;
    for (int e = 0; e < nedges; e++)
        if (edges[e].to == to && !is_placed[edges[e].from] && edges[e].from < least)
            least = edges[e].from;
    return least;
}

/* What has no place and is not free has another such thing before it: going back from one to the next ends in a cycle. */
static const char *name_cycle(Arena *arena, const char *const *names, int n, const TuneEdge *edges, int nedges, const bool *is_placed)
{
    int *path = arena_new_array(arena, int, n + 1), *step_of = arena_new_array(arena, int, n), length = 0, at = 0;
    while (is_placed[at])
        at++;
    for (; step_of[at] == 0; at = some_before(at, is_placed, n, edges, nedges)) {
        path[length++] = at;
        step_of[at] = length;
    }
    int first = step_of[at] - 1, size = length - first, least = first;
    for (int i = first; i < length; i++)
        least = path[i] < path[least] ? i : least;
    Text text;
    text_init(&text, arena);
    for (int i = 0; i <= size; i++) /* the path goes back: edges go the other way */
        text_printf(&text, "%s%s", i ? " -> " : "", names[path[first + (least - first + size - i) % size]]);
    return text.data;
}

const char *topological_order(Arena *arena, const char *const *names, int n, const TuneEdge *edges, int nedges, int *order)
{
    int *before = arena_new_array(arena, int, n); /* edges from what has no place yet */
    bool *is_placed = arena_new_array(arena, bool, n);
    for (int e = 0; e < nedges; e++)
        before[edges[e].to]++;
    for (int placed = 0; placed < n; placed++) {
        int at = next_free(before, is_placed, n);
        if (at < 0)
            return name_cycle(arena, names, n, edges, nedges, is_placed);
        order[placed] = at;
        is_placed[at] = true;
        for (int e = 0; e < nedges; e++)
            if (edges[e].from == at)
                before[edges[e].to]--;
    }
    return NULL;
}
