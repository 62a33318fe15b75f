/* Argument checks that every operator shares: extents, addresses; room for intermediate arrays. */
#pragma once
#include "config.h"
#include "overlap.h"

/* One array: its extents, its address, its size in bytes; of one without elements whether its strides can be counted. */
static inline int mik_check_array(const void *address, size_t element, const int64_t *extent, int rank)
{
    int empty = 0;
    for (int i = 0; i < rank; i++) {
        if (extent[i] < 0)
            return MIKGEN_NEGATIVE_EXTENT;
        empty |= extent[i] == 0;
    }
    int64_t room = empty ? INT64_MAX : PTRDIFF_MAX / (int64_t)element;
    for (int i = 0; i < rank; i++)
        if (extent[i] > 0) {
            if (extent[i] > room)
                return MIKGEN_TOO_LARGE;
            room /= extent[i];
        }
    return address || empty ? MIKGEN_OK : MIKGEN_NULL_POINTER;
}
#if MIK_WITH_ROOM

/* Room for one intermediate array at offset *bytes, which moves on to the next multiple of 64; -1 when there is no
   such size. With room NULL only the size is added up. */
static inline void *mik_add_room(char *room, int64_t *bytes, size_t element, const int64_t *extent, int rank)
{
    const int64_t at = *bytes;
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        const int64_t most = PTRDIFF_MAX / 2 / (int64_t)element;
        if (at < 0 || extent[i] < 0 || (extent[i] && count > most / extent[i])) {
            *bytes = -1;
            return NULL;
        }
        count *= extent[i];
    }
    if (at > PTRDIFF_MAX / 2 - 64) {
        *bytes = -1;
        return NULL;
    }
    *bytes = at + (count * (int64_t)element + 63) / 64 * 64;
    return room ? room + at : NULL;
}
#endif
