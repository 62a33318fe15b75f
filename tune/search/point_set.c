/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An array of configurations and a hash table of their numbers, with linear probing and never more than half full. */
#include "tune/search/point_set.h"

#include <string.h>

enum { SMALLEST = 64 };

void point_set_init(PointSet *set, Arena *arena, int nparameters)
{
    *set = (PointSet){.arena = arena, .nparameters = nparameters, .capacity = SMALLEST};
    set->places = arena_new_array(arena, int, SMALLEST *(size_t)nparameters);
    set->slots = arena_new_array(arena, int, 2 * SMALLEST);
}

const int *point_set_places(const PointSet *set, int number) { return set->places + (size_t)number * (size_t)set->nparameters; }

/* Where it is in the table, or would be. FNV-1a over places, and the upper half folded in: places differ in their lowest bits only. */
static int *slot_of(const PointSet *set, const int *places)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < set->nparameters; i++)
        hash = (hash ^ (uint64_t)places[i]) * UINT64_C(0x100000001b3);
    size_t mask = 2 * (size_t)set->capacity - 1, at = (size_t)(hash ^ hash >> 32) & mask;
    while (set->slots[at] && memcmp(point_set_places(set, set->slots[at] - 1), places, sizeof(int) * (size_t)set->nparameters) != 0)
        at = (at + 1) & mask;
    return &set->slots[at];
}

static void grow(PointSet *set)
{
    int *places = arena_new_array(set->arena, int, 2 * (size_t)set->capacity * (size_t)set->nparameters);
    memcpy(places, set->places, sizeof(int) * (size_t)set->count * (size_t)set->nparameters);
    set->places = places;
    set->capacity *= 2;
    set->slots = arena_new_array(set->arena, int, 2 * (size_t)set->capacity);
    for (int i = 0; i < set->count; i++)
        *slot_of(set, point_set_places(set, i)) = i + 1;
}

int point_set_add(PointSet *set, const int *places)
{
    int *slot = slot_of(set, places);
    if (*slot)
        return *slot - 1;
    if (set->count == set->capacity) {
        grow(set);
        slot = slot_of(set, places);
    }
    memcpy(set->places + (size_t)set->count * (size_t)set->nparameters, places, sizeof(int) * (size_t)set->nparameters);
    *slot = ++set->count;
    return set->count - 1;
}

void point_set_clear(PointSet *set)
{
    set->count = 0;
    memset(set->slots, 0, sizeof(int) * 2 * (size_t)set->capacity);
}
