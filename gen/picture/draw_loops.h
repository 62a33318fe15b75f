/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws parts of a call that are no products (gen/picture/calls.h): nests with their loops, templates, vectors and threads; waves; chains. */
#ifndef MIKGEN_GEN_PICTURE_DRAW_LOOPS_H
#define MIKGEN_GEN_PICTURE_DRAW_LOOPS_H

#include <jansson.h>

#include "gen/picture/svg.h"

/* Each below y; they return where the next thing may begin. `call`: that the part is of. */
double draw_nest(Svg *svg, const json_t *call, const json_t *nest, double y);
double draw_stages(Svg *svg, const char *kind, const json_t *call, const json_t *part, double y);

#endif
