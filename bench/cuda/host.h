/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the host pays: a decision, and a whole call that is enqueued, in nanoseconds; printed. */
#ifndef BENCH_CUDA_HOST_H
#define BENCH_CUDA_HOST_H

#include "bench.h"

/* shapes: decided one after another, each as if never seen. */
void host_report(Bench *bench, const std::vector<Shape> &shapes);

#endif
