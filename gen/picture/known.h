/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of an operator's parts before any call, for people: lines, loops, what became of them. C target. */
#ifndef MIKGEN_GEN_PICTURE_KNOWN_H
#define MIKGEN_GEN_PICTURE_KNOWN_H

#include <jansson.h>

#include "gen/driver/pipeline.h"

/* Puts it beside what the dispatcher says of the parts in `call`: gen/picture/calls.h has both. */
void known_add(Ir *ir, const Plan *plan, json_t *call);

/* Stems of nests and waves of whose calls nothing can be said by the operator's integers alone. */
json_t *known_unknown(Arena *arena, const Program *program);

#endif
