/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a product on a GPU (gen/picture/calls.h): the output with its tiles by the waves in which multiprocessors take them, how full the waves
 * are, what the cost is made of, and beside it the same of the runner-up. */
#ifndef MIKGEN_GEN_PICTURE_DRAW_WAVES_H
#define MIKGEN_GEN_PICTURE_DRAW_WAVES_H

#include <jansson.h>

#include "gen/picture/svg.h"

/* Below y; returns where the next thing may begin. `call`: that it is a part of. */
double draw_waves(Svg *svg, const json_t *call, const json_t *product, double y);

#endif
