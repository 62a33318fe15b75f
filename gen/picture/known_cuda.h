/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of an operator's parts before any call, for people: of CUDA files. */
#ifndef MIKGEN_GEN_PICTURE_KNOWN_CUDA_H
#define MIKGEN_GEN_PICTURE_KNOWN_CUDA_H

#include <jansson.h>

#include "plan/plan.h"

/* Puts it beside what the dispatcher says of the parts in `call`: gen/picture/calls.h has both. */
void known_add_cuda(Ir *ir, const Plan *plan, json_t *call);

#endif
