/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors, as templates/engine/vec names them: f32z16_load(x + i). */
#ifndef MIKGEN_EMIT_VECTOR_H
#define MIKGEN_EMIT_VECTOR_H

#include "emit/text.h"

/* "f32z16", "maskz16" of the function that is printed. */
const char *vector_type(const Emitter *e, Type type);

/* An expression that is a vector, or makes a scalar of one (N_FOLD). */
void print_vector(Emitter *e, const Node *n, int min_prec);

/* An N_PREFETCH or an N_VSTORE without its semicolon. */
const char *vector_prefetch(Emitter *e, const Node *n);
const char *vector_store(Emitter *e, const Node *n);
const char *vector_row_store(Emitter *e, const Node *n);

/* An N_TILE likewise. */
const char *vector_tile(Emitter *e, const Node *n);

#endif
