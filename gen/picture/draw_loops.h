/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws parts of a call that are no products (gen/picture/calls.h): nests with their loops, templates, vectors and threads; waves; chains. */
#ifndef MIKGEN_GEN_PICTURE_DRAW_LOOPS_H
#define MIKGEN_GEN_PICTURE_DRAW_LOOPS_H

#include <jansson.h>

#include "gen/picture/svg.h"
#include "plan/stage_list.h"

/* Each below y; they return where the next thing may begin. `call`: that the part is of. */
double draw_nest(Svg *svg, const json_t *call, const json_t *nest, double y);
double draw_stages(Svg *svg, StageKind kind, const json_t *call, const json_t *part, double y);

/* What these are made of: a rule, the line and what is there; loops as boxes; parts of a call, "gemm_s1, line 7", in boxes one behind the
 * other. */
double draw_head(Svg *svg, const json_t *part, double y, const char *what);
double draw_loop_boxes(Svg *svg, const json_t *loops, double y);
double draw_symbolic(Svg *svg, const json_t *nest, double y); /* extents that no call's integers tell, as text on their axes */
double draw_boxes(Svg *svg, const json_t *call, const json_t *stages, double y);

#endif
