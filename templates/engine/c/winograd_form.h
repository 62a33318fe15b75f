/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* Winograd's convolutions of a family: the numbers of their points, and what kernels are told. */
#pragma once
#include "types.h"

enum { MIK_F32_WINOGRAD_COLUMNS = 128 / sizeof(mik_f32_panel) }; /* of a panel of transformed filters */

/* The points a = 5/8 and b = 3/2 as transforms of pixels and outputs want them. */
enum {
    MIK_F32_POINT_MINUS,
    MIK_F32_POINT_A,
    MIK_F32_POINT_MINUS_A,
    MIK_F32_POINT_AA,
    MIK_F32_POINT_MINUS_AA,
    MIK_F32_POINT_AAA,
    MIK_F32_POINT_B,
    MIK_F32_POINT_MINUS_B,
    MIK_F32_POINT_BB,
    MIK_F32_POINT_MINUS_BB,
    MIK_F32_POINT_BBB,
    MIK_F32_POINT_PRODUCT, /* a a b b */
    MIK_F32_POINT_SUM      /* -(a a + b b) */
};
static const mik_f32_acc mik_f32_points[] = {
    -1, 0.625f, -0.625f, 0.390625f, -0.390625f, 0.244140625f, 1.5f, -1.5f, 2.25f, -2.25f, 3.375f, 0.87890625f, -2.640625f,
};

/* One over the product of a point's distances to the others: of 0, of a and -a, of b and -b. */
#define MIK_F32_FACTOR_0 (1 / 0.87890625)
#define MIK_F32_FACTOR_A (1 / (2 * 0.390625 * (0.390625 - 2.25)))
#define MIK_F32_FACTOR_B (1 / (2 * 2.25 * (2.25 - 0.390625)))
