/* A hash map from small integers (Node.id, Sym.id) to pointers: side tables of one function whose size is that
 * function's, however many ids the whole run has used. Owned by the arena; a zeroed Map is empty. */
#ifndef MIKGEN_IR_MAP_H
#define MIKGEN_IR_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "ir/arena.h"

typedef struct MapSlot {
    int key; /* id + 1; 0: free */
    void *value;
} MapSlot;

typedef struct Map {
    MapSlot *slots;
    int size, used; /* size: a power of two, or 0 */
} Map;

static inline MapSlot *map_slot(const Map *map, int id)
{
    uint32_t at = ((uint32_t)id + 1) * 0x9e3779b1u;
    for (at ^= at >> 15;; at++) {
        MapSlot *slot = &map->slots[at & (uint32_t)(map->size - 1)];
        if (slot->key == id + 1 || slot->key == 0)
            return slot;
    }
}

/* NULL when there is none. */
static inline void *map_get(const Map *map, int id)
{
    return map->size ? map_slot(map, id)->value : NULL;
}

/* The place of the value, made NULL if it is new; valid until the next call. */
static inline void **map_at(Arena *arena, Map *map, int id)
{
    if (2 * (map->used + 1) > map->size) {
        Map old = *map;
        map->size = old.size ? 2 * old.size : 64;
        map->slots = arena_new_array(arena, MapSlot, map->size);
        for (int i = 0; i < old.size; i++)
            if (old.slots[i].key)
                *map_slot(map, old.slots[i].key - 1) = old.slots[i];
    }
    MapSlot *slot = map_slot(map, id);
    if (!slot->key) {
        slot->key = id + 1;
        map->used++;
    }
    return &slot->value;
}

#endif
