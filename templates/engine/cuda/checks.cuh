/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Argument checks that every operator shares; all statuses are CUDA's. */
#pragma once
#include "host_config.cuh"
#include "../c/overlap.h"

/* Checks one more array, after others that gave `status`: its extents, its size in bytes, its address where the call uses it.
   cudaErrorInvalidDevicePointer says only "no address". */
static cudaError_t mik_check_array(cudaError_t status, const void *address, size_t element, const int64_t *extent, int rank, bool used)
{
    int64_t room = INT64_MAX / 2 / (int64_t)element;
    if (status != cudaSuccess && status != cudaErrorInvalidDevicePointer)
        return status;
    for (int i = 0; i < rank; i++)
        if (extent[i] < 0)
            return cudaErrorInvalidValue;
    for (int i = 0; i < rank; i++)
        if (extent[i] == 0)
            return status;
    for (int i = 0; i < rank; i++) {
        if (extent[i] > room)
            return cudaErrorInvalidValue;
        room /= extent[i];
    }
    return address || !used ? status : cudaErrorInvalidDevicePointer;
}
#if MIK_WITH_ROOM

/* Room for one intermediate array at offset *bytes, which moves on to the next multiple of 256; -1 when there is no
   such size. With room NULL only the size is added up. */
static void *mik_add_room(char *room, int64_t *bytes, size_t element, const int64_t *extent, int rank)
{
    const int64_t at = *bytes, most = INT64_MAX / 4 / (int64_t)element;
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (at < 0 || extent[i] < 0 || (extent[i] && count > most / extent[i])) {
            *bytes = -1;
            return NULL;
        }
        count *= extent[i];
    }
    *bytes = at + (count * (int64_t)element + 255) / 256 * 256;
    if (*bytes > INT64_MAX / 4)
        *bytes = -1;
    return room ? room + at : NULL;
}
#endif
