/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* A clock for traces. */
#pragma once
#include <stdint.h>
#include <time.h>

/* Nanoseconds on a clock that only goes forward; of no meaning by themselves. */
static inline uint64_t mik_now(void)
{
#if defined(CLOCK_MONOTONIC) && !defined(_WIN32)
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#elif defined(TIME_UTC)
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
#else
    return (uint64_t)clock() * (1000000000u / CLOCKS_PER_SEC); /* of the processor: nothing better is there */
#endif
}
