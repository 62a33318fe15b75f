/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a file made by vmath.py shows. */
#pragma once
#include <stdint.h>

typedef struct {
    const char *name, *kind; /* exp; f32, f64, f32n */
    int operands;
    void (*run)(int64_t n, const void *x, const void *y, void *out);
} VmathFunction;

/* Each ends with a function without name. */
extern const VmathFunction vmath_z[], vmath_y[], vmath_p[];
