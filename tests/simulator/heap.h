/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device memory. Addresses are never used again. */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t start;
    size_t size;
    bool is_freed, is_host, is_constant;
    const char *name; /* of a variable */
    unsigned number;  /* the n-th allocation */
    void *shadow;     /* of the race check; see shadow_global.c */
} Allocation;

uint64_t heap_allocate(size_t size, size_t align, const char *name); /* 0: out of memory */
bool heap_free(uint64_t address);
Allocation *heap_find(uint64_t address);    /* the live or freed allocation that holds it, or NULL */
Allocation *heap_nearest(uint64_t address); /* NULL: there is none */
uint8_t *heap_host(uint64_t address);       /* where the simulator finds its bytes */
bool heap_is_device(const void *pointer);
/* All of SIZE bytes in one live allocation? */
bool heap_covers(uint64_t address, size_t size);
size_t heap_used(void);
size_t heap_limit(void);

#endif
