/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the model that describes arrays which may come prepacked. */
#ifndef MIKGEN_EMIT_CONSTANT_H
#define MIKGEN_EMIT_CONSTANT_H

#include "emit/stage.h"

/* constants[], as templates/c/constant.c.j2 documents them. */
json_t *constants_build(const StageInput *in, uint64_t spec_hash);

/* Of the args struct: where the parts of a constant lie. */
const char *constant_field(Ir *ir, const Constant *k);

#endif
