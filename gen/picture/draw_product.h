/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a product of gen/picture/calls.h: the output with its regions, tiles and workers to scale, what its cost is made of, and beside it
 * the same of the runner-up. */
#ifndef MIKGEN_GEN_PICTURE_DRAW_PRODUCT_H
#define MIKGEN_GEN_PICTURE_DRAW_PRODUCT_H

#include <jansson.h>

#include "gen/picture/svg.h"

/* Below y; returns where the next thing may begin. */
double draw_product(Svg *svg, const json_t *product, double y);

#endif
