/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launching a kernel: what the device refuses, and the run itself. */
#include <stdio.h>
#include <stdlib.h>

#include "runtime_api.h"

void end_grid(Launch *l);

/* What ptxas would find is not known; this is what the kernel's own bounds leave it, up to what is usual. */
int kernel_registers(const KernelState *s)
{
    const int *n = s->function->max_threads;
    if (n[0] == 0)
        return 40;
    int threads = n[0] * n[1] * n[2], blocks = s->function->min_blocks > 0 ? s->function->min_blocks : 1;
    int most = 65536 / (threads * blocks) / 8 * 8;
    return most > 128 ? 128 : most;
}

int blocks_per_sm(KernelState *s, int threads, size_t dynamic_shared)
{
    const DeviceRow *row = device_row();
    int warps = (threads + 31) / 32;
    if (warps == 0)
        return 0;
    size_t shared = (kernel_code(s)->static_shared + dynamic_shared + 1024 + 127) / 128 * 128;
    int by_warps = row->threads_per_sm / 32 / warps, by_shared = (int)((size_t)row->shared_per_sm / shared);
    int by_registers = 65536 / (kernel_registers(s) * warps * 32), least = row->blocks_per_sm;
    least = by_warps < least ? by_warps : least;
    least = by_shared < least ? by_shared : least;
    return by_registers < least ? by_registers : least;
}

