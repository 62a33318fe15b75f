/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The offline stage on a GPU: which measurements make a profile, and their way from a measuring program into it.
 *
 * MikPoly, section on the performance model: each micro-kernel's pipelined task of t reduction steps is timed for
 * t = 1 .. n_pred, here by a block alone on the GPU. Beyond the paper: a full machine with 1 .. all blocks that one
 * multiprocessor holds; what a launch takes, which is taken off all other times; blocks that share sums; memory's bandwidth.
 *
 * Times are device time of launches that follow one another (templates/tune/time.cu.j2). Repeats take turns over all kernels of a
 * type, so that a drift of the clocks meets all that will be compared; a reference kernel tells of it, and what was measured
 * meanwhile is measured again (tune/measure.h). */
#ifndef MIKGEN_TUNE_CUDA_H
#define MIKGEN_TUNE_CUDA_H

#include "plan/kernels/gpu.h"
#include "tune/session.h"
#include "tune/tune.h"

/* The kernels of one type, as they are in the measuring program, which calls the type `name`. */
typedef struct CudaType {
    const char *name;
    const Contraction *contraction;
    const GpuKernel *kernels;
    int nkernels;
} CudaType;

typedef struct CudaInput {
    const char *program; /* the compiled measuring program; its device answers as `gpu` says */
    int device;          /* its number */
    const CudaType *types;
    int ntypes;
    int n_pred;          /* the greatest number of steps that is measured */
    double budget;       /* seconds that measuring may take */
    bool quick;          /* short samples, few repeats: for trying things out */
    bool again;          /* measure also what is known; the shorter times win */
    bool (*save)(void *user, const Profile *profile); /* called after each group; false: give up */
    void *user;
} CudaInput;

/* What a device answers. */
typedef struct CudaDevice {
    int cc, sms, gpu;         /* 90; multiprocessors; kind (plan/kernels/gpu.h) */
    const char *name, *nvcc;  /* "NVIDIA H200"; "13.0" */
} CudaDevice;

/* Asks a measuring program, or a probe, for its device; false after a message when there is none, or none that kernels
 * run on. Arena-owned. */
bool cuda_device(Arena *arena, const char *program, int number, CudaDevice *device);

/* The same of one that runs: "gpu CC SMS NVCC NAME", or "error CODE TEXT". */
bool cuda_ask(Arena *arena, Session *session, int number, CudaDevice *device);

/* "sm_90 measured on NVIDIA H200, ...". */
const char *cuda_line(Arena *arena, const CudaDevice *device);

/* Adds it to the profile's comments. False after a message: the profile has that of another one of the same kind. */
bool cuda_describe(Arena *arena, const CudaDevice *device, Profile *profile);

/* Measures what `profile` lacks of the device's kind and adds it. Interrupted by SIGINT or SIGTERM (*number tells which), it keeps
 * what is complete. TUNE_FAILED after a message. *all: the time sufficed for everything. Progress goes to stderr. */
TuneResult cuda_measure(Arena *arena, const CudaInput *in, Profile *profile, bool *all, int *number);

#endif
