/* The simulated device: its limits, its memory, its modules, and what the runtime knows. */
#ifndef COC_DEVICE_H
#define COC_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_on_cpu.h"
#include "ptx.h"

/* ---- settings.c ---- */

typedef struct {
    int cc, sms, devices;
    int current; /* cudaSetDevice */
    CocSchedule schedule;
    unsigned seed;
    bool has_races, is_quiet, is_counting;
} Settings;

typedef struct {
    int cc, sms;
    const char *name;
    int shared_per_sm, shared_opt_in, threads_per_sm, blocks_per_sm, l2_bytes, bus_bits, clock_khz, memory_khz;
} DeviceRow;

Settings *settings(void);
const DeviceRow *device_row(void);
int device_sms(void);
const char *diagnosis_prefix(void);

/* ---- heap.c: device memory. Addresses are never used again. ---- */

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
