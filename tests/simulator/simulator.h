/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated CUDA device: controls and queries of the simulated device.
 *
 * libsimulator.a is a CUDA runtime that runs the PTX inside an object made by nvcc. A program needs nothing
 * from this header: it is written for the ordinary runtime API, compiled by
 *
 *     nvcc -std=c++17 -O2 -cudart none -no-compress -gencode arch=compute_80,code=compute_80 -c x.cu
 *
 * and linked by g++ with the library. These environment variables, read at the first API call, control it; each
 * has a function here that does the same from inside a program and wins over the variable.
 *
 *     SIM_CC=80|86|89|90|100|120 compute capability                                 (default 80)
 *     SIM_SMS=N                  multiprocessors                                    (default: the device's own)
 *     SIM_DEVICES=N              number of devices; 0: "no device", -1: "no driver" (default 1)
 *     SIM_SCHEDULE=forward-eager|forward-lazy|reverse-lazy|random-lazy              (default forward-lazy)
 *     SIM_SEED=N                 for random-lazy                                    (default 1)
 *     SIM_RACES=0|1              the race check                                     (default 1)
 *     SIM_COUNT=0|1              print the counters of each kernel at exit          (default 0)
 *     SIM_QUIET=0|1              do not print diagnoses on stderr                   (default 0)
 *
 * Assumes one host thread that calls the API. Never changes the program under test.
 */
#ifndef SIMULATOR_H
#define SIMULATOR_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the device; to be set before the first kernel is launched ---- */

void sim_set_device(int cc, int sms); /* cc 80, 86, 89, 90, 100 or 120; sms 0: as many as the device of that cc has */
void sim_set_device_count(int count); /* 0: cudaErrorNoDevice, -1: cudaErrorInsufficientDriver from every call */

/* ---- how kernels are run ---- */

typedef enum {
    SIM_FORWARD_EAGER, /* threads and blocks in rising order, asynchronous copies land at once */
    SIM_FORWARD_LAZY, /* the same, asynchronous copies land when somebody waits for them and nobody else can run
                       */
    SIM_REVERSE_LAZY, /* falling order */
    SIM_RANDOM_LAZY,  /* random order, lanes of a warp apart, copies land in random order */
    SIM_SCHEDULES
} SimSchedule;

void sim_set_schedule(SimSchedule schedule, unsigned seed);
const char *sim_schedule_name(SimSchedule schedule); /* as in SIM_SCHEDULE */
void sim_set_races(int on);
void sim_set_quiet(int on);

/* ---- what went wrong ---- */

typedef enum {
    SIM_NOTHING,
    SIM_OUT_OF_BOUNDS, /* global, shared, local, constant or parameter memory; also use after free */
    SIM_MISALIGNED,
    SIM_RACE,        /* two accesses, one of them a write, that nothing orders */
    SIM_DEADLOCK,    /* nobody can go on */
    SIM_DIVERGENCE,  /* lanes or warps of a collective operation that are not all there, or not in the same one
                      */
    SIM_BARRIER,     /* a barrier or mbarrier used against its rules */
    SIM_ASYNC,       /* registers or memory of an asynchronous operation touched before it was waited for */
    SIM_TENSOR,      /* a tensor map, matrix descriptor or copy that the hardware would refuse */
    SIM_TRAP,        /* trap, a failed assert() */
    SIM_UNSUPPORTED, /* an instruction or a form of one that is not implemented */
    SIM_KINDS
} SimKind;

/* The first diagnosis since the last sim_reset: what else happened is its consequence. Several lines of text,
 * or "". */
SimKind sim_kind(void);
const char *sim_kind_name(SimKind kind);
const char *sim_text(void);

/* Forgets diagnosis and sticky error, so that one program can provoke several. Device memory stays as it is. */
void sim_reset(void);

/* ---- what a kernel did; sums over all its launches since the last sim_reset_counters ---- */

typedef struct {
    long long launches, blocks;
    long long instructions; /* executed by a thread each */
    long long global_load_bytes, global_store_bytes, shared_load_bytes, shared_store_bytes;
    long long async_bytes; /* cp.async, bulk and tensor copies */
    long long mma;         /* mma and wgmma, one for each warp or warpgroup */
    long long atomics;
} SimCounters;

/* NAME is a part of the kernel's mangled name; NULL: all kernels together. Returns how many kernels it fits. */
int sim_counters(const char *name, SimCounters *sum);
void sim_reset_counters(void);

/* How many tensor maps the program has had made. */
long long sim_tensor_maps(void);

/* How many kernels of the program the current device has not loaded, and the mangled name of one: the first use
 * of a kernel on a device loads it, and fails in a capture (unless that is relaxed). */
int sim_unloaded(const char **name);

#ifdef __cplusplus
}
#endif
#endif
