/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How functions of <math.h> are computed in vectorized loops of the C target: --math, #pragma mikgen math(fast). */
#ifndef MIKGEN_IR_MATH_FORM_H
#define MIKGEN_IR_MATH_FORM_H

typedef enum MathForm {
    MATH_UNSAID, /* as MATH_VECTOR, unless somebody else says something */
    MATH_VECTOR, /* by vectors */
    MATH_FAST,   /* by vectors with wider bounds (docs/vmath.md), quotients of floats too */
    MATH_LIBM    /* the C library's, one element at a time */
} MathForm;

/* "vector", "fast", "libm"; of MATH_UNSAID NULL. */
const char *math_form_name(MathForm form);

/* MATH_UNSAID: none is called so. */
MathForm math_form_named(const char *name);

#endif