static cudaError_t check_sizes(const Order *o, const KernelState *s)
{
    static const uint32_t most_grid[3] = {2147483647, 65535, 65535}, most_block[3] = {1024, 1024, 64};
    uint64_t threads = 1;
    for (int k = 0; k < 3; k++) {
        if (o->grid[k] == 0 || o->grid[k] > most_grid[k] || o->block[k] == 0 || o->block[k] > most_block[k])
            return cudaErrorInvalidConfiguration;
        threads *= o->block[k];
    }
    if (threads > 1024)
        return cudaErrorInvalidConfiguration;
    const int *max = s->function->max_threads, *required = s->function->required_threads;
    if (max[0] && threads > (uint64_t)max[0] * (uint64_t)max[1] * (uint64_t)max[2])
        return cudaErrorInvalidValue;
    for (int k = 0; k < 3; k++)
        if (required[0] && o->block[k] != (uint32_t)required[k])
            return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t check_cluster(const Order *o, const KernelState *s)
{
    uint32_t size = 1;
    for (int k = 0; k < 3; k++) {
        if (o->cluster[k] == 0 || o->grid[k] % o->cluster[k] != 0)
            return cudaErrorInvalidClusterSize;
        size *= o->cluster[k];
    }
    if (size > 1 && settings()->cc < 90)
        return cudaErrorNotSupported;
    return size > (s->has_nonportable_cluster ? 16u : 8u) ? cudaErrorInvalidClusterSize : cudaSuccess;
}

static cudaError_t check_shared(const Order *o, KernelState *s)
{
    size_t fixed = kernel_code(s)->static_shared, most = 48 << 10;
    if ((size_t)s->max_dynamic + fixed > most)
        most = (size_t)s->max_dynamic + fixed;
    return fixed + o->dynamic_shared > most ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t order_check(const Order *o);
cudaError_t order_check(const Order *o)
{
    cudaError_t error = cudaSuccess;
    KernelState *s = kernel_state(o->kernel, &error);
    if (s)
        error = check_sizes(o, s);
    if (s && error == cudaSuccess)
        error = check_cluster(o, s);
    if (s && error == cudaSuccess)
        error = check_shared(o, s);
    if (s && error == cudaSuccess && o->is_cooperative) {
        int threads = (int)(o->block[0] * o->block[1] * o->block[2]);
        uint64_t blocks = (uint64_t)o->grid[0] * o->grid[1] * o->grid[2];
        if (blocks > (uint64_t)blocks_per_sm(s, threads, o->dynamic_shared) * (uint64_t)device_sms())
            error = cudaErrorCooperativeLaunchTooLarge;
    }
    return error;
}

static cudaError_t error_of(SimKind kind)
{
    switch (kind) {
    case SIM_OUT_OF_BOUNDS: return cudaErrorIllegalAddress;
    case SIM_MISALIGNED: return cudaErrorMisalignedAddress;
    default: return cudaErrorLaunchFailure;
    }
}

static void add_counters(SimCounters *sum, const SimCounters *c)
{
    sum->launches += c->launches;
    sum->blocks += c->blocks;
    sum->instructions += c->instructions;
    sum->global_load_bytes += c->global_load_bytes;
    sum->global_store_bytes += c->global_store_bytes;
    sum->shared_load_bytes += c->shared_load_bytes;
    sum->shared_store_bytes += c->shared_store_bytes;
    sum->async_bytes += c->async_bytes;
    sum->mma += c->mma;
    sum->atomics += c->atomics;
}

static void run_launch(Launch *l)
{
    int kind = setjmp(l->fault);
    if (kind == 0) {
        if (l->code->error) {
            diagnose(SIM_UNSUPPORTED, l->code->error);
            kind = SIM_UNSUPPORTED;
        } else {
            run_grid(l);
        }
    }
    if (kind != 0)
        raise_error(error_of((SimKind)kind));
    end_grid(l);
    free(l->fences);
    free(l->order);
    add_counters(&l->code->counters, &l->counters);
}

/* What may still run beside a launch, and what it leaves to the next one. */
static void start_early(Launch *l, const Order *o, const Flight *f)
{
    if (!o->is_programmatic || f->last == 0)
        return;
    l->before_wait = f->oldest;
    l->after_wait = f->not_waited;
    l->in_front = f->last;
}

static void leave_flight(const Launch *l, Flight *f)
{
    f->oldest = l->before_wait ? l->before_wait : l->number;
    f->not_waited = l->any_waited ? l->after_wait : l->before_wait;
    f->last = l->number;
}

void order_run(const Order *o, Flight *f)
{
    static unsigned number;
    cudaError_t error;
    KernelState *s = kernel_state(o->kernel, &error);
    Launch *l = ptx_new(sizeof *l);
    const Settings *set = settings();
    l->code = kernel_code(s);
    memcpy(l->grid, o->grid, sizeof l->grid);
    memcpy(l->block, o->block, sizeof l->block);
    memcpy(l->cluster, o->cluster, sizeof l->cluster);
    l->dynamic_shared = o->dynamic_shared;
    size_t align = l->code->dynamic_align, fixed = l->code->static_shared;
    if (o->dynamic_shared > 0)
        fixed = (SHARED_BASE + fixed + align - 1) / align * align - SHARED_BASE;
    l->shared_size = fixed + o->dynamic_shared;
    l->params = o->params;
    l->param_size = o->param_size;
    l->schedule = set->schedule;
    l->has_races = set->has_races;
    l->random = ((uint64_t)set->seed << 32) + ++number;
    l->number = number;
    l->counters.launches = 1;
    int blocks = device_sms() * blocks_per_sm(s, (int)(o->block[0] * o->block[1] * o->block[2]), o->dynamic_shared);
    l->resident = blocks / (int)(o->cluster[0] * o->cluster[1] * o->cluster[2]);
    if (l->resident < 1)
        l->resident = 1;
    uint64_t total = (uint64_t)o->grid[0] * o->grid[1] * o->grid[2];
    if (l->has_races && total < 1u << 26)
        l->fences = calloc(total + 1, sizeof *l->fences);
    start_early(l, o, f);
    run_launch(l);
    leave_flight(l, f);
    free(l);
}

/* ---- counters ---- */

typedef struct {
    const char *name;
    SimCounters *sum;
    int count;
} Query;

static void visit_query(KernelState *s, void *data)
{
    Query *q = data;
    if (!s->code || (q->name && !strstr(s->function->name, q->name)))
        return;
    if (q->sum)
        add_counters(q->sum, &s->code->counters);
    q->count++;
}

int sim_counters(const char *name, SimCounters *sum)
{
    Query q = {name, sum, 0};
    if (sum)
        memset(sum, 0, sizeof *sum);
    kernels_each(visit_query, &q);
    return q.count;
}

static void visit_reset(KernelState *s, void *data)
{
    (void)data;
    if (s->code)
        memset(&s->code->counters, 0, sizeof s->code->counters);
}

void sim_reset_counters(void) { kernels_each(visit_reset, NULL); }

static void visit_print(KernelState *s, void *data)
{
    (void)data;
    if (!s->code || s->code->counters.launches == 0)
        return;
    const SimCounters *c = &s->code->counters;
    fprintf(stderr,
            "simulator: %s: launches=%lld blocks=%lld instructions=%lld global_load=%lld global_store=%lld "
            "shared_load=%lld shared_store=%lld async=%lld mma=%lld atomics=%lld\n",
            s->function->name, c->launches, c->blocks, c->instructions, c->global_load_bytes, c->global_store_bytes, c->shared_load_bytes,
            c->shared_store_bytes, c->async_bytes, c->mma, c->atomics);
}

__attribute__((destructor)) static void print_counters(void)
{
    if (settings()->is_counting)
        kernels_each(visit_print, NULL);
}
