/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* The operators, as tables. */
#pragma once
#include "check_config.h"

typedef enum { P_INT, P_COEF, P_ARRAY } Kind;
typedef enum { R_EXTENT, R_BOUND, R_ATTRIBUTE } Role; /* an array's extent, a loop's bound only, any other integer */
typedef enum { E_E4M3, E_E5M2, E_HALF, E_BF16, E_F32, E_F64, E_LD, E_I8, E_U8, E_I16, E_U16, E_I32, E_U32, E_I64, E_U64, E_BOOL } Element;

/* Scalars of one type side by side in a struct; at: of the first one, in bytes. */
typedef struct {
    Element elem;
    int at, count;
} Run;

typedef struct {
    const char *name;
    Kind kind;
    Element elem;        /* of an array or a coefficient */
    int is_const;        /* array: declared so, and not written */
    int unwritten;       /* array: not written, const or not */
    int read;            /* array: its values on entry matter */
    int rank;
    Role role;           /* int */
    int is_index;        /* array: holds subscripts or loop bounds */
    int hinted;
    int64_t lo, hi;      /* int: the hinted range */
    const Run *layout;   /* array of structs, which is one of bytes, the last extent being a struct's size; else NULL */
    int runs, size;      /* of the layout; bytes of a struct */
} Param;

typedef union {
    int64_t i;
    double f;
    void *p;
} Arg;

#if MIK_CUDA
static cudaStream_t check_stream; /* that operators are enqueued on */

#endif
/* One way to run an operator. */
typedef struct {
    const char *name;
#if MIK_CUDA
    int pattern, kernel[2];      /* as in the options */
    int64_t split, blocks;
#else
    int isa, threads;
    int plan;                    /* forced decisions: see the emitted file's bits of options.plan */
#endif
    int serial;                  /* the plain entry point instead of the one with options */
#if !MIK_CUDA
    int packed;                  /* constants prepacked */
#endif
#if MIK_CUDA
    int captured;                /* into a graph, which is launched */
#endif
} Way;

#if MIK_CUDA
/* What a kernel, or a pair that shares a launch, needs of a device. */
typedef struct {
    const char *name;
    int tma;                     /* sm_90a */
    int shared, cluster;         /* bytes of shared memory; blocks of a cluster */
} Kernel;

#endif
typedef struct {
    const char *name;
    int count;
    const Param *params;
#if MIK_CUDA
    int kernels;                 /* that every contraction of the operator has */
    const Kernel *kernel;        /* of the first contraction, then its pairs */
    int twins;                   /* pairs of kernels that share a launch */
    const int (*twin)[2];
    int groups;                  /* kernels that compute several products in one launch: those of ... */
    const int (*group)[2];       /* ... these patterns and numbers */
    int rooms;                   /* intermediate arrays: without a workspace it cannot run */
    Element weights;             /* of attention, in the spec: they are rounded to it, but not at the same time */
    int short_sums;              /* products of floats of 8 bits: sm_90 keeps about 14 bits of their sums */
    int (*outputs)(const Arg *a); /* has the first product any, as far as integers tell? NULL: they do not */
#endif
    /* Extents of every array, and the limit below which its values stay when it holds subscripts; false when
       an extent would divide by zero. */
    int (*extents)(const Arg *a, int64_t extent[][MAX_RANK], int64_t *limit);
    void (*reference)(const Arg *a);
    int (*serial)(const Arg *a);
    int (*with)(const Arg *a, const Way *way, void *workspace, size_t size);
    size_t (*workspace)(const Arg *a, const Way *way);
    int (*explain)(const Arg *a, int threads, char *text, size_t size); /* threads 0: without options */
    int exact;                   /* nothing is reordered: results equal the spec's bit for bit */
    int takes_room;              /* a workspace is looked at, and refused where it overlaps an array */
#if !MIK_CUDA
    const int *kernels;          /* how many tile kernels each instruction set has; NULL: no micro-kernels */
    int by_isa;                  /* it has text for each instruction set */
    int (*packed)(const Arg *a, const Way *way, void *workspace, size_t size); /* constants prepacked; NULL: it has none */
#endif
} Op;
#if MIK_ALONE

extern const Op ops[OPS];
#endif
