/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws parts of a call on a GPU that are no products (gen/picture/calls.h): loops with the axes and the grid that they are launched on; groups
 * of products and attention, as one launch or as several. */
#ifndef MIKGEN_GEN_PICTURE_DRAW_LAUNCHES_H
#define MIKGEN_GEN_PICTURE_DRAW_LAUNCHES_H

#include <jansson.h>

#include "gen/picture/svg.h"
#include "plan/stage_list.h"

/* Each below y; they return where the next thing may begin. */
double draw_launched(Svg *svg, const json_t *nest, double y);
double draw_together(Svg *svg, StageKind kind, const json_t *call, const json_t *part, double y);

#endif
