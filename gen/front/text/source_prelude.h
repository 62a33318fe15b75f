/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a source text finds declared in source-to-source mode: C's standard headers and the words of CUDA. */
#ifndef MIKGEN_GEN_FRONT_TEXT_SOURCE_PRELUDE_H
#define MIKGEN_GEN_FRONT_TEXT_SOURCE_PRELUDE_H

#include <stdbool.h>

#include "gen/front/text/spec_prelude.h"
#include "ir/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known without any #include; `has_system`: nothing of what the system's headers declare, and of CUDA what the toolkit's do, in C++;
 * `has_min` and `has_max`: with these functions for integers. */
const char *source_prelude(Arena *arena, bool cuda, bool has_system, bool has_min, bool has_max);

/* The headers that are not read from files, up to one without a name. */
extern const SourceHeader source_headers[];

/* The functions of CUDA that wait for, or order the memory of, other threads. */
bool is_barrier_name(const char *function);

/* Those whose value depends on their arguments alone. */
bool is_pure_name(const char *function);

#ifdef __cplusplus
}
#endif
#endif
