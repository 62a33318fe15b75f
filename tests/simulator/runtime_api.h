/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files that make up the runtime API. */
#ifndef SIM_RUNTIME_API_H
#define SIM_RUNTIME_API_H

#include <cuda_runtime_api.h>

#include "heap.h"
#include "multiprocessor.h"
#include "settings.h"

/* ---- errors.c: what calls return ---- */

/* The entry of every call: cudaErrorInsufficientDriver, cudaErrorNoDevice, or the sticky error. */
cudaError_t enter(void);
cudaError_t leave(cudaError_t error); /* remembers it for cudaGetLastError */
void raise_error(cudaError_t error);  /* of a kernel; sticky, seen by the next call that synchronises */
cudaError_t synchronise_errors(void);
long long times_synchronised(void);

/* ---- fatbin.c: kernels and variables of the program's objects ---- */

typedef struct Kernel {
    const void *host; /* what the program calls it by */
    const char *name;
    struct Binary *binary;
    struct KernelState *states; /* for each image that was used */
    uint32_t loaded;            /* bit i: on device i */
    struct Kernel *next;
} Kernel;

/* For one kernel in one image. */
typedef struct KernelState {
    const Function *function;
    const Module *module;
    Code *code;
    int max_dynamic; /* cudaFuncSetAttribute; 0: 48 KB */
    int carveout;
    bool has_nonportable_cluster;
    struct KernelState *next;
} KernelState;

Kernel *kernel_find(const void *host); /* by its stub's address, or the Kernel itself; NULL: none */
KernelState *kernel_state(Kernel *k, cudaError_t *error); /* for the device, loaded; NULL: it cannot be */
Code *kernel_code(KernelState *s);                        /* decoded */
void kernels_each(void visit(KernelState *s, void *data), void *data);
uint64_t variable_find(const void *host, size_t *size); /* 0: unknown */

/* ---- kernel_launch.c ---- */

typedef struct {
    Kernel *kernel;
    uint32_t grid[3], block[3], cluster[3];
    size_t dynamic_shared;
    uint8_t *params;
    size_t param_size;
    bool is_cooperative, is_programmatic; /* may start before the launch in front of it in the stream is over */
} Order;

/* The last launches of a stream, with nothing else behind them: the number of the last one, 0: none; the oldest that may still run when the
 * next one starts early, and the oldest that it may not even have waited for. */
typedef struct {
    unsigned last, oldest, not_waited;
    long long synchronised; /* times that the program had waited for everything by then */
} Flight;

int blocks_per_sm(KernelState *s, int threads, size_t dynamic_shared);
int kernel_registers(const KernelState *s);
void order_run(const Order *o, Flight *f);

/* ---- stream.c, capture.c ---- */

typedef struct Capture Capture;

typedef struct CUstream_st {
    Capture *capture; /* NULL: not capturing */
    bool is_origin, is_unjoined, is_nonblocking;
    unsigned flags;
    int priority;
    Flight flight;
    struct CUstream_st *next;
} Stream;

Stream *stream_of(cudaStream_t handle); /* NULL: not a stream */
Stream *legacy_stream(void);
bool any_capture(void);
/* A call that must not happen while anything is captured, such as cudaMalloc. */
cudaError_t forbid_in_capture(void);
/* A call that synchronises with the legacy stream. */
cudaError_t forbid_implicit(void);

typedef enum { NODE_LAUNCH, NODE_COPY, NODE_SET, NODE_NOTHING } NodeKind;

typedef struct {
    NodeKind kind;
    Order order;
    void *to;
    const void *from;
    size_t size, pitch, from_pitch, rows;
    int value;
} Node;

/* Runs the node, or if the stream is being captured keeps a copy of it. */
cudaError_t submit(cudaStream_t stream, const Node *node);
cudaError_t node_check(const Node *n);
void node_run(const Node *n, Flight *f);

#endif
