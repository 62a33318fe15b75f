/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What tune/nests/device_features.h asks about a nest on a GPU: counted by going through the tree of one of its forms as the warps of one
 * block do, that in the middle of the grid. Which loop is what the tree says: what threads and blocks are dealt are parameters of the form,
 * a loop of a constant and small number of iterations is unrolled, a subscript that such a loop does not move is used again.
 *
 *     y[i][j] = 2 * x[j][i];       point(x, y): j = x, i = y
 *                                  a warp of 32 x 1: a load touches 32 lines, a store 1 */
#ifndef MIKGEN_TUNE_NESTS_DEVICE_COUNTS_H
#define MIKGEN_TUNE_NESTS_DEVICE_COUNTS_H

#include "plan/plan.h"
#include "tune/nests/device_features.h"

/* What a parameter of the operator, or a scalar that the nest captures, is worth. */
typedef struct ScalarValue {
    const Sym *scalar;
    int64_t value;
} ScalarValue;

/* The form as nest->knobs say, where the scalars have these values. Loops whose bounds nobody knows count as 16 iterations, branches as
 * taken where nobody knows the condition, elements at places that memory names as one line each. False: the nest has no such form, or its
 * extents depend on other scalars, or are 0. */
bool device_numbers(Ir *ir, const DeviceNest *nest, NestForm form, const ScalarValue *scalars, int nscalars, const DeviceLimits *limits,
                    DeviceNumbers *out);

/* The form that the emitted file chooses where scalars have these values and arrays are aligned (templates/cuda/nest_choose.cu.j2). False:
 * its extents, or what lanes share, depend on other scalars, or there is nothing to do. */
bool device_form(Ir *ir, const DeviceNest *nest, const ScalarValue *scalars, int nscalars, NestForm *form);

#endif
