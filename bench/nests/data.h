/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in a case's arrays: random values at first; in files; against what should be there. Faults of the system end the
 * program. */
#ifndef BENCH_NESTS_DATA_H
#define BENCH_NESTS_DATA_H

#include "case.h"

size_t array_bytes(const Array *array);
/* Zeros, `stagger` bytes behind the start of a page. */
void *allocate(size_t bytes, size_t stagger);
/* The same values in every process that fills the same arrays in the same order. */
void fill(const Array *array, void *data);
/* The file FOLDER/PREFIXname.bin. */
void save(const char *folder, const char *prefix, const Array *array, const void *data);
void load(const char *folder, const char *prefix, const Array *array, void *data);
/* The largest error: relative to the element plus the root of the array's mean square; of integers the difference itself. */
double difference(const Array *array, const void *found, const void *wanted);

#endif
