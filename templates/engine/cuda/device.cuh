/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Micro-kernels as the dispatcher sees them, and what it knows of devices. */
#pragma once
#include "host_config.cuh"

/* Rates of one micro-kernel on one kind of GPU, in picoseconds: start and end of a tile; k steps of it on a full
   multiprocessor, shared with the other blocks; the least that its latency allows. */
typedef struct {
    double fixed, step, alone;
} mik_rates;

enum { MIK_SM80, MIK_SM86, MIK_SM89, MIK_SM90, MIK_GPUS };

/* One micro-kernel, as the dispatcher sees it. */
typedef struct {
    const char *name;
    const void *kernel;
    int m, n, k;         /* tile of the output, and steps of k between barriers */
    int threads, blocks; /* threads per block; blocks that the registers let one multiprocessor hold */
    int shared;          /* bytes of shared memory */
    int align;           /* bytes to which operands must be aligned */
    int tma;             /* reads them through tensor maps, is persistent, and needs sm_90a */
    int cluster;         /* blocks, on multiprocessors of their own, that compute a tile together */
    int box;             /* rows of the boxes by which it stores outputs through tensor maps; 0: it does not */
    int beside;          /* blocks of a cluster lie along n, and have A in common; else along m, and B */
    int turns;           /* 2: a block computes two tiles at a time, and finishes one while it multiplies the next */
    int split_k;         /* blocks of a cluster compute the same rows and columns, each a part of every step */
    int exchange;        /* of `fixed` what it takes them to bring their sums together */
    mik_rates rates[MIK_GPUS];
} mik_variant;

/* Two micro-kernels in one, both for tensor maps or neither: the first computes the blocks of region[0], the second the rest. */
typedef struct {
    const void *kernel;
    int first, second; /* numbers of variants, of the same number of threads */
    int shared, blocks;
} mik_twin;

/* The micro-kernels of a contraction; bytes of an element of A, B, of packed codes in parts of one, and the output. */
typedef struct {
    const char *what;
    const mik_variant *variants;
    int count;
    const mik_twin *twins;
    int twin_count;
    double a_bytes, b_bytes;
    int c_bytes, sum_bytes;
} mik_set;

typedef struct {
    int ready; /* 0: unknown, 1: being written, 2: valid */
    int ordinal, sms, cc, gpu;
    int shared_sm, shared_block; /* bytes of shared memory per multiprocessor, and per block at most */
    double bandwidth, launch;    /* of memory, in bytes per picosecond; picoseconds */
} mik_device;

enum { MIK_DEVICES = 64, MIK_PLANS = 64 };

static mik_device mik_devices[MIK_DEVICES];

/* What else kinds of GPU differ in: bytes per picosecond that streams get out of memory (of an A100, an A10, an L40, an H200),
   and which part that is of what the memory's clock promises; picoseconds of a launch that waits in
   line, which drains the machine before it starts, of sums that meet, and of each byte of them. */
typedef struct {
    double bandwidth, reached, launch, reduction, partial;
} mik_gpu;

#if MIK_ALONE
extern const mik_gpu mik_gpus[MIK_GPUS];
#endif
