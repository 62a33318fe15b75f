/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan/isa.def as templates read it. */
#ifndef MIKGEN_EMIT_SETS_H
#define MIKGEN_EMIT_SETS_H

#include <jansson.h>

/* Instruction sets, best first: [{name, number, base (its name, its own: none), guard, prefix, word, full, features[], in_words, traits[],
 *   loops_of: the set whose name loops go by, kernels: {FAMILY: {text, macro, target, needs[], traits[]}}, loops: {letter, guard, macro,
 *   target, features[], bytes, numbers[]} or null}]. Caller owns the reference. */
json_t *sets_model(void);

/* The names of those that a file holds, as KernelOptions has them. Caller owns the reference. */
json_t *sets_held(unsigned held);

#endif
