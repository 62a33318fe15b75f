/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The index spaces of loop nests, as kernels and host see them. */
#pragma once
#include <stdint.h>

/* A nest's index space: x of neighbouring threads, y and z around it; how many steps the lanes of a row share, -1 if only
   the device knows; what must be an int if lanes are used; whether arrays may be reached by 16 bytes. */
typedef struct {
    int64_t x, y, z, steps, reach;
    int aligned;
} mik_extents;
