/* A hash map from small integers (Node.id, Sym.id) to pointers: side tables of one function whose size is that
 * function's, however many ids the whole run has used. Owned by the arena; a zeroed Map is empty. */
#ifndef MIKGEN_IR_MAP_H
#define MIKGEN_IR_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "ir/arena.h"

/* Neighbouring ids are looked up one after the other, so eight of them share a slot. */
enum { MAP_RUN = 8 };

typedef struct MapSlot {
    int key; /* id / MAP_RUN + 1; 0: free */
    void *values[MAP_RUN];
} MapSlot;

typedef struct Map {
    MapSlot *slots;
    int size, used; /* size: a power of two, or 0 */
} Map;

static inline int map_key(int id)
{
    return (int)((unsigned)id / MAP_RUN) + 1;
}

static inline MapSlot *map_slot(const Map *map, int key)
{
    uint32_t at = (uint32_t)key * 0x9e3779b1u;
    for (at ^= at >> 15;; at++) {
        MapSlot *slot = &map->slots[at & (uint32_t)(map->size - 1)];
        if (slot->key == key || slot->key == 0)
            return slot;
    }
}

/* NULL when there is none. */
static inline void *map_get(const Map *map, int id)
{
    return map->size ? map_slot(map, map_key(id))->values[(unsigned)id % MAP_RUN] : NULL;
}

/* The place of the value, NULL if it is new; valid until the next call. */
static inline void **map_at(Arena *arena, Map *map, int id)
{
    if (2 * (map->used + 1) > map->size) {
        Map old = *map;
        map->size = old.size ? 2 * old.size : 8;
        map->slots = arena_new_array(arena, MapSlot, map->size);
        for (int i = 0; i < old.size; i++)
            if (old.slots[i].key)
                *map_slot(map, old.slots[i].key) = old.slots[i];
    }
    MapSlot *slot = map_slot(map, map_key(id));
    if (!slot->key) {
        slot->key = map_key(id);
        map->used++;
    }
    return &slot->values[(unsigned)id % MAP_RUN];
}

#endif
