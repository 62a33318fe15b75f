/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map from small integers (Node.id, Sym.id) to pointers: side tables of one function whose size is that
 * function's, however many ids the whole run has used. A tree of three levels; neighbouring ids, which are looked up
 * one after the other, share a leaf, so walks over a big function stay in the cache. Owned by the arena; a zeroed
 * Map is empty. */
#ifndef MIKGEN_IR_SYM_MAP_H
#define MIKGEN_IR_SYM_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "ir/arena.h"

enum {
    MAP_LEAF_BITS = 5,
    MAP_BRANCH_BITS = 6,
    MAP_LEAF = 1 << MAP_LEAF_BITS,
    MAP_BRANCH = 1 << MAP_BRANCH_BITS,
    MAP_BELOW_ZERO = 16 /* ids from -MAP_BELOW_ZERO on are allowed */
};

typedef struct MapLeaf {
    void *values[MAP_LEAF];
} MapLeaf;

typedef struct MapBranch {
    MapLeaf *leaves[MAP_BRANCH];
} MapBranch;

typedef struct Map {
    MapBranch **branches; /* those of the ids that are there and of their neighbours, not from 0 on */
    unsigned first;       /* number of branches[0] */
    int size;             /* of branches */
} Map;

/* NULL when there is none. */
static inline void *map_get(const Map *map, int id)
{
    unsigned at = (unsigned)(id + MAP_BELOW_ZERO), top = at >> (MAP_LEAF_BITS + MAP_BRANCH_BITS);
    const unsigned which = top - map->first; /* large in front of the first */
    if (which >= (unsigned)map->size || !map->branches[which])
        return NULL;
    const MapLeaf *leaf = map->branches[which]->leaves[at >> MAP_LEAF_BITS & (MAP_BRANCH - 1)];
    return leaf ? leaf->values[at & (MAP_LEAF - 1)] : NULL;
}

/* Makes room for the branch `top`, and for half as many again on its side. */
static inline void map_reach(Arena *arena, Map *map, unsigned top)
{
    const Map old = *map;
    const unsigned more = (unsigned)old.size / 2 + 4;
    unsigned end = old.size ? old.first + (unsigned)old.size : top;
    map->first = old.size ? old.first : top;
    if (top < map->first)
        map->first = top > more ? top - more : 0;
    if (top >= end)
        end = top + more;
    map->size = (int)(end - map->first);
    map->branches = arena_new_array(arena, MapBranch *, map->size);
    for (int i = 0; i < old.size; i++)
        map->branches[(unsigned)i + old.first - map->first] = old.branches[i];
}

/* The place of the value, NULL if it is new; valid as long as the map. */
static inline void **map_at(Arena *arena, Map *map, int id)
{
    unsigned at = (unsigned)(id + MAP_BELOW_ZERO), top = at >> (MAP_LEAF_BITS + MAP_BRANCH_BITS);
    if (top - map->first >= (unsigned)map->size)
        map_reach(arena, map, top);
    MapBranch **branch = &map->branches[top - map->first];
    if (!*branch)
        *branch = arena_new_array(arena, MapBranch, 1);
    MapLeaf **leaf = &(*branch)->leaves[at >> MAP_LEAF_BITS & (MAP_BRANCH - 1)];
    if (!*leaf)
        *leaf = arena_new_array(arena, MapLeaf, 1);
    return &(*leaf)->values[at & (MAP_LEAF - 1)];
}

#endif
