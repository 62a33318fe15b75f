/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Do arrays overlap? An array without elements, or without an address because the call does not use it, has no bytes. */
#pragma once
#include <stdint.h>
#if MIK_WITH_OVERLAP
static inline int mik_overlap(const void *x, uint64_t x_bytes, const void *y, uint64_t y_bytes)
{
    const uint64_t from_x = (uint64_t)(uintptr_t)y - (uint64_t)(uintptr_t)x, from_y = (uint64_t)0 - from_x;
    return x && y && x_bytes && y_bytes && (from_x < x_bytes || from_y < y_bytes);
}
#endif
#if MIK_WITH_FAR

/* The same of arrays that have addresses, and so few bytes that no sum overflows. Empty ones need not count as far. */
static inline int mik_far(const void *x, uint64_t x_bytes, const void *y, uint64_t y_bytes)
{
    const uint64_t last = (uint64_t)(uintptr_t)y + (y_bytes - 1); /* the same for all x */
    return last - (uint64_t)(uintptr_t)x >= x_bytes + (y_bytes - 1);
}
#endif
#if MIK_WITH_APART

/* Is no byte in both? Always so of two arrays that are apart; of an empty one perhaps not. */
static inline int mik_apart(const void *x, uint64_t x_bytes, const void *y, uint64_t y_bytes)
{
    const uint64_t from_x = (uint64_t)(uintptr_t)y - (uint64_t)(uintptr_t)x, from_y = (uint64_t)0 - from_x;
    return (from_x >= x_bytes) & (from_y >= y_bytes);
}
#endif
