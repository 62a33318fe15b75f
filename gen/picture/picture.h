/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls as pictures. */
#ifndef MIKGEN_GEN_PICTURE_PICTURE_H
#define MIKGEN_GEN_PICTURE_PICTURE_H

#include <jansson.h>

#include "ir/arena.h"

/* Calls of gen/picture/calls.h, one below the other, as one SVG file; the same bytes for the same calls. Arena-owned. */
const char *picture_svg(Arena *arena, const json_t *calls);

/* "gemm, M 1000, N 700, K 300, 4 threads". Arena-owned. */
const char *call_title(Arena *arena, const json_t *call);

#endif
