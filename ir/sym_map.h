/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map from small integers (Node.id, Sym.id) to pointers: side tables of one function whose size is that
 * function's, however many ids the whole run has used and however far apart the function's are. A tree of three levels,
 * of which the uppermost is hashed; neighbouring ids, which are looked up one after the other, share a leaf, so walks over a
 * big function stay in the cache. Owned by the arena; a zeroed Map is empty. */
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

typedef struct MapSlot {
    unsigned top;      /* the branch's number */
    MapBranch *branch; /* NULL: the slot is free */
} MapSlot;

typedef struct Map {
    MapSlot *slots; /* of the branches that are there, by hashed numbers */
    int bits;       /* there are 1 << bits of them, if any */
    int count;      /* that are not free: half at most */
} Map;

/* The slot of the branch `top`, or the one that it would take. */
static inline MapSlot *map_slot(const Map *map, unsigned top)
{
    const unsigned mask = (1u << map->bits) - 1;
    unsigned at = (top * 2654435769u) >> (32 - map->bits); /* Knuth, The Art of Computer Programming 3, 6.4: by the golden section */
    while (map->slots[at].branch && map->slots[at].top != top)
        at = (at + 1) & mask;
    return &map->slots[at];
}

/* NULL when there is none. */
static inline void *map_get(const Map *map, int id)
{
    const unsigned at = (unsigned)(id + MAP_BELOW_ZERO);
    if (!map->slots)
        return NULL;
    const MapBranch *branch = map_slot(map, at >> (MAP_LEAF_BITS + MAP_BRANCH_BITS))->branch;
    const MapLeaf *leaf = branch ? branch->leaves[at >> MAP_LEAF_BITS & (MAP_BRANCH - 1)] : NULL;
    return leaf ? leaf->values[at & (MAP_LEAF - 1)] : NULL;
}

/* Twice as many slots. */
static inline void map_grow(Arena *arena, Map *map)
{
    const Map old = *map;
    map->bits = old.slots ? old.bits + 1 : 2;
    map->slots = arena_new_array(arena, MapSlot, 1u << map->bits);
    for (unsigned i = 0; old.slots && i < 1u << old.bits; i++)
        if (old.slots[i].branch)
            *map_slot(map, old.slots[i].top) = old.slots[i];
}

/* The place of the value, NULL if it is new; valid as long as the map. */
static inline void **map_at(Arena *arena, Map *map, int id)
{
    const unsigned at = (unsigned)(id + MAP_BELOW_ZERO), top = at >> (MAP_LEAF_BITS + MAP_BRANCH_BITS);
    MapSlot *slot = map->slots ? map_slot(map, top) : NULL;
    if (!slot || !slot->branch) {
        if (!slot || 2 * map->count >= 1 << map->bits) {
            map_grow(arena, map);
            slot = map_slot(map, top);
        }
        *slot = (MapSlot){top, arena_new_array(arena, MapBranch, 1)};
        map->count++;
    }
    MapLeaf **leaf = &slot->branch->leaves[at >> MAP_LEAF_BITS & (MAP_BRANCH - 1)];
    if (!*leaf)
        *leaf = arena_new_array(arena, MapLeaf, 1);
    return &(*leaf)->values[at & (MAP_LEAF - 1)];
}

#endif
