/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Arrays between guard pages: any access outside faults, either just past the end or just before the beginning. The rest
   of the array's own pages is filled with a pattern that must not change. */
#pragma once
#include "check_config.h"

/* Against a guard page; AS_IN_USE: as an allocator places large arrays, with room behind. Vectors whose last lanes, masked, lie in a
   page that is not there take hundreds of cycles on some processors, which is not what is to be timed. */
typedef enum { AT_END, AT_BEGIN, AS_IN_USE } Flush;

enum { PATTERN = 0xff };         /* a NaN in every floating type */
enum { HEADER = 16 };            /* bytes of an allocator before an array in use */

typedef struct {
    unsigned char *map;          /* guard page, pages, guard page */
    size_t map_size;
    unsigned char *data;
    size_t size;
} Buffer;

static size_t mik_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static void mik_fatal(const char *what)
{
    printf("cannot go on: %s: %s\n", what, strerror(errno));
    exit(2);
}

static Buffer mik_allocate(size_t size, Flush flush)
{
    size_t page = mik_page_size(), body = (size + page - 1 + (flush == AS_IN_USE ? page : 0)) / page * page;
    Buffer b;
    body = body ? body : page;
    b.map_size = body + 2 * page;
    b.map = (unsigned char *)mmap(NULL, b.map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if ((void *)b.map == MAP_FAILED)
        mik_fatal("mmap");
    memset(b.map, PATTERN, b.map_size);
    if (mprotect(b.map, page, PROT_NONE) || mprotect(b.map + page + body, page, PROT_NONE))
        mik_fatal("mprotect");
    b.size = size;
    b.data = flush == AT_END ? b.map + page + body - size : b.map + page + (flush == AS_IN_USE ? HEADER : 0);
    return b;
}

static void mik_release(Buffer *b)
{
    if (b->map != NULL)
        munmap(b->map, b->map_size);
    b->map = NULL;
}

/* Whether the bytes of the array's pages that are not the array still hold the pattern. */
static int mik_intact(const Buffer *b)
{
    const unsigned char *begin = b->map + mik_page_size(), *end = b->map + b->map_size - mik_page_size();
    for (const unsigned char *p = begin; p < b->data; p++)
        if (*p != PATTERN)
            return 0;
    for (const unsigned char *p = b->data + b->size; p < end; p++)
        if (*p != PATTERN)
            return 0;
    return 1;
}
