/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Memory that is measured in. */
#pragma once
#include "tune_config.h"

/* Memory that exists from now on: every page has been written. In large pages, where the system has them, two runs
   find the same lines in the same places of the caches. */
static void *tune_room(size_t bytes, int large)
{
    void *p = NULL;
    const size_t page = large ? (size_t)1 << 21 : 4096;
    bytes = (bytes + page) / page * page;
    if (posix_memalign(&p, page, bytes)) {
        fprintf(stderr, "no memory for %lu bytes\n", (unsigned long)bytes);
        exit(1);
    }
#if defined(MADV_HUGEPAGE)
    if (large)
        madvise(p, bytes, MADV_HUGEPAGE);
#endif
    memset(p, 0, bytes);
    return p;
}

enum { TUNE_A, TUNE_B, TUNE_C, TUNE_PANELS, TUNE_MATRIX, TUNE_STREAM, TUNE_ROOMS };

/* Room that lives until a call with the same `which` asks for more, which moves it. */
static void *tune_keep(int which, size_t bytes)
{
    static void *kept[TUNE_ROOMS];
    static size_t size[TUNE_ROOMS];
    if (!kept[which] || size[which] < bytes) {
        free(kept[which]);
        kept[which] = tune_room(bytes, which < TUNE_PANELS);
        size[which] = bytes;
    }
    return kept[which];
}
