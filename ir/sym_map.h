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
    MapBranch **branches;
    int size; /* of branches */
} Map;

/* NULL when there is none. */
static inline void *map_get(const Map *map, int id)
{
    unsigned at = (unsigned)(id + MAP_BELOW_ZERO), top = at >> (MAP_LEAF_BITS + MAP_BRANCH_BITS);
    if (top >= (unsigned)map->size || !map->branches[top])
        return NULL;
    const MapLeaf *leaf = map->branches[top]->leaves[at >> MAP_LEAF_BITS & (MAP_BRANCH - 1)];
    return leaf ? leaf->values[at & (MAP_LEAF - 1)] : NULL;
}

/* The place of the value, NULL if it is new; valid as long as the map. */
static inline void **map_at(Arena *arena, Map *map, int id)
{
    unsigned at = (unsigned)(id + MAP_BELOW_ZERO), top = at >> (MAP_LEAF_BITS + MAP_BRANCH_BITS);
    if (top >= (unsigned)map->size) {
        Map old = *map;
        map->size = (int)(top + top / 2 + 4);
        map->branches = arena_new_array(arena, MapBranch *, map->size);
        for (int i = 0; i < old.size; i++)
            map->branches[i] = old.branches[i];
    }
    MapBranch **branch = &map->branches[top];
    if (!*branch)
        *branch = arena_new_array(arena, MapBranch, 1);
    MapLeaf **leaf = &(*branch)->leaves[at >> MAP_LEAF_BITS & (MAP_BRANCH - 1)];
    if (!*leaf)
        *leaf = arena_new_array(arena, MapLeaf, 1);
    return &(*leaf)->values[at & (MAP_LEAF - 1)];
}

#endif
