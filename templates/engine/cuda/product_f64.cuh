/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
#pragma once
#include "problem.cuh"

/* c += x * y for x 8 x 4, y 4 x 8: lane i holds x(i / 4, i % 4), y(i % 4, i / 4), c(i / 4, 2 * (i % 4)) and the next. */
struct mik_f64 {
    typedef double sum;
    typedef double fragment;
    static constexpr int ROWS = 8, STEPS = 4, X_COUNT = 1, Y_COUNT = 1;
    static constexpr bool ROUNDS = false, SPLITS = false;

    MIK_DEVICE void multiply(double c[2], const double x[1], const double y[1])
    {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 { %0, %1}, { %2}, { %3}, { %0, %1};"
                     : "+d"(c[0]), "+d"(c[1])
                     : "d"(x[0]), "d"(y[0]));
    }
};
