/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For included.spec, and for what it does not use. */
#ifndef COMMON_H
#define COMMON_H
#include <math.h>
#include "../included/types.h"
#include "types.h"

enum { RADIUS = 1 };
static const real scale = 0.5f;

static inline real clip(real x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

#ifdef __cplusplus
#error "a spec is C"
#elif defined(SQUARE)
static inline real half_of(real x) { return x * scale; }
#endif

struct unused {
    int member;
};
static inline void unused(float *p) { *p = 1; }
extern int unused_variable;
#endif
