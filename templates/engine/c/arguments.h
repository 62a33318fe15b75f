/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* ---- Arguments: extents, addresses; room for intermediate arrays ---- */
#pragma once
#include "config.h"
#include "overlap.h"

/* Checks one more array, after others that gave `status`: its extents; its size in bytes, or, where it has no elements, whether its
   strides can be counted; last its address, where the call uses it. */
static inline int mik_check_array(int status, const void *address, size_t element, const int64_t *extent, int rank, int used)
{
    int64_t count = 1;
    int empty = 0;
    if (status != MIKGEN_OK && status != MIKGEN_NULL_POINTER)
        return status;
    for (int i = 0; i < rank; i++) {
        if (extent[i] < 0)
            return MIKGEN_NEGATIVE_EXTENT;
        empty |= extent[i] == 0;
    }
    for (int i = 0; i < rank; i++)
        if (extent[i] > 0) {
            if ((count | extent[i]) > INT32_MAX && count > INT64_MAX / extent[i])
                return MIKGEN_TOO_LARGE;
            count *= extent[i];
        }
    if (count > (empty ? INT64_MAX : PTRDIFF_MAX / (int64_t)element))
        return MIKGEN_TOO_LARGE;
    return address || empty || !used ? status : MIKGEN_NULL_POINTER;
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
