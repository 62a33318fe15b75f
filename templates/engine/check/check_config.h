/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/*
 * What a self-check decides about the files beside this one, here so that they compile as they stand, for one operator. It is no
 * part of emitted programs, which have the values and the tables of their operators: see templates/assemble.py.
 */
#pragma once
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#ifndef MIK_CUDA
#define MIK_CUDA 0                   /* the operators run on a GPU */
#endif
#define MIK_TRACE        1                  /* calls tell what they do */
#define MIK_ALONE        1                  /* the operators are elsewhere */
#define MIK_DOT_PRODUCTS 1           /* some operator has kernels of dot-product instructions */
#define MIK_WINOGRADS    1                  /* some is allowed Winograd's algorithm */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "../c/trace_event.h"
#if MIK_CUDA
#include <cuda_runtime_api.h>
#define MIKGEN_OVERLAP cudaErrorNotPermitted
#else
#include "../c/call_options.h"
#include <pthread.h>
#endif

enum { MAX_PARAMS = 8, MAX_RANK = 4 };   /* of an operator; of an array */
enum { OPS = 1, PLANS = 4 };          /* operators; kernels and pairs of them that share a launch */
enum { ISAS = 6 };                       /* instruction sets, by options.isa; ways to force them; names */
#define MIK_DOT_WAYS
#define MIK_NEXT_NUMBER   1                     /* of the set that the best one stands on, */
#define MIK_NEXT_SET      portable              /* and its name */
#define MIK_LOWEST_NUMBER 1                     /* of the one that stands on none */
#define MIK_LOWEST_SET    portable
#define MIK_SET_WAYS      {"portable", 1, 1, 0, 0, 0}, {"portable, 2 threads", 1, 2, 0, 0, 0},
#define MIK_LOOP_WAYS     7
#define MIK_SET_NAMES     "portable"
