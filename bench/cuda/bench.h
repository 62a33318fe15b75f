/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operator on one device: memory for its operands, whether it is right, and how long it takes beside its peers. */
#ifndef BENCH_CUDA_BENCH_H
#define BENCH_CUDA_BENCH_H

#include <string>
#include <vector>

#include "cublas.h"
#include "device.h"
#include "operators.h"
#include "race.h"

enum State { RIGHT, WRONG, REFUSED, UNCHECKED, TOO_LARGE };
extern const char *const state_names[];

/* Where a shape's operands lie in the pools: bytes from one copy to the next. */
struct Layout {
    size_t a, b, c;
    int copies;
};

struct Bench {
    const Operator *op;
    const Device *device;
    Race *race;
    Cublas *cublas;
    bool hot; /* one copy of the operands, whatever is in the caches */
    int rounds;
    char *random, *exact, *out; /* A and B for timing; for checking; C */
    float *sums;                /* what is right */
    mikgen_cuda_options *options;
    /* The shape at hand. */
    Shape shape;
    Layout layout;
};

struct Row {
    Shape shape;
    State state;
    std::string plan;
    double ours, cublas, lt; /* microseconds; infinite: none */
    bool peer_wrong;         /* cuBLAS or cuBLASLt computed something else than they should */
};

/* Makes room for all shapes; sets `fits` for each. hot: operands may stay in the caches. */
Bench *bench_open(const Operator *op, const Device *device, Race *race, bool hot, int rounds, const std::vector<Shape> &shapes,
                  std::vector<bool> *fits);
void bench_close(Bench *bench);

/* Lays out the operands of a shape, for checking and for timing. */
void bench_take(Bench *bench, const Shape &shape);

/* The right sums of the shape at hand into bench->sums; false: there is no way to know them. */
bool bench_expect(Bench *bench);

/* One call of the operator with these options (a forced plan, or none; workspace is set here), on the numbers for checking. */
State bench_check(Bench *bench, const mikgen_cuda_options *plan);

/* Enqueues a call of the operator on copy `copy` of the numbers for timing. */
bool bench_call(Bench *bench, const mikgen_cuda_options *plan, int copy);

/* Checks the shape at hand and, unless check_only, times it beside the peers. */
Row bench_measure(Bench *bench, const Shape &shape, bool check_only);

double shape_bytes(const Shape &shape, Element element);

#endif
