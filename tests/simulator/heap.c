/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device memory. A range of addresses that the host cannot touch stands for it; the bytes lie at a fixed
 * distance, where only the simulator looks. An allocation is exactly as large as asked for, lies between
 * guards, starts as NaNs, and its addresses are never given out again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "heap.h"

#define RANGE (1ull << 42)
#define PAGE  4096ull

static uint64_t base, top;
static uint8_t *bytes;
static Allocation *allocations;
static int count, room;
static size_t used;
static unsigned number;

size_t heap_limit(void) { return 16ull << 30; }

size_t heap_used(void) { return used; }

static bool start(void)
{
    if (base)
        return true;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *addresses = mmap((void *)0x300000000000ull, RANGE, PROT_NONE, flags, -1, 0);
    void *backing = mmap(NULL, RANGE, PROT_NONE, flags, -1, 0);
    if (addresses == MAP_FAILED || backing == MAP_FAILED) {
        perror("simulator: mmap");
        exit(2);
    }
    base = (uint64_t)(uintptr_t)addresses;
    top = base + (1 << 20);
    bytes = backing;
    return true;
}

uint8_t *heap_host(uint64_t address) { return bytes + (address - base); }

bool heap_is_device(const void *pointer)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    return base && address >= base && address < base + RANGE;
}

uint64_t heap_allocate(size_t size, size_t align, const char *name)
{
    start();
    if (size > heap_limit() - used)
        return 0;
    /* 256 and not 512 bytes: no more than the runtime promises. */
    uint64_t address = (top + PAGE - 1) / PAGE * PAGE + (align > 256 ? 0 : 256);
    uint64_t end = (address + size + PAGE - 1) / PAGE * PAGE;
    if (end + PAGE > base + RANGE)
        return 0;
    uint64_t first_page = address / PAGE * PAGE;
    if (mprotect(heap_host(first_page), end - first_page, PROT_READ | PROT_WRITE) != 0)
        return 0;
    memset(heap_host(address), 0xff, size);
    top = end + PAGE;
    if (count == room) {
        room = room ? 2 * room : 64;
        allocations = realloc(allocations, (size_t)room * sizeof *allocations);
    }
    allocations[count++] = (Allocation){.start = address, .size = size, .name = name, .number = ++number};
    used += size;
    return address;
}

/* The last allocation that starts at or before the address. */
static Allocation *at_or_before(uint64_t address)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (allocations[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &allocations[low - 1] : NULL;
}

Allocation *heap_find(uint64_t address)
{
    Allocation *a = at_or_before(address);
    return a && address - a->start < a->size ? a : NULL;
}

Allocation *heap_nearest(uint64_t address)
{
    Allocation *a = at_or_before(address);
    if (!a)
        return count > 0 ? &allocations[0] : NULL;
    Allocation *next = a + 1 < allocations + count ? a + 1 : NULL;
    return next && next->start - address < address - (a->start + a->size) ? next : a;
}

bool heap_covers(uint64_t address, size_t size)
{
    const Allocation *a = heap_find(address);
    return size == 0 || (a && !a->is_freed && a->size - (address - a->start) >= size);
}

bool heap_free(uint64_t address)
{
    Allocation *a = at_or_before(address);
    if (!a || a->start != address || a->is_freed || a->name)
        return false;
    a->is_freed = true;
    used -= a->size;
    uint64_t first_page = address / PAGE * PAGE, end = (address + a->size + PAGE - 1) / PAGE * PAGE;
    madvise(heap_host(first_page), end - first_page, MADV_DONTNEED);
    mprotect(heap_host(first_page), end - first_page, PROT_NONE);
    free(a->shadow);
    a->shadow = NULL;
    return true;
}
